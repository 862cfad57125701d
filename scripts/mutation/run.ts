// `npm run mutation`: breaks the code in a sample of places and counts how often the tests notice. Ended and started again it goes on where it was.

import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { integerOption } from '../integer-option.ts';
import { isJudged, readEquivalents } from './equivalents.ts';
import { allMutants, drawn, type Mutant } from './mutants.ts';
import { readReach } from './reaching-tests.ts';
import { type Outcome, reportText, sharesNoticed, WANTED } from './report.ts';
import { ROOMS } from './rooms.ts';
import { digest, keyOf, RunRecord } from './run-record.ts';
import { shareOut } from './share-out.ts';
import { recordTouches } from './touching-tests.ts';
import { Trial } from './trial.ts';
import { WorkingCopy } from './working-copy.ts';

const { values } = parseArgs({
  options: {
    sample: { type: 'string', default: '300' },
    seed: { type: 'string', default: '1' },
    rooms: { type: 'string' },
    only: { type: 'string' },
    lanes: { type: 'string', default: '2' },
    seconds: { type: 'string', default: '180' },
    out: { type: 'string', default: 'build/mutation' },
  },
});
const [count, lanes] = [integerOption('--sample', values.sample, 1), integerOption('--lanes', values.lanes, 1)];
const [seconds, seed] = [integerOption('--seconds', values.seconds, 1), integerOption('--seed', values.seed)];

// Without it a signal would leave the tests that run behind.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));

const root = fileURLToPath(new URL('../..', import.meta.url));
const out = path.join(root, values.out);
const equivalents = readEquivalents(root);
const sourceTexts = new Map<string, string>();
const changesAnAnswer = (mutant: Mutant) => {
  const text = sourceTexts.get(mutant.file) ?? readFileSync(path.join(root, mutant.file), 'utf8');
  sourceTexts.set(mutant.file, text);
  return !equivalents.some((known) => isJudged(mutant, text, known));
};

const names = values.rooms?.split(',');
const rooms = ROOMS.filter(({ name }) => names?.includes(name) ?? true);
if (rooms.length !== (names ?? ROOMS).length) throw new Error(`rooms are ${ROOMS.map(({ name }) => name).join(', ')}`);
const places = values.only?.split(',');
const isWanted = ({ file, line }: Mutant) => places?.some((place) => file === place || file.startsWith(`${place}/`) || `${file}:${line}` === place) ?? true;
const sample = drawn(allMutants(root, rooms), count, seed, changesAnAnswer).filter(isWanted);

const record = new RunRecord(path.join(out, 'record.jsonl'));
const reach = readReach(root);
// As they are copied: whoever works on the project meanwhile changes nothing of this run.
const texts = new Map<string, string>();
for (const { file } of sample)
  for (const name of [file, ...reach(file).keys()]) if (!texts.has(name)) texts.set(name, readFileSync(path.join(root, name), 'utf8'));
const textOf = (file: string) => texts.get(file) ?? '';
const digestOf = (test: string) => digest(textOf(test));
const say = (line: string) => console.error(line);
const trial = new Trial({ record, reach, digestOf, withinMs: 1000 * seconds, say });
const copies = Array.from({ length: lanes }, (_, lane) => new WorkingCopy(root, path.join(out, `copy-${lane}`)));

await recordTouches(sample, copies, { record, reach, textOf, digestOf, say });
// In the order in which they were drawn: what was tried is a sample of all at any time.
let done = 0;
await shareOut(sample, copies, async (mutant, copy) => {
  const { end, by } = await trial.run(mutant, keyOf(mutant, textOf(mutant.file)), copy);
  console.error(`${++done}/${sample.length} ${mutant.file}:${mutant.line} ${end === 'lives' ? 'LIVES' : `${end}: ${by}`}`);
  // Whoever ends it has a report of what was tried.
  report();
});
process.exitCode = report() >= WANTED ? 0 : 1;
console.log(readFileSync(path.join(out, 'report.md'), 'utf8'));

/** Returns the share that is noticed. */
function report(): number {
  const outcomes = sample.flatMap((mutant): readonly Outcome[] => {
    const tried = record.tried(keyOf(mutant, textOf(mutant.file)));
    return tried === undefined ? [] : [{ mutant, tried }];
  });
  writeFileSync(path.join(out, 'report.md'), reportText(rooms, outcomes, seed, sample.length));
  const rows = outcomes.map(({ mutant: { room, ...mutant }, tried }) => ({ room: room.name, ...mutant, ...tried }));
  writeFileSync(path.join(out, 'report.json'), `${JSON.stringify(rows, null, 1)}\n`);
  return sharesNoticed(outcomes);
}

// `npm run mutation`: breaks the code in a sample of places and counts how often the tests notice.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { allMutants, type Mutant, sampleOf } from './mutants.ts';
import { ROOMS, type Room } from './rooms.ts';
import { WorkingCopy } from './working-copy.ts';

const { values } = parseArgs({
  options: {
    sample: { type: 'string', default: '300' },
    seed: { type: 'string', default: '1' },
    rooms: { type: 'string' },
    out: { type: 'string', default: 'build/mutation' },
  },
});
const [count, seed] = [Number(values.sample), Number(values.seed)];
if (!(Number.isInteger(count) && count > 0 && Number.isInteger(seed))) throw new Error('--sample and --seed are integers, the sample above 0');

/** Of those that change an answer. */
const WANTED = 0.92;
/** A run that takes so many times as long as with the code whole is one that does not end. */
const PATIENCE = 3;
const PATIENCE_MS = 20_000;
const LONGEST_BASELINE_MS = 1_200_000;

type Outcome = { readonly mutant: Mutant; readonly noticedBy: 'room' | 'wider' | 'timeout' | null };
/** Changes that were looked at and change no answer: they are left out of the sample. */
type Equivalent = { readonly file: string; readonly original: string; readonly replacement: string; readonly why: string };

// Without it a signal would leave the tests that run behind.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));

const root = fileURLToPath(new URL('../..', import.meta.url));
const equivalents = JSON.parse(readFileSync(new URL('./equivalent.json', import.meta.url), 'utf8')) as readonly Equivalent[];
const isEquivalent = ({ file, original, replacement }: Mutant) =>
  equivalents.some((known) => known.file === file && known.original === original && known.replacement === replacement);

const names = values.rooms?.split(',');
const rooms = ROOMS.filter(({ name }) => names?.includes(name) ?? true);
if (rooms.length !== (names ?? ROOMS).length) throw new Error(`rooms are ${ROOMS.map(({ name }) => name).join(', ')}`);
const sample = sampleOf(
  allMutants(root, rooms).filter((mutant) => !isEquivalent(mutant)),
  count,
  seed,
);
const copy = new WorkingCopy(root, path.join(root, values.out, 'copy'));
const outcomes: Outcome[] = [];
for (const room of rooms) {
  const mutants = sample.filter((mutant) => mutant.room === room);
  if (mutants.length > 0) outcomes.push(...(await tryRoom(room, mutants)));
}
process.exitCode = report(outcomes) ? 0 : 1;

async function tryRoom(room: Room, mutants: readonly Mutant[]): Promise<readonly Outcome[]> {
  const patience = { room: await baseline(room.tests), wider: 0 };
  const done: Outcome[] = [];
  for (const mutant of mutants) {
    const noticedBy = await copy.withMutant(mutant, async () => {
      const first = await copy.test(room.tests, patience.room);
      if (first !== 'pass') return first === 'fail' ? 'room' : 'timeout';
      return 'unnoticed' as const;
    });
    // The wider tests are timed only once something gets through to them.
    if (noticedBy === 'unnoticed' && patience.wider === 0) patience.wider = await baseline(room.wider);
    const wider = noticedBy === 'unnoticed' ? await copy.withMutant(mutant, () => copy.test(room.wider, patience.wider)) : null;
    const outcome: Outcome = { mutant, noticedBy: noticedBy === 'unnoticed' ? (wider === 'pass' ? null : wider === 'fail' ? 'wider' : 'timeout') : noticedBy };
    done.push(outcome);
    console.error(`${room.name} ${done.length}/${mutants.length} ${mutant.file}:${mutant.line} ${outcome.noticedBy ?? 'LIVES'}`);
  }
  return done;
}

/** How long tests may take: they have to pass with the code whole. */
async function baseline(patterns: readonly string[]): Promise<number> {
  const startedAt = performance.now();
  const whole = await copy.test(patterns, LONGEST_BASELINE_MS);
  if (whole !== 'pass') throw new Error(`${patterns.join(' ')} do not pass with the code whole: ${whole}`);
  return PATIENCE_MS + PATIENCE * (performance.now() - startedAt);
}

function report(all: readonly Outcome[]): boolean {
  const share = (some: readonly Outcome[]) => some.filter(({ noticedBy }) => noticedBy !== null).length / Math.max(1, some.length);
  const rows = rooms.map((room) => {
    const own = all.filter(({ mutant }) => mutant.room === room);
    const by = (who: Outcome['noticedBy']) => own.filter(({ noticedBy }) => noticedBy === who).length;
    return `| ${room.name} | ${own.length} | ${by('room')} | ${by('wider')} | ${by('timeout')} | ${by(null)} | ${(100 * share(own)).toFixed(1)}% |`;
  });
  const living = all
    .filter(({ noticedBy }) => noticedBy === null)
    .map(({ mutant: { file, line, original, replacement } }) => `- ${file}:${line} \`${oneLine(original)}\` → \`${oneLine(replacement)}\``);
  const head = `| room | mutants | noticed by its tests | by wider tests | did not end | live | noticed |\n|---|---|---|---|---|---|---|`;
  const text = `${head}\n${rows.join('\n')}\n\nOf ${all.length} (seed ${seed}) ${(100 * share(all)).toFixed(1)}% are noticed; wanted are ${100 * WANTED}%.\n\n${living.join('\n')}\n`;
  const out = path.join(root, values.out);
  mkdirSync(out, { recursive: true });
  writeFileSync(path.join(out, 'report.md'), text);
  writeFileSync(
    path.join(out, 'report.json'),
    `${JSON.stringify(
      all.map(({ mutant: { room, ...mutant }, noticedBy }) => ({ room: room.name, ...mutant, noticedBy })),
      null,
      1,
    )}\n`,
  );
  console.log(text);
  return share(all) >= WANTED;
}

function oneLine(text: string): string {
  const line = text.replace(/\s+/g, ' ');
  return line.length <= 100 ? line : `${line.slice(0, 100)} …`;
}

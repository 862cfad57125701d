// `npm run mutation:contracts`: breaks the contracts' money paths and counts how often forge, or else the suites on anvil, notice. Ended and started again it goes on where it was.

import { appendFileSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { integerOption } from '../../integer-option.ts';
import { broken, drawn, type Mutant } from '../mutants.ts';
import { reportText, sharesNoticed } from '../report.ts';
import type { Room } from '../rooms.ts';
import { keyOf, type Tried } from '../run-record.ts';
import { type TestRun, WorkingCopy } from '../working-copy.ts';
import { contractTests } from './contract-tests.ts';
import { isJudged, readEquivalents } from './equivalents.ts';
import { changesOf } from './operators.ts';
import { WarmCompiler } from './warm-compiler.ts';

const WANTED = 0.9;
const FORGE_MS = 900_000;
const SUITES_MS = 3_600_000;
const EVERY = ['every'];
/** Of the other chains. */
const OTHERS = ['uniswap', 'uniswap_v4'];
const ARTIFACTS = 'contracts/artifacts';
const FORGE_BUILD = 'build/forge';
const ROOMS: readonly Room[] = [
  { name: 'AllowanceHolder', files: /^AllowanceHolder\.sol$/ },
  { name: 'Router', files: /^Router\.sol$/ },
  { name: 'lib', files: /^lib\/(?!Addresses)\w+\.sol$/ },
  { name: 'legs', files: /^legs\/\w+\.sol$/ },
];

/** `same`: the compiler makes the same code of it; `invalid`: none. Neither is a mutant. `through`: forge let it through, and the suites were not asked. */
type End = Tried['end'] | 'same' | 'invalid' | 'through';
type Line = { readonly key: string; readonly end: End; readonly by: string | null };

const { values } = parseArgs({
  options: {
    sample: { type: 'string', default: '100' },
    seed: { type: 'string', default: '1' },
    out: { type: 'string', default: 'build/mutation-contracts' },
    // A place, or the beginning of some: contracts/lib/Offers.sol:26
    only: { type: 'string', default: '' },
    // The beginning of their names: assembly
    operators: { type: 'string', default: '' },
    lanes: { type: 'string', default: '2' },
    again: { type: 'boolean', default: false },
    // Forge alone, which is quick: what it lets through counts as living until a run without this asks the suites.
    forge: { type: 'boolean', default: false },
  },
});
const [sample, lanes] = [integerOption('--sample', values.sample, 1), integerOption('--lanes', values.lanes, 1)];
const seed = integerOption('--seed', values.seed);
// Without it a signal would leave the tests that run behind.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));

const root = fileURLToPath(new URL('../../..', import.meta.url));
const out = path.join(root, values.out);
mkdirSync(out, { recursive: true });
const texts = new Map<string, string>();
const equivalents = readEquivalents();
const isWanted = ({ file, line, mutator }: Mutant) =>
  (values.only === '' || `${file}:${line}:`.startsWith(`${values.only}:`) || file.startsWith(values.only)) && mutator.startsWith(values.operators);
const isJudgedAlready = (mutant: Mutant) => equivalents.some((known) => isJudged(mutant, texts.get(mutant.file) ?? '', known));
const mutants = drawn(allMutants(), Number.MAX_SAFE_INTEGER, seed, (mutant) => isWanted(mutant) && !isJudgedAlready(mutant));
const record = new Map<string, Line>();
const recordFile = path.join(out, 'record.jsonl');
if (existsSync(recordFile)) {
  for (const text of readFileSync(recordFile, 'utf8').split('\n').filter(Boolean)) {
    const line = JSON.parse(text) as Line;
    // What lived is tried again, with --again: tests may have become sharper.
    if (line.end !== 'lives' || !values.again) record.set(line.key, line);
  }
}

const copies = Array.from({ length: lanes }, (_, lane) => new WorkingCopy(root, path.join(out, `copy-${lane}`)));
// What forge has compiled before.
for (const { folder } of copies)
  if (existsSync(path.join(root, FORGE_BUILD))) cpSync(path.join(root, FORGE_BUILD), path.join(folder, FORGE_BUILD), { recursive: true });
const compilers = new Map(copies.map((copy) => [copy, new WarmCompiler(copy)]));
const [asItIs] = await Promise.all([...compilers].map(([copy, compiler]) => codeAsItIs(copy, compiler)));
/** With the contracts as they are, compiled as the broken ones are. */
const whole = new WorkingCopy(root, path.join(out, 'copy-whole'));
for (const file of artifactsOf(whole)) writeFileSync(path.join(whole.folder, file), (copies[0] as WorkingCopy).text(file));
const sound = new Map<string, Promise<boolean>>();

// The drawn are handed out in their order, until so many are mutants.
const left = mutants.values();
await Promise.all(
  [...compilers].map(async ([copy, compiler]) => {
    while (outcomes().length < sample) {
      const { value: mutant } = left.next();
      if (mutant === undefined) break;
      const key = keyOf(mutant, texts.get(mutant.file) ?? '');
      const before = record.get(key);
      const isKnown = before !== undefined && (before.end !== 'through' || values.forge);
      const known = isKnown ? before : await attempt(mutant, key, before?.end === 'through', copy, compiler);
      if (!isKnown) appendFileSync(recordFile, `${JSON.stringify(known)}\n`);
      record.set(key, known);
      console.error(`${outcomes().length}/${sample} ${mutant.file}:${mutant.line} ${mutant.mutator} → ${mutant.replacement}: ${known.end} ${known.by ?? ''}`);
      writeFileSync(path.join(out, 'report.md'), reportText(ROOMS, outcomes(), seed, sample, WANTED));
    }
    compiler.close();
  }),
);
console.log(readFileSync(path.join(out, 'report.md'), 'utf8'));
process.exitCode = sharesNoticed(outcomes()) >= WANTED ? 0 : 1;

/** What became of the drawn that are mutants, in the order in which they were drawn, up to the first that was not tried: what stands behind it is no sample. */
function outcomes(): readonly { readonly mutant: Mutant; readonly tried: Tried }[] {
  const found: { readonly mutant: Mutant; readonly tried: Tried }[] = [];
  for (const mutant of mutants) {
    const known = record.get(keyOf(mutant, texts.get(mutant.file) ?? ''));
    if (known === undefined || found.length === sample) break;
    if (known.end === 'through' && !values.forge) break;
    const { key, by } = known;
    const end = known.end === 'through' ? 'lives' : known.end;
    if (end !== 'same' && end !== 'invalid') found.push({ mutant, tried: { kind: 'tried', key, end, by, passed: [], leftOut: [], withinMs: SUITES_MS } });
  }
  return found;
}

function allMutants(): readonly Mutant[] {
  const contracts = path.join(root, 'contracts');
  const names = readdirSync(contracts, { recursive: true }).map((name) => String(name).replaceAll(path.sep, '/'));
  return ROOMS.flatMap((room) =>
    names
      .filter((name) => room.files.test(name))
      .flatMap((name) => {
        const [file, text] = [`contracts/${name}`, readFileSync(path.join(contracts, name), 'utf8')];
        texts.set(file, text);
        return changesOf(text).map((change): Mutant => ({ room, file, original: text.slice(change.start, change.end), ...change }));
      }),
  );
}

/** The digest of the code as it is. Throws where the contracts of the copy do not compile, or forge does not pass on them. */
async function codeAsItIs(copy: WorkingCopy, compiler: WarmCompiler): Promise<string> {
  if (!values.forge) await compiler.compile(OTHERS);
  const { digest: code, error } = await compiler.compile(EVERY);
  if (code === null) throw new Error(`the contracts do not compile as they are: ${error}`);
  if ((await forge(copy)) !== 'pass') throw new Error('forge does not pass on the contracts as they are');
  return code;
}

function attempt(mutant: Mutant, key: string, passedForge: boolean, copy: WorkingCopy, compiler: WarmCompiler): Promise<Line> {
  // The artifacts too are as they were afterwards.
  const changed = new Map([...artifactsOf(copy), mutant.file].map((file) => [file, copy.text(file)]));
  changed.set(mutant.file, broken(copy.text(mutant.file), mutant));
  return copy.withTexts(changed, async (): Promise<Line> => {
    const { digest: code } = await compiler.compile(EVERY);
    if (code === null) return { key, end: 'invalid', by: null };
    if (code === asItIs) return { key, end: 'same', by: null };
    if (!passedForge && (await forge(copy)) === 'fail') return { key, end: 'fail', by: 'forge' };
    if (values.forge) return { key, end: 'through', by: null };
    if ((await compiler.compile(OTHERS)).digest === null) return { key, end: 'invalid', by: null };
    const { end, by } = await suites(contractTests(mutant.file), copy);
    return { key, end: end === 'pass' ? 'lives' : end, by };
  });
}

/** Examples first, and the tests of the artifacts, for which nothing is compiled. 'late': it is not known, as on a busy machine. */
async function forge(copy: WorkingCopy): Promise<'pass' | 'fail' | 'late'> {
  for (const which of [['--artifacts', '--examples'], ['--artifacts'], []]) {
    const slice = ['--fuzz', '100', '--invariants', '2', '--bail', ...which];
    const { status } = await copy.run(['--import', './scripts/typescript.mjs', 'scripts/forge/run.ts', ...slice], FORGE_MS);
    if (status === null) return 'late';
    if (status !== 0) return 'fail';
  }
  return 'pass';
}

/** What fails once may have been held up by whatever else runs: it has to fail again, and to pass on the contracts as they are. */
async function suites(files: readonly string[], copy: WorkingCopy): Promise<TestRun> {
  for (let left = files; ; ) {
    const run = await copy.test(left, SUITES_MS);
    if (run.end !== 'fail' || run.by === null) return run;
    if ((await copy.test([run.by], SUITES_MS)).end !== 'pass' && (await isSound(run.by))) return run;
    left = left.slice(left.indexOf(run.by) + 1);
    if (left.length === 0) return { ...run, end: 'pass', by: null };
  }
}

function isSound(suite: string): Promise<boolean> {
  const known = sound.get(suite) ?? whole.test([suite], SUITES_MS).then(({ end }) => end === 'pass');
  sound.set(suite, known);
  return known;
}

function artifactsOf({ folder }: WorkingCopy): readonly string[] {
  return readdirSync(path.join(folder, ARTIFACTS)).map((name) => `${ARTIFACTS}/${name}`);
}

// `npm run mutation:contracts`: breaks the contracts' money paths and counts how often forge, or else the suites on anvil, notice. Ended and started again it goes on where it was.
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { broken, drawn, type Mutant } from '../mutants.ts';
import { reportText, sharesNoticed } from '../report.ts';
import type { Room } from '../rooms.ts';
import { keyOf, type Tried } from '../run-record.ts';
import { WorkingCopy } from '../working-copy.ts';
import { contractTests, EVERY_SUITE } from './contract-tests.ts';
import { isJudged, readEquivalents } from './equivalents.ts';
import { changesOf } from './operators.ts';
import { WarmCompiler } from './warm-compiler.ts';

const WANTED = 0.9;
const FORGE_MS = 300_000;
const SUITES_MS = 900_000;
const ARTIFACTS = 'contracts/artifacts';
const ROOMS: readonly Room[] = [
  { name: 'AllowanceHolder', files: /^AllowanceHolder\.sol$/ },
  { name: 'Router', files: /^Router\.sol$/ },
  { name: 'lib', files: /^lib\/(?!Addresses)\w+\.sol$/ },
  { name: 'legs', files: /^legs\/\w+\.sol$/ },
];

/** `same`: the compiler makes the same code of it; `invalid`: none. Neither is a mutant. */
type End = Tried['end'] | 'same' | 'invalid';
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
  },
});
const [sample, seed, lanes] = [values.sample, values.seed, values.lanes].map(Number) as [number, number, number];
if (![sample, lanes].every((value) => Number.isInteger(value) && value > 0) || !Number.isInteger(seed)) {
  throw new Error('--sample, --lanes and --seed are integers, the first two above 0');
}
// Without it a signal would leave the tests that run behind.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));

const root = fileURLToPath(new URL('../../..', import.meta.url));
const out = path.join(root, values.out);
mkdirSync(out, { recursive: true });
const texts = new Map<string, string>();
const equivalents = readEquivalents();
const isWanted = ({ file, line, mutator }: Mutant) =>
  (values.only === '' || `${file}:${line}:`.startsWith(`${values.only}:`) || file.startsWith(values.only)) && mutator.startsWith(values.operators);
const mutants = drawn(
  allMutants().filter((mutant) => !equivalents.some((known) => isJudged(mutant, texts.get(mutant.file) ?? '', known)) && isWanted(mutant)),
  Number.MAX_SAFE_INTEGER,
  seed,
);
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
const compilers = new Map(copies.map((copy) => [copy, new WarmCompiler(copy)]));
const [asItIs] = await Promise.all([...compilers].map(([copy, compiler]) => codeAsItIs(copy, compiler)));

// The drawn are handed out in their order, until so many are mutants.
const left = mutants.values();
await Promise.all(
  [...compilers].map(async ([copy, compiler]) => {
    while (outcomes().length < sample) {
      const { value: mutant } = left.next();
      if (mutant === undefined) break;
      const key = keyOf(mutant, texts.get(mutant.file) ?? '');
      const known = record.get(key) ?? (await attempt(mutant, key, copy, compiler));
      if (!record.has(key)) appendFileSync(recordFile, `${JSON.stringify(known)}\n`);
      record.set(key, known);
      console.error(`${outcomes().length}/${sample} ${mutant.file}:${mutant.line} ${mutant.mutator} → ${mutant.replacement}: ${known.end} ${known.by ?? ''}`);
      writeFileSync(path.join(out, 'report.md'), reportText(ROOMS, outcomes(), seed, sample, WANTED));
    }
    compiler.close();
  }),
);
console.log(readFileSync(path.join(out, 'report.md'), 'utf8'));
process.exitCode = sharesNoticed(outcomes()) >= WANTED ? 0 : 1;

/** What became of the drawn that are mutants, in the order in which they were drawn. */
function outcomes(): readonly { readonly mutant: Mutant; readonly tried: Tried }[] {
  return mutants
    .flatMap((mutant) => {
      const key = keyOf(mutant, texts.get(mutant.file) ?? '');
      const { end, by } = record.get(key) ?? { end: 'invalid', by: null };
      if (end === 'same' || end === 'invalid') return [];
      return [{ mutant, tried: { kind: 'tried', key, end, by, passed: [], leftOut: [], withinMs: SUITES_MS } as const }];
    })
    .slice(0, sample);
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

/** The digest of the code as it is. Throws where the contracts of the copy do not compile, or what is to notice notices that already. */
async function codeAsItIs(copy: WorkingCopy, compiler: WarmCompiler): Promise<string> {
  const { digest: code, error } = await compiler.compile();
  if (code === null) throw new Error(`the contracts do not compile as they are: ${error}`);
  if (!(await forgePasses(copy))) throw new Error('forge does not pass on the contracts as they are');
  const { end, by } = copy === copies[0] ? await copy.test(EVERY_SUITE, SUITES_MS) : { end: 'pass', by: null };
  if (end !== 'pass') throw new Error(`a suite does not pass on the contracts as they are: ${by}`);
  return code;
}

function attempt(mutant: Mutant, key: string, copy: WorkingCopy, compiler: WarmCompiler): Promise<Line> {
  // The artifacts too are as they were afterwards.
  const artifacts = readdirSync(path.join(copy.folder, ARTIFACTS)).map((name) => `${ARTIFACTS}/${name}`);
  const changed = new Map([...artifacts, mutant.file].map((file) => [file, copy.text(file)]));
  changed.set(mutant.file, broken(copy.text(mutant.file), mutant));
  return copy.withTexts(changed, async (): Promise<Line> => {
    const { digest: code } = await compiler.compile();
    if (code === null) return { key, end: 'invalid', by: null };
    if (code === asItIs) return { key, end: 'same', by: null };
    if (!(await forgePasses(copy))) return { key, end: 'fail', by: 'forge' };
    const { end, by } = await copy.test(contractTests(mutant.file), SUITES_MS);
    return { key, end: end === 'pass' ? 'lives' : end, by };
  });
}

async function forgePasses(copy: WorkingCopy): Promise<boolean> {
  const slice = ['--fuzz', '100', '--invariants', '2'];
  return (await copy.run(['--import', './scripts/typescript.mjs', 'scripts/forge/run.ts', ...slice], FORGE_MS)).status === 0;
}

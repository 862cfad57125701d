// `npm run mutation:contracts`: breaks the contracts' money paths and counts how often forge, or else the suites on anvil, notice. Ended and started again it goes on where it was.
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { drawn, type Mutant } from '../mutants.ts';
import { reportText, sharesNoticed } from '../report.ts';
import type { Room } from '../rooms.ts';
import { keyOf, type Tried } from '../run-record.ts';
import { WorkingCopy } from '../working-copy.ts';
import { contractTests } from './contract-tests.ts';
import { changesOf } from './operators.ts';

const WANTED = 0.9;
const COMPILE_MS = 300_000;
const FORGE_MS = 300_000;
const SUITES_MS = 900_000;
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
  },
});
const [sample, seed] = [Number(values.sample), Number(values.seed)];
if (!Number.isInteger(sample) || sample < 1 || !Number.isInteger(seed)) throw new Error('--sample and --seed are integers, the first above 0');
// Without it a signal would leave the tests that run behind.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));

type Equivalent = { readonly file: string; readonly original: string; readonly replacement: string; readonly why: string };

const root = fileURLToPath(new URL('../../..', import.meta.url));
const out = path.join(root, values.out);
mkdirSync(out, { recursive: true });
const texts = new Map<string, string>();
const equivalents = JSON.parse(readFileSync(new URL('./equivalent.json', import.meta.url), 'utf8')) as readonly Equivalent[];
const isEquivalent = ({ file, line, replacement }: Mutant) =>
  equivalents.some((known) => known.file === file && known.replacement === replacement && lineOf(file, line) === known.original);
const isWanted = ({ file, line }: Mutant) => values.only === '' || `${file}:${line}:`.startsWith(`${values.only}:`) || file.startsWith(values.only);
const mutants = drawn(
  allMutants().filter((mutant) => !isEquivalent(mutant) && isWanted(mutant)),
  Number.MAX_SAFE_INTEGER,
  seed,
);
const record = new Map<string, Line>();
const recordFile = path.join(out, 'record.jsonl');
if (existsSync(recordFile)) {
  for (const text of readFileSync(recordFile, 'utf8').split('\n').filter(Boolean)) {
    const line = JSON.parse(text) as Line;
    // What lived is tried again: tests may have become sharper.
    if (line.end !== 'lives') record.set(line.key, line);
  }
}

const copy = new WorkingCopy(root, path.join(out, 'copy'));
if (compile('every,uniswap,uniswap_v4') === null) throw new Error('the contracts do not compile as they are');
if (!forgePasses()) throw new Error('forge does not pass on the contracts as they are');
const wholeOfEvery = compile('every');

/** In the order in which they were drawn, until so many are mutants. */
const outcomes: { readonly mutant: Mutant; readonly tried: Tried }[] = [];
for (const mutant of mutants) {
  if (outcomes.length === sample) break;
  const key = keyOf(mutant, texts.get(mutant.file) ?? '');
  const known = record.get(key) ?? (await copy.withMutant(mutant, () => attempt(mutant, key)));
  if (!record.has(key)) {
    record.set(key, known);
    appendFileSync(recordFile, `${JSON.stringify(known)}\n`);
    compile('every,uniswap,uniswap_v4');
  }
  const { end, by } = known;
  console.error(`${outcomes.length}/${sample} ${mutant.file}:${mutant.line} ${mutant.mutator} → ${mutant.replacement}: ${end} ${by ?? ''}`);
  if (end === 'same' || end === 'invalid') continue;
  outcomes.push({ mutant, tried: { kind: 'tried', key, end, by, passed: [], leftOut: [], withinMs: SUITES_MS } });
  writeFileSync(path.join(out, 'report.md'), reportText(ROOMS, outcomes, seed, sample, WANTED));
}
console.log(readFileSync(path.join(out, 'report.md'), 'utf8'));
process.exitCode = sharesNoticed(outcomes) >= WANTED ? 0 : 1;

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

async function attempt({ file }: Mutant, key: string): Promise<Line> {
  const code = compile('every');
  if (code === null) return { key, end: 'invalid', by: null };
  if (code === wholeOfEvery) return { key, end: 'same', by: null };
  if (!forgePasses()) return { key, end: 'fail', by: 'forge' };
  if (compile('every,uniswap,uniswap_v4') === null) return { key, end: 'invalid', by: null };
  const { end, by } = await copy.test(contractTests(file), SUITES_MS);
  return { key, end: end === 'pass' ? 'lives' : end, by };
}

/** A digest of the code, or null where there is none. */
function compile(sets: string): string | null {
  const { status, stdout } = copy.run(['--import', './scripts/typescript.mjs', 'scripts/mutation/solidity/compile.ts', '--sets', sets], COMPILE_MS);
  return status === 0 ? (stdout.trim().split('\n').at(-1) ?? null) : null;
}

function forgePasses(): boolean {
  const slice = ['--fuzz', '100', '--invariants', '2'];
  return copy.run(['--import', './scripts/typescript.mjs', 'scripts/forge/run.ts', ...slice], FORGE_MS).status === 0;
}

function lineOf(file: string, line: number): string {
  return (texts.get(file) ?? '').split('\n')[line - 1]?.trim() ?? '';
}

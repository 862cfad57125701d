// Compiles the settlement contracts and writes what follows from them: the leg dispatch, the leg kinds for the encoder, and one artifact per
// deployed contract, of the Router one for each set of legs. `--check` writes nothing and exits 1 naming the files that differ.
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { legSetsFrom } from './contracts/leg-sets.ts';
import { assertKindsKept, type Leg, legsFrom, renderDispatch, renderLegKinds } from './contracts/legs.ts';
import { type CompiledContract, compileSolidity } from './solidity.ts';

/** EIP-170. */
const MAX_CODE_BYTES = 24_576;
const DISPATCH = 'contracts/Dispatch.gen.sol';
/** Calls are many, deployments few: the optimizer may spend all the bytes it wants within EIP-170. */
const OPTIONS = { viaIR: true, runs: 1_000_000, immutableNames: true } as const;

/** What measures transfers runs on chains that are no further, and is created by no transaction: small counts, not cheap. */
const PROBE_OPTIONS = { viaIR: true, runs: 200, immutableNames: true, evmVersion: 'shanghai' } as const;
const PROBE_PARTS = {
  TransferProbe: PROBE_OPTIONS,
  PoolPuppet: PROBE_OPTIONS,
  // Runs a leg, and so where legs run.
  IssuanceTrial: { ...PROBE_OPTIONS, evmVersion: 'cancun' },
} as const;

const { values: options } = parseArgs({ options: { check: { type: 'boolean', default: false } } });
const root = new URL('../', import.meta.url);

function read(path: string): string | null {
  try {
    return readFileSync(new URL(path, root), 'utf8');
  } catch {
    return null;
  }
}

function put(path: string, text: string): void {
  if (read(path) === text) return;
  if (options.check) {
    console.error(`${path} is not what contracts/ gives: run npm run contracts`);
    process.exitCode = 1;
  } else {
    writeFileSync(new URL(path, root), text);
    console.log(`wrote ${path}`);
  }
}

function remove(path: string): void {
  if (options.check) {
    console.error(`${path} is none of what contracts/ gives: run npm run contracts`);
    process.exitCode = 1;
  } else {
    rmSync(new URL(path, root));
    console.log(`removed ${path}`);
  }
}

function readLegs(): readonly Leg[] {
  const files = readdirSync(fileURLToPath(new URL('contracts/legs/', root))).filter((file) => file.endsWith('.sol'));
  return legsFrom(new Map(files.map((file) => [file, read(`contracts/legs/${file}`) ?? ''])));
}

/** Compiles a contract with the dispatch of these legs, and refuses one that could not be deployed. */
async function compile(name: string, label: string, legs: readonly Leg[]): Promise<CompiledContract> {
  const sources = { [`contracts/${name}.sol`]: read(`contracts/${name}.sol`) ?? '', [DISPATCH]: renderDispatch(legs) };
  const contract = (await compileSolidity(sources, OPTIONS))[name];
  if (contract === undefined) throw new Error(`contracts/${name}.sol has no contract ${name}`);
  const bytes = contract.deployedBytecode.length / 2 - 1;
  if (bytes > MAX_CODE_BYTES) throw new Error(`${label} has ${bytes} bytes; a contract may have ${MAX_CODE_BYTES}`);
  if (!options.check) console.log(`${label}: ${bytes} bytes of ${MAX_CODE_BYTES}`);
  return contract;
}

const LEG_KINDS = 'src/building/encode/leg-kinds.gen.ts';
const legs = readLegs();
assertKindsKept(read(LEG_KINDS) ?? '', legs);
const sets = legSetsFrom(JSON.parse(read('contracts/leg-sets.json') ?? '{}'), legs);
put(DISPATCH, renderDispatch(legs));
put(LEG_KINDS, renderLegKinds(legs));

const holder = await compile('AllowanceHolder', 'AllowanceHolder', legs);
put('contracts/artifacts/AllowanceHolder.gen.json', `${JSON.stringify({ contractName: 'AllowanceHolder', ...holder }, null, 1)}\n`);
for (const set of sets) {
  const router = await compile('Router', `Router of ${set.name}`, set.legs);
  const artifact = { contractName: 'Router', legSet: set.name, legs: set.legs.map(({ name }) => name), ...router };
  put(`contracts/artifacts/Router.${set.name}.gen.json`, `${JSON.stringify(artifact, null, 1)}\n`);
}
for (const [name, partOptions] of Object.entries(PROBE_PARTS)) {
  const path = `contracts/probe/${name}.sol`;
  const part = (await compileSolidity({ [path]: read(path) ?? '' }, partOptions))[name];
  if (part === undefined) throw new Error(`${path} has no contract ${name}`);
  put(`contracts/artifacts/${name}.gen.json`, `${JSON.stringify({ contractName: name, ...part }, null, 1)}\n`);
}
const artifacts = new Set([
  'AllowanceHolder.gen.json',
  ...Object.keys(PROBE_PARTS).map((name) => `${name}.gen.json`),
  ...sets.map(({ name }) => `Router.${name}.gen.json`),
]);
for (const file of readdirSync(fileURLToPath(new URL('contracts/artifacts/', root)))) {
  // A Router of a set that is no more would still be taken for one of ours.
  if (!artifacts.has(file)) remove(`contracts/artifacts/${file}`);
}

// Compiles the settlement contracts and writes what follows from them: the leg dispatch, the leg kinds for the encoder, and one artifact per
// deployed contract. `--check` writes nothing and exits 1 naming the files that differ.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type Leg, legsFrom, renderDispatch, renderLegKinds } from './contracts/legs.ts';
import { compileSolidity } from './solidity.ts';

/** EIP-170. */
const MAX_CODE_BYTES = 24_576;
const DEPLOYED = ['AllowanceHolder', 'Router'] as const;
/** Calls are many, deployments few: the optimizer may spend all the bytes it wants within EIP-170. */
const OPTIONS = { viaIR: true, runs: 1_000_000 } as const;

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

function readLegs(): readonly Leg[] {
  const files = readdirSync(fileURLToPath(new URL('contracts/legs/', root))).filter((file) => file.endsWith('.sol'));
  return legsFrom(new Map(files.map((file) => [file, read(`contracts/legs/${file}`) ?? ''])));
}

const legs = readLegs();
put('contracts/Dispatch.gen.sol', renderDispatch(legs));
put('src/building/encode/leg-kinds.gen.ts', renderLegKinds(legs));

const entries = Object.fromEntries(DEPLOYED.map((name) => [`contracts/${name}.sol`, read(`contracts/${name}.sol`) ?? '']));
const compiled = await compileSolidity(entries, OPTIONS);
for (const name of DEPLOYED) {
  const contract = compiled[name];
  if (contract === undefined) throw new Error(`contracts/${name}.sol has no contract ${name}`);
  const bytes = contract.deployedBytecode.length / 2 - 1;
  if (bytes > MAX_CODE_BYTES) throw new Error(`${name} has ${bytes} bytes; a contract may have ${MAX_CODE_BYTES}`);
  put(`contracts/artifacts/${name}.gen.json`, `${JSON.stringify({ contractName: name, ...contract }, null, 1)}\n`);
  if (!options.check) console.log(`${name}: ${bytes} bytes of ${MAX_CODE_BYTES}`);
}

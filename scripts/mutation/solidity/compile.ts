// Compiles the contracts of this folder as they are and writes their artifacts, each time that it is asked by a line, which names the sets of legs, and answers with a line.
// Quicker than `npm run contracts`: the optimizer is told that code runs once, the compiler stays loaded, and nothing else is generated.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { compileHere } from '../../../src/solidity-compiler.ts';
import { legSetsFrom } from '../../contracts/leg-sets.ts';
import { legsFrom, renderDispatch } from '../../contracts/legs.ts';
import { compileSolidity } from '../../solidity.ts';
import type { Compiled } from './warm-compiler.ts';

const root = new URL('../../../', import.meta.url);
const read = (name: string) => readFileSync(new URL(name, root), 'utf8');

for await (const line of createInterface({ input: process.stdin })) {
  const answer: Compiled = await digestOfCode(line.split(',')).then(
    (digest) => ({ digest, error: null }),
    (error: unknown) => ({ digest: null, error: String(error) }),
  );
  console.log(JSON.stringify(answer));
}

async function digestOfCode(wanted: readonly string[]): Promise<string> {
  const files = readdirSync(new URL('contracts/legs/', root)).filter((file) => file.endsWith('.sol'));
  const legs = legsFrom(new Map(files.map((file) => [file, read(`contracts/legs/${file}`)])));
  const digest = createHash('sha256').update(await write('AllowanceHolder', 'AllowanceHolder', renderDispatch(legs)));
  for (const set of legSetsFrom(JSON.parse(read('contracts/leg-sets.json')) as Record<string, readonly string[]>, legs)) {
    if (wanted.includes(set.name)) digest.update(await write('Router', `Router.${set.name}`, renderDispatch(set.legs)));
  }
  return digest.digest('hex');
}

/** Returns the code. */
async function write(name: string, artifact: string, dispatch: string): Promise<string> {
  const sources = { [`contracts/${name}.sol`]: read(`contracts/${name}.sol`), 'contracts/Dispatch.gen.sol': dispatch };
  const contract = (await compileSolidity(sources, { viaIR: true, runs: 1, compiler: compileHere }))[name];
  if (contract === undefined) throw new Error(`no contract ${name}`);
  const path = `contracts/artifacts/${artifact}.gen.json`;
  writeFileSync(new URL(path, root), JSON.stringify({ ...(JSON.parse(read(path)) as object), ...contract }));
  return contract.bytecode;
}

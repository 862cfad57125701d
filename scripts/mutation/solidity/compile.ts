// Compiles the contracts of this folder as they are and writes their artifacts, each time that it is asked by a line, and answers with a line.
// Quicker than `npm run contracts`: the optimizer is told that code runs once, the compiler stays loaded, nothing else is generated, and the Router with every leg stands for those with fewer.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';
import { legSetsFrom } from '../../contracts/leg-sets.ts';
import { legsFrom, renderDispatch } from '../../contracts/legs.ts';
import { compileSolidity } from '../../solidity.ts';
import type { Compiled } from './warm-compiler.ts';

const { compile } = createRequire(import.meta.url)('solc') as { compile(input: string): string };
const compiler = (input: string) => Promise.resolve(compile(input));
const root = new URL('../../../', import.meta.url);
const read = (name: string) => readFileSync(new URL(name, root), 'utf8');

for await (const _ of createInterface({ input: process.stdin })) {
  const answer: Compiled = await digestOfCode().then(
    (digest) => ({ digest, error: null }),
    (error: unknown) => ({ digest: null, error: String(error) }),
  );
  console.log(JSON.stringify(answer));
}

async function digestOfCode(): Promise<string> {
  const files = readdirSync(new URL('contracts/legs/', root)).filter((file) => file.endsWith('.sol'));
  const legs = legsFrom(new Map(files.map((file) => [file, read(`contracts/legs/${file}`)])));
  const sets = legSetsFrom(JSON.parse(read('contracts/leg-sets.json')) as Record<string, readonly string[]>, legs);
  const dispatch = renderDispatch(legs);
  const holder = await write('AllowanceHolder', ['AllowanceHolder'], dispatch);
  const routers = sets.map(({ name }) => `Router.${name}`);
  return createHash('sha256')
    .update(holder)
    .update(await write('Router', routers, dispatch))
    .digest('hex');
}

/** Returns the code. */
async function write(name: string, artifacts: readonly string[], dispatch: string): Promise<string> {
  const sources = { [`contracts/${name}.sol`]: read(`contracts/${name}.sol`), 'contracts/Dispatch.gen.sol': dispatch };
  const contract = (await compileSolidity(sources, { viaIR: true, runs: 1, compiler }))[name];
  if (contract === undefined) throw new Error(`no contract ${name}`);
  for (const artifact of artifacts) {
    const path = `contracts/artifacts/${artifact}.gen.json`;
    writeFileSync(new URL(path, root), JSON.stringify({ ...(JSON.parse(read(path)) as object), ...contract }));
  }
  return contract.bytecode;
}

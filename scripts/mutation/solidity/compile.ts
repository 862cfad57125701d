// Compiles the contracts of this folder as they are and writes their artifacts; `--sets` tells which Routers. The last line is a digest of the code.
// Quicker than `npm run contracts`: the optimizer is told that code runs once, and nothing else is generated.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { legSetsFrom } from '../../contracts/leg-sets.ts';
import { legsFrom, renderDispatch } from '../../contracts/legs.ts';
import { compileSolidity } from '../../solidity.ts';

const { values } = parseArgs({ options: { sets: { type: 'string', default: 'every' } } });
const root = new URL('../../../', import.meta.url);
const read = (name: string) => readFileSync(new URL(name, root), 'utf8');
const digest = createHash('sha256');

async function write(name: string, artifact: string, dispatch: string): Promise<void> {
  const sources = { [`contracts/${name}.sol`]: read(`contracts/${name}.sol`), 'contracts/Dispatch.gen.sol': dispatch };
  const contract = (await compileSolidity(sources, { viaIR: true, runs: 1 }))[name];
  if (contract === undefined) throw new Error(`no contract ${name}`);
  digest.update(contract.bytecode);
  const path = `contracts/artifacts/${artifact}.gen.json`;
  writeFileSync(new URL(path, root), JSON.stringify({ ...(JSON.parse(read(path)) as object), ...contract }));
}

const files = readdirSync(new URL('contracts/legs/', root)).filter((file) => file.endsWith('.sol'));
const legs = legsFrom(new Map(files.map((file) => [file, read(`contracts/legs/${file}`)])));
await write('AllowanceHolder', 'AllowanceHolder', renderDispatch(legs));
for (const set of legSetsFrom(JSON.parse(read('contracts/leg-sets.json')) as Record<string, readonly string[]>, legs)) {
  if (values.sets.split(',').includes(set.name)) await write('Router', `Router.${set.name}`, renderDispatch(set.legs));
}
console.log(digest.digest('hex'));

import { loadSolverVenues } from '../../src/venues/venues.ts';
import type { BenchSet } from './bench-set.ts';
import { createBraid } from './candidates.ts';
import { gasInToken } from './gas-in-token.ts';
import { generateMesh, type Mesh } from './generate/mesh.ts';
import { openMesh } from './measure-meshes.ts';
import { type Comparison, lessBps } from './measure-monotony.ts';
import { createRandom } from './random.ts';

/** Of what the pools hold of the scarcer token: from small change to a trade that drains. */
const SHARE = { least: 1e-5, most: 0.5 } as const;
const SEED = 10_000;

/** Pairs of markets of which the second has one pool more: what the same trade is worth there against what it was. Every other pair without gas. `isWanted`: of these pairs, by number. */
export async function measureOneMorePool(
  pairs: number,
  maxHops: number,
  gasPriceWei: bigint,
  isWanted: (index: number) => boolean = () => true,
): Promise<readonly Comparison[]> {
  const venues = await loadSolverVenues();
  const random = createRandom(SEED);
  const open = (id: string, mesh: Mesh, pools: Mesh['pools']): BenchSet => openMesh(id, mesh, venues, pools);
  return Array.from({ length: pairs }, (_, index) => ({ index, mesh: generateMesh(random, SHARE) })).flatMap(({ index, mesh }): Comparison[] => {
    if (!isWanted(index)) return [];
    const id = `pair ${index}`;
    const gas = index % 2 === 0 ? null : gasPriceWei;
    const [fewer, more] = [open(id, mesh, mesh.pools.slice(0, -1)), open(id, mesh, mesh.pools)];
    const [before, after] = [fewer, more].map((set) => {
      const [request] = set.requests;
      if (request === undefined) throw new TypeError(`${id} has no request`);
      return createBraid(set, 1)(request, maxHops, gas);
    });
    if (before === undefined || after === undefined) throw new TypeError('two markets');
    const [request] = more.requests;
    const perGas = gas === null || request === undefined ? 0 : gasInToken(more, request.buy, gas);
    return [{ what: `${id}, ${gas === null ? 'gas 0' : 'gas-aware'}`, lessBps: lessBps(before, after, perGas) }];
  });
}

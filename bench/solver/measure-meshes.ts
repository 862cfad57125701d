import { dualBound } from '../../src/bound/bound.ts';
import { loadSolverVenues, type SolverVenues } from '../../src/venues/venues.ts';
import { type BenchSet, openSmallSet } from './bench-set.ts';
import { createBraid, singlePathOutcomes } from './candidates.ts';
import { generateMesh, type Mesh, meshPoolSet } from './generate/mesh.ts';
import { DEEP_HOPS, LOOSE_BPS, UNFILLED } from './measure.ts';
import { createRandom } from './random.ts';
import { type RoundTrip, roundTrip } from './round-trip.ts';

/** A trade in a mesh of small pools. */
export type MeshTrade = {
  readonly id: string;
  readonly trip: RoundTrip;
  /** More than the pools take at any price: no answer is due. */
  readonly fillable: boolean;
  /** Basis points below the certified bound; NaN where it is too loose to judge by. 10,000 without an answer. */
  readonly lost: number;
  /** Basis points below the best single path, which holds where the bound is loose too; NaN where no path takes the whole amount. */
  readonly belowSingle: number;
};

/** As a share of what the pools hold of the scarcer token: from a tenth of them to more than there is. */
const SHARE = { least: 0.05, most: 2 } as const;
const SEED = 601;

/** Gas-free, at as many hops as a request may have: in so few tokens no limit of hops costs anything. */
export async function measureMeshes(count: number): Promise<readonly MeshTrade[]> {
  const venues = await loadSolverVenues();
  const random = createRandom(SEED);
  return Array.from({ length: count }, (_, index) => measureMesh(`mesh ${index}`, generateMesh(random, SHARE), venues));
}

/** One of them by its number. */
export function meshAt(index: number): Mesh {
  const random = createRandom(SEED);
  for (let before = 0; before < index; before++) generateMesh(random, SHARE);
  return generateMesh(random, SHARE);
}

function measureMesh(id: string, mesh: Mesh, venues: SolverVenues): MeshTrade {
  const set = openMesh(id, mesh, venues);
  const request = set.requests[0];
  if (request === undefined) throw new TypeError(`${id} has no request`);
  const trip = roundTrip(set, createBraid(set, 1), request, DEEP_HOPS, null);
  const output = Number(trip.sold.output ?? 0n);
  const dual = dualBound(set.market, request.sell, request.buy, Number(request.amount));
  const single = Number(singlePathOutcomes(set, request, request.amount, DEEP_HOPS, 0).gross.output ?? Number.NaN);
  const judged = dual !== null && dual.unfilled <= UNFILLED && dual.slackBps <= LOOSE_BPS;
  return {
    id,
    trip,
    fillable: dual !== null && dual.unfilled <= UNFILLED,
    lost: judged ? ((dual.bound - output) / dual.bound) * 10_000 : Number.NaN,
    belowSingle: ((single - output) / single) * 10_000,
  };
}

/** The market of a mesh, or of some of its pools, with its trade as the only request. */
export function openMesh(id: string, mesh: Mesh, venues: SolverVenues, pools = mesh.pools): BenchSet {
  const { sell, buy, amount } = mesh;
  return openSmallSet(id, meshPoolSet(mesh, pools), [{ id, sellToken: sell.address, buyToken: buy.address, sellAmount: String(amount) }], venues);
}

import type { Hex } from 'viem';
import { DevnetError } from './devnet-error.ts';
import type { PlacedVenue } from './devnet-venue.ts';
import type { NodeRpc } from './node-rpc.ts';
import type { PlacedPool, PoolReading, SortedPool } from './placed-pool.ts';

/** The venues of the chain, by family. */
export type PlacedVenues = ReadonlyMap<string, PlacedVenue>;

/** The venue of a pool's family. */
export function venueOf(venues: PlacedVenues, { family }: { readonly family: string }): PlacedVenue {
  const venue = venues.get(family);
  if (venue === undefined) throw new DevnetError(`the local chain has no venue ${family}`);
  return venue;
}

/** Asks the venues where the pools are. */
export async function locatePools(rpc: NodeRpc, pools: readonly SortedPool[], venues: PlacedVenues): Promise<readonly PlacedPool[]> {
  const asked = pools.map((pool) => ({ pool, where: venueOf(venues, pool).whereIs(pool) }));
  const answers = await rpc.batch(asked.map(({ where: { to, data } }) => ({ method: 'eth_call', params: [{ to, data }, 'latest'] })));
  return asked.map(({ pool, where }, index) => {
    const answer = answers[index];
    if (!answer?.ok) throw new DevnetError(`${pool.family} of the local chain does not say where ${pool.symbols.join('/')} is`);
    return { ...pool, ...where.decode(answer.result as Hex) };
  });
}

/** Reads a pool at the head; undefined when it has no price. */
export async function readPool(rpc: NodeRpc, pool: PlacedPool, venues: PlacedVenues): Promise<PoolReading | undefined> {
  const { to, data, decode } = venueOf(venues, pool).readNow(pool);
  return decode((await rpc.request('eth_call', { to, data }, 'latest')) as Hex);
}

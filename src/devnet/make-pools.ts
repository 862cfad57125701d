import type { Hex } from 'viem';
import type { Address } from '../units/units.ts';
import type { VenueContracts } from './deploy-contracts.ts';
import { DevnetError } from './devnet-error.ts';
import type { NodeRpc } from './node-rpc.ts';
import type { PlacedPool, PoolReading, SortedPool } from './placed-pool.ts';
import type { TransactionScript } from './transaction-script.ts';
import { DEVNET_VENUES } from './venues/devnet-venues.ts';

/** Adds the transactions that make the pools and fill them, in the order of the table. */
export function makePools(script: TransactionScript, pools: readonly SortedPool[], contracts: VenueContracts, owner: Address): void {
  for (const pool of pools) DEVNET_VENUES[pool.family].make(script, pool, contracts, owner);
}

/** Asks the factories where the pools are. */
export async function locatePools(rpc: NodeRpc, pools: readonly SortedPool[], contracts: VenueContracts): Promise<readonly PlacedPool[]> {
  const asked = pools.map((pool) => ({ pool, where: DEVNET_VENUES[pool.family].whereIs(pool, contracts) }));
  const answers = await rpc.batch(asked.map(({ where: { to, data } }) => ({ method: 'eth_call', params: [{ to, data }, 'latest'] })));
  return asked.map(({ pool, where }, index) => {
    const answer = answers[index];
    if (!answer?.ok) throw new DevnetError('a factory of the local chain does not answer');
    return { ...pool, address: where.decode(answer.result as Hex) };
  });
}

/** Reads a pool at the head; undefined when it has no price. */
export async function readPool(rpc: NodeRpc, pool: PlacedPool): Promise<PoolReading | undefined> {
  const { to, data, decode } = DEVNET_VENUES[pool.family].readNow(pool);
  return decode((await rpc.request('eth_call', { to, data }, 'latest')) as Hex);
}

import type { Hex } from 'viem';
import type { PinnedReader } from '../../../src/venues/venues.ts';
import type { Ground } from './ground.ts';

/** Asks a ground's chain at its head, as the indexer asks at a block; null: the contract reverts. */
export function headReader({ chain }: Ground): PinnedReader {
  return (calls) =>
    Promise.all(
      calls.map(({ to, data }) =>
        chain.rpc.request('eth_call', { to, data }, 'latest').then(
          (answer) => answer as Hex,
          () => null,
        ),
      ),
    );
}

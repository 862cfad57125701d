import type { Hex } from 'viem';
import type { PinnedReader } from '../../../src/venues/venues.ts';
import type { Ground } from './ground.ts';

/** Asks a ground's chain at its head, as the indexer asks at a block; null: the contract reverts. */
export function headReader({ chain }: Ground): PinnedReader {
  return (calls) =>
    Promise.all(
      calls.map(({ to, data, supposing }) => {
        const supposed = supposing === undefined ? [] : [{ [supposing.contract]: { stateDiff: supposing.slots } }];
        return chain.rpc.request('eth_call', { to, data }, 'latest', ...supposed).then(
          (answer) => answer as Hex,
          () => null,
        );
      }),
    );
}

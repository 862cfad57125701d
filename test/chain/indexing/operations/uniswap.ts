import type { OpenOperations } from '../operations.ts';

/** Pairs and pools of Uniswap's two kinds: swaps, positions that come, shrink and go, new pools. */
export const openOperations: OpenOperations = async (_devnet, activity, random) => {
  const trades = async () => activity.mine(await activity.trades(1 + Math.floor(random() * 3)));
  return {
    usual: [trades],
    rare: [
      async () => activity.mine(await activity.newV3Pool()),
      async () => activity.mine(await activity.newV2Pair(random() < 0.5 ? 'uniswap' : 'sushiswap')),
    ],
  };
};

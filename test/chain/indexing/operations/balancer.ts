import type { DevnetPool } from '../../../../src/devnet/devnet.ts';
import { openBalancerActivity } from '../balancer-activity.ts';
import type { OpenOperations } from '../operations.ts';

const ONE = 10n ** 18n;

export const openOperations: OpenOperations = async (devnet, activity, random) => {
  const balancer = await openBalancerActivity(devnet, activity, random);
  const below = (bound: number): bigint => BigInt(Math.floor(random() * bound));
  const any = (pools: readonly DevnetPool[]): DevnetPool => pools[Number(below(pools.length))] as DevnetPool;
  const later = async (seconds: number): Promise<void> => {
    await activity.request('evm_increaseTime', seconds);
    await activity.request('evm_mine');
  };
  return {
    usual: [
      balancer.swap,
      balancer.swap,
      balancer.add,
      balancer.remove,
      balancer.swapPoolToken,
      balancer.donate,
      () => balancer.updateRate(any(balancer.stable)),
    ],
    rare: [
      () => balancer.setFee(any(balancer.pools), 10n ** 12n + below(10 ** 9) * 10n ** 6n),
      async () => {
        const pool = any(balancer.stable);
        await balancer.startRamp(pool, 100n + below(300));
        await later(3600 * Number(1n + below(20)));
        await balancer.stopRamp(pool);
      },
      async () => {
        await balancer.setRate(ONE + (below(10 ** 6) * ONE) / 10n ** 7n, false);
        if (random() < 0.5) await later(700);
      },
      async () => {
        const pool = any(balancer.pools);
        await balancer.setPoolPaused(pool, true);
        await balancer.setPoolPaused(pool, false);
      },
    ],
  };
};

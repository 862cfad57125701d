import type { DevnetPool } from '../../../../src/devnet/devnet.ts';
import type { OpenOperations } from '../operations.ts';
import { openSolidlyActivity } from '../solidly-activity.ts';

export const openOperations: OpenOperations = async (devnet, activity, random) => {
  const solidly = await openSolidlyActivity(devnet, activity, random);
  const below = (bound: number): bigint => BigInt(Math.floor(random() * bound));
  const anyPool = () => (solidly.pools[Number(below(solidly.pools.length))] as DevnetPool).address;
  return {
    usual: [solidly.swap, solidly.swap, solidly.add, solidly.donate],
    rare: [
      () => solidly.setCustomFee(anyPool(), below(300)),
      async () => {
        await solidly.setPaused(true);
        await solidly.donate();
        await solidly.setPaused(false);
      },
    ],
  };
};

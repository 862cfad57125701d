import type { OpenOperations } from '../operations.ts';
import { openPancakeV3Activity } from '../pancake-v3-activity.ts';

export const openOperations: OpenOperations = async (devnet, activity, random) => {
  const { swap, add, remove, donate, setProtocolFee, create } = await openPancakeV3Activity(devnet, activity, random);
  return { usual: [swap, swap, swap, add, remove, donate], rare: [setProtocolFee, create] };
};

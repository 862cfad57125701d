import { openCurveCryptoActivity } from '../curve-crypto-activity.ts';
import type { OpenOperations } from '../operations.ts';

export const openOperations: OpenOperations = async (devnet, activity, random) => {
  const { swap, add, remove, removeOne, donate, claim, setParameters, changeReceiver, ramp } = await openCurveCryptoActivity(devnet, activity, random);
  return { usual: [swap, swap, swap, add, remove, removeOne, donate], rare: [setParameters, changeReceiver, claim, ramp] };
};

import { openCurveActivity } from '../curve-activity.ts';
import type { OpenOperations } from '../operations.ts';

export const openOperations: OpenOperations = async (devnet, activity, random) => {
  const { swap, add, remove, removeOne, removeImbalance, setFee, setRate, ramp } = await openCurveActivity(devnet, activity, random);
  return { usual: [swap, swap, swap, add, remove, removeOne, removeImbalance], rare: [setFee, () => setRate(), ramp] };
};

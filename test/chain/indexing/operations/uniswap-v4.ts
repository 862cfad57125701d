import type { OpenOperations } from '../operations.ts';
import { openUniswapV4Activity } from '../uniswap-v4-activity.ts';

export const openOperations: OpenOperations = async (devnet, activity, random) => {
  const v4 = await openUniswapV4Activity(devnet, activity, random);
  return { usual: [v4.swap, v4.swap, v4.changeLiquidity, v4.donate], rare: [v4.setProtocolFee, v4.setDynamicFee, v4.newPool] };
};

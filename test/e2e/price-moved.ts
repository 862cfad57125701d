import { stringToHex, toFunctionSelector } from 'viem';

/**
 * How a price that moved ends a swap: the router's refusal to deliver less than the floor; the makers' router's, for a maker's hop that gives less than its part of the floor; of a hop of a unit or two, the last of
 * which went with the price, the pair's to give nothing, or the router's to sell it.
 */
const SIGNS = [
  toFunctionSelector('BelowMinimum(uint256,uint256)').slice(2),
  toFunctionSelector('InsufficientOutput(uint256,uint256)').slice(2),
  toFunctionSelector('NothingToSpend(address)').slice(2),
  stringToHex('UniswapV2: INSUFFICIENT_OUTPUT_AMOUNT').slice(2),
];

/** Whether an error of viem's, of a swap that was estimated or sent, is explained by a price that moved past the swap's floor. */
export function isPriceMoved(error: unknown): boolean {
  const told = `${error} ${JSON.stringify(error, (_name, value) => (typeof value === 'bigint' ? String(value) : value))}`;
  return SIGNS.some((sign) => told.includes(sign));
}

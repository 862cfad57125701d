import { floorAfterSlippageDown } from '../quoting/quoting.ts';
import type { TradeRequest } from '../validation/validation.ts';

/** What of a planned output a leg may ask of its own hop. In `buy` there is no slippage: the route has to reach its target. */
export function leastOfHop({ mode, slippage }: Pick<TradeRequest, 'mode' | 'slippage'>): (amount: bigint) => bigint {
  return (amount) => (mode === 'sell' ? floorAfterSlippageDown(amount, slippage) : amount);
}

import { type EndLosses, losesNothing } from './transfer-loss.ts';

/**
 * Gas units that a route takes more where transfers of its ends lose something, measured on the settlement contracts (decision 118): a leg asks the pair what reached it; the margin on what is lost is left over,
 * and paid out; a token that keeps a tax reads whom it is taken of, and books it, on the way into a pool, or out of one and to the recipient. Hops that share such a token find most of that read.
 */
export const TRANSFER_GAS = { measured: 900, leftOver: 9_000, taxSold: 21_000, taxBought: 33_000, taxedAgain: 7_000 } as const;

/** The ends of a hop. */
type Hop = { readonly tokenIn: number; readonly tokenOut: number };
type Trade = { readonly sell: number; readonly buy: number; readonly losses: EndLosses };

/** What is added to the gas of each of a route's hops, in their order. */
export function transferGas(hops: readonly Hop[], { sell, buy, losses }: Trade): readonly number[] {
  const [sellLoses, buyLoses] = [!losesNothing(losses.sell), !losesNothing(losses.buy)];
  if (!sellLoses && !buyLoses) return hops.map(() => 0);
  const first = hops.findIndex(({ tokenIn }) => tokenIn === sell);
  const last = hops.findLastIndex(({ tokenOut }) => tokenOut === buy);
  return hops.map(({ tokenIn, tokenOut }, at) => {
    const sold = sellLoses && tokenIn === sell ? TRANSFER_GAS.measured + ofTax(losses.sell.ppm, at === first, TRANSFER_GAS.taxSold) : 0;
    const bought = buyLoses && tokenOut === buy ? ofTax(losses.buy.ppm, at === last, TRANSFER_GAS.taxBought) : 0;
    return sold + bought + (at === last ? TRANSFER_GAS.leftOver : 0);
  });
}

function ofTax(ppm: number, once: boolean, whole: number): number {
  if (ppm === 0) return 0;
  return once ? whole : TRANSFER_GAS.taxedAgain;
}

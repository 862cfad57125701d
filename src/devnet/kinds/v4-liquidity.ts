import { approxSqrtPriceX96 } from '../positions.ts';

const Q96 = 2 ** 96;
/** What is paid may round up a little over what was meant. */
const SLACK = 1.01;

/** Liquidity of a position that takes about these amounts at a price (Q64.96), and what it takes of the first, with room for rounding. Floats: seeds of pools, never prices of trades. */
export function approxLiquidity(
  sqrtPriceX96: bigint,
  tickLower: number,
  tickUpper: number,
  amount0: bigint,
  amount1: bigint,
): { readonly liquidity: bigint; readonly mostOf0: bigint } {
  const [low, high] = [Math.sqrt(1.0001 ** tickLower), Math.sqrt(1.0001 ** tickUpper)];
  const price = Math.min(Math.max(Number(sqrtPriceX96) / Q96, low), high);
  const by0 = price < high ? (Number(amount0) * price * high) / (high - price) : Number.POSITIVE_INFINITY;
  const by1 = price > low ? Number(amount1) / (price - low) : Number.POSITIVE_INFINITY;
  const liquidity = Math.floor(Math.min(by0, by1));
  return { liquidity: BigInt(liquidity), mostOf0: BigInt(Math.ceil(liquidity * (1 / price - 1 / high) * SLACK)) + 1n };
}

/** Where a price lies, Q64.96, kept within what the manager takes. */
export function approxLimit(price: number): bigint {
  const limit = approxSqrtPriceX96(price);
  return limit < LOWEST ? LOWEST : limit > HIGHEST ? HIGHEST : limit;
}

const LOWEST = 4_295_128_740n;
const HIGHEST = 1_461_446_703_485_210_103_287_273_052_203_988_822_378_723_970_341n;

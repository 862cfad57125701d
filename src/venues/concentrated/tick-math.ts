// Equal to Uniswap v3-core TickMath.sol, bit for bit.
import { LIMITS } from '../../config/limits.ts';

export const MIN_TICK = -887_272;
export const MAX_TICK = 887_272;
export const MIN_SQRT_RATIO = 4_295_128_739n;
export const MAX_SQRT_RATIO = 1_461_446_703_485_210_103_287_273_052_203_988_822_378_723_970_342n;

const MAX_UINT256 = (1n << 256n) - 1n;
const LOW_32_BITS = (1n << 32n) - 1n;

/** Factor of bit i of the absolute tick, Q128: 2^128 / 1.0001^(2^i / 2). */
const FACTORS: readonly bigint[] = [
  0xfffcb933bd6fad37aa2d162d1a594001n,
  0xfff97272373d413259a46990580e213an,
  0xfff2e50f5f656932ef12357cf3c7fdccn,
  0xffe5caca7e10e4e61c3624eaa0941cd0n,
  0xffcb9843d60f6159c9db58835c926644n,
  0xff973b41fa98c081472e6896dfb254c0n,
  0xff2ea16466c96a3843ec78b326b52861n,
  0xfe5dee046a99a2a811c461f1969c3053n,
  0xfcbe86c7900a88aedcffc83b479aa3a4n,
  0xf987a7253ac413176f2b074cf7815e54n,
  0xf3392b0822b70005940c7a398e4b70f3n,
  0xe7159475a2c29b7443b29c7fa6e889d9n,
  0xd097f3bdfd2022b8845ad8f792aa5825n,
  0xa9f746462d870fdf8a65dc1f90e061e5n,
  0x70d869a156d2a1b890bb3df62baf32f7n,
  0x31be135f97d08fd981231505542fcfa6n,
  0x9aa508b5b7a84e1c677de54f3e99bc9n,
  0x5d6af8dedb81196699c329225ee604n,
  0x2216e584f5fa1ea926041bedfe98n,
  0x48a170391f7dc42444e8fa2n,
];

/** √(1.0001^tick) as Q64.96. Throws RangeError outside MIN_TICK … MAX_TICK. */
export function sqrtRatioAtTick(tick: number): bigint {
  const absolute = Math.abs(tick);
  if (!(absolute <= MAX_TICK) || !Number.isInteger(tick)) throw new RangeError(`not a tick: ${tick}`);
  let ratio = 1n << 128n;
  for (let bit = 0, rest = absolute; rest !== 0; bit++, rest >>= 1) {
    // The contract starts from the factor itself where bit 0 is set: the same number, since 2^128 · factor >> 128 = factor.
    if ((rest & 1) !== 0) ratio = (ratio * (FACTORS[bit] as bigint)) >> 128n;
  }
  if (tick > 0) ratio = MAX_UINT256 / ratio;
  return (ratio + LOW_32_BITS) >> 32n;
}

const knownRatios = new Map<number, bigint>();

/** sqrtRatioAtTick with a bounded memory: a ratio costs twenty multiplications, and the same ticks come again and again. */
export function knownSqrtRatioAtTick(tick: number): bigint {
  const known = knownRatios.get(tick);
  if (known !== undefined) return known;
  const ratio = sqrtRatioAtTick(tick);
  if (knownRatios.size >= LIMITS.venues.knownSqrtRatios) knownRatios.clear();
  knownRatios.set(tick, ratio);
  return ratio;
}

/** By how much a tick moves the natural logarithm of the price. */
export const LOG_PRICE_PER_TICK = Math.log(1.0001);
const LOG_SQRT_10001 = LOG_PRICE_PER_TICK / 2;
const LOG_Q96 = 96 * Math.LN2;
/**
 * How near to a whole tick the float logarithm is not trusted. Its own error is below 1e-9 ticks; the rounding of the contract's ratio to an
 * integer moves a tick's price by up to 2^-32 relative at the lowest prices, 5e-6 ticks.
 */
const DOUBT_IN_TICKS = 1e-4;

/** The greatest tick whose ratio is at most the price: TickMath.getTickAtSqrtRatio. Throws RangeError where the contract reverts. */
export function tickAtSqrtRatio(sqrtPriceX96: bigint): number {
  if (sqrtPriceX96 < MIN_SQRT_RATIO || sqrtPriceX96 >= MAX_SQRT_RATIO) throw new RangeError(`not a sqrt price: ${sqrtPriceX96}`);
  const approxTick = (Math.log(Number(sqrtPriceX96)) - LOG_Q96) / LOG_SQRT_10001;
  const floor = Math.floor(approxTick);
  const above = approxTick - floor;
  if (above > DOUBT_IN_TICKS && above < 1 - DOUBT_IN_TICKS) return floor;
  const candidate = Math.min(Math.max(Math.round(approxTick), MIN_TICK), MAX_TICK);
  return sqrtRatioAtTick(candidate) <= sqrtPriceX96 ? candidate : candidate - 1;
}

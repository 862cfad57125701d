// Equal to Uniswap v3-core SqrtPriceMath.sol and SwapMath.sol, bit for bit, for liquidity above zero. Prices Q64.96, amounts base units.
// None of these overflows 256 bits where the inputs fit their Solidity types, except as noted: bigints replace FullMath's 512-bit products.

const RESOLUTION = 96n;
const Q96 = 1n << RESOLUTION;
const MAX_UINT256 = (1n << 256n) - 1n;
const MILLION = 1_000_000n;

/**
 * Token0 between two prices, lower ≤ upper, rounded down. The contract divides by one price and then by the other; dividing once by their product rounds
 * to the same integer, down and up alike, and costs less.
 */
export function amount0Delta(lower: bigint, upper: bigint, liquidity: bigint): bigint {
  return ((liquidity * (upper - lower)) << RESOLUTION) / (upper * lower);
}

/** Token0 between two prices, lower ≤ upper, rounded up. */
export function amount0DeltaUp(lower: bigint, upper: bigint, liquidity: bigint): bigint {
  return divUp((liquidity * (upper - lower)) << RESOLUTION, upper * lower);
}

/** Token1 between two prices, lower ≤ upper, rounded down. */
export function amount1Delta(lower: bigint, upper: bigint, liquidity: bigint): bigint {
  return (liquidity * (upper - lower)) >> RESOLUTION;
}

/** Token1 between two prices, lower ≤ upper, rounded up. */
export function amount1DeltaUp(lower: bigint, upper: bigint, liquidity: bigint): bigint {
  return (liquidity * (upper - lower) + (Q96 - 1n)) >> RESOLUTION;
}

/** A step's own input and the fee on top of it. The contract rounds the fee up and adds it, which is this sum rounded up, since the input is whole. */
export function withFee(amountIn: bigint, feePpm: number): bigint {
  return divUp(amountIn * MILLION, BigInt(1_000_000 - feePpm));
}

/** What is left of an input after the fee, rounded down. */
export function lessFee(amountIn: bigint, feePpm: number): bigint {
  return (amountIn * BigInt(1_000_000 - feePpm)) / MILLION;
}

/** The price after an input (fee taken off) that does not reach the step's target. */
export function priceAfterInput(price: bigint, liquidity: bigint, amountIn: bigint, zeroForOne: boolean): bigint {
  if (!zeroForOne) return price + (amountIn << RESOLUTION) / liquidity;
  if (amountIn === 0n) return price;
  const scaled = liquidity << RESOLUTION;
  const product = amountIn * price;
  // Where the contract's uint256 product or sum overflows it takes a coarser formula.
  if (product <= MAX_UINT256 - scaled) return divUp(scaled * price, scaled + product);
  return divUp(scaled, scaled / price + amountIn);
}

/** The price after an output that does not reach the step's target. */
export function priceAfterOutput(price: bigint, liquidity: bigint, amountOut: bigint, zeroForOne: boolean): bigint {
  if (zeroForOne) return price - divUp(amountOut << RESOLUTION, liquidity);
  const scaled = liquidity << RESOLUTION;
  return divUp(scaled * price, scaled - amountOut * price);
}

function divUp(dividend: bigint, divisor: bigint): bigint {
  return (dividend + divisor - 1n) / divisor;
}

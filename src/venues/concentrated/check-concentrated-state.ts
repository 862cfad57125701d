import { LIMITS } from '../../config/limits.ts';
import { PoolRefused } from '../venue.ts';
import { type ConcentratedState, countAtOrBelow } from './concentrated-state.ts';
import { knownSqrtRatioAtTick, MAX_SQRT_RATIO, MAX_TICK, MIN_SQRT_RATIO, MIN_TICK, tickAtSqrtRatio } from './tick-math.ts';

export const MAX_UINT128 = (1n << 128n) - 1n;
const MAX_INT128 = (1n << 127n) - 1n;
/** UniswapV3Factory.enableFeeAmount accepts less than 16,384. */
const MAX_TICK_SPACING = 16_383;

/**
 * Throws PoolRefused where a state breaks an invariant of the contract: such a state is corrupt or mixed from two blocks, and its quotes would be wrong.
 * A window of ticks (`truncated`) is excused from summing to zero.
 */
export function checkConcentratedState(state: ConcentratedState, maxTickSpacing = MAX_TICK_SPACING): void {
  checkNumbers(state, maxTickSpacing);
  checkTicks(state);
  checkLiquidity(state);
}

function checkNumbers({ feePpm, tickSpacing, sqrtPriceX96, liquidity, tick }: ConcentratedState, maxTickSpacing: number): void {
  demand(Number.isInteger(feePpm) && feePpm >= 0 && feePpm < 1_000_000, 'the fee is not below 1,000,000 millionths', feePpm);
  demand(Number.isInteger(tickSpacing) && tickSpacing >= 1 && tickSpacing <= maxTickSpacing, 'not a tick spacing', tickSpacing);
  if (sqrtPriceX96 === 0n) throw new PoolRefused('not-routable', 'the pool is not initialised');
  demand(sqrtPriceX96 >= MIN_SQRT_RATIO && sqrtPriceX96 < MAX_SQRT_RATIO, 'the sqrt price is out of range', sqrtPriceX96);
  demand(liquidity >= 0n && liquidity <= MAX_UINT128, 'the liquidity is not a uint128', liquidity);
  demand(Number.isInteger(tick) && tick >= MIN_TICK - 1 && tick < MAX_TICK, 'not a tick', tick);
  const priceTick = tickAtSqrtRatio(sqrtPriceX96);
  const onBorder = tick === priceTick - 1 && knownSqrtRatioAtTick(priceTick) === sqrtPriceX96;
  demand(tick === priceTick || onBorder, `the tick does not match the sqrt price, whose tick is ${priceTick}:`, tick);
}

function checkTicks({ ticks, tickSpacing }: ConcentratedState): void {
  const { indices, liquidityNet } = ticks;
  demand(indices.length === liquidityNet.length, 'ticks and net liquidities differ in number:', indices.length);
  if (indices.length > LIMITS.venues.ticksPerPool) throw new PoolRefused('not-routable', `more than ${LIMITS.venues.ticksPerPool} initialised ticks`);
  for (let i = 0; i < indices.length; i++) {
    const tick = indices[i] as number;
    const net = liquidityNet[i] as bigint;
    demand(tick >= MIN_TICK && tick <= MAX_TICK, 'an initialised tick is out of range:', tick);
    demand(tick % tickSpacing === 0, `an initialised tick is not a multiple of the spacing ${tickSpacing}:`, tick);
    demand(i === 0 || tick > (indices[i - 1] as number), 'the initialised ticks are not ascending at', tick);
    demand(net <= MAX_INT128 && net >= -MAX_INT128, 'a net liquidity is not an int128:', net);
  }
}

/** Walks away from the price both ways: the liquidity has to stay a uint128, and to end at 0 unless only a window is known. */
function checkLiquidity({ ticks, tick, liquidity, truncated }: ConcentratedState): void {
  if (liquidity === 0n && ticks.indices.length === 0) throw new PoolRefused('not-routable', 'the pool holds no liquidity');
  const above = countAtOrBelow(ticks, tick);
  let up = liquidity;
  for (let i = above; i < ticks.indices.length; i++) {
    up += ticks.liquidityNet[i] as bigint;
    demand(up >= 0n && up <= MAX_UINT128, 'the liquidity leaves uint128 at tick', ticks.indices[i] as number);
  }
  let down = liquidity;
  for (let i = above - 1; i >= 0; i--) {
    down -= ticks.liquidityNet[i] as bigint;
    demand(down >= 0n && down <= MAX_UINT128, 'the liquidity leaves uint128 below tick', ticks.indices[i] as number);
  }
  demand(truncated || down === 0n, 'the liquidity is not the sum of the net liquidities at or below the tick; the difference is', down);
  demand(truncated || up === 0n, 'the net liquidities do not sum to zero; the difference is', up);
}

function demand(holds: boolean, message: string, value: number | bigint): void {
  if (!holds) throw new PoolRefused('malformed', `${message} ${value}`);
}

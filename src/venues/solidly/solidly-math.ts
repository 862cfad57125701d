// The two curves of Solidly's pools, as Velodrome and Aerodrome deploy them (Pool.sol, PoolFactory.sol): x·y, and x³y + y³x on reserves scaled to 18 decimals. Every quotient is
// cut off. null is the contract's revert: a number beyond uint256, a division by zero, or no convergence.
import { LIMITS } from '../../config/limits.ts';
import { countStep } from '../sampled/newton-steps.ts';
import { BPS, type SolidlyState } from './solidly-pool.ts';

const ONE = 10n ** 18n;
const MAX_UINT256 = (1n << 256n) - 1n;

type Curve = Pick<SolidlyState, 'stable' | 'decimals'>;

/** The invariant that a swap may not lower. */
export function invariantOf(curve: Curve, reserve0: bigint, reserve1: bigint): bigint | null {
  if (!curve.stable) return checked(reserve0 * reserve1);
  const units = unitsOf(curve);
  const x = scaled(reserve0, units[0]);
  const y = scaled(reserve1, units[1]);
  return x === null || y === null ? null : sumOfCubes(x, y);
}

/** What is left of an input when its fee is paid. */
export function afterFee({ feeBps }: SolidlyState, amountIn: bigint): bigint | null {
  const product = checked(amountIn * BigInt(feeBps));
  return product === null ? null : amountIn - product / BPS;
}

/** Pool._getAmountOut: the output for an input that has paid its fee. Zero is an answer here: the pool refuses it later. */
export function outputOf(state: SolidlyState, slotIn: 0 | 1, kept: bigint): bigint | null {
  const { reserves, stable } = state;
  const units = unitsOf(state);
  const slotOut = slotIn === 0 ? 1 : 0;
  const [reserveIn, reserveOut] = [reserves[slotIn], reserves[slotOut]];
  if (!stable) {
    const product = checked(kept * reserveOut);
    return product === null || reserveIn + kept === 0n ? null : product / (reserveIn + kept);
  }
  const invariant = invariantOf(state, ...reserves);
  const [x, y, added] = [scaled(reserveIn, units[slotIn]), scaled(reserveOut, units[slotOut]), scaled(kept, units[slotIn])];
  if (invariant === null || x === null || y === null || added === null) return null;
  const left = balanceFor(state, x + added, invariant, y);
  if (left === null || left > y) return null;
  const product = checked((y - left) * units[slotOut]);
  return product === null ? null : product / ONE;
}

/** The least y, to a unit, whose invariant with `x` is not below `invariant`: Newton's steps from `start`. */
function balanceFor(curve: Curve, x: bigint, invariant: bigint, start: bigint): bigint | null {
  let y = start;
  for (let step = 0; step < LIMITS.venues.newtonSteps; step++) {
    countStep();
    const [value, slope] = [sumOfCubes(x, y), slopeAt(x, y)];
    if (value === null || slope === null || slope === 0n) return null;
    const product = checked((invariant > value ? invariant - value : value - invariant) * ONE);
    if (product === null) return null;
    const change = product / slope;
    if (change > 0n) y += invariant > value ? change : -change;
    else if (invariant > value) {
      // The pool asks its invariant here, which scales to 18 decimals what is scaled already.
      const above = invariantOf(curve, x, y + 1n);
      if (above === null || above > invariant) return above === null ? null : y + 1n;
      y += 1n;
    } else {
      if (invariant === value) return y;
      const below = y === 0n ? null : sumOfCubes(x, y - 1n);
      if (below === null || below < invariant) return below === null ? null : y;
      y -= 1n;
    }
    if (y < 0n || y > MAX_UINT256) return null;
  }
  return null;
}

/** x³y + y³x, with the contract's order of products and quotients. */
function sumOfCubes(x: bigint, y: bigint): bigint | null {
  const [xy, xx, yy] = [x * y, x * x, y * y];
  if (xy > MAX_UINT256 || xx > MAX_UINT256 || yy > MAX_UINT256) return null;
  const squares = xx / ONE + yy / ONE;
  const product = checked((xy / ONE) * squares);
  return product === null ? null : product / ONE;
}

/** Of the sum of cubes, in y. */
function slopeAt(x: bigint, y: bigint): bigint | null {
  const [xx, yy] = [x * x, y * y];
  if (xx > MAX_UINT256 || yy > MAX_UINT256) return null;
  const [square, cube] = [3n * x * (yy / ONE), (xx / ONE) * x];
  if (3n * x > MAX_UINT256 || square > MAX_UINT256 || cube > MAX_UINT256) return null;
  return square / ONE + cube / ONE;
}

/** 10^decimals of each token. */
function unitsOf({ decimals }: Curve): readonly [bigint, bigint] {
  return [10n ** BigInt(decimals[0]), 10n ** BigInt(decimals[1])];
}

function scaled(amount: bigint, unit: bigint): bigint | null {
  const product = checked(amount * ONE);
  return product === null ? null : product / unit;
}

function checked(value: bigint): bigint | null {
  return value > MAX_UINT256 ? null : value;
}

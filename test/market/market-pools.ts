import type { EdgeCurve, SegmentsCurve, StableCurve } from '../../src/snapshot/snapshot.ts';
import { type Address, asAddress } from '../../src/units/units.ts';

/** A pool as a price book takes it. */
export type MarketPool = { readonly key: string; readonly tokens: readonly Address[]; readonly curves: readonly EdgeCurve[] };

export function token(number: number): Address {
  return asAddress(`0x${(0xb000 + number).toString(16).padStart(40, '0')}`);
}

/** x · y = k on reserves in base units, with a fee on what comes in. */
export function constantProduct(key: string, tokens: readonly [number, number], reserves: readonly [number, number], feePpm = 3000): MarketPool {
  const way = (slotIn: number, slotOut: number): EdgeCurve => ({
    slotIn,
    slotOut,
    curve: piece(reserves[slotIn] ?? 0, reserves[slotOut] ?? 0, Infinity, feePpm),
  });
  return { key, tokens: tokens.map(token), curves: [way(0, 1), way(1, 0)] };
}

/** Liquidity within a range alone: virtual reserves, and what may come in of each token before the range ends. */
export function narrowRange(
  key: string,
  tokens: readonly [number, number],
  virtual: readonly [number, number],
  capacity: readonly [number, number],
  feePpm = 500,
): MarketPool {
  const way = (slotIn: number, slotOut: number): EdgeCurve => ({
    slotIn,
    slotOut,
    curve: piece(virtual[slotIn] ?? 0, virtual[slotOut] ?? 0, capacity[slotIn] ?? 0, feePpm),
  });
  return { key, tokens: tokens.map(token), curves: [way(0, 1), way(1, 0)] };
}

/** A stable pool of balances in one unit, between all its tokens. */
export function stablePool(key: string, tokens: readonly number[], balances: readonly number[], invariant: number, amplification = 200): MarketPool {
  const slots = tokens.map((_, slot) => slot);
  const curve = (slotIn: number, slotOut: number): StableCurve => ({
    kind: 'stable',
    keep: 0.9996,
    feeOnOutput: true,
    capacity: Infinity,
    gas: 100_000,
    slotIn,
    slotOut,
    ann: amplification * tokens.length,
    invariant,
    balances: Float64Array.from(balances),
    scaleIn: 1,
    scaleOut: 1,
  });
  const ways = slots.flatMap((slotIn) => slots.filter((slotOut) => slotOut !== slotIn).map((slotOut) => ({ slotIn, slotOut, curve: curve(slotIn, slotOut) })));
  return { key, tokens: tokens.map(token), curves: ways };
}

function piece(reserveIn: number, reserveOut: number, capacity: number, feePpm: number): SegmentsCurve {
  const columns = Float64Array.from([0, 0, reserveIn, reserveOut]);
  return { kind: 'segments', keep: 1 - feePpm / 1e6, capacity, gas: 100_000, gasPerPiece: 0, gasPerLogPrice: 0, columns };
}

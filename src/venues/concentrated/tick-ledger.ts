import { type ConcentratedState, countAtOrBelow } from './concentrated-state.ts';

/**
 * State of a concentrated pool as the indexer follows it: the exact state and, in parallel to its ticks, the gross liquidity that refers to each. Only the gross
 * tells when a tick ceases to be initialised (its net may be 0 long before), so it is needed to follow the pool and not to price it.
 */
export type LedgerState = ConcentratedState & { readonly liquidityGross: readonly bigint[] };

/** The state after a position gained (positive) or lost (negative) liquidity between two ticks; null when it can not have: the state is not the pool's. */
export function changePosition(state: LedgerState, tickLower: number, tickUpper: number, delta: bigint): LedgerState | null {
  if (delta === 0n) return state;
  if (tickLower >= tickUpper) return null;
  const lower = changeTick(state, tickLower, delta, delta);
  const upper = lower === null ? null : changeTick(lower, tickUpper, delta, -delta);
  if (upper === null) return null;
  const inRange = state.tick >= tickLower && state.tick < tickUpper;
  const liquidity = inRange ? state.liquidity + delta : state.liquidity;
  return liquidity < 0n ? null : { ...upper, liquidity };
}

function changeTick(state: LedgerState, tick: number, deltaGross: bigint, deltaNet: bigint): LedgerState | null {
  const { ticks, liquidityGross } = state;
  const end = countAtOrBelow(ticks, tick);
  const exists = end > 0 && ticks.indices[end - 1] === tick;
  const at = exists ? end - 1 : end;
  const gross = (exists ? (liquidityGross[at] as bigint) : 0n) + deltaGross;
  if (gross < 0n) return null;
  const net = (exists ? (ticks.liquidityNet[at] as bigint) : 0n) + deltaNet;
  // A tick that no position refers to any more is forgotten, as the contract clears it.
  const entries = gross === 0n ? [] : [{ net, gross }];
  const removed = exists ? 1 : 0;
  const indices = new Int32Array(ticks.indices.length - removed + entries.length);
  indices.set(ticks.indices.subarray(0, at));
  if (entries.length > 0) indices[at] = tick;
  indices.set(ticks.indices.subarray(at + removed), at + entries.length);
  return {
    ...state,
    ticks: { indices, liquidityNet: ticks.liquidityNet.toSpliced(at, removed, ...entries.map((entry) => entry.net)) },
    liquidityGross: liquidityGross.toSpliced(at, removed, ...entries.map((entry) => entry.gross)),
  };
}

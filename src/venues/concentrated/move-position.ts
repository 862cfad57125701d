import { type ConcentratedState, countAtOrBelow, type TickTable } from './concentrated-state.ts';

/**
 * The state after a position gained (`liquidityDelta` above 0) or lost liquidity. null: a burn brought a tick's net to zero, and the net alone does
 * not tell whether other positions still hold that tick initialised: the pool has to be read from the chain again.
 */
export function movePosition(state: ConcentratedState, tickLower: number, tickUpper: number, liquidityDelta: bigint): ConcentratedState | null {
  if (liquidityDelta === 0n) return state;
  const lower = withNet(state.ticks, tickLower, liquidityDelta, liquidityDelta > 0n);
  const ticks = lower && withNet(lower, tickUpper, -liquidityDelta, liquidityDelta > 0n);
  if (ticks === null) return null;
  const inRange = tickLower <= state.tick && state.tick < tickUpper;
  return { ...state, ticks, liquidity: inRange ? state.liquidity + liquidityDelta : state.liquidity };
}

function withNet(table: TickTable, tick: number, change: bigint, minted: boolean): TickTable | null {
  const end = countAtOrBelow(table, tick);
  const known = end > 0 && table.indices[end - 1] === tick;
  if (known) {
    const net = (table.liquidityNet[end - 1] as bigint) + change;
    if (net === 0n && !minted) return null;
    return { indices: table.indices, liquidityNet: table.liquidityNet.with(end - 1, net) };
  }
  // A burn on a tick that is not in the table: what is known is not what the chain has.
  if (!minted) return null;
  const indices = new Int32Array(table.indices.length + 1);
  indices.set(table.indices.subarray(0, end));
  indices[end] = tick;
  indices.set(table.indices.subarray(end), end + 1);
  return { indices, liquidityNet: table.liquidityNet.toSpliced(end, 0, change) };
}

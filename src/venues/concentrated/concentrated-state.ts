/**
 * Exact state of one concentrated-liquidity pool. A value: never changed in place, and `ticks` is shared between the states of a pool.
 * The contract's invariants hold where checkConcentratedState passed.
 */
export type ConcentratedState = {
  /** Swap fee in millionths of the input, 0 … 999,999. */
  readonly feePpm: number;
  readonly tickSpacing: number;
  /** √(token1 / token0) in base units, Q64.96. */
  readonly sqrtPriceX96: bigint;
  /** Liquidity in range, uint128. */
  readonly liquidity: bigint;
  /** As the contract stores it: one below the price's own tick where the last swap went down exactly onto a tick. */
  readonly tick: number;
  readonly ticks: TickTable;
  /** Only a window of ticks is known: no flow goes past its ends. */
  readonly truncated: boolean;
};

/**
 * Initialised ticks in ascending order. A tick is initialised while any position refers to it, so its net may be 0 (one position's end on another's start):
 * the contract still stops there and rounds, so such ticks belong in the table.
 */
export type TickTable = { readonly indices: Int32Array; readonly liquidityNet: readonly bigint[] };

/** Builds a table from [tick, liquidityNet] pairs in ascending order. */
export function tickTable(pairs: readonly (readonly [tick: number, liquidityNet: bigint])[]): TickTable {
  return { indices: Int32Array.from(pairs, ([tick]) => tick), liquidityNet: pairs.map(([, net]) => net) };
}

/** How many entries of the table are at or below a tick: also the position of the first entry above it. */
export function countAtOrBelow(table: TickTable, tick: number): number {
  let low = 0;
  let high = table.indices.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((table.indices[middle] as number) <= tick) low = middle + 1;
    else high = middle;
  }
  return low;
}

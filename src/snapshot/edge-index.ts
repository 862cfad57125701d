import { compareEdges, countUnmarked, type Edge, mergeEdges } from './edge-merge.ts';
import { edgeUnits, readEdges, startEdges } from './edge-record.ts';
import type { SnapshotMemory } from './memory.ts';
import type { PoolEntry, PoolTable } from './pool-table.ts';
import { stampEpoch } from './record.ts';

/** What the index needs of the writer. */
export type RecordKeeper = { allocate(units: number): number; retire(unit: number): void };

/** Keeps the edge records of tokens in step with the pools. Only pools that came, went or changed directions cost anything. */
export class EdgeIndex {
  readonly #memory: SnapshotMemory;
  readonly #pools: PoolTable;
  readonly #keeper: RecordKeeper;
  /** Pools whose edges changed since the last publish, by the token that the edges leave. */
  readonly #changed = new Map<number, Set<number>>();
  readonly #marked: Uint8Array;

  constructor(memory: SnapshotMemory, pools: PoolTable, keeper: RecordKeeper) {
    this.#memory = memory;
    this.#pools = pools;
    this.#keeper = keeper;
    this.#marked = new Uint8Array(memory.layout.pools);
  }

  /** Notes that the edges of a pool are no longer what the published index says. */
  poolChanged(poolId: number, tokens: readonly number[]): void {
    for (const token of tokens) {
      const pools = this.#changed.get(token);
      if (pools === undefined) this.#changed.set(token, new Set([poolId]));
      else pools.add(poolId);
    }
  }

  /** Whether the published index says of every pool what was noted. */
  get isSettled(): boolean {
    return this.#changed.size === 0;
  }

  /**
   * Writes the records of the tokens whose edges changed. Where the arena has no room, the token keeps its old record and the next publish tries again:
   * an edge of a pool that is gone leads to no PoolView, and a missing edge is liquidity not used, but no state is stale.
   */
  publish(epoch: number, column: Int32Array): void {
    for (const [token, pools] of [...this.#changed]) {
      if (this.#rewrite(token, pools, epoch, column)) this.#changed.delete(token);
    }
  }

  #rewrite(token: number, pools: ReadonlySet<number>, epoch: number, column: Int32Array): boolean {
    const added: Edge[] = [];
    for (const id of pools) {
      this.#marked[id] = 1;
      addEdges(added, this.#pools.at(id), token);
    }
    added.sort(compareEdges);
    const oldUnit = column[token] as number;
    const old = oldUnit === 0 ? NO_EDGES : readEdges(this.#memory, oldUnit);
    const count = countUnmarked(old, this.#marked) + added.length;
    const unit = count === 0 ? 0 : this.#keeper.allocate(edgeUnits(count));
    const placed = count === 0 || unit !== 0;
    if (unit !== 0) {
      mergeEdges(startEdges(this.#memory, unit, token, count), old, this.#marked, added);
      stampEpoch(this.#memory, unit, epoch);
    }
    for (const id of pools) this.#marked[id] = 0;
    if (!placed) return false;
    if (oldUnit !== 0) this.#keeper.retire(oldUnit);
    column[token] = unit;
    return true;
  }
}

function addEdges(into: Edge[], pool: PoolEntry, token: number): void {
  for (const direction of pool.directions) {
    const slotIn = direction >>> 8;
    const slotOut = direction & 0xff;
    const tokenOut = pool.identity.tokens[slotOut];
    if (pool.identity.tokens[slotIn] !== token || tokenOut === undefined) continue;
    into.push({ pool: pool.id, slotIn, slotOut, tokenOut });
  }
}

const NO_EDGES = new Uint32Array(0);

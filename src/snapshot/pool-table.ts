import { UNIT_MASK } from './layout.ts';
import type { SnapshotMemory } from './memory.ts';
import { type PoolIdentity, readIdentity } from './pool-identity.ts';
import { curvePlacesOf, identityUnitOf } from './pool-state.ts';

/** What the writer knows of a pool that has an id. */
export type PoolEntry = {
  readonly id: number;
  readonly identity: PoolIdentity;
  readonly identityUnit: number;
  /** Slot in · 256 + slot out, both ways for every two slots that a curve joins, ascending. Empty while the pool is absent. */
  readonly directions: readonly number[];
};

/**
 * The writer's own view of the pools: entries by key and id. Bounded by the capacity. A pool that is gone keeps its id, should it come back, until all ids are taken: then the one that has
 * been gone for longest makes room.
 */
export class PoolTable {
  readonly #byKey = new Map<string, PoolEntry>();
  readonly #byId: PoolEntry[] = [];
  /** Ids of pools that are gone, in the order they left: those to which an edge of the index may still lead, and those that nothing of the newest epoch names any more. */
  readonly #leaving = new Set<number>();
  readonly #free = new Set<number>();

  get count(): number {
    return this.#byId.length;
  }

  find(key: string): PoolEntry | undefined {
    return this.#byKey.get(key);
  }

  at(id: number): PoolEntry {
    const entry = this.#byId[id];
    if (entry === undefined) throw new RangeError(`pool id ${id}`);
    return entry;
  }

  put(entry: PoolEntry): void {
    if (entry.id > this.#byId.length) throw new RangeError(`pool id ${entry.id} skips ids`);
    const before = this.#byId[entry.id];
    if (before !== undefined && before.identity.key !== entry.identity.key) this.#byKey.delete(before.identity.key);
    this.#byId[entry.id] = entry;
    this.#byKey.set(entry.identity.key, entry);
  }

  /** The id for a pool that has none: one that nobody had as long as there is one below `limit`. undefined: all are taken. */
  idForNew(limit: number): number | undefined {
    if (this.count < limit) return this.count;
    const [longestGone] = this.#free;
    return longestGone;
  }

  /** The pool of that id is gone. */
  left(id: number): void {
    this.#leaving.add(id);
  }

  /** There is a pool of that id again. */
  taken(id: number): void {
    this.#leaving.delete(id);
    this.#free.delete(id);
  }

  /** To be called after a publish whose index has no edge of a pool that is gone: another pool may have its id from the next epoch on. */
  edgesAreGone(): void {
    for (const id of this.#leaving) this.#free.add(id);
    this.#leaving.clear();
  }

  /** Takes over the pools of a published epoch. */
  adopt(memory: SnapshotMemory, count: number, column: Int32Array): void {
    for (let id = 0; id < count; id++) {
      const place = column[id] as number;
      const identityUnit = place > 0 ? identityUnitOf(memory, place) : place & UNIT_MASK;
      const directions = place > 0 ? directionsOf(curvePlacesOf(memory, place)) : [];
      if (place <= 0) this.left(id);
      this.put({ id, identity: readIdentity(memory, identityUnit, id), identityUnit, directions });
    }
  }
}

type Slots = { readonly slotIn: number; readonly slotOut: number };

/**
 * The edges of a pool in the index. A pool that fills one way only (concentrated liquidity on one side of the price) is listed both ways: the index names the edges that leave a token, and a search that comes from
 * the bought token finds an entering edge as the reverse of a leaving one.
 */
export function directionsOf(curves: readonly Slots[]): readonly number[] {
  const directions = new Set<number>();
  for (const { slotIn, slotOut } of curves) {
    directions.add(slotIn * 256 + slotOut);
    directions.add(slotOut * 256 + slotIn);
  }
  return [...directions].sort((a, b) => a - b);
}

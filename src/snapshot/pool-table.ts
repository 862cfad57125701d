import { UNIT_MASK } from './layout.ts';
import type { SnapshotMemory } from './memory.ts';
import { type PoolIdentity, readIdentity } from './pool-identity.ts';
import { curvePlacesOf, identityUnitOf } from './pool-state.ts';

/** What the writer knows of a pool that ever had an id. */
export type PoolEntry = {
  readonly id: number;
  readonly identity: PoolIdentity;
  readonly identityUnit: number;
  /** Slot in · 256 + slot out, both ways for every two slots that a curve joins, ascending. Empty while the pool is absent. */
  readonly directions: readonly number[];
};

/** The writer's own view of the pools: entries by key and id. Bounded by the capacity; ids are never reused. */
export class PoolTable {
  readonly #byKey = new Map<string, PoolEntry>();
  readonly #byId: PoolEntry[] = [];

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
    this.#byId[entry.id] = entry;
    this.#byKey.set(entry.identity.key, entry);
  }

  /** Takes over the pools of a published epoch. */
  adopt(memory: SnapshotMemory, count: number, column: Int32Array): void {
    for (let id = 0; id < count; id++) {
      const place = column[id] as number;
      const identityUnit = place > 0 ? identityUnitOf(memory, place) : place & UNIT_MASK;
      const directions = place > 0 ? directionsOf(curvePlacesOf(memory, place)) : [];
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

import { UNIT_MASK } from './layout.ts';
import type { SnapshotMemory } from './memory.ts';
import { type PoolIdentity, readIdentity } from './pool-identity.ts';
import { curvePlacesOf, identityUnitOf } from './pool-state.ts';

/** What the writer knows of a pool that ever had an id. */
export type PoolEntry = {
  readonly id: number;
  readonly identity: PoolIdentity;
  readonly identityUnit: number;
  /** Slot in · 256 + slot out of each routable direction, ascending. Empty while the pool is absent. */
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
      const directions = place > 0 ? curvePlacesOf(memory, place).map(({ slotIn, slotOut }) => directionOf(slotIn, slotOut)) : [];
      this.put({ id, identity: readIdentity(memory, identityUnit, id), identityUnit, directions: directions.sort((a, b) => a - b) });
    }
  }
}

export function directionOf(slotIn: number, slotOut: number): number {
  return slotIn * 256 + slotOut;
}

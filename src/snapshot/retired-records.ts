import type { Arena } from './arena.ts';
import type { SnapshotMemory } from './memory.ts';
import { recordEpoch } from './record.ts';

/**
 * Records that the newest epoch no longer names, until nobody can see them. A record was visible in the epochs from the one in its header to the one before
 * its retirement; it is kept under one pinned epoch of that range, and looked at again only when that pin is gone.
 */
export class RetiredRecords {
  readonly #memory: SnapshotMemory;
  readonly #arena: Arena;
  /** Replaced since the last publish, so still named by the head. */
  #leaving: number[] = [];
  /** By the pinned epoch that holds them: pairs of unit and epoch of retirement. Bounded: one version of each record per reader. */
  readonly #held = new Map<number, number[]>();

  constructor(memory: SnapshotMemory, arena: Arena) {
    this.#memory = memory;
    this.#arena = arena;
  }

  /** Takes a record out of the coming epoch. One that was never published is free at once. */
  retire(unit: number): void {
    if (recordEpoch(this.#memory, unit) === 0) this.#arena.free(unit);
    else this.#leaving.push(unit);
  }

  /** To be called after the head was stored, with the pins read after that. */
  published(head: number, pins: readonly number[]): void {
    const leaving = this.#leaving;
    this.#leaving = [];
    for (const unit of leaving) this.#settle(unit, head, pins);
    this.reclaim(pins);
  }

  /** Frees what only pins that are gone could see. */
  reclaim(pins: readonly number[]): void {
    for (const [epoch, records] of [...this.#held]) {
      if (pins.includes(epoch)) continue;
      this.#held.delete(epoch);
      for (let i = 0; i < records.length; i += 2) this.#settle(records[i] as number, records[i + 1] as number, pins);
    }
  }

  /** Takes over a record that was retired before this writer lived, visible up to the epoch before `retiredIn`. */
  adopt(unit: number, retiredIn: number, pins: readonly number[]): void {
    this.#settle(unit, retiredIn, pins);
  }

  #settle(unit: number, retiredIn: number, pins: readonly number[]): void {
    const born = recordEpoch(this.#memory, unit);
    for (const pin of pins) {
      if (pin < born || pin >= retiredIn) continue;
      const records = this.#held.get(pin);
      if (records === undefined) this.#held.set(pin, [unit, retiredIn]);
      else records.push(unit, retiredIn);
      return;
    }
    this.#arena.free(unit);
  }
}

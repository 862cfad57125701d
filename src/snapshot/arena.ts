import { RECORD, RECORD_KIND, UNIT_WORDS } from './layout.ts';
import { classHolding, classServedBy, sizeClasses } from './size-classes.ts';

/** Whether a record is replaced with a block's changes, or stays for the life of the buffers unless something rare happens. */
export type RecordLife = 'passing' | 'lasting';

/**
 * Hands out blocks of the record arena. Writer only: its lists live in the free blocks themselves, which no reader looks at.
 * Unit 0 is never handed out, so that 0 can mean "none".
 */
export class Arena {
  readonly #words: Uint32Array;
  readonly #capacity: number;
  readonly #sizes: Uint32Array;
  /** First free block of each size class, 0 where there is none. */
  readonly #bins: Uint32Array;
  /** Between top and bottom nothing was ever handed out, or has come back whole. */
  #top = 1;
  #bottom: number;
  #used = 0;
  #freedSinceMerge = 0;

  constructor(words: Uint32Array, capacityUnits: number) {
    this.#words = words;
    this.#capacity = capacityUnits;
    this.#bottom = capacityUnits;
    this.#sizes = sizeClasses(capacityUnits - 1);
    this.#bins = new Uint32Array(this.#sizes.length);
  }

  get usedUnits(): number {
    return this.#used;
  }

  get capacityUnits(): number {
    return this.#capacity - 1;
  }

  /**
   * A block of at least `units` that leaves `keepFree` units free, with the header's size word filled in; 0 when there is none. Lasting records come from the
   * far end, so that they do not lie as islands between the records that come and go.
   */
  allocate(units: number, keepFree: number, life: RecordLife = 'passing'): number {
    const sizeClass = classHolding(this.#sizes, units);
    const size = this.#sizes[sizeClass];
    if (size === undefined || this.capacityUnits - this.#used - size < keepFree) return 0;
    const unit = this.#take(sizeClass, size, life);
    // Joining walks every free block, so it has to be worth it.
    if (unit !== 0 || this.#freedSinceMerge < size) return unit;
    this.#merge();
    return this.#take(sizeClass, size, life);
  }

  free(unit: number): void {
    const at = unit * UNIT_WORDS;
    if (this.#words[at + RECORD.kind] === RECORD_KIND.free) throw new Error(`snapshot record ${unit} freed twice`);
    const units = this.#words[at + RECORD.units] as number;
    this.#used -= units;
    this.#freedSinceMerge += units;
    this.#shelve(unit, units);
  }

  /** Starts over with exactly these blocks in use: pairs of unit and size, ascending and disjoint. The widest gap is the new middle. */
  restore(blocks: readonly (readonly [unit: number, units: number])[]): void {
    this.#bins.fill(0);
    this.#used = 0;
    this.#top = 1;
    this.#bottom = 1;
    let end = 1;
    for (const [unit, units] of [...blocks, [this.#capacity, 0] as const]) {
      if (unit < end) throw new Error(`snapshot record ${unit} overlaps the one before it`);
      const [gap, middle] = [unit - end, this.#bottom - this.#top];
      if (gap > middle) {
        if (middle > 0) this.#shelve(this.#top, middle);
        this.#top = end;
        this.#bottom = unit;
      } else if (gap > 0) this.#shelve(end, gap);
      end = unit + units;
      this.#used += units;
    }
  }

  #take(sizeClass: number, size: number, life: RecordLife): number {
    if (this.#bins[sizeClass] === 0 && this.#top + size <= this.#bottom) {
      if (life === 'passing') this.#top += size;
      else this.#bottom -= size;
      return this.#handOut(life === 'passing' ? this.#top - size : this.#bottom, size);
    }
    for (let c = sizeClass; c < this.#bins.length; c++) {
      const unit = this.#bins[c] as number;
      if (unit === 0) continue;
      const at = unit * UNIT_WORDS;
      const units = this.#words[at + RECORD.units] as number;
      this.#bins[c] = this.#words[at + RECORD.id] as number;
      if (units > size) this.#shelve(unit + size, units - size);
      return this.#handOut(unit, size);
    }
    return 0;
  }

  #handOut(unit: number, size: number): number {
    const at = unit * UNIT_WORDS;
    this.#words[at + RECORD.epoch] = 0;
    this.#words[at + RECORD.units] = size;
    this.#words[at + RECORD.kind] = RECORD_KIND.unwritten;
    this.#used += size;
    return unit;
  }

  #shelve(unit: number, units: number): void {
    const at = unit * UNIT_WORDS;
    const sizeClass = classServedBy(this.#sizes, units);
    this.#words[at + RECORD.epoch] = 0;
    this.#words[at + RECORD.units] = units;
    this.#words[at + RECORD.kind] = RECORD_KIND.free;
    this.#words[at + RECORD.id] = this.#bins[sizeClass] as number;
    this.#bins[sizeClass] = unit;
  }

  /** Joins free neighbours, so that sizes that went out of use serve others again. */
  #merge(): void {
    this.#freedSinceMerge = 0;
    const units: number[] = [];
    for (const first of this.#bins) for (let unit = first; unit !== 0; unit = this.#words[unit * UNIT_WORDS + RECORD.id] as number) units.push(unit);
    const blocks = Float64Array.from(units).sort();
    this.#bins.fill(0);
    let start = 0;
    let end = 0;
    for (const unit of blocks) {
      const size = this.#words[unit * UNIT_WORDS + RECORD.units] as number;
      if (unit !== end) {
        this.#giveBack(start, end);
        start = unit;
      }
      end = unit + size;
    }
    this.#giveBack(start, end);
  }

  #giveBack(start: number, end: number): void {
    if (start === end) return;
    if (end === this.#top) this.#top = start;
    else if (start === this.#bottom) this.#bottom = end;
    else this.#shelve(start, end - start);
  }
}

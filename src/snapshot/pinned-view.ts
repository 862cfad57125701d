import type { Address } from '../units/units.ts';
import { directoryWord, readBlock } from './directory.ts';
import type { BlockRef, TokenFacts } from './facts.ts';
import { DIRECTORY, PRICES_PER_RECORD, VERDICTS_PER_RECORD } from './layout.ts';
import type { SnapshotMemory } from './memory.ts';
import { assertRecord, recordEpoch } from './record.ts';
import type { RecordCache } from './record-cache.ts';
import type { MeasuredVerdict } from './transfer-verdict.ts';
import { readVerdict } from './verdict-record.ts';
import type { PoolView, SnapshotChanges, SnapshotView } from './view.ts';

/** A pinned epoch as its reader shows it. Refuses to read once it is closed: what it would read then may belong to any epoch. */
export class PinnedView implements SnapshotView {
  readonly epoch: number;
  readonly block: BlockRef;
  readonly tokenCount: number;
  readonly poolCount: number;
  readonly #memory: SnapshotMemory;
  readonly #words: Int32Array;
  readonly #cache: RecordCache;
  readonly #pricesAt: number;
  readonly #verdictsAt: number;
  readonly #edgesAt: number;
  readonly #poolsAt: number;
  #open = true;

  constructor(memory: SnapshotMemory, cache: RecordCache, epoch: number) {
    const { layout, directoryWords: words } = memory;
    const at = directoryWord(memory, epoch);
    if (words[at + DIRECTORY.epoch] !== epoch) throw new Error(`the directory of snapshot epoch ${epoch} is that of ${words[at + DIRECTORY.epoch]}`);
    this.epoch = epoch;
    this.block = readBlock(memory, at);
    this.tokenCount = words[at + DIRECTORY.tokenCount] as number;
    this.poolCount = words[at + DIRECTORY.poolCount] as number;
    this.#memory = memory;
    this.#words = words;
    this.#cache = cache;
    this.#pricesAt = at + layout.pricesWord;
    this.#verdictsAt = at + layout.verdictsWord;
    this.#edgesAt = at + layout.edgesWord;
    this.#poolsAt = at + layout.poolsWord;
  }

  tokenId(address: Address): number {
    this.#assertOpen();
    return this.#cache.tokenId(address, this.tokenCount);
  }

  token(tokenId: number): TokenFacts {
    this.#assertId('token', tokenId, this.tokenCount);
    return this.#cache.token(tokenId, this.#words[this.#pricesAt + Math.floor(tokenId / PRICES_PER_RECORD)] as number);
  }

  verdictOf(tokenId: number): MeasuredVerdict | null {
    this.#assertId('token', tokenId, this.tokenCount);
    const group = Math.floor(tokenId / VERDICTS_PER_RECORD);
    const unit = this.#words[this.#verdictsAt + group] as number;
    if (unit === 0) return null;
    assertRecord(this.#memory, unit, 'verdicts', group);
    return readVerdict(this.#memory, unit, tokenId);
  }

  edgesFrom(tokenId: number): Uint32Array {
    this.#assertId('token', tokenId, this.tokenCount);
    return this.#cache.edges(tokenId, this.#words[this.#edgesAt + tokenId] as number);
  }

  pool(poolId: number): PoolView | undefined {
    this.#assertId('pool', poolId, this.poolCount);
    const place = this.#words[this.#poolsAt + poolId] as number;
    return place > 0 ? this.#cache.pool(poolId, place) : undefined;
  }

  changesSince(epoch: number): SnapshotChanges {
    this.#assertOpen();
    return { pools: this.#writtenSince(epoch, this.#poolsAt, this.poolCount), tokens: this.#writtenSince(epoch, this.#edgesAt, this.tokenCount) };
  }

  /** Ids of a column whose record is younger than an epoch, or absent. */
  #writtenSince(epoch: number, column: number, count: number): readonly number[] {
    const ids: number[] = [];
    for (let id = 0; id < count; id++) {
      const unit = this.#words[column + id] as number;
      if (unit <= 0 || recordEpoch(this.#memory, unit) > epoch) ids.push(id);
    }
    return ids;
  }

  /** For the reader: the pin is taken again, and the head is still this epoch. */
  reopen(): void {
    this.#open = true;
  }

  /** For the reader: the pin is given up. */
  close(): void {
    this.#open = false;
  }

  #assertOpen(): void {
    if (!this.#open) throw new Error(`snapshot epoch ${this.epoch} is read after its unpin`);
  }

  #assertId(what: string, id: number, count: number): void {
    this.#assertOpen();
    if ((id | 0) !== id || id < 0 || id >= count) throw new RangeError(`${what} id ${id} of ${count}`);
  }
}

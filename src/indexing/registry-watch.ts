import { LIMITS } from '../config/limits.ts';
import type { BlockRef } from '../snapshot/snapshot.ts';
import type { Address } from '../units/units.ts';
import type { ChainLog, Listing, PinnedReader } from '../venues/venues.ts';
import type { Clock } from './clock.ts';
import type { ChainHeader } from './header.ts';
import { RpcError } from './rpc/rpc-error.ts';

export type RegistryWatchParts = {
  readonly registry: Address;
  /** ListingFacet.read of the venue. */
  readonly read: (read: PinnedReader) => Promise<Listing>;
  readonly readAt: (blockHash: `0x${string}`) => PinnedReader;
  /** Told after each reading. null: it could not be read. `held`: of whom it did not say anything, what it said last holds all the same. */
  readonly take: (listing: Listing | null, held: boolean) => void;
  /** What is no answer of a node's. */
  readonly onBug: (error: Error) => void;
  readonly clock: Pick<Clock, 'now'>;
};

/**
 * Reads a registry whenever a published block may say something else of it than the one that it was read at: one that has a log of it, or that does not follow on the blocks before, as after a reorg; and after some blocks in any
 * case. One reading at a time, each at a block's hash. What can not be read is no word of the registry: what it said before holds, for a while.
 */
export class RegistryWatch {
  readonly #parts: RegistryWatchParts;
  /** The block that was taken in last. */
  #tip = '';
  #due = true;
  /** The block that it was read at last. */
  #known: { readonly hash: string; readonly number: number } | null = null;
  #newest: BlockRef | null = null;
  #reading: Promise<void> | null = null;
  #failingSince: number | null = null;
  #closed = false;

  constructor(parts: RegistryWatchParts) {
    this.#parts = parts;
  }

  blockTaken({ hash, parentHash }: ChainHeader, logs: readonly ChainLog[]): void {
    if (parentHash !== this.#tip || logs.some(({ address }) => address === this.#parts.registry)) this.#due = true;
    this.#tip = hash;
  }

  blockPublished(block: BlockRef): void {
    this.#newest = block;
    if (!this.#closed && this.#reading === null && this.#isDue(block)) this.#reading = this.#readOn();
  }

  /** Resolves when nothing is under way; nothing is told any more. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#reading;
  }

  #isDue({ hash, number }: BlockRef): boolean {
    if (this.#known === null) return true;
    if (hash === this.#known.hash) return false;
    return this.#due || hash !== this.#tip || number - this.#known.number >= LIMITS.outbound.registry.everyBlocks;
  }

  /** Again where what was published meanwhile asks for it; where it failed, with what is published next. */
  async #readOn(): Promise<void> {
    let isRead = true;
    while (isRead && !this.#closed && this.#newest !== null && this.#isDue(this.#newest)) isRead = await this.#readAt(this.#newest);
    this.#reading = null;
  }

  async #readAt({ hash, number }: BlockRef): Promise<boolean> {
    const { read, readAt, take, onBug, clock } = this.#parts;
    // What came since the block that is read is read with a later one: prices and verdicts are announced for the block before while the next is taken in.
    if (hash === this.#tip) this.#due = false;
    let listing: Listing | null = null;
    try {
      listing = await read(readAt(hash));
    } catch (error) {
      if (!(error instanceof RpcError)) onBug(error instanceof Error ? error : new Error(String(error)));
    }
    if (this.#closed) return false;
    if (listing !== null && listing.unread.length === 0) {
      this.#known = { hash, number };
      this.#failingSince = null;
      take(listing, false);
      return true;
    }
    this.#due = true;
    this.#failingSince ??= clock.now();
    take(listing, clock.now() - this.#failingSince < LIMITS.outbound.registry.holdMs);
    return false;
  }
}

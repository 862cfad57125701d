import { LIMITS } from '../config/limits.ts';
import type { ChainReader } from './chain-reader.ts';
import type { ChainHeader } from './header.ts';
import type { PoolBook } from './pool-book.ts';
import { RpcError } from './rpc/rpc-error.ts';

/**
 * Finds the block by which this chain is told from others of its id, and hands it to who asks the endpoints for it. Only a block of the chain that was read will do: whoever was asked before, and gave a
 * head that led nowhere, may have been of another. A node that says nothing of the block is asked again with each block: until then another chain could not be told from this one.
 */
export class Anchoring {
  readonly #reader: ChainReader;
  #anchored = false;
  #triedAt = '';

  constructor(reader: ChainReader) {
    this.#reader = reader;
  }

  /** Before a chain is read: the block, as whoever is going to be asked has it; null where it is known, or nobody says it. Throws RpcError. */
  async before(shown: ChainHeader): Promise<ChainHeader | null> {
    return this.#anchored ? null : await this.#belowHead(shown);
  }

  /** After it was read: whether the block is still the same, so that it was of the chain that was read. Throws RpcError. */
  async after(before: ChainHeader | null): Promise<void> {
    if (before !== null && (await this.#at(before.number))?.hash === before.hash) this.#anchor(before);
  }

  /** Once for each block while nothing is known: the block is this chain's where it is the same before and after a block of the book was found in its place. Says nothing of faults. */
  async late({ tip, base }: PoolBook): Promise<void> {
    if (this.#anchored || this.#triedAt === tip.hash) return;
    this.#triedAt = tip.hash;
    try {
      const before = await this.#belowHead(tip);
      if (before !== null && (await this.#at(base.number))?.hash === base.hash) await this.after(before);
    } catch (error) {
      if (!(error instanceof RpcError)) throw error;
    }
  }

  #anchor(anchor: ChainHeader): void {
    this.#reader.anchorAt(anchor);
    this.#anchored = true;
  }

  async #belowHead(head: ChainHeader): Promise<ChainHeader | null> {
    return await this.#at(Math.max(0, head.number - LIMITS.indexing.anchorDepthBlocks));
  }

  /** One that says nothing now may have hiccuped. */
  async #at(number: number): Promise<ChainHeader | null> {
    for (let attempt = 1; ; attempt++) {
      const header = await this.#reader.headerAt(number).catch((error: unknown) => {
        if (error instanceof RpcError && error.reason === 'refused') return null;
        throw error;
      });
      if (header !== null || attempt === LIMITS.indexing.anchorAttempts) return header;
    }
  }
}

import type { IndexerReport } from './report.ts';

export type ReachedBlocksParts = { readonly chainId: number; readonly report: (report: IndexerReport) => void };

/** Tells how far the chain's node is, and how far what is known of the chain: a poll that brings nothing new says nothing. */
export class ReachedBlocks {
  readonly #parts: ReachedBlocksParts;
  #head: number | null = null;
  #indexed: number | null = null;

  constructor(parts: ReachedBlocksParts) {
    this.#parts = parts;
  }

  readonly head = (block: number): void => {
    const { chainId, report } = this.#parts;
    if (block !== this.#head) report({ kind: 'head', chainId, block });
    this.#head = block;
  };

  indexed(block: number): void {
    const { chainId, report } = this.#parts;
    if (block !== this.#indexed) report({ kind: 'indexed', chainId, block });
    this.#indexed = block;
  }
}

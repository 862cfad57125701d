import { LIMITS } from '../config/limits.ts';
import type { PlanHop, PoolQuote } from '../routing/routing.ts';

/** null: the contract gives nothing for that amount. */
type Said = bigint | null;

/** What contracts said they give, by block: a contract says the same of a block each time. Of the last few blocks that were asked about. */
export class SaidQuotes {
  readonly #blocks = new Map<string, Map<string, { readonly hop: PlanHop; readonly said: Said }>>();

  note(blockHash: string, hop: PlanHop, said: Said): void {
    let quotes = this.#blocks.get(blockHash);
    if (quotes === undefined) {
      quotes = new Map();
      this.#blocks.set(blockHash, quotes);
      for (const oldest of this.#blocks.keys()) {
        if (this.#blocks.size <= LIMITS.requoting.knownBlocks) break;
        this.#blocks.delete(oldest);
      }
    }
    quotes.set(nameOf(hop), { hop, said });
    for (const oldest of quotes.keys()) {
      if (quotes.size <= LIMITS.requoting.knownQuotes) break;
      quotes.delete(oldest);
    }
  }

  /** undefined: nobody asked. */
  of(blockHash: string, hop: PlanHop): Said | undefined {
    return this.#blocks.get(blockHash)?.get(nameOf(hop))?.said;
  }

  /** All that was said of just these amounts, at whichever block. */
  ofHops(hops: readonly PlanHop[]): readonly PoolQuote[] {
    return [...this.#blocks].flatMap(([blockHash, quotes]) =>
      hops.flatMap((hop): readonly PoolQuote[] => {
        const said = quotes.get(nameOf(hop))?.said;
        if (typeof said !== 'bigint') return [];
        const { poolKey, slotIn, slotOut, amountIn } = hop;
        return [{ blockHash, poolKey, slotIn, slotOut, amountIn, amountOut: said }];
      }),
    );
  }
}

function nameOf({ poolKey, slotIn, slotOut, amountIn }: PlanHop): string {
  return `${poolKey} ${slotIn} ${slotOut} ${amountIn}`;
}

import { curveFlowAt, curveStartPrice, emptyFlow } from '../curves/curves.ts';
import type { PoolFacts } from '../snapshot/snapshot.ts';
import type { Address } from '../units/units.ts';

/** How little a pool may hold to be solved with. */
export type MinimumLiquidity = {
  /** USD of one of `priced`; null: tokens are not judged by their price. */
  readonly usd: number | null;
  /** Tokens whose price counts. */
  readonly priced: readonly Address[];
  /** Whole tokens, by token: these need no price, and count in the place of `usd`. */
  readonly tokens: ReadonlyMap<Address, number>;
};

/** What is known of a token now. null: unknown. */
export type TokenWorth = { readonly decimals: number | null; readonly usd: number | null };

/** How far a price is followed: until it is at this share of what it starts at. */
const HALVED = 0.5;
/** By how much a token's price has to differ from the one that pools are judged by before they are judged by it: each time all of the token's pools are. */
const MOVED = 0.1;

/**
 * Tells the pools that are too small to be solved with, by the tokens that most others are traded against. What counts is how much of such a token swaps can put into the pool, or take out of it, before its price has halved (of a constant
 * product two fifths of the reserve): what else it holds only the pool itself says the worth of. One such token that is enough is enough, and who trades none is not judged. Depends on the pool's state and the bars alone.
 */
export class LiquidityBar {
  readonly #minimum: MinimumLiquidity;
  /** By token: base units. */
  readonly #bars = new Map<Address, number>();
  /** The prices that the bars follow from. */
  readonly #usd = new Map<Address, number>();
  readonly #judged: readonly Address[];

  constructor(minimum: MinimumLiquidity) {
    this.#minimum = minimum;
    this.#judged = [...new Set([...minimum.tokens.keys(), ...(minimum.usd === null ? [] : minimum.priced)])];
  }

  /** The tokens that pools are judged by. */
  get tokens(): readonly Address[] {
    return this.#judged;
  }

  /** Whether one of them has no bar yet. */
  get isIncomplete(): boolean {
    return this.#bars.size < this.#judged.length;
  }

  /** Takes in what is known now, and returns the tokens by which pools are judged differently from before. A price that is gone leaves the bar where it was. */
  refresh(worthOf: (token: Address) => TokenWorth): readonly Address[] {
    return this.#judged.filter((token) => {
      const { decimals, usd } = worthOf(token);
      const bar = decimals === null ? null : this.#barOf(token, decimals, usd);
      if (bar === null || bar === this.#bars.get(token)) return false;
      this.#bars.set(token, bar);
      return true;
    });
  }

  isBelow({ tokens, curves }: Pick<PoolFacts, 'tokens' | 'curves'>): boolean {
    const flow = emptyFlow();
    let judged = false;
    for (const { slotIn, slotOut, curve } of curves) {
      const [barIn, barOut] = [this.#bars.get(tokens[slotIn] as Address), this.#bars.get(tokens[slotOut] as Address)];
      if (barIn === undefined && barOut === undefined) continue;
      judged = true;
      curveFlowAt(curve, curveStartPrice(curve) * HALVED, flow);
      if (flow.input >= (barIn ?? Infinity) || flow.output >= (barOut ?? Infinity)) return false;
    }
    return judged;
  }

  #barOf(token: Address, decimals: number, usd: number | null): number | null {
    const own = this.#minimum.tokens.get(token);
    if (own !== undefined) return own * 10 ** decimals;
    const before = this.#usd.get(token);
    const price = before !== undefined && (usd === null || Math.abs(usd / before - 1) <= MOVED) ? before : usd;
    if (price === null || this.#minimum.usd === null) return null;
    this.#usd.set(token, price);
    return (this.#minimum.usd / price) * 10 ** decimals;
  }
}

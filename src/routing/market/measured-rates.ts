import { curveOutput } from '../../curves/curves.ts';
import type { MarketPair } from './market.ts';

/** Amounts are rounded to powers of this before a rate is asked for: an amount that moves a little has the same rate, and rates are kept. */
const LOG_STEP = Math.log(4);
/** No amount is so large or small. */
const UNKNOWN = 0x7fff;

/**
 * What the pairs on one side of a token pay, as logarithms of units out per unit in. A rate is measured when it is first asked for at about its amount, and kept until the pair's pools change; what it is does not
 * depend on what was asked before. −Infinity where no edge of the pair carries the amount.
 */
export class MeasuredRates {
  /** What the rates are of; the market hands out the same list while nothing changed. */
  readonly pairs: readonly MarketPair[];
  /** The token at the other end of each pair. */
  readonly others: Int32Array;
  /** Logarithms of the start prices: no rate is above. */
  readonly most: Float64Array;
  readonly #powers: Int16Array;
  readonly #rates: Float64Array;

  /** `before`: rates of the same token, sorted as these are by the other token; those of pairs that are still the same are taken over. */
  constructor(pairs: readonly MarketPair[], otherOf: (pair: MarketPair) => number, before: MeasuredRates | null) {
    this.pairs = pairs;
    this.others = Int32Array.from(pairs, otherOf);
    this.most = Float64Array.from(pairs, ({ logPrice }) => logPrice);
    this.#powers = new Int16Array(pairs.length).fill(UNKNOWN);
    this.#rates = new Float64Array(pairs.length);
    if (before === null) return;
    for (let index = 0, old = 0; index < pairs.length && old < before.pairs.length; ) {
      const [here, there] = [this.others[index] as number, before.others[old] as number];
      if (here === there && pairs[index] === before.pairs[old]) {
        this.#powers[index] = before.#powers[old] as number;
        this.#rates[index] = before.#rates[old] as number;
      }
      if (here <= there) index++;
      if (there <= here) old++;
    }
  }

  /** The rate of a pair for an amount that goes in, given as its logarithm. */
  at(index: number, logAmount: number): number {
    const power = Math.round(logAmount / LOG_STEP);
    if (this.#powers[index] === power) return this.#rates[index] as number;
    const rate = measure(this.pairs[index] as MarketPair, Math.exp(power * LOG_STEP));
    this.#powers[index] = power;
    this.#rates[index] = rate;
    return rate;
  }
}

/** The price at which the edge starts that gives most for the amount: so dust at a splendid price says nothing, and what does holds for smaller amounts too. */
function measure({ edges }: MarketPair, amount: number): number {
  let [most, price] = [0, 0];
  for (const { startPrice, curve } of edges) {
    // Those that follow start at no better a price.
    if (startPrice * amount <= most) break;
    const output = curveOutput(curve, amount);
    if (output > most && output < Infinity) [most, price] = [output, startPrice];
  }
  return Math.log(price);
}

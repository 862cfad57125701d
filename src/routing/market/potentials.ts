import type { MeasuredRates } from './measured-rates.ts';

/** Rounds in which prices spread: routes of more hops hardly improve one. */
const ROUNDS = 6;
/** Sums of a few logarithms differ by less. */
const ROUNDING = 1e-12;

/** The pairs at a token, as a search spreads over them: those that leave it, or those that enter it. */
type RatesAt = (token: number) => MeasuredRates;

/** Logarithms of the most that an amount of one token becomes on the way to each other token, along paths that come by no token twice; NaN where none leads. */
export function mostBought(start: number, logAmount: number, within: Uint8Array, leaving: RatesAt): Float64Array {
  return spread(start, logAmount, within, leaving, false);
}

/** Logarithms of the least of each token that becomes an amount of one token; NaN where none leads. */
export function leastSold(start: number, logAmount: number, within: Uint8Array, entering: RatesAt): Float64Array {
  return spread(start, -logAmount, within, entering, true).map((negated) => -negated);
}

/** Spreads an amount in rounds (Bellman and Ford): larger is better. `backwards`: amounts are what is needed, negated. */
function spread(start: number, amount: number, within: Uint8Array, ratesAt: RatesAt, backwards: boolean): Float64Array {
  const best = new Float64Array(within.length).fill(Number.NaN);
  const cameFrom = new Int32Array(best.length).fill(-1);
  const improved = new Uint8Array(best.length);
  best[start] = amount;
  let frontier = [start];
  for (let round = 1; round <= ROUNDS && frontier.length > 0; round++) {
    const next: number[] = [];
    for (const token of frontier) {
      const here = best[token] as number;
      const rates = ratesAt(token);
      const { others, most } = rates;
      for (let index = 0; index < others.length; index++) {
        const there = others[index] as number;
        const known = best[there] as number;
        const ideal = here + (most[index] as number);
        if (ideal <= known || within[there] === 0 || there === start) continue;
        const carried = here + rates.at(index, backwards ? -ideal : here);
        if (carried === -Infinity || carried <= known || isBehind(cameFrom, token, there)) continue;
        best[there] = carried;
        cameFrom[there] = token;
        if (improved[there] === round) continue;
        improved[there] = round;
        next.push(there);
      }
    }
    frontier = next;
  }
  return best;
}

/** Whether the path to a token comes by another one: it would be a cycle, that is an arbitrage, and no price. */
function isBehind(cameFrom: Int32Array, token: number, other: number): boolean {
  for (let at = token, steps = 0; at >= 0 && steps <= ROUNDS; at = cameFrom[at] as number, steps++) if (at === other) return true;
  return false;
}

/** Prices (logarithms) for a search forwards and for one backwards, where pairs pay more than one price says: in so many rounds, forwards a token becomes worth what its best pairs make of it, backwards it costs at most what it takes to come by it. */
export function ease(tokens: readonly number[], forwards: Float64Array, backwards: Float64Array, leaving: RatesAt, logMeasure: number, rounds: number): void {
  const gains = gainsOf(tokens, forwards, leaving, logMeasure);
  const { from, to, rate, count } = gains;
  for (let round = 0, eased = true; round < rounds && eased; round++) {
    const [ahead, behind] = [forwards.slice(), backwards.slice()];
    eased = false;
    for (let index = 0; index < count; index++) {
      const [source, target, gain] = [from[index] as number, to[index] as number, rate[index] as number];
      const [worth, cost] = [gain + (ahead[target] as number), (behind[source] as number) - gain];
      if (worth > (forwards[source] as number) + ROUNDING) [forwards[source], eased] = [worth, true];
      if (cost < (backwards[target] as number) - ROUNDING) [backwards[target], eased] = [cost, true];
    }
  }
}

/** The pairs between tokens that have a price, with their rates at about the measuring amount. */
type Gains = { readonly from: Int32Array; readonly to: Int32Array; readonly rate: Float64Array; readonly count: number };

function gainsOf(tokens: readonly number[], prices: Float64Array, leaving: RatesAt, logMeasure: number): Gains {
  const most = tokens.reduce((sum, token) => sum + leaving(token).others.length, 0);
  const gains = { from: new Int32Array(most), to: new Int32Array(most), rate: new Float64Array(most) };
  let count = 0;
  for (const token of tokens) {
    const logAmount = logMeasure - (prices[token] as number);
    if (Number.isNaN(logAmount)) continue;
    const rates = leaving(token);
    for (let index = 0; index < rates.others.length; index++) {
      const other = rates.others[index] as number;
      const rate = Number.isNaN(prices[other]) ? -Infinity : rates.at(index, logAmount);
      if (rate === -Infinity) continue;
      gains.from[count] = token;
      gains.to[count] = other;
      gains.rate[count] = rate;
      count++;
    }
  }
  return { ...gains, count };
}

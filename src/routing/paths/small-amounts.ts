import { LIMITS } from '../../config/limits.ts';
import { MAX_WEI } from '../../units/units.ts';
import { momentOf, type QuoteMoment } from '../../venues/venues.ts';
import type { Finalist, Trial } from '../execute/finalists.ts';
import { leastInput } from '../execute/least-input.ts';
import { type SplitHop, wholeHop } from '../execute/resimulate.ts';
import { hopToll, type Tolls } from '../gas/tolls.ts';
import { QUOTED } from '../market/exact-quotes.ts';
import type { MarketPair } from '../market/market.ts';
import type { EdgeModel } from '../market/pool-models.ts';
import type { Problem } from '../problem.ts';
import { compareWays, keepLabel, visits } from './path-label.ts';
import { type Walk, walkOf } from './walk.ts';

type ExactLabel = { readonly token: number; readonly amount: bigint; readonly edge: EdgeModel | null; readonly previous: ExactLabel | null };

/**
 * Routes without splits of a trade whose hops are so small that float can misorder them, ranked exactly: label-setting as in path-search.ts on whole base
 * units. Shorter routes come first, longer ones as far as the bound on exact quotes goes. What could not beat `known` even at reference prices is left out. Best first, a few for each number of hops.
 */
export function rankSmallRoutes(trial: Trial, known: Finalist | null): SplitHop[][] {
  const { problem } = trial;
  const search = new ExactSearch(problem, known);
  let frontier: ExactLabel[][] = [[{ token: search.walk.startOf(problem), amount: problem.fixed, edge: null, previous: null }]];
  for (let hops = 1; hops <= problem.maxHops && search.quotesLeft > 0; hops++) {
    // Direct pools are looked at even when time is up.
    if (hops > 1 && problem.pace.halted() !== null) break;
    const next = new Map<number, ExactLabel[]>();
    for (const labels of frontier) search.toGoal(labels);
    if (hops < problem.maxHops) for (const labels of frontier) search.expand(labels, problem.maxHops - hops, next);
    frontier = [...next.values()];
  }
  return search.best(trial.tolls);
}

/** Quotes between two looks at the clock. */
const ASK_EVERY = 16;
const NEARLY = 1e-9;
/** How closely the input of a purchase's hop is looked for: where one unit bought is a million millions of what is sold, all inputs between two of those are the same to what ranks them, and finding the least takes forty quotes more. */
const CLOSE_BITS = 30n;

class ExactSearch {
  readonly walk: Walk;
  quotesLeft: number = LIMITS.routing.smallQuotes;
  readonly #problem: Problem;
  readonly #known: Finalist | null;
  readonly #at: QuoteMoment;
  readonly #goal: number;
  readonly #finished: ExactLabel[] = [];

  constructor(problem: Problem, known: Finalist | null) {
    this.walk = walkOf(problem.mode);
    this.#problem = problem;
    this.#known = known;
    this.#at = momentOf(problem.view.block);
    this.#goal = this.walk.goalOf(problem);
  }

  /** Best net of tolls first. */
  best(tolls: Tolls): SplitHop[][] {
    const sign = this.walk.mode === 'sell' ? 1 : -1;
    const net = new Map(this.#finished.map((label) => [label, sign * Number(label.amount) - tollOf(label, tolls)]));
    this.#finished.sort((a, b) => (net.get(b) as number) - (net.get(a) as number) || this.#compare(a, b));
    return this.#finished.slice(0, LIMITS.routing.finalistPaths).map((label) => hopsOf(label, this.walk));
  }

  toGoal(labels: readonly ExactLabel[]): void {
    const token = labels[0]?.token;
    const pair = token === undefined ? null : this.walk.pair(this.#problem, token, this.#goal);
    if (pair === null) return;
    for (const label of labels) {
      const ended = this.#bestOf(pair, label);
      if (ended !== null) this.#finished.push(ended);
    }
  }

  expand(labels: readonly ExactLabel[], hopsLeft: number, next: Map<number, ExactLabel[]>): void {
    const token = labels[0]?.token;
    if (token === undefined) return;
    const { between } = this.#problem;
    for (const pair of this.walk.onwards(this.#problem, token).pairs) {
      const target = this.walk.next(pair);
      if (between !== null && target !== this.#goal && !between(target)) continue;
      if (target === this.#goal || (hopsLeft === 1 && this.walk.pair(this.#problem, target, this.#goal) === null)) continue;
      if (this.quotesLeft <= 0 || this.#problem.pace.halted() !== null) return;
      for (const label of labels) {
        if (visits(label, target) || !this.#mayBeat(label)) continue;
        const carried = this.#bestOf(pair, label);
        if (carried !== null && this.#mayBeat(carried)) keepLabel(carried, next, this.#compare);
      }
    }
  }

  /** Whether a label, by reference prices, may end better than what is known; contracts round by a unit or two. Prices are those of larger amounts, which a small pool that pays more does not take: so a short search looks at everything. */
  #mayBeat({ token, amount }: ExactLabel): boolean {
    const { smallQuotes, ungatedLooks } = LIMITS.routing;
    if (this.#known === null || smallQuotes - this.quotesLeft < ungatedLooks) return true;
    const ideal = Number(amount) * Math.exp(this.walk.referencePrice(this.#problem, token) - this.walk.referencePrice(this.#problem, this.#goal));
    if (Number.isNaN(ideal)) return true;
    return this.walk.mode === 'sell' ? ideal * (1 + NEARLY) + 2 >= Number(this.#known.net) : -ideal * (1 - NEARLY) + 2 >= Number(this.#known.net);
  }

  /** The best exact edge of a pair for one label; edges whose start price does not reach what is known are not asked, nor, where time is up, more than the first that gives anything. */
  #bestOf(pair: MarketPair, label: ExactLabel): ExactLabel | null {
    const { admits, pace } = this.#problem;
    let best: ExactLabel | null = null;
    let asked = 0;
    for (const edge of pair.edges) {
      if (best !== null && !this.#reaches(best, this.walk.ideal(edge.startPrice, Number(label.amount)))) break;
      if ((admits !== null && !admits(edge.pool)) || usesPool(label, edge)) continue;
      if (this.quotesLeft <= 0 || (best !== null && ++asked % ASK_EVERY === 0 && pace.halted() !== null)) break;
      const amount = this.#carry(edge, label.amount, best?.amount ?? null);
      if (amount === null) continue;
      const next: ExactLabel = { token: this.walk.next(pair), amount, edge, previous: label };
      if (best === null || this.#compare(next, best) < 0) best = next;
    }
    return best;
  }

  /** Whether an edge with this amount at its end, by its start price, may be as good as another; contracts round by a unit or two. */
  #reaches({ amount }: ExactLabel, ideal: number): boolean {
    return this.walk.mode === 'sell' ? ideal * (1 + NEARLY) + 2 >= Number(amount) : ideal * (1 - NEARLY) - 2 <= Number(amount);
  }

  /** `known`: what another edge takes for it in a purchase; null as well where this one takes more. */
  #carry(edge: EdgeModel, amount: bigint, known: bigint | null): bigint | null {
    const exact = this.#problem.market.models.exact(edge.pool);
    if (exact === null) return null;
    const quote = (input: bigint) => {
      this.quotesLeft--;
      this.#problem.pace.spend(QUOTED);
      return exact.price.exactIn(exact.state, edge.slotIn, edge.slotOut, input, this.#at);
    };
    if (this.walk.mode === 'sell') {
      const given = quote(amount);
      return given.ok && given.amountIn === amount ? given.amountOut : null;
    }
    const guess = this.walk.carry(edge, Number(amount));
    if (guess < 0) return null;
    const probe = (input: bigint) => {
      const given = quote(input);
      return given.ok ? ({ ok: true, output: given.amountOut } as const) : given;
    };
    if (known === null) return leastInput(probe, amount, BigInt(Math.floor(guess)), MAX_WEI, CLOSE_BITS);
    const atKnown = probe(known);
    if (!atKnown.ok || atKnown.output < amount) return null;
    return leastInput(probe, amount, BigInt(Math.floor(guess)), known, CLOSE_BITS);
  }

  /** Negative when the first is better. */
  readonly #compare = (a: ExactLabel, b: ExactLabel): number =>
    a.amount === b.amount ? compareWays(a, b) : a.amount > b.amount === (this.walk.mode === 'sell') ? -1 : 1;
}

/** What a route costs whose hops hardly move their pools. */
function tollOf(end: ExactLabel, tolls: Tolls): number {
  let toll = 0;
  for (let at: ExactLabel | null = end; at !== null; at = at.previous) if (at.edge !== null) toll += hopToll(tolls, at.edge.curve, 0);
  return toll;
}

/** What a pool gives the second time depends on the first: such routes are left to the float search, whose finalists are priced with the state carried. */
function usesPool(label: ExactLabel, edge: EdgeModel): boolean {
  for (let at: ExactLabel | null = label; at !== null; at = at.previous) if (at.edge?.pool === edge.pool) return true;
  return false;
}

function hopsOf(end: ExactLabel, walk: Walk): SplitHop[] {
  const hops: SplitHop[] = [];
  for (let at: ExactLabel | null = end; at !== null; at = at.previous) {
    if (at.edge !== null) hops.push(wholeHop(at.edge));
  }
  return walk.mode === 'sell' ? hops.reverse() : hops;
}

import { LIMITS } from '../config/limits.ts';
import { BPS_WHOLE, MAX_WEI } from '../units/units.ts';
import type { Finalist, Trial } from './finalists.ts';
import { leastInput } from './least-input.ts';
import type { MarketPair } from './market.ts';
import type { Pace } from './pace.ts';
import type { EdgeModel } from './pool-models.ts';
import type { SplitHop } from './resimulate.ts';
import { bestPrice, type SearchArea } from './search-area.ts';
import type { Walk } from './walk.ts';

type ExactLabel = { readonly token: number; readonly amount: bigint; readonly edge: EdgeModel | null; readonly previous: ExactLabel | null };

/**
 * Routes without splits of a trade whose hops are so small that float can misorder them, ranked exactly: label-setting as in single-path.ts on whole base
 * units. Shorter routes come first, longer ones as far as the bound on exact quotes goes. What could not beat `known` even at start prices is left out. Best first, a few for each number of hops.
 */
export function rankSmallRoutes(area: SearchArea, walk: Walk, trial: Trial, known: Finalist | null, pace: Pace): SplitHop[][] {
  const potentials = area.potentials(walk);
  const budget = { left: LIMITS.routing.smallQuotes };
  const finished: ExactLabel[] = [];
  let frontier: ExactLabel[][] = [[{ token: walk.startOf(area), amount: trial.amount, edge: null, previous: null }]];
  for (let hops = 1; hops <= area.maxHops && budget.left > 0; hops++) {
    const next = new Map<number, ExactLabel[]>();
    for (const labels of frontier) {
      if (hops > 1 && pace.halted() !== null) break;
      for (const label of labels) {
        for (const pair of walk.pairs(area, label.token)) {
          const token = walk.next(pair);
          const price = bestPrice(pair, area.admits);
          const onwards = potentials.at(area.maxHops - hops, token);
          if (price === 0 || onwards === 0 || visits(label, token)) continue;
          if (known !== null && !mayBeat(known, walk, walk.ideal(onwards, walk.ideal(price, Number(label.amount))))) continue;
          if (pace.halted() !== null) {
            if (known !== null) return [];
            // Direct pools are looked at even then.
            if (token !== walk.goalOf(area)) continue;
          }
          const carried = bestOf({ area, walk, trial, pace, budget }, pair, label);
          if (carried !== null) keep(carried, walk, next);
        }
      }
    }
    finished.push(...(next.get(walk.goalOf(area)) ?? []));
    next.delete(walk.goalOf(area));
    frontier = [...next.values()];
  }
  pace.spend(EXACT * (LIMITS.routing.smallQuotes - budget.left));
  finished.sort((a, b) => compareLabels(walk, a, b));
  return finished.slice(0, LIMITS.routing.finalistPaths).map((label) => hopsOf(label, walk));
}

/** Whether a route with this amount at its end, by start prices, leaves more than another does net of tolls. */
function mayBeat(known: Finalist, walk: Walk, ideal: number): boolean {
  return walk.mode === 'sell' ? ideal * (1 + NEARLY) >= Number(known.net) : -ideal * (1 - NEARLY) >= Number(known.net);
}

const NEARLY = 1e-9;
/** An exact quote takes about as long as looking at so many edges. */
const EXACT = 10;

type Ranking = {
  readonly area: SearchArea;
  readonly walk: Walk;
  readonly trial: Trial;
  readonly pace: Pace;
  /** Exact quotes that may still be asked for. */
  readonly budget: { left: number };
};

/** The best exact edge of a pair for one label; edges whose start price does not reach what is known are not asked, nor, where time is up, more than the first that gives anything. */
function bestOf({ area, walk, trial, pace, budget }: Ranking, pair: MarketPair, label: ExactLabel): ExactLabel | null {
  let best: ExactLabel | null = null;
  let asked = 0;
  for (const edge of pair.edges) {
    if (best !== null && !reaches(best, walk, walk.ideal(edge.startPrice, Number(label.amount)))) break;
    if ((area.admits !== null && !area.admits(edge.pool)) || usesPool(label, edge)) continue;
    if (budget.left <= 0 || (best !== null && ++asked % ASK_EVERY === 0 && pace.halted() !== null)) break;
    const amount = carryExactly(edge, walk, trial, label.amount, budget);
    if (amount === null) continue;
    const next: ExactLabel = { token: walk.next(pair), amount, edge, previous: label };
    if (best === null || compareLabels(walk, next, best) < 0) best = next;
  }
  return best;
}

/** Quotes between two looks at the clock. */
const ASK_EVERY = 16;

/** Whether an edge with this amount at its end, by its start price, may be as good as another; contracts round by a unit or two. */
function reaches({ amount }: ExactLabel, walk: Walk, ideal: number): boolean {
  return walk.mode === 'sell' ? ideal * (1 + NEARLY) + 2 >= Number(amount) : ideal * (1 - NEARLY) - 2 <= Number(amount);
}

function keep(label: ExactLabel, walk: Walk, next: Map<number, ExactLabel[]>): void {
  const labels = next.get(label.token);
  if (labels === undefined) {
    next.set(label.token, [label]);
    return;
  }
  const rival = labels.findIndex((other) => other.previous?.token === label.previous?.token);
  if (rival < 0) labels.push(label);
  else if (compareLabels(walk, label, labels[rival] ?? label) < 0) labels[rival] = label;
  labels.sort((a, b) => compareLabels(walk, a, b));
  if (labels.length > LIMITS.routing.labelsPerToken) labels.pop();
}

/** Negative when the first is better; ties by pool keys from the last hop backwards. */
function compareLabels(walk: Walk, a: ExactLabel, b: ExactLabel): number {
  if (a.amount !== b.amount) return a.amount > b.amount === (walk.mode === 'sell') ? -1 : 1;
  for (let x: ExactLabel | null = a, y: ExactLabel | null = b; x !== null && y !== null; x = x.previous, y = y.previous) {
    const [left, right] = [x.edge?.pool.key ?? '', y.edge?.pool.key ?? ''];
    if (left !== right) return left < right ? -1 : 1;
  }
  return 0;
}

function visits(label: ExactLabel, token: number): boolean {
  for (let at: ExactLabel | null = label; at !== null; at = at.previous) if (at.token === token) return true;
  return false;
}

function usesPool(label: ExactLabel, edge: EdgeModel): boolean {
  for (let at: ExactLabel | null = label; at !== null; at = at.previous) if (at.edge?.pool === edge.pool) return true;
  return false;
}

function hopsOf(end: ExactLabel, walk: Walk): SplitHop[] {
  const hops: SplitHop[] = [];
  for (let at: ExactLabel | null = end; at !== null; at = at.previous) {
    if (at.edge !== null) hops.push({ pool: at.edge.pool, slotIn: at.edge.slotIn, slotOut: at.edge.slotOut, bps: BPS_WHOLE });
  }
  return walk.mode === 'sell' ? hops.reverse() : hops;
}

function carryExactly(edge: EdgeModel, walk: Walk, trial: Trial, amount: bigint, budget: { left: number }): bigint | null {
  const exact = trial.models.exact(edge.pool);
  if (exact === null) return null;
  const quote = (input: bigint) => {
    budget.left--;
    return exact.price.exactIn(exact.state, edge.slotIn, edge.slotOut, input);
  };
  if (walk.mode === 'sell') {
    const given = quote(amount);
    return given.ok && given.amountIn === amount ? given.amountOut : null;
  }
  const guess = walk.carry(edge, Number(amount));
  if (guess < 0) return null;
  const probe = (input: bigint) => {
    const given = quote(input);
    return given.ok ? ({ ok: true, output: given.amountOut } as const) : given;
  };
  return leastInput(probe, amount, BigInt(Math.floor(guess)), MAX_WEI);
}

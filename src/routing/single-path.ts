import { LIMITS } from '../config/limits.ts';
import { curveTangent } from './curves/curves.ts';
import { emptyTangent } from './curves/tangent.ts';
import type { MarketPair } from './market.ts';
import type { Pace } from './pace.ts';
import type { EdgeModel } from './pool-models.ts';
import type { Potentials } from './potential.ts';
import { bestPrice, type SearchArea } from './search-area.ts';
import type { Walk } from './walk.ts';

/** A route without splits. Tokens are snapshot ids. */
export type SinglePath = {
  /** From sell to buy. */
  readonly hops: readonly PathHop[];
  /** sell: float output. buy: float input. Base units. */
  readonly amount: number;
};
export type PathHop = { readonly from: number; readonly to: number; readonly edge: EdgeModel };

/** How labels of one token are ranked: by amount, less what the hops so far cost in units of the goal. */
export type Ranking = {
  /** Worth of a base unit of a token at the goal, with so many hops left; 1 everywhere while gas has no say. */
  readonly worth: (token: number, hopsLeft: number) => number;
  /** Cost of a hop in base units of the goal token, for the hop's input. */
  readonly toll: (edge: EdgeModel, input: number) => number;
};

export const BY_AMOUNT: Ranking = { worth: () => 1, toll: () => 0 };

type Label = {
  readonly token: number;
  readonly amount: number;
  readonly toll: number;
  readonly score: number;
  readonly edge: EdgeModel | null;
  /** The pair that the edge is of. */
  readonly pair: MarketPair | null;
  readonly previous: Label | null;
};

/** What the search did, for SolveFacts. */
export type PathSearch = {
  /** Best by the ranking first; at most a few for each number of hops. */
  readonly paths: readonly SinglePath[];
  readonly considered: number;
  /** Best amount found at each token that was met, whatever the number of hops. */
  readonly amounts: ReadonlyMap<number, number>;
};

/**
 * Label-setting over (token, hops) with real amounts: the labels of a token after k hops are the best few that came there over different tokens, so that
 * a label whose path already visits the next token has an alternative. A label is dropped when not even start prices would bring it past the best route
 * known. Routes of one hop are looked at even when the pace has run out. `fitting`: where an amount is more than any edge of a pair takes, the edges beside the one
 * that it came by are tried for less; worth its time only for trades that drain pools.
 */
export function findSinglePaths(area: SearchArea, walk: Walk, amount: number, ranking: Ranking, pace: Pace, fitting = false): PathSearch {
  const search = new LabelSearch(area, walk, ranking, fitting);
  let frontier = new Map<number, Label[]>([
    [walk.startOf(area), [{ token: walk.startOf(area), amount, toll: 0, score: 0, edge: null, pair: null, previous: null }]],
  ]);
  for (let hops = 1; hops <= area.maxHops && frontier.size > 0; hops++) {
    const next = new Map<number, Label[]>();
    for (const labels of frontier.values()) {
      if (hops > 1 && pace.halted() !== null) break;
      search.expand(labels, area.maxHops - hops, next);
    }
    const arrived = next.get(search.goal);
    if (arrived !== undefined) search.finished.push(...arrived);
    next.delete(search.goal);
    frontier = next;
  }
  pace.spend(search.considered);
  const paths = search.finished.sort(compareLabels).map((label) => toPath(label, walk));
  return { paths, considered: search.considered, amounts: search.amounts };
}

class LabelSearch {
  readonly finished: Label[] = [];
  readonly amounts = new Map<number, number>();
  readonly goal: number;
  considered = 0;
  readonly #area: SearchArea;
  readonly #walk: Walk;
  readonly #ranking: Ranking;
  readonly #potentials: Potentials;
  readonly #fitting: boolean;
  #best = -Infinity;

  constructor(area: SearchArea, walk: Walk, ranking: Ranking, fitting: boolean) {
    this.#area = area;
    this.#walk = walk;
    this.#ranking = ranking;
    this.#potentials = area.potentials(walk);
    this.#fitting = fitting;
    this.goal = walk.goalOf(area);
  }

  /** Carries the labels of one token over each pair that leaves it. */
  expand(labels: readonly Label[], hopsLeft: number, next: Map<number, Label[]>): void {
    const first = labels[0];
    if (first === undefined) return;
    const walk = this.#walk;
    for (const pair of walk.pairs(this.#area, first.token)) {
      const token = walk.next(pair);
      const bound = this.#potentials.at(hopsLeft, token);
      if (bound === 0) continue;
      const price = bestPrice(pair, this.#area.admits);
      if (price === 0) continue;
      for (const label of labels) {
        const ideal = walk.ideal(bound, walk.ideal(price, label.amount));
        if (this.#score(ideal, 1, label.toll) < this.#best) continue;
        if (visits(label, token)) continue;
        const carried = this.#carry(label, pair, token, hopsLeft) ?? (this.#fitting ? this.#carryLess(label, pair, token, hopsLeft) : null);
        if (carried !== null) this.#keep(carried, next);
      }
    }
  }

  /** The best edge of a pair for one label. */
  #carry(label: Label, pair: MarketPair, token: number, hopsLeft: number): Label | null {
    const walk = this.#walk;
    const { admits } = this.#area;
    const worth = this.#ranking.worth(token, hopsLeft);
    let best: Label | null = null;
    for (const edge of pair.edges) {
      if (best !== null && this.#score(walk.ideal(edge.startPrice, label.amount), worth, label.toll) < best.score) break;
      if (admits !== null && !admits(edge.pool)) continue;
      if (edge.pool.tokens.length > 2 && usesPool(label, edge)) continue;
      this.considered++;
      const amount = walk.carry(edge, label.amount);
      if (!(amount > 0)) continue;
      const toll = label.toll + this.#ranking.toll(edge, walk.mode === 'sell' ? label.amount : amount);
      const score = this.#score(amount, worth, toll);
      if (best === null || score > best.score || (score === best.score && edge.pool.key < (best.edge?.pool.key ?? ''))) {
        best = { token, amount, toll, score, edge, pair, previous: label };
      }
    }
    return best;
  }

  /** The best that a pair makes of the label's previous amount over an edge beside the label's own: what that edge gives less of may fit. */
  #carryLess(label: Label, pair: MarketPair, token: number, hopsLeft: number): Label | null {
    const { edge: own, pair: cameBy, previous } = label;
    if (own === null || cameBy === null || previous === null) return null;
    let best: Label | null = null;
    for (const edge of cameBy.edges) {
      if (edge === own) continue;
      const beside = this.#carry(previous, { ...cameBy, edges: [edge] }, label.token, hopsLeft + 1);
      const carried = beside === null ? null : this.#carry({ ...beside, pair: cameBy }, pair, token, hopsLeft);
      if (carried !== null && (best === null || compareLabels(carried, best) < 0)) best = carried;
    }
    return best;
  }

  #keep(label: Label, next: Map<number, Label[]>): void {
    const known = this.amounts.get(label.token);
    if (known === undefined || this.#walk.compare(label.amount, known) > 0) this.amounts.set(label.token, label.amount);
    if (label.token === this.goal) this.#best = Math.max(this.#best, label.score - Math.abs(label.score) * NEAR);
    const labels = next.get(label.token);
    if (labels === undefined) {
      next.set(label.token, [label]);
      return;
    }
    const rival = labels.findIndex((other) => other.previous?.token === label.previous?.token);
    if (rival >= 0) {
      if (compareLabels(label, labels[rival] as Label) < 0) labels[rival] = label;
    } else labels.push(label);
    labels.sort(compareLabels);
    if (labels.length > LIMITS.routing.labelsPerToken) labels.pop();
  }

  #score(amount: number, worth: number, toll: number): number {
    return (this.#walk.mode === 'sell' ? amount * worth : -amount * worth) - toll;
  }
}

/** Float amounts this close (relative) are the same: exact mathematics decides between them. */
const NEAR = 1e-9;

/** Better first; ties by pool keys from the last hop backwards, so that neither ids nor order of discovery matter. */
function compareLabels(a: Label, b: Label): number {
  if (a.score !== b.score) return b.score - a.score;
  for (let x: Label | null = a, y: Label | null = b; x !== null && y !== null; x = x.previous, y = y.previous) {
    const left = x.edge?.pool.key ?? '';
    const right = y.edge?.pool.key ?? '';
    if (left !== right) return left < right ? -1 : 1;
  }
  return 0;
}

function visits(label: Label, token: number): boolean {
  for (let at: Label | null = label; at !== null; at = at.previous) if (at.token === token) return true;
  return false;
}

function usesPool(label: Label, edge: EdgeModel): boolean {
  for (let at: Label | null = label; at !== null; at = at.previous) if (at.edge?.pool === edge.pool) return true;
  return false;
}

function toPath(end: Label, walk: Walk): SinglePath {
  const hops: PathHop[] = [];
  for (let at: Label = end; at.previous !== null && at.edge !== null; at = at.previous) {
    const [from, to] = walk.mode === 'sell' ? [at.previous.token, at.token] : [at.token, at.previous.token];
    hops.push({ from, to, edge: at.edge });
  }
  if (walk.mode === 'sell') hops.reverse();
  return { hops, amount: end.amount };
}

/** Marginal price of a whole path where it carries an amount of the sell token: base units out per base unit in. */
export function pathPrice(path: SinglePath, input: number): number {
  let amount = input;
  let price = 1;
  for (const { edge } of path.hops) {
    curveTangent(edge.curve, Math.min(amount, edge.curve.capacity), tangent);
    amount = tangent.output;
    price *= tangent.marginal;
  }
  return price;
}

const tangent = emptyTangent();

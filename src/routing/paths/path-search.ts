import { LIMITS } from '../../config/limits.ts';
import { curveTangent, emptyTangent } from '../../curves/curves.ts';
import type { MarketPair } from '../market/market.ts';
import type { EdgeModel } from '../market/pool-models.ts';
import { TokenPlaces } from '../market/token-places.ts';
import type { Problem } from '../problem.ts';
import { Gate } from './gate.ts';
import { compareWays, keepLabel, visits } from './path-label.ts';
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
  /** Worth of a base unit of a token at the goal; 1 everywhere while gas has no say. */
  readonly worth: (token: number) => number;
  /** Cost of a hop in base units of the goal token, for the hop's input. */
  readonly toll: (edge: EdgeModel, input: number) => number;
};

export const BY_AMOUNT: Ranking = { worth: () => 1, toll: () => 0 };

type Label = {
  readonly token: number;
  readonly amount: number;
  readonly toll: number;
  readonly score: number;
  readonly loss: number;
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
};

/**
 * Label-setting over (token, hops) with real amounts: the labels of a token after k hops are the best few that came there over different tokens. Each token is asked first for its way straight to the goal; pairs onwards are read while what they keep may still pass the
 * gate. Routes of one hop are looked at even when the pace has run out. `fitting`: where an amount is more than any edge of a pair takes, the edges beside the one that it came by are tried for less; worth its time only where
 * nothing carries the trade otherwise.
 */
export function findSinglePaths(problem: Problem, walk: Walk, amount: number, ranking: Ranking, fitting = false): PathSearch {
  const search = new LabelSearch(problem, walk, ranking, amount, fitting);
  const start: Label = { token: walk.startOf(problem), amount, toll: 0, score: 0, loss: 0, edge: null, pair: null, previous: null };
  search.toGoal([start]);
  let frontier: Label[][] = [[start]];
  for (let hops = 1; hops < problem.maxHops && frontier.length > 0; hops++) {
    const next = new Map<number, Label[]>();
    for (const labels of frontier) {
      if (search.isOver()) break;
      search.expand(labels, problem.maxHops - hops, next);
    }
    frontier = [...next.values()].sort((a, b) => (a[0] as Label).loss - (b[0] as Label).loss);
    for (const labels of frontier) {
      if (problem.pace.halted() !== null) break;
      search.toGoal(labels);
    }
  }
  problem.pace.spend(search.effort);
  return { paths: search.finished().map((label) => toPath(label, walk)), considered: search.considered };
}

/** The goal's neighbours by token. A thread makes one search at a time. */
const goalPlaces = new TokenPlaces();

class LabelSearch {
  considered = 0;
  /** Pairs read, be they carried over or not. */
  read = 0;
  readonly #goal: number;
  readonly #problem: Problem;
  readonly #walk: Walk;
  readonly #ranking: Ranking;
  readonly #gate: Gate;
  readonly #fitting: boolean;
  readonly #goalNeighbours: readonly MarketPair[];
  readonly #ended: Label[] = [];
  readonly #mostEffort: number;
  #best = -Infinity;
  /** How often a way to the goal was asked for, and whether the goal's neighbours have their places. */
  #asked = 0;
  #marked = false;

  constructor(problem: Problem, walk: Walk, ranking: Ranking, amount: number, fitting: boolean) {
    this.#fitting = fitting;
    this.#problem = problem;
    this.#walk = walk;
    this.#ranking = ranking;
    this.#goal = walk.goalOf(problem);
    this.#mostEffort = problem.pace.left();
    this.#gate = new Gate(problem, walk, amount);
    this.#goalNeighbours = walk.into(problem, this.#goal).pairs;
  }

  /** In edges looked at (see pace.ts). */
  get effort(): number {
    return CARRIED * this.considered + READ * this.read;
  }

  /** Whether it has looked at as much as it may. The most promising labels and pairs come first. */
  isOver(): boolean {
    return this.effort >= this.#mostEffort || this.#problem.pace.halted() !== null;
  }

  finished(): readonly Label[] {
    return this.#ended.sort(compareLabels);
  }

  /** What a partial path may have lost. Prices guide a search that would be long; a short one looks at everything, since arbitrage makes prices err. */
  get #mostLoss(): number {
    return this.considered < LIMITS.routing.ungatedLooks ? Infinity : this.#gate.most;
  }

  /** Takes the labels of one token straight to the goal. */
  toGoal(labels: readonly Label[]): void {
    const first = labels[0];
    if (first === undefined) return;
    const pair = this.#toGoalFrom(first.token);
    if (pair === null) return;
    for (const label of labels) {
      if (label.loss > this.#mostLoss) continue;
      const ended = this.#carryOrLess(label, pair, this.#goal);
      if (ended === null) continue;
      this.#ended.push(ended);
      if (ended.score <= this.#best) continue;
      this.#best = ended.score;
      const value = this.#walk.mode === 'sell' ? ended.score : -ended.score;
      if (value > 0) this.#gate.close(value);
    }
  }

  /** The pair between a token and the goal. A search that asks often marks the goal's neighbours, since a pair is found by halving a list that is seldom in the processor's cache. */
  #toGoalFrom(token: number): MarketPair | null {
    if (this.#asked++ < this.#goalNeighbours.length) return this.#walk.pair(this.#problem, token, this.#goal);
    if (!this.#marked) {
      goalPlaces.clear(this.#problem.view.tokenCount);
      for (const [place, pair] of this.#goalNeighbours.entries()) goalPlaces.set(this.#walk.back(pair), place);
      this.#marked = true;
    }
    return this.#goalNeighbours[goalPlaces.of(token)] ?? null;
  }

  /** Carries the labels of one token over the pairs that leave it, the goal aside, to where the goal may be so many hops away. */
  expand(labels: readonly Label[], hopsLeft: number, next: Map<number, Label[]>): void {
    const first = labels[0];
    if (first === undefined) return;
    const { pairs, kept } = this.#walk.onwards(this.#problem, first.token);
    if (hopsLeft === 1 && this.#goalNeighbours.length < pairs.length && this.#goalNeighbours.length <= LIMITS.routing.smallDegree) {
      for (const last of this.#goalNeighbours) {
        const pair = this.#walk.pair(this.#problem, first.token, this.#walk.back(last));
        if (pair !== null) this.#over(pair, labels, next, 0);
      }
      return;
    }
    const least = labels.reduce((loss, label) => Math.min(loss, Number.isNaN(label.loss) ? -Infinity : label.loss), Infinity);
    for (let index = 0; index < pairs.length; index++) {
      if (least - (kept[index] as number) > this.#mostLoss) return;
      this.read++;
      if (this.effort >= this.#mostEffort || (index % ASK_EVERY === ASK_EVERY - 1 && this.#problem.pace.halted() !== null)) return;
      const pair = pairs[index] as MarketPair;
      const token = this.#walk.next(pair);
      // The last hop has to lead to the goal, and any other loses what the best pair onwards loses.
      if (hopsLeft === 1 && this.#toGoalFrom(token) === null) continue;
      const onwards = hopsLeft === 1 ? 0 : (this.#walk.onwards(this.#problem, token).kept[0] ?? 0);
      if (least - (kept[index] as number) - onwards <= this.#mostLoss) this.#over(pair, labels, next, onwards);
    }
  }

  /** `onwards`: logarithm of what any further hop keeps at most. */
  #over(pair: MarketPair, labels: readonly Label[], next: Map<number, Label[]>, onwards: number): void {
    const token = this.#walk.next(pair);
    if (token === this.#goal) return;
    const { between } = this.#problem;
    if (between !== null && !between(token)) return;
    let better: Label | null = null;
    for (const label of labels) {
      if (visits(label, token) || (better !== null && this.#isDominated(label, better))) continue;
      const carried = this.#carryOrLess(label, pair, token);
      if (carried === null) continue;
      if (pair.edges.every(({ pool }) => pool !== label.edge?.pool)) better = label;
      if (!(carried.loss - onwards > this.#mostLoss)) this.#keep(carried, next);
    }
  }

  /** Whether a way ends no better over whichever edge than another that any edge is open to: of the two, which come from one token, only one would be kept. */
  #isDominated({ amount, toll }: Label, by: Label): boolean {
    return toll >= by.toll && (this.#walk.mode === 'sell' ? amount <= by.amount : amount >= by.amount);
  }

  #carryOrLess(label: Label, pair: MarketPair, token: number): Label | null {
    const carried = this.#carry(label, pair, token);
    const { edge: own, pair: cameBy, previous } = label;
    if (carried !== null || !this.#fitting || cameBy === null || previous === null) return carried;
    let best: Label | null = null;
    for (const edge of cameBy.edges) {
      const beside = edge === own ? null : this.#carry(previous, { ...cameBy, edges: [edge] }, label.token);
      const less = beside === null ? null : this.#carry({ ...beside, pair: cameBy }, pair, token);
      if (less !== null && (best === null || compareLabels(less, best) < 0)) best = less;
    }
    return best;
  }

  /** The best edge of a pair for one label. */
  #carry(label: Label, pair: MarketPair, token: number): Label | null {
    const walk = this.#walk;
    const { admits } = this.#problem;
    const worth = this.#ranking.worth(token);
    let best: EdgeModel | null = null;
    let [amount, toll, score] = [0, 0, -Infinity];
    for (const edge of pair.edges) {
      if (best !== null && this.#score(walk.ideal(edge.startPrice, label.amount), worth, label.toll) < score) break;
      if (admits !== null && !admits(edge.pool)) continue;
      // Two hops in a row through one pool are never better than one.
      if (edge.pool === label.edge?.pool) continue;
      this.considered++;
      const carried = walk.carry(edge, label.amount);
      if (!(carried > 0)) continue;
      const paid = label.toll + this.#ranking.toll(edge, walk.mode === 'sell' ? label.amount : carried);
      const reached = this.#score(carried, worth, paid);
      if (best !== null && (reached < score || (reached === score && edge.pool.key >= best.pool.key))) continue;
      best = edge;
      amount = carried;
      toll = paid;
      score = reached;
    }
    return best === null ? null : { token, amount, toll, score, loss: this.#gate.lossAt(token, amount), edge: best, pair, previous: label };
  }

  #keep(label: Label, next: Map<number, Label[]>): void {
    keepLabel(label, next, compareLabels);
  }

  #score(amount: number, worth: number, toll: number): number {
    return (this.#walk.mode === 'sell' ? amount * worth : -amount * worth) - toll;
  }
}

/** What carrying an amount over an edge takes, labels and all, and reading a pair, against reading a curve while coming to rest: here memory is new, there it is warm. */
const CARRIED = 6;
const READ = 3;
/** Pairs between two looks at the clock. */
const ASK_EVERY = 512;

/** Better first. */
function compareLabels(a: Label, b: Label): number {
  return a.score === b.score ? compareWays(a, b) : b.score - a.score;
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

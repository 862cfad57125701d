import { LIMITS } from '../../config/limits.ts';
import { curveOutput } from '../../curves/curves.ts';
import { type Column, type ColumnHop, carrierOf, columnToll, curveOf } from '../flow/column.ts';
import { columnGain, edgeGain, shallowestHop } from '../flow/column-gain.ts';
import { settle } from '../flow/columns.ts';
import type { Equilibrium } from '../flow/equilibrate.ts';
import { CLOSED, findAll, findColumns } from '../flow/find-columns.ts';
import { tradeWorth } from '../flow/flow-state.ts';
import { Merger } from '../flow/merge-column.ts';
import { netWorth } from '../flow/net-worth.ts';
import { connected, copyNetwork, type FlowEdge, type FlowNetwork, flowEdge, identityOf, isReal, restoreNetwork, thinOut, tollOf } from '../flow/network.ts';
import { reducedGain } from '../flow/star-sides.ts';
import { strengthen } from '../flow/strengthen.ts';
import { Tabu } from '../flow/tabu.ts';
import type { EdgeModel } from '../market/pool-models.ts';
import { hopToll, isTolled, type Tolls } from './tolls.ts';

/**
 * Decides which pools earn their gas, by local search: an edge (with what dies with it) leaves, or a column joins, each time with everything at rest again, and only what leaves
 * more net of tolls is kept; until nothing of that helps. Prices bound what a step can bring, by duality: taking an edge out costs at least its reduced gain, a column brings at most its own; so only steps whose bound is
 * above nothing are tried, best first. `network` is changed in place; returns its equilibrium.
 */
export function selectPools(network: FlowNetwork, equilibrium: Equilibrium, tolls: Tolls): Equilibrium {
  if (!isTolled(tolls)) return equilibrium;
  const search = new Selection(network, equilibrium, tolls, LIMITS.routing.selectionTrials);
  search.run();
  return search.best;
}

/** The same where columns take the place of edges too: of the networks of a problem only the best one is worth that. */
export function exchangePools(network: FlowNetwork, equilibrium: Equilibrium, tolls: Tolls): Equilibrium {
  const search = new Selection(network, equilibrium, tolls, LIMITS.routing.selectionTrials);
  while (!search.isOver() && search.exchange()) search.run();
  return search.best;
}

/** Takes out what does not earn its tolls, without looking for what may take its place. */
export function dropPools(network: FlowNetwork, equilibrium: Equilibrium, tolls: Tolls): Equilibrium {
  const search = new Selection(network, equilibrium, tolls, LIMITS.routing.fitTrials);
  search.dropTogether();
  while (!search.isOver() && search.drop());
  return search.best;
}

/** A column with the input that it takes and what it brings beyond its toll, at most. */
type Candidate = { readonly column: Column; readonly input: number; readonly left: number };

/** An edge with what dies with it, the tolls of that, and what taking it out brings at most. */
type Group = { readonly edge: FlowEdge; readonly gone: readonly FlowEdge[]; readonly saved: number; readonly promise: number };

class Selection {
  best: Equilibrium;
  readonly #network: FlowNetwork;
  readonly #tolls: Tolls;
  #net: number;
  readonly #whole: number;
  #trialsLeft: number;
  /** Columns that paid when last looked for, for as long as only others of them have joined since. */
  #known: readonly Column[] = [];

  constructor(network: FlowNetwork, equilibrium: Equilibrium, tolls: Tolls, trials: number) {
    this.#trialsLeft = trials;
    this.#network = network;
    this.#tolls = tolls;
    this.best = equilibrium;
    this.#net = netWorth(network, equilibrium, tolls);
    this.#whole = tradeWorth(network);
  }

  run(): void {
    const few = this.#network.edges.length <= LIMITS.routing.exchangedEdges;
    let moved = few || this.dropTogether();
    while (!this.isOver()) {
      if (this.drop()) moved = true;
      // A larger network was looked through at the prices that it grew to.
      else if (!(moved && this.add())) return;
    }
  }

  isOver(): boolean {
    return this.#trialsLeft <= 0 || this.#network.problem.pace.halted() !== null;
  }

  /** Takes out all that look unprofitable together, else half as many, down to two: most of a large network's pools are decided so. */
  dropTogether(): boolean {
    let moved = false;
    for (let together = Infinity; !this.isOver(); ) {
      const cuts = this.#cuts();
      together = Math.min(together, cuts.length);
      if (together < 2) break;
      const gone = new Set(cuts.slice(0, together).flat());
      if (this.#try(() => this.#without(gone))) moved = true;
      else if (together === 2) break;
      else together = Math.ceil(together / 2);
    }
    return moved;
  }

  drop(): boolean {
    const dropped = this.#cuts().some((gone) => this.#try(() => this.#without(new Set(gone))));
    if (dropped) this.#known = [];
    return dropped;
  }

  /** Of the columns that are known first: looking for others takes longer than bringing one to rest. */
  add(): boolean {
    const again = bestOf(this.#known.filter((column) => this.#isOpen(column)).map((column) => this.#judge(this.#atPrices(column), this.#whole)));
    if (this.#joinOne(again)) return true;
    const paying = this.#candidates();
    this.#known = paying.map(({ column }) => column);
    return this.#joinOne(bestOf(paying.filter(({ column }) => !again.some((tried) => haveSameHops(tried.column, column)))));
  }

  #joinOne(candidates: readonly Candidate[]): boolean {
    return candidates.some((candidate) => this.#try(() => this.#join(candidate)));
  }

  /** Whether no edge of a column has joined with another one. */
  #isOpen({ hops }: Column): boolean {
    return !hops.some((hop) => this.#network.edges.some((edge) => identityOf(edge) === carrierOf(hop)));
  }

  #atPrices({ hops, start, end }: Column): Column {
    const { logPrice } = this.#network;
    return { hops, start, end, priceFrom: Math.exp(logPrice[start] as number), priceTo: Math.exp(logPrice[end] as number) };
  }

  /** An edge that earns about its gas for a column that its absence makes pay: by duality that brings no more than what the column gains on what is left. */
  exchange(): boolean {
    const { nodes, edges } = this.#network;
    if (edges.length > LIMITS.routing.exchangedEdges || tollOf(nodes, edges, this.#tolls) < edges.length * WORTH_EXCHANGING * this.#whole) return false;
    if (this.#exchangeBeside()) return true;
    for (const { edge, gone } of this.#smallestGroups()) {
      if (this.isOver()) return false;
      this.#trialsLeft--;
      const before = copyNetwork(this.#network);
      if (this.#without(new Set(gone)) && this.#replace(edge)) return true;
      restoreNetwork(this.#network, before);
    }
    return false;
  }

  /** A pool for another of its pair, which takes over its flow: by duality that brings no more than the other earns more at the prices of now, both after their tolls. */
  #exchangeBeside(): boolean {
    const { edges, nodes } = this.#network;
    const beside = findAll(this.#network, this.#tolls).columns.flatMap(({ hops: [hop], start, end, priceFrom, priceTo }) =>
      hop?.carrier.kind === 'pair' ? [{ start, end, edge: hop.carrier.edge, earned: edgeGain(curveOf(hop), priceFrom, priceTo) }] : [],
    );
    const swaps = edges.flatMap((gone, index) => {
      if (gone.carrier.kind !== 'pair') return [];
      const lost = reducedGain(this.#network, gone) - tollOf(nodes, [gone], this.#tolls);
      return beside
        .filter(({ start, end }) => start === gone.from && end === gone.to)
        .map(({ edge, earned }) => ({ index, edge, promise: earned - hopToll(this.#tolls, edge.curve, 0) - lost }));
    });
    return swaps
      .filter(({ promise }) => promise > NEGLIGIBLE * this.#whole)
      .sort((a, b) => b.promise - a.promise)
      .slice(0, LIMITS.routing.exchanges)
      .some(({ index, edge }) => this.#try(() => this.#take(edges[index] as FlowEdge, edge)));
  }

  #take(gone: FlowEdge, edge: EdgeModel): boolean {
    const { from, to, flow } = gone;
    const taking = flowEdge(from, to, { kind: 'pair', edge });
    taking.flow.input = Math.min(flow.input, edge.curve.capacity);
    taking.flow.output = curveOutput(edge.curve, taking.flow.input);
    this.#network.edges = this.#network.edges.map((other) => (identityOf(other) === identityOf(gone) ? taking : other));
    return true;
  }

  /** By a column without the edge; what died with it may serve again. */
  #replace(edge: FlowEdge): boolean {
    const rest = settle(this.#network);
    if (!rest.atRest) return false;
    const missing = this.#net + NEGLIGIBLE * this.#whole - netWorth(this.#network, rest, this.#tolls);
    return bestOf(this.#candidates(identityOf(edge))).some((candidate) => candidate.left > missing && this.#try(() => this.#join(candidate)));
  }

  /** Makes a change, brings the network to rest, and keeps both if that leaves more net of tolls. */
  #try(change: () => boolean): boolean {
    if (this.isOver()) return false;
    this.#trialsLeft--;
    const before = copyNetwork(this.#network);
    if (change()) {
      const rest = settle(this.#network);
      const net = netWorth(this.#network, rest, this.#tolls);
      if (rest.atRest && net > this.#net + NEGLIGIBLE * this.#whole) {
        this.#net = net;
        this.best = rest;
        return true;
      }
    }
    restoreNetwork(this.#network, before);
    return false;
  }

  #without(gone: ReadonlySet<FlowEdge>): boolean {
    // By what carries them: a try that failed leaves copies behind.
    const identities = new Set(Array.from(gone, identityOf));
    return thinOut(this.#network, (edge) => !identities.has(identityOf(edge)));
  }

  #join({ column, input }: Candidate): boolean {
    return new Merger(this.#network).merge(column, input);
  }

  /** What a column brings at the current prices. */
  #judge(column: Column, whole: number): Candidate {
    const { gain, input } = columnGain(column, whole / column.priceFrom);
    return { column, input, left: gain - columnToll(column, this.#tolls) - NEGLIGIBLE * whole };
  }

  /** What may pay to take out, most promising first: an edge with what dies with it. */
  #cuts(): (readonly FlowEdge[])[] {
    const least = NEGLIGIBLE * this.#whole;
    return this.#groups()
      .filter(({ promise }) => promise > least)
      .sort((a, b) => b.promise - a.promise)
      .map(({ gone }) => gone);
  }

  /** The groups that would be missed least. */
  #smallestGroups(): readonly Group[] {
    return this.#groups()
      .filter(({ promise, saved }) => promise > -DEAR * saved)
      .sort((a, b) => b.promise - a.promise)
      .slice(0, LIMITS.routing.exchanges);
  }

  #groups(): readonly Group[] {
    const { edges } = this.#network;
    const [leaving, entering] = [new Map<number, number>(), new Map<number, number>()];
    for (const { from, to, carrier } of edges) {
      if (carrier.kind === 'artificial') continue;
      leaving.set(from, (leaving.get(from) ?? 0) + 1);
      entering.set(to, (entering.get(to) ?? 0) + 1);
    }
    const groups: Group[] = [];
    for (const edge of edges) {
      if (!isReal(edge)) continue;
      let gone: readonly FlowEdge[] = [edge];
      // The last edge of a node takes others with it.
      if (leaving.get(edge.from) === 1 || entering.get(edge.to) === 1) {
        const left = new Set(connected(edges.filter((other) => other !== edge && isReal(other))));
        if (left.size === 0) continue;
        gone = edges.filter((other) => isReal(other) && !left.has(other));
      }
      const saved = this.#saved(gone);
      groups.push({ edge, gone, saved, promise: saved - gone.reduce((sum, each) => sum + reducedGain(this.#network, each), 0) });
    }
    return groups;
  }

  /** Tolls that go with some edges. */
  #saved(gone: readonly FlowEdge[]): number {
    const { nodes, edges } = this.#network;
    if (gone.every(({ carrier }) => carrier.kind === 'pair')) return tollOf(nodes, gone, this.#tolls);
    return (
      tollOf(nodes, edges, this.#tolls) -
      tollOf(
        nodes,
        edges.filter((edge) => !gone.includes(edge)),
        this.#tolls,
      )
    );
  }

  /** Columns that bring more than their toll at the current prices, which is the most that they can bring. */
  #candidates(banned: ReturnType<typeof identityOf> = null): readonly Candidate[] {
    const whole = tradeWorth(this.#network);
    const tabu = new Tabu();
    if (banned !== null) tabu.ban(banned);
    const { candidateLooks, pairsRead } = LIMITS.routing;
    for (let look = 0; look < candidateLooks; look++) {
      const found = findColumns(this.#network, this.#tolls, tabu, { mostPairs: pairsRead, barred: CLOSED, besides: look === 0 });
      const paying: Candidate[] = [];
      for (const each of found.columns) {
        const least = columnToll(each, this.#tolls) + NEGLIGIBLE * whole;
        const column = strengthen(each, least, found.isOpen, tabu)?.column;
        if (column === undefined) continue;
        const candidate = this.#judge(column, whole);
        if (candidate.left > 0) paying.push(candidate);
        else tabu.refuse(carrierOf(shallowestHop(column, candidate.input)), column, -1);
      }
      if (paying.length > 0) return paying;
      if (found.columns.length === 0) break;
    }
    return [];
  }
}

/** Those of some that bring something, most for each hop first, as many as are tried. */
function bestOf(candidates: readonly Candidate[]): readonly Candidate[] {
  return candidates
    .filter(({ left }) => left > 0)
    .sort((a, b) => b.left / b.column.hops.length - a.left / a.column.hops.length)
    .slice(0, LIMITS.routing.columnsTried);
}

function haveSameHops(a: Column, b: Column): boolean {
  return a.hops.length === b.hops.length && a.hops.every((hop, index) => carrierOf(hop) === carrierOf(b.hops[index] as ColumnHop));
}

/** Share of the trade that is not worth a step: a fiftieth of a basis point. */
const NEGLIGIBLE = 2e-6;
/** Share of the trade that a hop costs from which exchanging may bring something: a tenth of a basis point. */
const WORTH_EXCHANGING = 1e-5;
/** An edge that earns this many times its toll is not exchanged: what could take its place would pay beside it. */
const DEAR = 4;

import { LIMITS } from '../../config/limits.ts';
import type { EdgeModel } from '../market/pool-models.ts';
import type { Star } from '../market/star.ts';
import type { Column, ColumnHop } from './column.ts';
import { tradeWorth } from './flow-state.ts';
import { InventoryClaims } from './inventory-claims.ts';
import { mostInto } from './judge-columns.ts';
import { addHub, BUY, type FlowEdge, type FlowNetwork, flowEdge, identityOf, keepsDepth, nodeOfToken, nodeOrder, SELL } from './network.ts';
import { flowThrough } from './star-sides.ts';

/** A column that would still pay so many times its ends' prices where it starts: its end is far from where its price comes to rest. */
const FAR = 2;
/** Share of the trade with which a column starts at most: less is near where most come to rest, and prices stay such that others of a round may join beside it. */
const START_SHARE = 0.1;

/** Lets columns join a network, one after the other; whoever is done puts the edges in order. */
export class Merger {
  readonly #network: FlowNetwork;
  readonly #whole: number;
  /** Those of the network, to add to in place. */
  readonly #edges: FlowEdge[];
  readonly #identities = new Set<unknown>();
  /** Nodes that edges lead from or to. */
  readonly #active = new Set<number>();
  /** Pairs of nodes between which a pool trades: another one beside it changes neither order nor depth. */
  readonly #joined = new Set<number>();
  readonly #claims: InventoryClaims;

  /** `whole`: worth of the trade. */
  constructor(network: FlowNetwork, whole = tradeWorth(network)) {
    this.#network = network;
    this.#whole = whole;
    this.#edges = [...network.edges];
    network.edges = this.#edges;
    this.#claims = new InventoryClaims(network);
    for (const edge of this.#edges) this.#know(edge);
  }

  /** Adds a column, carrying an input but no more than a part of the trade, when the network stays acyclic and within its depth, and no edge serves twice. Says whether it did. */
  merge(column: Column, input: number): boolean {
    const network = this.#network;
    if (network.edges.length + column.hops.length > LIMITS.routing.networkEdges + LIMITS.routing.columnsPerRound) return false;
    const placed = placeHops(network, column.hops, column.priceFrom);
    const fresh = placed.filter((edge) => !network.edges.includes(edge));
    if (fresh.length === 0 || !this.#fits(fresh)) return false;
    const [from, to] = [placed[0]?.from ?? SELL, placed.at(-1)?.to ?? BUY];
    const { marginals } = flowThrough(network, placed, Math.min(input, START_SHARE * mostInto(network, column, this.#whole)));
    let price = column.priceFrom;
    let pays = column.priceTo / column.priceFrom;
    for (const marginal of marginals) pays *= marginal;
    const { logPrice } = network;
    if (pays > FAR) {
      if (network.problem.mode === 'sell') {
        price *= pays;
        logPrice[from] = Math.max(logPrice[from] as number, Math.log(price));
      } else logPrice[to] = Math.min(logPrice[to] as number, Math.log(column.priceTo / pays));
    }
    for (const [index, { to: next }] of placed.entries()) {
      price /= marginals[index] as number;
      // A token that two columns of this round share keeps the price that the first gave it, and so does the column's end.
      if (!this.#active.has(next)) logPrice[next] = Math.log(price);
    }
    for (const edge of fresh) {
      this.#edges.push(edge);
      this.#know(edge);
      this.#claims.add(edge);
    }
    return true;
  }

  #know(edge: FlowEdge): void {
    this.#identities.add(identityOf(edge));
    this.#active.add(edge.from).add(edge.to);
    if (edge.carrier.kind === 'pair') this.#joined.add(ends(edge));
  }

  /** Whether the network stays acyclic, within its depth, and without an edge, a token side of a pool or an inventory's token twice. */
  #fits(fresh: readonly FlowEdge[]): boolean {
    if (fresh.some((edge, index) => this.#identities.has(identityOf(edge)) || fresh.findIndex((other) => identityOf(other) === identityOf(edge)) < index))
      return false;
    if (!this.#claims.allowAll(fresh)) return false;
    if (fresh.every((edge) => edge.carrier.kind === 'pair' && this.#joined.has(ends(edge)))) return true;
    const { nodes, edges, problem } = this.#network;
    const all = [...edges, ...fresh];
    if (sharesSide(all)) return false;
    return keepsDepth(nodes, all, problem.maxHops);
  }
}

function ends({ from, to }: FlowEdge): number {
  return from * 2 ** 16 + to;
}

/** Whether two hubs of one pool have a token in common: only swaps of other tokens leave each other alone. */
function sharesSide(edges: readonly FlowEdge[]): boolean {
  const hubs = new Map<string, number>();
  for (const { from, to, carrier } of edges) {
    if (carrier.kind !== 'deposit' && carrier.kind !== 'withdrawal') continue;
    const [hub, token] = carrier.kind === 'deposit' ? [to, from] : [from, to];
    const side = `${carrier.arc.pool.id} ${token}`;
    if ((hubs.get(side) ?? hub) !== hub) return true;
    hubs.set(side, hub);
  }
  return false;
}

/** The edges of hops in a row, with nodes for what they newly reach. A pool of several tokens enters as a star: its sides that are in the network already are those edges themselves. */
export function placeHops(network: FlowNetwork, hops: readonly ColumnHop[], priceFrom: number): FlowEdge[] {
  const added: FlowEdge[] = [];
  const here = Math.log(priceFrom);
  for (const { from, to, carrier } of hops) {
    if (carrier.kind !== 'pair') {
      const token = nodeOfToken(network, (carrier.kind === 'deposit' ? from : to) as number, here);
      added.push(carrier.kind === 'deposit' ? flowEdge(token, carrier.hub, carrier) : flowEdge(carrier.hub, token, carrier));
      continue;
    }
    const [source, target] = [nodeOfToken(network, from as number, here), nodeOfToken(network, to as number, here)];
    const star = network.problem.market.models.star(carrier.edge.pool);
    if (star === null) added.push(flowEdge(source, target, carrier));
    else added.push(...throughStar(network, star, carrier.edge, source, target, here));
  }
  return added;
}

function throughStar(network: FlowNetwork, star: Star, { slotIn, slotOut }: EdgeModel, source: number, target: number, price: number): FlowEdge[] {
  const [deposit, withdrawal] = [star.deposits[slotIn], star.withdrawals[slotOut]];
  if (deposit === undefined || withdrawal === undefined) return [];
  const sides = (hub: number): FlowEdge[] => [
    network.edges.find((edge) => edge.from === source && edge.to === hub) ?? flowEdge(source, hub, { kind: 'deposit', arc: deposit }),
    network.edges.find((edge) => edge.from === hub && edge.to === target) ?? flowEdge(hub, target, { kind: 'withdrawal', arc: withdrawal }),
  ];
  return sides(hubFor(network, star, sides) ?? addHub(network, star, price));
}

/**
 * The hub of the pool that may serve two more tokens, if there is one: of those that are there the first that leaves the network acyclic. A pool that is entered again later in a route gets a hub of its own, since swaps of
 * other tokens of a weighted pool do not touch each other.
 */
function hubFor({ nodes, edges }: FlowNetwork, star: Star, sides: (hub: number) => readonly FlowEdge[]): number | undefined {
  for (const [hub, node] of nodes.entries()) {
    if (node.star?.pool !== star.pool || !edges.some(({ from, to }) => from === hub || to === hub)) continue;
    if (nodeOrder(nodes, [...edges, ...sides(hub)]) !== null) return hub;
  }
  return undefined;
}

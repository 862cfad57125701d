import { LIMITS } from '../../config/limits.ts';
import type { EdgeModel } from '../market/pool-models.ts';
import type { Star } from '../market/star.ts';
import type { Column, ColumnHop } from './column.ts';
import { InventoryClaims } from './inventory-claims.ts';
import { addHub, BUY, type FlowEdge, type FlowNetwork, flowEdge, identityOf, keepsDepth, nodeOfToken, nodeOrder, SELL } from './network.ts';
import { flowThrough } from './star-sides.ts';

/** A column that would still pay so many times its ends' prices where it starts: its end is far from where its price comes to rest. */
const FAR = 2;

/** Lets columns join a network, one after the other; whoever is done puts the edges in order. */
export class Merger {
  readonly #network: FlowNetwork;
  /** Those of the network, to add to in place. */
  readonly #edges: FlowEdge[];
  readonly #identities = new Set<unknown>();
  /** Nodes that edges lead from or to. */
  readonly #active = new Set<number>();
  /** Pairs of nodes between which a pool trades: another one beside it changes neither order nor depth. */
  readonly #joined = new Set<number>();
  readonly #claims: InventoryClaims;

  constructor(network: FlowNetwork) {
    this.#network = network;
    this.#edges = [...network.edges];
    network.edges = this.#edges;
    this.#claims = new InventoryClaims(network);
    for (const edge of this.#edges) this.#know(edge);
  }

  /** Adds a column, carrying an input, when the network stays acyclic and within its depth, and no edge serves twice. Says whether it did. */
  merge(column: Column, input: number): boolean {
    const network = this.#network;
    if (network.edges.length + column.hops.length > LIMITS.routing.networkEdges + LIMITS.routing.columnsPerRound) return false;
    const placed = placeHops(network, column.hops, column.priceFrom);
    const fresh = placed.filter((edge) => !network.edges.includes(edge));
    if (fresh.length === 0 || !this.#fits(fresh)) return false;
    const [from, to] = [placed[0]?.from ?? SELL, placed.at(-1)?.to ?? BUY];
    const { marginals } = flowThrough(network, placed, input);
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
  const hub = hubFor(network, star, source, target) ?? addHub(network, star, price);
  return [
    network.edges.find((edge) => edge.from === source && edge.to === hub) ?? flowEdge(source, hub, { kind: 'deposit', arc: deposit }),
    network.edges.find((edge) => edge.from === hub && edge.to === target) ?? flowEdge(hub, target, { kind: 'withdrawal', arc: withdrawal }),
  ];
}

/**
 * The hub of the pool that may serve two more tokens, if there is one: of those that are there the first that leaves the network acyclic. A pool that is entered again later in a route gets a hub of its own, since swaps of
 * other tokens of a weighted pool do not touch each other.
 */
function hubFor(network: FlowNetwork, star: Star, source: number, target: number): number | undefined {
  for (const [hub, node] of network.nodes.entries()) {
    if (node.star?.pool !== star.pool) continue;
    const edges = network.edges.filter(({ from, to }) => from === hub || to === hub);
    if (edges.length === 0) continue;
    const trial = [flowEdgeBetween(source, hub), flowEdgeBetween(hub, target)];
    if (nodeOrder(network.nodes, [...network.edges, ...trial]) !== null) return hub;
  }
  return undefined;
}

function flowEdgeBetween(from: number, to: number): FlowEdge {
  return {
    from,
    to,
    carrier: { kind: 'artificial' },
    curve: { kind: 'withdrawal', keep: 1, capacity: 0, balance: 1, weight: 1, linear: 0 },
    flow: { input: 0, output: 0 },
  };
}

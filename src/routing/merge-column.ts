import { LIMITS } from '../config/limits.ts';
import type { PoolView } from '../snapshot/snapshot.ts';
import { curveTangent } from './curves/curves.ts';
import { emptyTangent } from './curves/tangent.ts';
import type { Demand } from './flow-state.ts';
import { addEdge, type Network, type NetworkEdge, networkEdge, tokenOrder } from './network.ts';
import type { Column } from './profitable-columns.ts';
import { BUY, SELL } from './subgraph.ts';

/** Adds a column, carrying an input, when the network stays acyclic and within its depth, and no pool serves twice. `usedPools` are those of the network. */
export function mergeColumn(network: Network, usedPools: Set<PoolView | undefined>, column: Column, demand: Demand, input: number): boolean {
  const pools = new Set(column.hops.map(({ edge }) => edge.pool));
  if (pools.size < column.hops.length || [...pools].some((pool) => usedPools.has(pool))) return false;
  const added = column.hops.map(({ from, to, edge }) => networkEdge(from, to, edge));
  if (network.edges.length + added.length > LIMITS.routing.networkEdges + LIMITS.routing.columnsPerRound) return false;
  if (!fitsIn(network, added)) return false;
  const marginals = flowThrough(added, input);
  let price = column.priceFrom;
  const pays = (marginals.reduce((product, marginal) => product * marginal, 1) * column.priceTo) / column.priceFrom;
  if (pays > FAR) {
    // Its end is far from where its price comes to rest: it starts from what the column says.
    if (demand.mode === 'sell') {
      price *= pays;
      raisePrice(network, column.hops[0]?.from ?? SELL, price);
    } else lowerPrice(network, column.hops.at(-1)?.to ?? BUY, column.priceTo / pays);
  }
  for (const [index, edge] of added.entries()) {
    price /= marginals[index] as number;
    // A token that two columns of this round share keeps the price that the first gave it, and so does the column's end.
    if (!network.edges.some((known) => known.to === edge.to)) network.logPrice[edge.to] = Math.log(price);
  }
  for (const edge of added) addEdge(network, edge);
  for (const pool of pools) usedPools.add(pool);
  return true;
}

/** A column that would still pay so many times its ends' prices where it starts. */
const FAR = 2;

function raisePrice({ logPrice }: Network, token: number, price: number): void {
  logPrice[token] = Math.max(logPrice[token] as number, Math.log(price));
}

function lowerPrice({ logPrice }: Network, token: number, price: number): void {
  logPrice[token] = Math.min(logPrice[token] as number, Math.log(price));
}

/** Lets an input flow through edges in a row; returns the marginal price of each there. */
function flowThrough(edges: readonly NetworkEdge[], input: number): number[] {
  let amount = input;
  return edges.map(({ curve, flow }) => {
    curveTangent(curve, Math.min(amount, curve.capacity), tangent);
    flow.input = amount;
    amount = flow.output = tangent.output;
    return tangent.marginal;
  });
}

/** Whether the network stays acyclic and within its depth. Most columns are pools beside others of the same tokens and change neither. */
function fitsIn({ graph, edges }: Network, added: readonly NetworkEdge[]): boolean {
  if (added.every(({ from, to }) => edges.some((edge) => edge.from === from && edge.to === to))) return true;
  const order = tokenOrder(graph, [...edges, ...added]);
  return order !== null && (order.depth.get(BUY) ?? 0) <= graph.maxHops;
}

const tangent = emptyTangent();

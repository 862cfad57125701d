import { LIMITS } from '../../config/limits.ts';
import type { Tolls } from '../gas/tolls.ts';
import type { EdgeModel } from '../market/pool-models.ts';
import type { Column } from './column.ts';
import { ColumnSearch } from './column-search.ts';
import { type FlowNetwork, SELL } from './network.ts';
import { Tabu } from './tabu.ts';

/**
 * `isOpen`: whether an edge may join. `cut`: whether some token had more pairs that may pay than were read.
 * `barred`: nodes where the best ways ended that would have closed a cycle; others may be behind them.
 */
export type FoundColumns = {
  readonly columns: readonly Column[];
  readonly cut: boolean;
  readonly barred: ReadonlySet<number>;
  readonly isOpen: (edge: EdgeModel) => boolean;
};

/** How widely a search looks: so many pairs of each token, no chain that ends at a barred node, and whether between active nodes too, where nothing is new as long as prices are the same. */
export type Breadth = { readonly mostPairs: number; readonly barred: ReadonlySet<number>; readonly besides: boolean };

/** Every node comes after the sell token. */
export const CLOSED: ReadonlySet<number> = new Set([SELL]);

/**
 * Columns whose product of start prices beats the prices of their ends: edges beside those in use, found pair by pair of active nodes, and chains over tokens that are not active. Backwards from the active tokens spreads what a
 * unit of each inactive token is worth by the best way on; a pair from an active token to one that is worth more than the pair costs starts a column. Pairs are read in the order of what they keep of the value by reference
 * prices, with the toll of a hop as a share of the whole trade on top (no column carries more than that), so that the neighbours of a hub that can not pay are not looked at; of those that can, the best so many. Levels keep
 * the longest chain within maxHops. A pair is taken by its best edge that is deep enough to gain something between the least that its source costs, by reference prices, and what its target is worth: dust at a splendid price
 * would hide what is behind it.
 */
export function findColumns(network: FlowNetwork, tolls: Tolls, tabu: Tabu, { mostPairs, barred, besides }: Breadth): FoundColumns {
  const search = new ColumnSearch(network, tolls, tabu, mostPairs, barred);
  if (besides) search.betweenActive((fits) => fits);
  if (network.problem.maxHops > 1) {
    search.spreadWorth();
    search.start();
  }
  return foundBy(network, search);
}

/** Columns of one edge between active nodes: those that pay, but would close a cycle or make a chain too long. */
export function findShutOut(network: FlowNetwork, tolls: Tolls): FoundColumns {
  const search = new ColumnSearch(network, tolls, new Tabu(), LIMITS.routing.pairsRead, CLOSED);
  search.betweenActive((fits) => !fits);
  return foundBy(network, search);
}

/** The same whether they fit or not, and the best of each pair of nodes where none pays. */
export function findAll(network: FlowNetwork, tolls: Tolls): FoundColumns {
  const search = new ColumnSearch(network, tolls, new Tabu(), LIMITS.routing.pairsRead, CLOSED);
  search.paying = false;
  search.betweenActive(() => true);
  return foundBy(network, search);
}

function foundBy({ problem }: FlowNetwork, search: ColumnSearch): FoundColumns {
  problem.pace.spend(search.effort);
  return {
    columns: search.found,
    cut: search.cut,
    barred: search.barred,
    isOpen: (edge) => search.isOpen(edge),
  };
}

import type { FlowCurve } from '../../curves/curves.ts';
import { hopToll, isTolled, type Tolls } from '../gas/tolls.ts';
import type { MarketPair } from '../market/market.ts';
import type { EdgeModel } from '../market/pool-models.ts';
import type { StarArc } from '../market/star.ts';
import type { SinglePath } from '../paths/path-search.ts';
import type { Side } from './star-sides.ts';

/** One step of a column. An end is a token (snapshot id), or null for the hub of the star that the arc belongs to. */
export type ColumnHop = {
  readonly from: number | null;
  readonly to: number | null;
  /** `pair`: all edges beside it. `side`: the arc as it is where the star is in use. */
  readonly carrier:
    | { readonly kind: 'pair'; readonly edge: EdgeModel; readonly pair: MarketPair }
    | { readonly kind: 'deposit' | 'withdrawal'; readonly arc: StarArc; readonly hub: number; readonly side: Side };
};

/** New edges in a row from one active node to another, over tokens that are not active. `start` and `end` are places of nodes in the network. */
export type Column = {
  readonly hops: readonly ColumnHop[];
  readonly start: number;
  readonly end: number;
  /** Prices of the two active ends. */
  readonly priceFrom: number;
  readonly priceTo: number;
};

/** A path as a column of its own edges, with nothing beside them. */
export function hopsOfPath({ hops }: SinglePath): readonly ColumnHop[] {
  return hops.map(({ from, to, edge }) => ({
    from,
    to,
    carrier: { kind: 'pair', edge, pair: { from, to, edges: [edge], logPrice: Math.log(edge.startPrice) } },
  }));
}

export function carrierOf({ carrier }: ColumnHop): EdgeModel | StarArc {
  return carrier.kind === 'pair' ? carrier.edge : carrier.arc;
}

function termsOf({ carrier }: ColumnHop): EdgeModel | Side {
  return carrier.kind === 'pair' ? carrier.edge : carrier.side;
}

export function curveOf(hop: ColumnHop): FlowCurve {
  return termsOf(hop).curve;
}

export function startPriceOf(hop: ColumnHop): number {
  return termsOf(hop).startPrice;
}

/** What a column costs at least: an arc of a star in use is an entry of its own. */
export function columnToll({ hops }: Column, tolls: Tolls): number {
  if (!isTolled(tolls)) return 0;
  return hops.reduce(
    (sum, { carrier }) => sum + (carrier.kind === 'pair' ? hopToll(tolls, carrier.edge.curve, 0) : tolls.perHop + tolls.perGas * carrier.arc.gas),
    0,
  );
}

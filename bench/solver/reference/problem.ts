import type { EdgeFlow, Market } from '../../../src/bound/bound.ts';

/** What the reference is asked, in floats: base units, token ids and edge numbers of the market. */
export type Problem = {
  readonly market: Market;
  readonly mode: 'sell' | 'buy';
  readonly sell: number;
  readonly buy: number;
  /** sell: the input. buy: the output to reach. */
  readonly amount: number;
  /** What a unit of gas costs, in base units of the token whose amount is sought: bought in a sale, sold in a purchase. */
  readonly perGas: number;
  /** The longest chain of hops that the merged route may have; null: any. */
  readonly maxHops: number | null;
  /** Whether the time for the search is up; what is best by then is the answer. */
  expired(): boolean;
};

/** Edges of a route, each a hop that costs gas, and the most that some of them may take. */
export type Choice = { readonly edges: readonly number[]; readonly rooms: ReadonlyMap<number, number> };

/** A choice with all its flows at rest. */
export type Settled = {
  /** The edges that carry a flow, with the rooms of those. */
  readonly choice: Choice;
  /** What the request seeks, less (sale) or and (purchase) its gas; larger is better in both, so a purchase has it negative. Base units. */
  readonly net: number;
  /** Output of a sale, input of a purchase. */
  readonly amount: number;
  readonly gas: number;
  readonly flows: readonly EdgeFlow[];
  /** By token; 0 for tokens outside the route. */
  readonly prices: Float64Array;
};

export const NO_ROOMS: ReadonlyMap<number, number> = new Map();

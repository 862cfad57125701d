import type { Address } from '../units/units.ts';
import type { Curve } from './curve.ts';
import type { BlockRef, LegFacts, TokenFacts } from './facts.ts';
import type { MeasuredVerdict } from './transfer-verdict.ts';

/** Numbers an edge in an edge list: pool id, slot in, slot out, id of the token that comes out. */
export const EDGE_STRIDE = 4;

/**
 * One pinned epoch, read only. Valid between pin and unpin of its reader, never across an await. Token and pool ids are dense integers. A token's is
 * assigned once, so it may be kept between epochs. A pool that is gone has no PoolView, and once all ids are taken another one has its id: within one epoch an id stands for one pool, and changesSince names each that may stand
 * for another.
 */
export type SnapshotView = {
  readonly epoch: number;
  readonly block: BlockRef;
  /** One past the largest token id. */
  readonly tokenCount: number;
  /** One past the largest pool id. */
  readonly poolCount: number;
  /** The id of a token, or −1 when the snapshot does not know it. */
  tokenId(address: Address): number;
  token(tokenId: number): TokenFacts;
  /** What transfers of a token were last found to do, however long ago; null when nobody measured. Decoded anew each time. */
  verdictOf(tokenId: number): MeasuredVerdict | null;
  /**
   * Edges that leave a token, EDGE_STRIDE numbers each, sorted by (token out, pool, slot in, slot out). A view on shared memory: not to be kept past the unpin.
   * Every edge's reverse is listed too, though the pool may route one way only and have no curve for the other. While the arena is full the list may lag behind the pools: an edge may then lead
   * to a pool that is gone or no longer routes that way.
   */
  edgesFrom(tokenId: number): Uint32Array;
  pool(poolId: number): PoolView | undefined;
  /** What may differ from an earlier epoch of this snapshot. Takes a look at every id, a nanosecond or two each. */
  changesSince(epoch: number): SnapshotChanges;
};

/** All that changed is among these; what is gone is listed again each time. */
export type SnapshotChanges = {
  /** Ids of pools whose state was written since, those that stand for another pool among them, or that are gone. */
  readonly pools: readonly number[];
  /** Ids of tokens whose list of edges was written since, or that have none. */
  readonly tokens: readonly number[];
};

/** One pool of a pinned epoch. The object is cached by record, so the same state gives the same object: it may key a WeakMap. */
export type PoolView = {
  readonly id: number;
  readonly key: string;
  readonly address: Address;
  readonly hook: Address | null;
  readonly protocol: string;
  readonly source: string;
  readonly venue: string;
  /** Token ids by slot. */
  readonly tokens: readonly number[];
  readonly legFacts: LegFacts;
  readonly words: BigUint64Array;
  /** The curve of a direction, or undefined where the pool does not route it. */
  curve(slotIn: number, slotOut: number): Curve | undefined;
};

// The front door of the snapshot room: pool state shared between the indexer thread (one writer) and the solver threads (readers).

export type { SnapshotBuffers, SnapshotCapacity } from './buffers.ts';
export { canonicalDump, canonicalHash } from './canonical.ts';
export type { Curve, EdgeCurve, SegmentsCurve, StableCurve, WeightedCurve } from './curve.ts';
export { type BlockRef, type LegFacts, NO_LEG_FACTS, type PoolFacts, type TokenFacts } from './facts.ts';
export { allocateSnapshot } from './memory.ts';
export { cancelReader, headEpoch, type OverduePin, overduePins, releaseReaderRows } from './reader-rows.ts';
export { SnapshotReader } from './snapshot-reader.ts';
export { type PoolPut, type PublishResult, type SnapshotStats, SnapshotWriter, type TokenPut } from './snapshot-writer.ts';
export {
  type GateReason,
  type MeasuredVerdict,
  MOST_NAMED_POOLS,
  poolMark,
  saysNothingAgainst,
  type TaxScope,
  type TransferVerdict,
} from './transfer-verdict.ts';
export { EDGE_STRIDE, type PoolView, type SnapshotChanges, type SnapshotView } from './view.ts';
export { WordReader, WordWriter } from './words.ts';

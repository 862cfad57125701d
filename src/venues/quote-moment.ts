import type { BlockRef } from '../snapshot/snapshot.ts';
import { asBlockNumber, type BlockNumber, type EpochSeconds } from '../units/units.ts';

/** The block at which a quote is meant: ramps, fees that move and offers that end are priced as that block's contracts would. */
export type QuoteMoment = { readonly blockNumber: BlockNumber; readonly timestamp: EpochSeconds };

/** The moment of a snapshot's block, so that the same state gives the same price however long the answer takes. */
export function momentOf({ number, timestamp }: Pick<BlockRef, 'number' | 'timestamp'>): QuoteMoment {
  return { blockNumber: asBlockNumber(number), timestamp };
}

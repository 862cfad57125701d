import type { BlockNumber, EpochSeconds } from '../units/units.ts';
import type { QuoteMoment } from './quote-moment.ts';

/** The last block and the last second at which a price holds, the one that comes first; what is not named does not end it. */
export type PriceEnd = { readonly blockNumber?: BlockNumber; readonly timestamp?: EpochSeconds };

export function hasEnded({ blockNumber, timestamp }: PriceEnd, at: QuoteMoment): boolean {
  return (blockNumber !== undefined && at.blockNumber > blockNumber) || (timestamp !== undefined && at.timestamp > timestamp);
}

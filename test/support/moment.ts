import type { EpochSeconds } from '../../src/units/units.ts';
import { momentOf } from '../../src/venues/venues.ts';

/** A moment for venues whose prices do not depend on one. */
export const MOMENT = momentOf({ number: 20_000_000, timestamp: 1_720_000_000 as EpochSeconds });

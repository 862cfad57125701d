import type { Address } from '../units/units.ts';
import type { JoinedHops } from './venue.ts';

/** What names the leg that a hop by a pool can share with others (`within` of HopInRoute); null where it is a leg of its own. `venue`: the folder's name; `address`: of the contract that is called; `source`: the pool's label. */
export function joinedWithin(joined: JoinedHops | undefined, venue: string, address: Address, source: string): string | null {
  if (joined === undefined || joined.leavesOut?.includes(source)) return null;
  return joined.across === 'the-venue' ? venue : `${venue}:${address}`;
}

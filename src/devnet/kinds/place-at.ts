import { asAddress } from '../../units/units.ts';
import type { PoolPlace } from '../devnet-venue.ts';

/** Where a pool is that is a contract of its own. */
export function placeAt(contract: string): PoolPlace {
  const address = asAddress(contract);
  return { key: address, address };
}

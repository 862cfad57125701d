import { asAddress } from '../../units/units.ts';
import { supposeHolder } from '../supposed-balances.ts';

/** Somebody who has nothing to do with any vault: what it may deposit, or redeem once it is supposed to hold shares, anybody may. */
export const ANYBODY = asAddress('0x0000000000000000000000000000000000004626');

/** Of Solidity's. */
const MAPPINGS = 128;

export const { whereHeld, slotHeld } = supposeHolder(ANYBODY, MAPPINGS);

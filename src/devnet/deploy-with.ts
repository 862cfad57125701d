import { concatHex, encodeAbiParameters, type Hex } from 'viem';
import type { Address } from '../units/units.ts';
import type { TransactionScript } from './transaction-script.ts';

/** Adds a deployment whose constructor takes addresses alone, and gives where it will be. */
export function deployWith(script: TransactionScript, label: string, code: Hex, ...addresses: readonly Address[]): Address {
  return script.deploy(label, concatHex([code, ...addresses.map((address) => encodeAbiParameters([{ type: 'address' }], [address]))]));
}

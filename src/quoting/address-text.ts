import { checksumAddress } from 'viem';
import { type Address, asAddress } from '../units/units.ts';
import type { AddressEcho } from '../validation/validation.ts';

/** Writes an address of a response. */
export type AddressText = (address: Address) => string;

/** Writes addresses that the caller sent as sell token, buy token, taker or recipient as the caller did, the first of them when two differ in case; all others with their EIP-55 checksum (decisions R14). */
export function addressTextFor(echo: AddressEcho): AddressText {
  const texts = new Map<Address, string>();
  for (const text of [echo.sellToken, echo.buyToken, echo.taker, echo.recipient]) {
    if (text === null) continue;
    const address = asAddress(text);
    if (!texts.has(address)) texts.set(address, text);
  }
  return (address) => texts.get(address) ?? checksumAddress(address);
}

import { checksumAddress, isAddress } from 'viem';
import type { Permit2Approval } from '../../schemas/types.gen.ts';
import type { AddressText } from '../quoting/quoting.ts';
import { SIGNATURE_BYTES, SIGNATURE_OFFSET } from './encode/encode-calls.ts';
import type { SwapTerms } from './encode/encode-payload.ts';
import { type Permit2Domain, permit2Hash, permit2TypedData } from './encode/permit2-typed-data.ts';

/** What the taker signs, and where the signature goes in the calldata of the same terms. */
export function writePermit2(terms: SwapTerms, domain: Permit2Domain, addressText: AddressText): Permit2Approval {
  // Wallets and their libraries refuse mixed case that is no checksum: the caller's own text stays only where it can be signed.
  const eip712 = permit2TypedData(terms, domain, (address) => {
    const text = addressText(address);
    return isAddress(text, { strict: true }) ? text : checksumAddress(address);
  });
  return { type: 'Permit2', hash: permit2Hash(eip712), eip712, signatureOffset: SIGNATURE_OFFSET, signatureLength: SIGNATURE_BYTES };
}

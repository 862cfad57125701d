import { hashTypedData, recoverAddress } from 'viem';
import { type Address, asAddress } from '../../units/units.ts';
import type { Attestation } from './attestation.ts';

const TYPES = {
  Quote: [
    { name: 'chainId', type: 'uint256' },
    { name: 'attestationId', type: 'uint256' },
    { name: 'userId', type: 'bytes32' },
    { name: 'asset', type: 'address' },
    { name: 'price', type: 'uint256' },
    { name: 'quantity', type: 'uint256' },
    { name: 'expiration', type: 'uint256' },
    { name: 'side', type: 'uint8' },
    { name: 'additionalData', type: 'bytes32' },
  ],
} as const;

/** As the contract numbers them. */
export const SIDE_NUMBERS = { buy: 0, sell: 1 } as const;

/** Whose signature an attestation carries, as a contract on a chain recovers it; null: nobody's. */
export async function attesterOf(attestation: Attestation, chainId: number, contract: Address): Promise<Address | null> {
  const { attestationId, userId, asset, price, quantity, expiration, side, additionalData, signature } = attestation;
  const hash = hashTypedData({
    domain: { name: 'OndoGMTokenManager', version: '1', chainId, verifyingContract: contract },
    types: TYPES,
    primaryType: 'Quote',
    message: { chainId: BigInt(chainId), attestationId, userId, asset, price, quantity, expiration, side: SIDE_NUMBERS[side], additionalData },
  });
  try {
    return asAddress(await recoverAddress({ hash, signature }));
  } catch {
    return null;
  }
}

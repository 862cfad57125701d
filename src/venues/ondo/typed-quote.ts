import { type Hex, hashTypedData, parseAbi, recoverAddress } from 'viem';
import { type Address, asAddress } from '../../units/units.ts';
import type { Attestation } from './attestation.ts';

/** The parts of the issuer's contract, and of the registry that it goes by, that are asked before an attestation is believed. */
export const DESK_ABI = parseAbi([
  'function executedAttestationIds(uint256 attestationId) view returns (bool)',
  'function hasRole(bytes32 role, address account) view returns (bool)',
  'function gmTokenAccepted(address asset) view returns (bool)',
  'function globalMintingPaused() view returns (bool)',
  'function globalRedeemingPaused() view returns (bool)',
  'function gmTokenMintingPaused(address asset) view returns (bool)',
  'function gmTokenRedemptionsPaused(address asset) view returns (bool)',
  'function ondoIDRegistry() view returns (address)',
  'function gmIdentifier() view returns (address)',
  'function getRegisteredID(address identifier, address user) view returns (bytes32)',
]);

/** keccak256 of "ATTESTATION_SIGNER_ROLE". */
export const SIGNER_ROLE: Hex = '0x023d9737d781c665e5048e4dfd034f07fec540e8ecb2336b3d85a375b90a3a35';

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

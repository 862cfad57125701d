import { type Hex, hexToBytes, numberToHex, parseSignature } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import type { Address } from '../../units/units.ts';
import type { AttestationFault } from './faults.ts';

/** An attestation before its issuer has signed it. Amounts in base units, the price with 18 decimals, times in unix seconds. */
export type UnsignedQuote = {
  readonly chainId: bigint;
  readonly attestationId: bigint;
  readonly userId: Hex;
  readonly asset: Address;
  readonly price: bigint;
  readonly quantity: bigint;
  readonly expiration: bigint;
  readonly side: 0 | 1;
  readonly additionalData: Hex;
};

const QUOTE_TYPE = [
  { name: 'chainId', type: 'uint256' },
  { name: 'attestationId', type: 'uint256' },
  { name: 'userId', type: 'bytes32' },
  { name: 'asset', type: 'address' },
  { name: 'price', type: 'uint256' },
  { name: 'quantity', type: 'uint256' },
  { name: 'expiration', type: 'uint256' },
  { name: 'side', type: 'uint8' },
  { name: 'additionalData', type: 'bytes32' },
] as const;

/** Written from the interface's own description, and not from how the service reads attestations: a slip in one of them is to show. 65 bytes in base64, as the issuer writes them. */
export async function signQuote(
  key: Hex,
  quote: UnsignedQuote,
  domain: { readonly chainId: number; readonly verifyingContract: Address; readonly name?: string; readonly version?: string },
): Promise<string> {
  const signature = await privateKeyToAccount(key).signTypedData({
    domain: { name: 'OndoGMTokenManager', version: '1', ...domain },
    types: { Quote: QUOTE_TYPE },
    primaryType: 'Quote',
    message: quote,
  });
  return base64(signature);
}

function base64(bytes: Hex): string {
  return Buffer.from(hexToBytes(bytes)).toString('base64');
}

const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

/** The other signature of the same words, which contracts refuse. */
export function otherSignature(text: string): string {
  const { r, s, yParity } = parseSignature(`0x${Buffer.from(text, 'base64').toString('hex')}`);
  return base64(`${r}${numberToHex(ORDER - BigInt(s), { size: 32 }).slice(2)}${(28 - yParity).toString(16)}`);
}

const STRANGER: Hex = `0x${'5b'.repeat(32)}`;
const ELSEWHERE = '0x00000000000000000000000000000000000000ef' as Address;

/** How an attestation goes wrong before it is signed, and with what it is signed. */
export function spoilQuote(fault: AttestationFault | null, quote: UnsignedQuote, key: Hex): { readonly quote: UnsignedQuote; readonly key: Hex } {
  const now = BigInt(Math.floor(Date.now() / 1000));
  const better = quote.side === 0 ? 9_990n : 10_010n;
  switch (fault) {
    case 'wrong-signer':
      return { quote, key: STRANGER };
    case 'wrong-asset':
      return { quote: { ...quote, asset: ELSEWHERE }, key };
    case 'wrong-side':
      return { quote: { ...quote, side: quote.side === 0 ? 1 : 0 }, key };
    case 'wrong-amount':
      return { quote: { ...quote, quantity: (quote.quantity * 9_999n) / 10_000n - 1n }, key };
    case 'wrong-user':
      return { quote: { ...quote, userId: `0x${'0d'.repeat(32)}` }, key };
    case 'worse':
      return { quote: { ...quote, price: quote.side === 0 ? quote.price * 2n : quote.price / 2n }, key };
    case 'slightly-worse':
      return { quote: { ...quote, price: (quote.price * (20_000n - better)) / 10_000n }, key };
    case 'better':
      return { quote: { ...quote, price: (quote.price * better) / 10_000n }, key };
    case 'zero':
      return { quote: { ...quote, price: 0n }, key };
    case 'expired':
      return { quote: { ...quote, expiration: now - 1n }, key };
    case 'expiring':
      return { quote: { ...quote, expiration: now + 1n }, key };
    case 'endless':
      return { quote: { ...quote, expiration: (1n << 256n) - 1n }, key };
    default:
      return { quote, key };
  }
}

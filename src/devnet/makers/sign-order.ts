import { type Hex, parseSignature } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import type { Address } from '../../units/units.ts';
import type { OrderFault } from './faults.ts';

/** An order before its maker has signed it. Amounts in base units, times in unix seconds. */
export type UnsignedOrder = {
  readonly nonce: bigint;
  readonly expiry: bigint;
  readonly signerWallet: Address;
  readonly signerToken: Address;
  readonly signerAmount: bigint;
  readonly protocolFee: bigint;
  readonly senderWallet: Address;
  readonly senderToken: Address;
  readonly senderAmount: bigint;
};

const ORDER_TYPE = [
  { name: 'nonce', type: 'uint256' },
  { name: 'expiry', type: 'uint256' },
  { name: 'signerWallet', type: 'address' },
  { name: 'signerToken', type: 'address' },
  { name: 'signerAmount', type: 'uint256' },
  { name: 'protocolFee', type: 'uint256' },
  { name: 'senderWallet', type: 'address' },
  { name: 'senderToken', type: 'address' },
  { name: 'senderAmount', type: 'uint256' },
] as const;

/** Written from the protocol's own description, and not from how the service reads orders: a slip in one of them is to show. */
export async function signOrder(
  key: Hex,
  order: UnsignedOrder,
  domain: { readonly chainId: number; readonly verifyingContract: Address; readonly name?: string; readonly version?: string },
): Promise<Record<string, string>> {
  const signature = await privateKeyToAccount(key).signTypedData({
    domain: { name: 'SWAP_ERC20', version: '4.3', ...domain },
    types: { OrderERC20: ORDER_TYPE },
    primaryType: 'OrderERC20',
    message: order,
  });
  const { r, s, yParity } = parseSignature(signature);
  const texts = Object.entries(order).map(([name, value]) => [name, String(value)] as const);
  const { protocolFee: _fee, senderWallet: _sender, ...said } = Object.fromEntries(texts);
  return { ...said, v: String(27 + yParity), r, s };
}

const HOUR = 3_600n;
const STRANGER: Hex = `0x${'5a'.repeat(32)}`;
const ELSEWHERE = '0x00000000000000000000000000000000000000ee' as Address;

/** How an order goes wrong before it is signed, and with what it is signed. */
export function spoil(fault: OrderFault | null, order: UnsignedOrder, key: Hex): { readonly order: UnsignedOrder; readonly key: Hex } {
  const now = BigInt(Math.floor(Date.now() / 1000));
  switch (fault) {
    case 'wrong-signer':
      return { order, key: STRANGER };
    case 'wrong-token':
      return { order: { ...order, signerToken: ELSEWHERE }, key };
    case 'wrong-amount':
      return { order: { ...order, senderAmount: order.senderAmount - 1n, signerAmount: order.signerAmount + 1n }, key };
    case 'swapped':
      return { order: { ...order, signerToken: order.senderToken, senderToken: order.signerToken }, key };
    case 'other-sender':
      return { order: { ...order, senderWallet: ELSEWHERE }, key };
    case 'worse':
      return { order: { ...order, signerAmount: order.signerAmount / 2n }, key };
    case 'slightly-worse':
      return { order: { ...order, signerAmount: (order.signerAmount * 9_990n) / 10_000n }, key };
    case 'better':
      return { order: { ...order, signerAmount: (order.signerAmount * 10_010n) / 10_000n }, key };
    case 'zero':
      return { order: { ...order, signerAmount: 0n }, key };
    case 'expired':
      return { order: { ...order, expiry: now - 1n }, key };
    case 'expiring':
      return { order: { ...order, expiry: now + 1n }, key };
    case 'endless':
      return { order: { ...order, expiry: (1n << 256n) - 1n }, key };
    case 'unfunded':
      return { order: { ...order, signerAmount: order.signerAmount * 10n ** 12n, expiry: order.expiry + HOUR }, key };
    default:
      return { order, key };
  }
}

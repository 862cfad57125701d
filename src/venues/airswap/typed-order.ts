import { recover } from 'tiny-secp256k1';
import { bytesToHex, concatHex, type Hex, hashTypedData, hexToBytes, parseAbi } from 'viem';
import { publicKeyToAddress } from 'viem/utils';
import { type Address, asAddress } from '../../units/units.ts';
import type { SignedOrder } from './signed-order.ts';

/** The parts of SwapERC20 that are asked before an order is believed. */
export const SWAP_ERC20_ABI = parseAbi([
  'function check(address senderWallet, uint256 nonce, uint256 expiry, address signerWallet, address signerToken, uint256 signerAmount, address senderToken, uint256 senderAmount, uint8 v, bytes32 r, bytes32 s) view returns (bytes32[])',
  'function protocolFee() view returns (uint256)',
  'function authorized(address signerWallet) view returns (address)',
]);

/** Whom an order is made out to, and by which contract's terms. `protocolFee`: basis points, as the contract has it now. */
export type OrderTerms = { readonly chainId: number; readonly contract: Address; readonly senderWallet: Address; readonly protocolFee: bigint };

const TYPES = {
  OrderERC20: [
    { name: 'nonce', type: 'uint256' },
    { name: 'expiry', type: 'uint256' },
    { name: 'signerWallet', type: 'address' },
    { name: 'signerToken', type: 'address' },
    { name: 'signerAmount', type: 'uint256' },
    { name: 'protocolFee', type: 'uint256' },
    { name: 'senderWallet', type: 'address' },
    { name: 'senderToken', type: 'address' },
    { name: 'senderAmount', type: 'uint256' },
  ],
} as const;

/** What viem needs to hash or to sign an order; the domain is SwapERC20's, fourth version. */
export function typedOrder(order: Omit<SignedOrder, 'v' | 'r' | 's'>, { chainId, contract, senderWallet, protocolFee }: OrderTerms) {
  const { nonce, expiry, signerWallet, signerToken, signerAmount, senderToken, senderAmount } = order;
  return {
    domain: { name: 'SWAP_ERC20', version: '4.3', chainId, verifyingContract: contract },
    types: TYPES,
    primaryType: 'OrderERC20',
    message: { nonce, expiry, signerWallet, signerToken, signerAmount, protocolFee, senderWallet, senderToken, senderAmount },
  } as const;
}

export function orderHash(order: SignedOrder, terms: OrderTerms): Hex {
  return hashTypedData(typedOrder(order, terms));
}

/** Whose signature an order carries; null: nobody's. By the code that Bitcoin's nodes run, compiled for any machine: what viem has takes seven times as long, in the thread of every request (decision 174). */
export function signatoryOf(order: SignedOrder, terms: OrderTerms): Address | null {
  try {
    const key = recover(hexToBytes(orderHash(order, terms)), hexToBytes(concatHex([order.r, order.s])), order.v === 27 ? 0 : 1);
    return key === null ? null : asAddress(publicKeyToAddress(bytesToHex(key)));
  } catch {
    return null;
  }
}

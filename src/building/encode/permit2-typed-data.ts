import { hashTypedData, keccak256 } from 'viem';
import type { Address } from '../../units/units.ts';
import { encodePayload, type SwapTerms } from './encode-payload.ts';
import type { Hex } from './packed.ts';
import { permit2Nonce } from './permit2-nonce.ts';

/** Where a permit holds: on one chain, by one Permit2, for one router. */
export type Permit2Domain = { readonly chainId: number; readonly permit2: Address; readonly router: Address };

/**
 * What is signed: Permit2's transfer with a witness (contracts/lib/Permits.sol). The witness repeats what a wallet should show, and binds all the rest by the hash of the payload: route, fee,
 * surplus, tag. The domain's type is listed too, for callers of `eth_signTypedData_v4`, which has no default for it.
 */
const TYPES = {
  EIP712Domain: [
    { name: 'name', type: 'string' },
    { name: 'chainId', type: 'uint256' },
    { name: 'verifyingContract', type: 'address' },
  ],
  PermitWitnessTransferFrom: [
    { name: 'permitted', type: 'TokenPermissions' },
    { name: 'spender', type: 'address' },
    { name: 'nonce', type: 'uint256' },
    { name: 'deadline', type: 'uint256' },
    { name: 'witness', type: 'Swap' },
  ],
  Swap: [
    { name: 'buyToken', type: 'address' },
    { name: 'recipient', type: 'address' },
    { name: 'minBuyAmount', type: 'uint256' },
    { name: 'payloadHash', type: 'bytes32' },
  ],
  TokenPermissions: [
    { name: 'token', type: 'address' },
    { name: 'amount', type: 'uint256' },
  ],
} as const;

/** Typed data of one swap, as JSON carries it: every uint of the message is a decimal string. */
export type Permit2TypedData = {
  readonly types: typeof TYPES;
  readonly domain: { readonly name: 'Permit2'; readonly chainId: number; readonly verifyingContract: string };
  readonly primaryType: 'PermitWitnessTransferFrom';
  readonly message: {
    readonly permitted: { readonly token: string; readonly amount: string };
    readonly spender: string;
    readonly nonce: string;
    readonly deadline: string;
    readonly witness: { readonly buyToken: string; readonly recipient: string; readonly minBuyAmount: string; readonly payloadHash: Hex };
  };
};

/** `text`: how addresses are written; it has no bearing on the hash. */
export function permit2TypedData(terms: SwapTerms, domain: Permit2Domain, text: (address: Address) => string): Permit2TypedData {
  const { mode, sellToken, buyToken, recipient, sellAmount, buyAmount, minBuyAmount, deadline, tag } = terms;
  const floor = mode === 'buy' ? buyAmount : minBuyAmount;
  return {
    types: TYPES,
    domain: { name: 'Permit2', chainId: domain.chainId, verifyingContract: text(domain.permit2) },
    primaryType: 'PermitWitnessTransferFrom',
    message: {
      permitted: { token: text(sellToken), amount: sellAmount.toString() },
      spender: text(domain.router),
      nonce: permit2Nonce(tag).toString(),
      deadline: deadline.toString(),
      witness: {
        buyToken: text(buyToken),
        recipient: text(recipient),
        minBuyAmount: floor.toString(),
        payloadHash: keccak256(encodePayload(terms)),
      },
    },
  };
}

/** The EIP-712 digest that the taker signs. */
export function permit2Hash({ types, domain, primaryType, message }: Permit2TypedData): Hex {
  const { permitted, spender, nonce, deadline, witness } = message;
  return hashTypedData({
    types,
    primaryType,
    domain: { name: domain.name, chainId: BigInt(domain.chainId), verifyingContract: domain.verifyingContract as Hex },
    message: {
      permitted: { token: permitted.token as Hex, amount: BigInt(permitted.amount) },
      spender: spender as Hex,
      nonce: BigInt(nonce),
      deadline: BigInt(deadline),
      witness: {
        buyToken: witness.buyToken as Hex,
        recipient: witness.recipient as Hex,
        minBuyAmount: BigInt(witness.minBuyAmount),
        payloadHash: witness.payloadHash,
      },
    },
  });
}

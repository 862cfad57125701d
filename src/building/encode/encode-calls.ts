import { concatHex, encodeFunctionData, padHex } from 'viem';
import { type Address, asWei, NATIVE_TOKEN, type Wei } from '../../units/units.ts';
import { ALLOWANCE_HOLDER_ABI, ROUTER_ABI } from './abi.ts';
import { encodePayload, type SwapTerms } from './encode-payload.ts';
import type { Hex } from './packed.ts';

/** Where a transaction goes and what it carries (interface specification, funding table). */
export type SwapCall = { readonly to: Address; readonly data: Hex; readonly value: Wei };

/** The settlement contracts of one chain. */
export type SettlementAddresses = { readonly router: Address; readonly allowanceHolder: Address };

/** The call that a taker makes: of the router with native value, else of the allowance holder. */
export function encodeTakerCall(terms: SwapTerms, contracts: SettlementAddresses): SwapCall {
  if (terms.sellToken === NATIVE_TOKEN) return { to: contracts.router, data: encodeSwapCall(terms), value: terms.sellAmount };
  return { to: contracts.allowanceHolder, data: encodeExec(terms, contracts.router), value: asWei(0n) };
}

/** Calldata of the router for a native sell. */
export function encodeSwapCall(terms: SwapTerms): Hex {
  return encodeFunctionData({ abi: ROUTER_ABI, functionName: 'swap', args: [encodePayload(terms)] });
}

/** Bytes of a signature (r, s, v), and where they stand in the calldata: at the start of the payload, after the selector, the offset and the length. */
export const SIGNATURE_BYTES = 65;
export const SIGNATURE_OFFSET = 4 + 32 + 32;

/** The call of the router that Permit2 funds, with zeros where the taker's signature goes. */
export function encodePermit2Call(terms: SwapTerms, { router }: Pick<SettlementAddresses, 'router'>): SwapCall {
  const payload = concatHex([padHex('0x', { size: SIGNATURE_BYTES }), encodePayload(terms)]);
  return { to: router, data: encodeFunctionData({ abi: ROUTER_ABI, functionName: 'swapPermit2', args: [payload] }), value: asWei(0n) };
}

/** Calldata of the allowance holder for an ERC-20 sell. */
export function encodeExec(terms: SwapTerms, router: Address): Hex {
  return encodeFunctionData({ abi: ALLOWANCE_HOLDER_ABI, functionName: 'exec', args: [router, terms.sellToken, terms.sellAmount, encodePayload(terms)] });
}

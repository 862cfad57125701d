import type { LegFacts } from '../../snapshot/snapshot.ts';
import { type Address, asAddress } from '../../units/units.ts';

/** An order of AirSwap's SwapERC20 as its maker signed it. Amounts in base units. `expiry`: unix seconds, the first at which it does not hold any more. */
export type SignedOrder = {
  readonly nonce: bigint;
  readonly expiry: bigint;
  readonly signerWallet: Address;
  /** What the maker gives. */
  readonly signerToken: Address;
  readonly signerAmount: bigint;
  /** What the maker gets. */
  readonly senderToken: Address;
  readonly senderAmount: bigint;
  readonly v: number;
  /** 32 bytes each. */
  readonly r: `0x${string}`;
  readonly s: `0x${string}`;
};

/** What firm-up.ts adds to a hop, and encode.ts reads of it. The tokens are the hop's. */
export function orderFacts({ nonce, expiry, signerWallet, signerAmount, senderAmount, v, r, s }: SignedOrder): LegFacts {
  return {
    nonce: nonce.toString(),
    expiry: expiry.toString(),
    signerWallet,
    signerAmount: signerAmount.toString(),
    senderAmount: senderAmount.toString(),
    v,
    r,
    s,
  };
}

/** The order that was signed for a hop from `tokenIn` to `tokenOut`. Throws RangeError on a hop that was not firmed: a bug of the caller. */
export function orderOf({ legFacts, tokenIn, tokenOut }: { readonly legFacts: LegFacts; readonly tokenIn: Address; readonly tokenOut: Address }): SignedOrder {
  const { nonce, expiry, signerWallet, signerAmount, senderAmount, v, r, s } = legFacts;
  if (nonce === undefined || expiry === undefined || signerAmount === undefined || senderAmount === undefined) throw new RangeError('no maker signed this hop');
  return {
    nonce: BigInt(nonce),
    expiry: BigInt(expiry),
    signerWallet: asAddress(String(signerWallet)),
    signerToken: tokenOut,
    signerAmount: BigInt(signerAmount),
    senderToken: tokenIn,
    senderAmount: BigInt(senderAmount),
    v: Number(v),
    r: String(r) as `0x${string}`,
    s: String(s) as `0x${string}`,
  };
}

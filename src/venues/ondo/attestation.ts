import type { LegFacts } from '../../snapshot/snapshot.ts';
import type { Address } from '../../units/units.ts';

/** From the side of whoever trades with the issuer: an asset is minted where it is bought. */
export type Side = 'buy' | 'sell';

/** As an issuer signs it for the contract of Ondo Global Markets. Numbers are what the contract has. */
export type Attestation = {
  readonly attestationId: bigint;
  /** 32 bytes: whom the contract mints for and redeems from, as its registry knows them. */
  readonly userId: `0x${string}`;
  readonly side: Side;
  readonly asset: Address;
  /** Of one whole asset in the dollar token, 18 decimals. */
  readonly price: bigint;
  /** Of the asset, base units. */
  readonly quantity: bigint;
  /** Unix seconds: the last at which it holds. */
  readonly expiration: bigint;
  /** 32 bytes. */
  readonly additionalData: `0x${string}`;
  /** 65 bytes: r, s, v. */
  readonly signature: `0x${string}`;
};

/** What firm-up.ts adds to a hop, and encode.ts reads of it. The asset is one of the hop's tokens. */
export function attestationFacts({ attestationId, userId, side, price, quantity, expiration, additionalData, signature }: Attestation): LegFacts {
  return {
    ...{ attestationId: String(attestationId), userId, side, price: String(price), quantity: String(quantity) },
    ...{ expiration: String(expiration), additionalData, signature },
  };
}

/** The attestation of a hop from `tokenIn` to `tokenOut`. Throws RangeError on a hop that was not firmed: a bug of the caller. */
export function attestationOf({
  legFacts,
  tokenIn,
  tokenOut,
}: {
  readonly legFacts: LegFacts;
  readonly tokenIn: Address;
  readonly tokenOut: Address;
}): Attestation {
  const { attestationId, userId, side, price, quantity, expiration, additionalData, signature } = legFacts;
  if (attestationId === undefined || price === undefined || quantity === undefined || expiration === undefined)
    throw new RangeError('no issuer attested this hop');
  const isMint = side === 'buy';
  return {
    attestationId: BigInt(attestationId),
    userId: String(userId) as `0x${string}`,
    side: isMint ? 'buy' : 'sell',
    asset: isMint ? tokenOut : tokenIn,
    price: BigInt(price),
    quantity: BigInt(quantity),
    expiration: BigInt(expiration),
    additionalData: String(additionalData) as `0x${string}`,
    signature: String(signature) as `0x${string}`,
  };
}

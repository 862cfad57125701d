import type { Address } from '../../units/units.ts';
import type { IssuedAsset, OutsideSource } from '../outside.ts';
import type { Side } from './attestation.ts';

/** Where an issuer quotes without a commitment, and where it attests: under the address that configuration gives. */
export const SOFT_PATH = '/v1/attestations/soft';
export const FIRM_PATH = '/v1/attestations';

/** How much of an asset, in whole tokens: of the asset itself, or what it is to cost in the dollar token at most. */
export type Size = { readonly tokenAmount: string } | { readonly notionalValue: string };

/** What is asked at either place. Attestations are asked for that hold for a short time: prices are closer. */
export function requestOf(chain: string, symbol: string, side: Side, size: Size): string {
  return JSON.stringify({ chainId: chain, symbol, side, ...size, duration: 'short' });
}

/** The asset of an issuer that is minted or redeemed between two tokens; null: none is, or not at that contract. */
export function issuedBetween(
  source: OutsideSource,
  { tokenIn, tokenOut, poolAddress }: { readonly tokenIn: Address; readonly tokenOut: Address; readonly poolAddress: Address },
): { readonly issued: IssuedAsset; readonly side: Side; readonly chain: string; readonly dollar: Address } | null {
  const { issues, contract } = source;
  if (issues === undefined || contract !== poolAddress) return null;
  const { dollar, assets, chain } = issues;
  const side: Side = tokenIn === dollar ? 'buy' : 'sell';
  if (side === 'sell' && tokenOut !== dollar) return null;
  const issued = assets.find(({ token }) => token === (side === 'buy' ? tokenOut : tokenIn));
  return issued === undefined ? null : { issued, side, chain, dollar };
}

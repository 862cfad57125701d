import type { PlanHop } from '../../routing/routing.ts';
import type { EpochSeconds } from '../../units/units.ts';
import type { FirmHopBy, FirmHops, FirmUpFacet } from '../../venues/venues.ts';

/** Of a chain where nobody signs anything. */
export const NO_FIRM_HOPS: FirmHops = new Map();

/** Who signs a hop; null: it needs nobody's signature. */
export function signerOf(
  firmHops: FirmHops,
  hop: Pick<PlanHop, 'venue' | 'legFacts' | 'hook'>,
): { readonly signs: FirmUpFacet['signs']; readonly firm: FirmHopBy } | null {
  const known = firmHops.get(hop.venue);
  return known === undefined || known.needs?.(hop) === false ? null : known;
}

/** Whether a hop is for an amount that somebody signs: an attestation lets any amount pass, which the chain alone prices. */
export function isFixed(firmHops: FirmHops, hop: Pick<PlanHop, 'venue' | 'legFacts' | 'hook'>): boolean {
  const signer = signerOf(firmHops, hop);
  return signer !== null && signer.signs !== 'attestation';
}

/** What was signed for the hop at a place of a plan, amounts in base units. `expiry`: the last second at which it holds; null: blocks end it. */
export type SignedHop = {
  readonly place: number;
  readonly signs: FirmUpFacet['signs'];
  readonly amountIn: bigint;
  readonly amountOut: bigint;
  readonly expiry: EpochSeconds | bigint | null;
};

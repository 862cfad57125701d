import { type MakerFault, TRANSPORT_FAULTS, type TransportFault } from '../makers/faults.ts';

/** What of an attestation goes wrong. */
export const ATTESTATION_FAULTS = [
  'closed',
  'over-limit',
  'wrong-signer',
  'wrong-domain',
  'wrong-chain',
  'wrong-contract',
  'wrong-asset',
  'wrong-side',
  'wrong-amount',
  'wrong-user',
  'altered',
  'malleable',
  'worse',
  'slightly-worse',
  'better',
  'zero',
  'expired',
  'expiring',
  'endless',
  'replayed',
  'numbers',
] as const;
export type AttestationFault = (typeof ATTESTATION_FAULTS)[number];

/** What of an issuer goes wrong: nothing, the way of its answers, or its attestations. Tests switch them; see issuer-server. */
export type IssuerFault = Omit<MakerFault, 'kind'> & { readonly kind: TransportFault | AttestationFault };

export const ISSUER_FAULTS: readonly IssuerFault['kind'][] = [...TRANSPORT_FAULTS, ...ATTESTATION_FAULTS];

/** null: it is none. */
export function readIssuerFault(text: string): IssuerFault | 'none' | null {
  try {
    const { kind, ms, location } = JSON.parse(text) as { readonly kind?: unknown; readonly ms?: unknown; readonly location?: unknown };
    if (kind === 'none') return 'none';
    const known = ISSUER_FAULTS.find((fault) => fault === kind);
    if (known === undefined) return null;
    return { kind: known, ...(typeof ms === 'number' ? { ms } : {}), ...(typeof location === 'string' ? { location } : {}) };
  } catch {
    return null;
  }
}

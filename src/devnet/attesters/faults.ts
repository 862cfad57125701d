import { TRANSPORT_FAULTS, type TransportFault } from '../makers/faults.ts';

/** What of an attester goes wrong: the way of its answers, or its attestations. Tests switch them; see attester-server. */
export type AttesterFault = {
  readonly kind: TransportFault | AttestationFault;
  /** Of 'delay'. */
  readonly ms?: number;
  /** Of 'redirect'. */
  readonly location?: string;
};

export const ATTESTATION_FAULTS = [
  'unsuccessful',
  'absent',
  'too-few',
  'too-many',
  'gap',
  'block-before',
  'blocks-past',
  'blocks-until-now',
  'blocks-later',
  'other-block',
  'wrong-signer',
  'wrong-domain',
  'wrong-chain',
  'no-node',
  'altered',
  'short',
  'other-shape',
] as const;
export type AttestationFault = (typeof ATTESTATION_FAULTS)[number];

export function isOfTransport(fault: AttesterFault): fault is AttesterFault & { readonly kind: TransportFault } {
  return (TRANSPORT_FAULTS as readonly string[]).includes(fault.kind);
}

/** null: it is none. */
export function readAttesterFault(text: string): AttesterFault | 'none' | null {
  try {
    const { kind, ms, location } = JSON.parse(text) as { readonly kind?: unknown; readonly ms?: unknown; readonly location?: unknown };
    if (kind === 'none') return 'none';
    const known = [...TRANSPORT_FAULTS, ...ATTESTATION_FAULTS].find((fault) => fault === kind);
    if (known === undefined) return null;
    return { kind: known, ...(typeof ms === 'number' ? { ms } : {}), ...(typeof location === 'string' ? { location } : {}) };
  } catch {
    return null;
  }
}

import { type Address, asAddress, asciiLowerCase } from '../units/units.ts';
import { parseApiKey, secretMatches } from './api-key.ts';
import type { KeyEntry, KeyFile } from './key-file.ts';

/** What a registered key supplies (interface specification, Authentication 4). */
export type RegisteredKey = {
  readonly id: string;
  /** Sustained requests per second. */
  readonly rps: number;
  /** Replaces the anonymous fee and the request's. null: the request's fee, or none. 0 bps: no fee. */
  readonly feePolicy: { readonly feeBps: number; readonly partner: Address; readonly partnerShareBps: number } | null;
  readonly partnerId: string;
  readonly surplus: 'protocol' | 'taker' | 'shared';
  /** Lower-case source labels of gated venues that the key may use. */
  readonly gatedVenues: readonly string[];
};

/** The keys that are in force. */
export type KeyRing = {
  readonly size: number;
  /** The key that the header's text is, or null: unrecognised, malformed and revoked are all the same as none. */
  find(header: string | undefined): RegisteredKey | null;
};

export const NO_KEYS: KeyRing = { size: 0, find: () => null };

/** What is found of an id that nobody has. No secret has this digest. */
const NOBODY = { key: null, digest: Buffer.alloc(32) };

export function keyRingOf(file: KeyFile): KeyRing {
  const byId = new Map(
    file.keys.filter((entry) => entry.revoked === null).map((entry) => [entry.id, { key: registeredKey(entry), digest: Buffer.from(entry.secretHash, 'hex') }]),
  );
  return {
    size: byId.size,
    find(header) {
      const parts = header === undefined ? null : parseApiKey(header);
      if (parts === null) return null;
      // The same work for an id that nobody has: how long it takes must not tell which ids exist.
      const { key, digest } = byId.get(parts.id) ?? NOBODY;
      return secretMatches(parts.secret, digest) ? key : null;
    },
  };
}

function registeredKey(entry: KeyEntry): RegisteredKey {
  const { id, rps, feePolicy, partnerId, surplus, gatedVenues } = entry;
  return Object.freeze({
    id,
    rps,
    feePolicy: feePolicy === undefined ? null : { ...feePolicy, partner: asAddress(feePolicy.partner) },
    partnerId,
    surplus,
    gatedVenues: gatedVenues.map(asciiLowerCase),
  });
}

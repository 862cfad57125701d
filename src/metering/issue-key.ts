import { digestOfSecret, formatApiKey, randomText } from './api-key.ts';
import type { KeyEntry } from './key-file.ts';

/** What an operator decides about a key. What is left out has the default of an issued key: no fee, surplus to the protocol, no gated venue. */
export type KeyGrant = Pick<KeyEntry, 'rps' | 'partnerId'> & Partial<Pick<KeyEntry, 'feePolicy' | 'surplus' | 'gatedVenues'>>;

/**
 * Makes a key: the text for the partner, which is stored nowhere, and the entry for the key file. `pick(n)` gives an unbiased random integer below n.
 */
export function issueKey(grant: KeyGrant, created: Date, pick?: (below: number) => number): { readonly key: string; readonly entry: KeyEntry } {
  const id = randomText(8, pick);
  const secret = randomText(32, pick);
  const entry: KeyEntry = {
    surplus: 'protocol',
    gatedVenues: [],
    ...grant,
    id,
    secretHash: digestOfSecret(secret),
    created: created.toISOString(),
    revoked: null,
  };
  return { key: formatApiKey({ id, secret }), entry };
}

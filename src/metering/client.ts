import type { BudgetOwner } from './budget-store.ts';
import type { RegisteredKey } from './key-ring.ts';

/** Who is calling: a registered key, or else the address. */
export type Client = { readonly key: RegisteredKey | null; readonly budget: BudgetOwner };

/** A caller without a registered key is metered by address at the anonymous rate; one with a key by the key, from wherever it calls. */
export function clientOf(address: string, key: RegisteredKey | null, anonymousRps: number): Client {
  if (key === null) return { key, budget: { id: address, kind: 'ip', rps: anonymousRps } };
  return { key, budget: { id: key.id, kind: 'key', rps: key.rps } };
}

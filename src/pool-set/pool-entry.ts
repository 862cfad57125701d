import { createHash } from 'node:crypto';
import type { Pool } from '../../schemas/pool-set.gen.ts';
import { NO_LEG_FACTS, type PoolFacts, WordWriter } from '../snapshot/snapshot.ts';
import { type Address, asAddress, asciiLowerCase, isAddress, NATIVE_TOKEN, ZERO_ADDRESS } from '../units/units.ts';
import { PoolRefused, type StateFacet, type VenueFacet } from '../venues/venues.ts';
import { checkPool, isObject } from './schema.ts';

/** What taking in a pool needs of the venues: what each is, and how its state is read and packed. By folder name. */
export type PoolSetVenues = ReadonlyMap<string, { readonly venue: VenueFacet; readonly state: StateFacet<unknown> }>;

/** Why a pool of the file is not in the snapshot. */
export type LeftOutReason = 'kind-not-supported' | 'malformed' | 'not-routable' | 'duplicate' | 'snapshot-full';

export type TakenPool =
  | { readonly ok: true; readonly kind: string; readonly facts: PoolFacts }
  | { readonly ok: false; readonly kind: string; readonly reason: LeftOutReason; readonly message: string };

/** Decimals of a token as the set knows them; null where it does not. */
export type DecimalsOf = (token: Address) => number | null;

/** Turns one pool of a file into what the snapshot holds of it; never throws for what the file says. `at` is the entry's JSON path, for the message. */
export function takePool(entry: unknown, at: string, venues: PoolSetVenues, decimalsOf: DecimalsOf): TakenPool {
  const kind = kindOf(entry);
  const refused = (reason: LeftOutReason, message: string): TakenPool => ({ ok: false, kind, reason, message });
  const candidates = [...venues.values()].filter(({ venue }) => venue.poolSetKind === kind);
  if (isObject(entry) && typeof entry.kind === 'string' && candidates.length === 0) return refused('kind-not-supported', `${at}: kind '${kind}'`);

  const checked = checkPool(entry, at);
  if (!checked.ok) return refused('malformed', checked.message);
  const pool = checked.value;
  const family = familyOf(pool.venue);
  const chosen = chooseVenue(candidates, family);
  if (chosen === undefined) return refused('kind-not-supported', `${at}: kind '${kind}' of the venue '${family}'`);
  if (pool.swapEnabled === false) return refused('not-routable', `${at}: swapEnabled is false`);

  const tokens = pool.tokens.map(asAddress);
  if (new Set(tokens).size < tokens.length) return refused('malformed', `${at}.tokens must differ`);
  // Native pools are a matter of the venue's own kind; in these kinds the native token goes by its wrapped form.
  if (tokens.some((token) => token === ZERO_ADDRESS || token === NATIVE_TOKEN)) return refused('malformed', `${at}.tokens must be contracts`);
  const [first = '', second = ''] = tokens;
  if (kind === 'concentrated' && first > second) return refused('malformed', `${at}.tokens must be sorted by address`);

  try {
    const { state, venue } = chosen;
    if (state.fromPoolSet === undefined) throw new TypeError(`${venue.name} reads no pool sets`);
    const value = state.fromPoolSet(pool as unknown as Readonly<Record<string, unknown>>, tokens.length, tokens.map(decimalsOf));
    const words = new WordWriter();
    state.pack(value, words);
    const key = poolKey(pool.id);
    const legFacts = state.legFacts?.(value) ?? NO_LEG_FACTS;
    const facts = { key, address: poolAddress(pool, key), hook: null, protocol: family, source: family, venue: venue.name, tokens, legFacts };
    return { ok: true, kind, facts: { ...facts, words: words.finish(), curves: state.curves(value) } };
  } catch (error) {
    if (error instanceof PoolRefused) return refused(error.reason, `${at}: ${error.message}`);
    if (error instanceof RangeError) return refused('malformed', `${at}: ${error.message}`);
    throw error;
  }
}

/**
 * Of the venues that price a kind: the one that lists the family, else the one of whose families the label is a longer form (`balancer_v2_fork`), else the
 * only one: forks of a kind that has one mathematics share it. Where there are several, an unheard-of label does not say which is its own.
 */
function chooseVenue<Candidate extends { readonly venue: VenueFacet }>(candidates: readonly Candidate[], family: string): Candidate | undefined {
  const listed = (matches: (own: string) => boolean) => candidates.find(({ venue }) => venue.families.some((own) => matches(own.family)));
  const named = listed((own) => own === family) ?? listed((own) => family.startsWith(own));
  return named ?? (candidates.length === 1 ? candidates[0] : undefined);
}

/** Key of a pool in the snapshot: its id, hex in lower case. */
export function poolKey(id: string): string {
  return /^0x[0-9a-fA-F]+$/.test(id) ? id.toLowerCase() : id;
}

/**
 * The label before the colon. A pool set knows no hooks, and without a hook the venue label on the wire is the family (decisions S20): a variant such as
 * `balancer_v2:metastable` only says which pool contract it is.
 */
function familyOf(label: string): string {
  return asciiLowerCase(label.split(':')[0] ?? label);
}

/**
 * The pool's contract. A file that records neither an address nor an id that is one (`#0`) gets a stand-in, the same in every run: the last 20 bytes of the
 * SHA-256 of the id. It satisfies the shape of the response and can not be traded against.
 */
function poolAddress(pool: Pool, key: string): Address {
  if (pool.address !== undefined) return asAddress(pool.address);
  if (isAddress(key)) return asAddress(key);
  return asAddress(`0x${createHash('sha256').update(key).digest('hex').slice(-40)}`);
}

function kindOf(entry: unknown): string {
  return isObject(entry) && typeof entry.kind === 'string' ? entry.kind.slice(0, 40) : 'unknown';
}

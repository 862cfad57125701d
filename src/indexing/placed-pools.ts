import type { Address } from '../units/units.ts';

/** What is asked of a pool that is in the snapshot. */
export type Placed = { readonly source: string; readonly venue: string; readonly address: Address; readonly tokens: readonly Address[] };

/** The pools that are in the snapshot, with their labels, counts and contracts by token kept along: what a publish costs goes by what it changed, not by how many there are. */
export class PlacedPools {
  readonly #pools = new Map<string, Placed>();
  readonly #bySource = new Map<string, number>();
  readonly #byVenue = new Map<string, number>();
  /** By token: pools that trade it, by key, each with its contract. */
  readonly #byToken = new Map<Address, Map<string, Address>>();
  #labels: readonly string[] | null = null;

  get size(): number {
    return this.#pools.size;
  }

  keys(): IterableIterator<string> {
    return this.#pools.keys();
  }

  entries(): IterableIterator<[string, Placed]> {
    return this.#pools.entries();
  }

  /** `holds`: whether the pool's contract holds what it trades, and so moves tokens itself. */
  set(key: string, pool: Placed, holds = true): void {
    const before = this.#pools.get(key);
    if (before !== undefined && isSame(before, pool)) return;
    this.delete(key);
    this.#pools.set(key, pool);
    this.#count(pool, 1);
    for (const token of holds ? pool.tokens : []) {
      const trading = this.#byToken.get(token);
      if (trading === undefined) this.#byToken.set(token, new Map([[key, pool.address]]));
      else trading.set(key, pool.address);
    }
  }

  delete(key: string): void {
    const pool = this.#pools.get(key);
    if (pool === undefined) return;
    this.#pools.delete(key);
    this.#count(pool, -1);
    for (const token of pool.tokens) {
      const trading = this.#byToken.get(token);
      trading?.delete(key);
      if (trading?.size === 0) this.#byToken.delete(token);
    }
  }

  /** Unique, sorted by code unit. */
  labels(): readonly string[] {
    this.#labels ??= [...this.#bySource.keys()].sort();
    return this.#labels;
  }

  isTraded(token: Address): boolean {
    return this.#byToken.has(token);
  }

  /** Contracts of the pools that trade a token; that of a singleton once for each of its pools. */
  contractsOf(token: Address): readonly Address[] {
    return [...(this.#byToken.get(token)?.values() ?? [])];
  }

  /** Keys of the pools that trade a token. */
  keysOf(token: Address): Iterable<string> {
    return this.#byToken.get(token)?.keys() ?? [];
  }

  byVenue(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.#byVenue);
  }

  #count({ source, venue }: Placed, change: 1 | -1): void {
    const ofSource = (this.#bySource.get(source) ?? 0) + change;
    if (ofSource === 0) this.#bySource.delete(source);
    else this.#bySource.set(source, ofSource);
    // A label that comes or goes.
    if (ofSource === 0 || (change === 1 && ofSource === 1)) this.#labels = null;
    const ofVenue = (this.#byVenue.get(venue) ?? 0) + change;
    if (ofVenue === 0) this.#byVenue.delete(venue);
    else this.#byVenue.set(venue, ofVenue);
  }
}

/** Asked of each pool of a block. A key may come to stand for another pool: after a reorg another contract may have been made at an address, with other tokens and the same labels. */
function isSame(one: Placed, other: Placed): boolean {
  if (one.source !== other.source || one.venue !== other.venue || one.address !== other.address || one.tokens.length !== other.tokens.length) return false;
  return one.tokens.every((token, slot) => token === other.tokens[slot]);
}

import type { TokenFacts } from '../snapshot/snapshot.ts';
import type { Address } from '../units/units.ts';
import type { Announced } from './announced.ts';
import type { BookState } from './checkpoint/checkpoint.ts';
import type { ChainHeader } from './header.ts';
import { deploymentOf, isDue, type TrackedPool } from './tracked-pool.ts';

/** What one block changes, by pool key. */
export type PoolChanges = ReadonlyMap<string, TrackedPool>;

type JournalEntry = {
  readonly header: ChainHeader;
  /** What the block's changes replaced; null: the pool did not exist before. */
  readonly undo: Map<string, TrackedPool | null>;
  /** What the announcements were before that it made or that were described at it, by id; null: there was none. */
  readonly undoAnnounced: Map<string, Announced | null>;
  readonly learntTokens: Address[];
};

/**
 * Everything the indexer knows at one block, the tip, and how to go back: an undo journal of the last blocks, exact for changes, creations and tokens alike.
 * Synchronous: a caller that awaits nothing between two calls sees one consistent block.
 */
export class PoolBook {
  readonly #pools = new Map<string, TrackedPool>();
  /** By the factories that announced them and by their governors. */
  readonly #keysByDeployment = new Map<Address, Set<string>>();
  readonly #countByVenue = new Map<string, number>();
  /** Announcements that are not described yet, by id. */
  readonly #announced = new Map<string, Announced>();
  readonly #stale = new Set<string>();
  /** Pools that logs alone do not tell of. */
  readonly #reread = new Set<string>();
  readonly #tokens = new Map<Address, TokenFacts>();
  /** Tokens without facts, with the pools that wait for them. */
  readonly #wantedTokens = new Map<Address, Set<string>>();
  readonly #journal: JournalEntry[] = [];
  readonly #journalLimit: number;
  /** The oldest block that can be rolled back to. */
  #base: ChainHeader;

  constructor(base: ChainHeader, journalLimit: number) {
    this.#base = base;
    this.#journalLimit = journalLimit;
  }

  get tip(): ChainHeader {
    return this.#journal.at(-1)?.header ?? this.#base;
  }

  get base(): ChainHeader {
    return this.#base;
  }

  keys(): IterableIterator<string> {
    return this.#pools.keys();
  }

  pool(key: string): TrackedPool | undefined {
    return this.#pools.get(key);
  }

  /** How many pools are known, by venue folder. */
  countByVenue(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.#countByVenue);
  }

  /** Keys of the pools that a factory announced, or that name a contract as their governor. */
  keysOfDeployment(factoryOrGovernor: Address): ReadonlySet<string> {
    return this.#keysByDeployment.get(factoryOrGovernor) ?? NO_KEYS;
  }

  /** Announcements of which the chain has still to say what they announce. */
  announced(): readonly Announced[] {
    return [...this.#announced.values()];
  }

  token(address: Address): TokenFacts | undefined {
    return this.#tokens.get(address);
  }

  /** Whether the chain has to be asked for anything. */
  get isUnsettled(): boolean {
    return this.#announced.size > 0 || this.#stale.size > 0 || this.#wantedTokens.size > 0;
  }

  /** How much has to be read from the chain. `absent`: pools that can not be there until then, for their own state's sake or for a token's. */
  waiting(): { readonly pools: number; readonly tokens: number; readonly announcements: number; readonly absent: number } {
    const tokenless = [...this.#wantedTokens.values()].flatMap((keys) => [...keys]);
    const absent = tokenless.length === 0 ? this.#stale.size : new Set([...this.#stale, ...tokenless]).size;
    return { pools: this.#stale.size, tokens: this.#wantedTokens.size, announcements: this.#announced.size, absent };
  }

  /** Pools that have to be read from the chain. */
  stalePools(): readonly TrackedPool[] {
    return [...this.#stale].map((key) => this.#pools.get(key)).filter((tracked) => tracked !== undefined);
  }

  /** Pools that have to be read at a block, whatever its logs say. */
  dueAt(header: Pick<ChainHeader, 'hash' | 'timestamp'>): readonly TrackedPool[] {
    return [...this.#reread].flatMap((key) => this.#pools.get(key) ?? []).filter((tracked) => isDue(tracked, header));
  }

  /** Tokens of known pools of which no facts were read yet. */
  wantedTokens(): readonly Address[] {
    return [...this.#wantedTokens.keys()];
  }

  /** How many blocks a block lies below the tip, or null when it is not one that can be rolled back to. */
  depthOf(hash: string): number | null {
    for (let i = this.#journal.length - 1; i >= 0; i--) if (this.#journal[i]?.header.hash === hash) return this.#journal.length - 1 - i;
    return this.#base.hash === hash ? this.#journal.length : null;
  }

  /** The hash of the block of that number, from the base to the tip. */
  hashAt(number: number): string | null {
    const at = number - this.#base.number;
    return at === 0 ? this.#base.hash : (this.#journal[at - 1]?.header.hash ?? null);
  }

  /** The time between two of the last so many blocks, by what they say themselves, ms; 0 where there are not two. */
  blockMs(blocks: number): number {
    const { tip } = this;
    const first = this.#journal.at(-1 - blocks)?.header ?? this.#base;
    return tip.number === first.number ? 0 : (1000 * (tip.timestamp - first.timestamp)) / (tip.number - first.number);
  }

  /** Takes in the tip's child. */
  commit(header: ChainHeader, changes: PoolChanges, announced: readonly Announced[] = []): void {
    if (header.parentHash !== this.tip.hash) throw new Error(`block ${header.number} is not a child of the tip`);
    const undo = new Map<string, TrackedPool | null>();
    for (const [key, tracked] of changes) {
      undo.set(key, this.#pools.get(key) ?? null);
      this.#set(key, tracked);
    }
    const entry: JournalEntry = { header, undo, undoAnnounced: new Map(), learntTokens: [] };
    for (const one of announced) this.#announce(one.id, one, entry);
    this.#journal.push(entry);
    if (this.#journal.length > this.#journalLimit) this.#base = this.#journal.shift()?.header ?? this.#base;
  }

  /**
   * Takes in what the chain said at the tip of announcements: pools that are still to be read, further announcements, or nothing. Pools that are known stay as they are. Going back
   * below the tip forgets the pools and opens the announcements again.
   */
  describe(described: readonly Announced[], pools: readonly TrackedPool[], further: readonly Announced[]): void {
    const entry = this.#journal.at(-1);
    for (const { id } of described) this.#announce(id, null, entry);
    for (const one of further) this.#announce(one.id, one, entry);
    for (const tracked of pools) {
      const { key } = tracked.pool;
      if (this.#pools.has(key)) continue;
      if (entry !== undefined && !entry.undo.has(key)) entry.undo.set(key, null);
      this.#set(key, { ...tracked, state: null, stale: true });
    }
  }

  /** Takes in what was read from the chain at the tip. Going back below the tip makes these pools stale again: what they were before is not known. Returns the keys of all that changed: those pools, and those that waited for one of the tokens. */
  settle(pools: PoolChanges, tokens: readonly TokenFacts[]): ReadonlySet<string> {
    const changed = new Set(pools.keys());
    const entry = this.#journal.at(-1);
    for (const [key, tracked] of pools) {
      const before = this.#pools.get(key);
      if (entry !== undefined && before !== undefined && !entry.undo.has(key)) entry.undo.set(key, { ...before, state: null, stale: true });
      this.#set(key, tracked);
    }
    for (const token of tokens) {
      if (!this.#tokens.has(token.address)) entry?.learntTokens.push(token.address);
      this.#tokens.set(token.address, token);
      for (const key of this.#wantedTokens.get(token.address) ?? []) changed.add(key);
      this.#wantedTokens.delete(token.address);
    }
    return changed;
  }

  /** Goes back to a block of the journal. Returns the keys of the pools that changed. */
  rollBackTo(hash: string): ReadonlySet<string> {
    const depth = this.depthOf(hash);
    if (depth === null) throw new Error(`block ${hash} is not in the journal`);
    const changed = new Set<string>();
    const forgotten = new Set<Address>();
    for (const entry of this.#journal.splice(this.#journal.length - depth).reverse()) {
      for (const [key, before] of entry.undo) {
        changed.add(key);
        this.#set(key, before);
      }
      for (const [id, before] of entry.undoAnnounced) this.#announce(id, before, undefined);
      for (const token of entry.learntTokens) forgotten.add(token);
    }
    this.#forgetTokens(forgotten);
    return changed;
  }

  /** What was known at the block so far below the tip, or at the oldest that can be rolled back to. Changes nothing; the cost is that of a list of all pools. */
  stateBelow(depth: number): BookState {
    const undone = this.#journal.slice(Math.max(0, this.#journal.length - depth)).reverse();
    // The oldest of several that touched one wins.
    const pools = new Map(undone.flatMap(({ undo }) => [...undo]));
    const announced = new Map(undone.flatMap(({ undoAnnounced }) => [...undoAnnounced]));
    const learnt = new Set(undone.flatMap(({ learntTokens }) => learntTokens));
    return {
      block: this.#journal.at(-1 - undone.length)?.header ?? this.#base,
      pools: replaced(this.#pools, pools, ({ pool }) => pool.key),
      announced: replaced(this.#announced, announced, ({ id }) => id),
      tokens: [...this.#tokens.values()].filter(({ address }) => !learnt.has(address)),
    };
  }

  /** Distrusts a pool, now and in every block that could be gone back to. */
  distrust(key: string): void {
    const stale = (tracked: TrackedPool): TrackedPool => ({ ...tracked, state: null, stale: true });
    const now = this.#pools.get(key);
    if (now === undefined) return;
    this.#set(key, stale(now));
    for (const { undo } of this.#journal) {
      const before = undo.get(key);
      if (before !== null && before !== undefined) undo.set(key, stale(before));
    }
  }

  #announce(id: string, announced: Announced | null, entry: JournalEntry | undefined): void {
    if (entry !== undefined && !entry.undoAnnounced.has(id)) entry.undoAnnounced.set(id, this.#announced.get(id) ?? null);
    if (announced === null) this.#announced.delete(id);
    else this.#announced.set(id, announced);
  }

  #count(venue: string, change: number): void {
    this.#countByVenue.set(venue, (this.#countByVenue.get(venue) ?? 0) + change);
  }

  #set(key: string, tracked: TrackedPool | null): void {
    const before = this.#pools.get(key);
    if (tracked === null) {
      this.#pools.delete(key);
      this.#stale.delete(key);
      this.#reread.delete(key);
      if (before === undefined) return;
      this.#count(before.venue, -1);
      for (const address of deploymentOf(before)) this.#keysByDeployment.get(address)?.delete(key);
      this.#unwantTokens(before);
      return;
    }
    this.#pools.set(key, tracked);
    if (tracked.stale) this.#stale.add(key);
    else this.#stale.delete(key);
    if (before !== undefined) return;
    this.#count(tracked.venue, 1);
    if (tracked.rereading.kind !== 'logs') this.#reread.add(key);
    for (const address of deploymentOf(tracked)) {
      const keys = this.#keysByDeployment.get(address);
      if (keys === undefined) this.#keysByDeployment.set(address, new Set([key]));
      else keys.add(key);
    }
    this.#wantTokens(tracked);
  }

  #forgetTokens(forgotten: ReadonlySet<Address>): void {
    if (forgotten.size === 0) return;
    for (const token of forgotten) this.#tokens.delete(token);
    this.#wantedTokens.clear();
    for (const tracked of this.#pools.values()) this.#wantTokens(tracked);
  }

  /** Of a pool that a reorg took away nobody waits for the tokens. */
  #unwantTokens({ pool }: TrackedPool): void {
    for (const token of pool.tokens) {
      const waiting = this.#wantedTokens.get(token);
      waiting?.delete(pool.key);
      if (waiting?.size === 0) this.#wantedTokens.delete(token);
    }
  }

  #wantTokens({ pool }: TrackedPool): void {
    for (const token of pool.tokens) {
      if (this.#tokens.has(token)) continue;
      const waiting = this.#wantedTokens.get(token);
      if (waiting === undefined) this.#wantedTokens.set(token, new Set([pool.key]));
      else waiting.add(pool.key);
    }
  }
}

/** All values but those that are to be others, and these others. */
function replaced<Value>(now: ReadonlyMap<string, Value>, others: ReadonlyMap<string, Value | null>, keyOf: (value: Value) => string): readonly Value[] {
  const kept: Value[] = [];
  for (const value of now.values()) if (!others.has(keyOf(value))) kept.push(value);
  for (const other of others.values()) if (other !== null) kept.push(other);
  return kept;
}

const NO_KEYS: ReadonlySet<string> = new Set();

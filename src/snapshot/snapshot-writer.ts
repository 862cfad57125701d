import { LIMITS } from '../config/limits.ts';
import type { Address } from '../units/units.ts';
import { Arena, type RecordLife } from './arena.ts';
import type { SnapshotBuffers } from './buffers.ts';
import { assertBlock, type DirectoryColumns, writeDirectory } from './directory.ts';
import { EdgeIndex } from './edge-index.ts';
import { type BlockRef, NO_LEG_FACTS, type PoolFacts, type TokenFacts } from './facts.ts';
import { ABSENT, CONTROL, UNIT_BYTES } from './layout.ts';
import { openMemory, type SnapshotMemory } from './memory.ts';
import { assertPoolFacts, assertTokenFacts } from './pool-checks.ts';
import { identityText, identityUnits, type PoolIdentity, sameLegFacts, writeIdentity } from './pool-identity.ts';
import { poolStateUnits, saysTheSame, writePoolState } from './pool-state.ts';
import { directionsOf, type PoolEntry, PoolTable } from './pool-table.ts';
import { PRICE_RECORD_UNITS, writePrices } from './price-record.ts';
import { pinnedEpochs } from './reader-rows.ts';
import { recordEpoch, stampEpoch } from './record.ts';
import { blocksOf, type PublishedEpoch, readPublishedEpoch } from './recovery.ts';
import { RetiredRecords } from './retired-records.ts';
import { readTokenAddress } from './token-addresses.ts';
import { TokenTable } from './token-table.ts';
import type { MeasuredVerdict } from './transfer-verdict.ts';
import { assertVerdict, VERDICT_RECORD_UNITS, writeVerdicts } from './verdict-record.ts';
import { VerdictTable } from './verdict-table.ts';

/** `id` is dense; a token's is assigned once and kept for the life of the buffers. */
export type TokenPut = { readonly ok: true; readonly id: number } | { readonly ok: false; readonly reason: 'too-many-tokens' };
export type PoolPut = { readonly ok: true; readonly id: number } | { readonly ok: false; readonly reason: 'arena-full' | 'too-many-pools' | 'too-many-tokens' };

/** 'slots-pinned': readers hold every slot of the ring; nothing changed for them, and the staged changes go with the next publish. */
export type PublishResult =
  | { readonly ok: true; readonly epoch: number; readonly changedPools: number; readonly millis: number }
  | { readonly ok: false; readonly reason: 'slots-pinned' };

export type SnapshotStats = {
  /** Bytes handed out: live records, staged ones, and retired ones that a pin still holds. */
  readonly arenaUsedBytes: number;
  readonly arenaCapacityBytes: number;
  /** Distinct epochs that readers hold now. */
  readonly pinnedSlots: number;
  /** Present pools, staged changes included. */
  readonly pools: number;
  readonly tokens: number;
  /** Pins that dead threads left behind, since the buffers were allocated. */
  readonly reclaimedPins: number;
};

/** What a snapshot's writer says of a pool that is there. */
type PresentPool = Pick<PoolFacts, 'key' | 'source' | 'venue' | 'address' | 'tokens'>;

/**
 * Writes the snapshot of one chain. One writer at a time, in the chain's indexer thread; it never waits. Changes are staged: readers see them with the next
 * publish, all at once. A writer over buffers that were published before takes over at their head (what its predecessor had staged is gone), which is how
 * an indexer thread is replaced: construct it only after the old thread's exit event.
 */
export class SnapshotWriter {
  readonly #memory: SnapshotMemory;
  readonly #arena: Arena;
  readonly #retired: RetiredRecords;
  readonly #tokens: TokenTable;
  readonly #verdicts: VerdictTable;
  readonly #pools = new PoolTable();
  readonly #edges: EdgeIndex;
  readonly #columns: DirectoryColumns;
  /** Units that only updates of known pools may use, so that a full arena still follows the chain. */
  readonly #updateReserve: number;
  readonly #changedPools = new Set<number>();
  #present = 0;

  constructor(buffers: SnapshotBuffers) {
    const memory = openMemory(buffers);
    const { layout } = memory;
    this.#memory = memory;
    this.#arena = new Arena(memory.arenaWords, layout.arenaUnits);
    this.#retired = new RetiredRecords(memory, this.#arena);
    this.#tokens = new TokenTable(memory);
    this.#verdicts = new VerdictTable(memory);
    this.#columns = {
      prices: new Int32Array(layout.priceRecords),
      verdicts: new Int32Array(layout.verdictRecords),
      edges: new Int32Array(layout.tokens),
      pools: new Int32Array(layout.pools),
    };
    this.#edges = new EdgeIndex(memory, this.#pools, { allocate: (units) => this.#allocate(units, 0), retire: (unit) => this.#retired.retire(unit) });
    this.#updateReserve = Math.floor(layout.arenaUnits / LIMITS.snapshot.updateReserveDivisor);
    this.#takeOver();
  }

  /** Stages what is known of a token. Throws TypeError on facts out of range. */
  setToken(facts: TokenFacts): TokenPut {
    assertTokenFacts(facts);
    if (!this.#tokens.hasRoomFor([facts.address])) return { ok: false, reason: 'too-many-tokens' };
    const id = this.#tokens.register(facts.address);
    this.#tokens.set(id, facts);
    return { ok: true, id };
  }

  /** Stages that no token has a price: after a takeover nobody knows any more what the predecessor's came from. */
  clearPrices(): void {
    this.#tokens.clearPrices();
  }

  /** Stages what transfers of a token were found to do; a newer verdict replaces it, nothing else does. Throws TypeError on one out of range. */
  setVerdict(address: Address, measured: MeasuredVerdict): TokenPut {
    assertVerdict(measured);
    if (!this.#tokens.hasRoomFor([address])) return { ok: false, reason: 'too-many-tokens' };
    const id = this.#tokens.register(address);
    this.#verdicts.set(id, measured);
    return { ok: true, id };
  }

  /** What is staged or published of a token's transfers, that of a writer before included; null where nobody measured them. */
  verdictOf(address: Address): MeasuredVerdict | null {
    const id = this.#tokens.idOf(address);
    return id === undefined ? null : this.#verdicts.get(id);
  }

  /**
   * Stages the state of a pool, or nothing where that is what the snapshot has; unknown tokens are registered without decimals or price. When a pool that is already there is refused, its removal is staged:
   * an absent pool costs liquidity, a stale one wrong quotes. Throws TypeError on facts that no venue may give.
   */
  setPool(facts: PoolFacts): PoolPut {
    assertPoolFacts(facts);
    const known = this.#pools.find(facts.key);
    const put = this.#place(facts, known);
    if (!put.ok && known !== undefined) this.removePool(facts.key);
    return put;
  }

  /** Stages the removal of a pool. Its id stays its own, should it come back, as long as there are others. False when there is no such pool. */
  removePool(key: string): boolean {
    const entry = this.#pools.find(key);
    const place = entry === undefined ? 0 : (this.#columns.pools[entry.id] as number);
    if (entry === undefined || place <= 0) return false;
    this.#retired.retire(place);
    this.#columns.pools[entry.id] = ABSENT | entry.identityUnit;
    this.#pools.put({ ...entry, directions: NO_DIRECTIONS });
    this.#edges.poolChanged(entry.id, entry.identity.tokens);
    this.#changedPools.add(entry.id);
    this.#pools.left(entry.id);
    this.#present -= 1;
    return true;
  }

  /** Makes everything staged visible as a new epoch. `millis` is the time this took. Throws TypeError on a block that can not be described. */
  publish(block: BlockRef): PublishResult {
    assertBlock(block);
    const started = performance.now();
    const { control, layout } = this.#memory;
    const epoch = nextEpoch(Atomics.load(control, CONTROL.head), pinnedEpochs(control), layout.slots);
    if (epoch === 0) {
      // One slot is the head's and each reader pins at most one more (B9).
      if (layout.slots >= layout.readers + 2) throw new Error('snapshot ring is full with a slot to spare for every reader');
      return { ok: false, reason: 'slots-pinned' };
    }
    this.#edges.publish(epoch, this.#columns.edges);
    if (this.#edges.isSettled) this.#pools.edgesAreGone();
    this.#publishPrices(epoch);
    this.#publishVerdicts(epoch);
    for (const id of this.#changedPools) this.#stampPool(id, epoch);
    writeDirectory(this.#memory, epoch, block, this.#columns, this.#tokens.count, this.#pools.count);
    Atomics.store(control, CONTROL.head, epoch);
    this.#retired.published(epoch, pinnedEpochs(control));
    const changedPools = this.#changedPools.size;
    this.#changedPools.clear();
    return { ok: true, epoch, changedPools, millis: performance.now() - started };
  }

  /** Pools that are there, staged changes included: after a takeover, those of the head, of which the new thread may not know all. */
  presentPools(): readonly PresentPool[] {
    const ids = Array.from({ length: this.#pools.count }, (_, id) => id).filter((id) => (this.#columns.pools[id] as number) > 0);
    return ids.map((id) => {
      const { key, source, venue, address, tokens } = this.#pools.at(id).identity;
      return { key, source, venue, address, tokens: tokens.map((token) => readTokenAddress(this.#memory, token)) };
    });
  }

  stats(): SnapshotStats {
    const { control } = this.#memory;
    return {
      arenaUsedBytes: this.#arena.usedUnits * UNIT_BYTES,
      arenaCapacityBytes: this.#arena.capacityUnits * UNIT_BYTES,
      pinnedSlots: pinnedEpochs(control).length,
      pools: this.#present,
      tokens: this.#tokens.count,
      reclaimedPins: Atomics.load(control, CONTROL.reclaimedPins),
    };
  }

  /** Nothing that was there changes until every block that is needed has been found and written. */
  #place(facts: PoolFacts, known: PoolEntry | undefined): PoolPut {
    const id = known?.id ?? this.#pools.idForNew(this.#memory.layout.pools);
    if (id === undefined) return { ok: false, reason: 'too-many-pools' };
    if (!this.#tokens.hasRoomFor(facts.tokens)) return { ok: false, reason: 'too-many-tokens' };
    const present = known !== undefined && (this.#columns.pools[known.id] as number) > 0;
    const keepFree = present ? 0 : this.#updateReserve;
    const stateUnits = poolStateUnits(facts);
    const stateUnit = this.#allocate(stateUnits, keepFree);
    if (stateUnit === 0) return { ok: false, reason: 'arena-full' };
    const kept = known !== undefined && this.#sameIdentity(known.identity, facts) ? known : undefined;
    const named = kept ?? this.#placeIdentity(id, facts, keepFree);
    if (named === undefined) {
      this.#arena.free(stateUnit);
      return { ok: false, reason: 'arena-full' };
    }
    writePoolState(this.#memory, stateUnit, id, named.identityUnit, facts);
    if (present && kept !== undefined && saysTheSame(this.#memory, this.#columns.pools[id] as number, stateUnit, stateUnits)) {
      this.#arena.free(stateUnit);
      return { ok: true, id };
    }
    this.#commit(id, known, { ...named, directions: keptDirections(facts, known?.directions ?? NO_DIRECTIONS) }, stateUnit);
    return { ok: true, id };
  }

  #placeIdentity(id: number, facts: PoolFacts, keepFree: number): { id: number; identity: PoolIdentity; identityUnit: number } | undefined {
    const text = identityText(facts);
    const identityUnit = this.#allocate(identityUnits(text, facts.tokens.length), keepFree, 'lasting');
    if (identityUnit === 0) return undefined;
    const { key, address, hook, protocol, source, venue, legFacts = NO_LEG_FACTS } = facts;
    const tokens = facts.tokens.map((token) => this.#tokens.register(token));
    writeIdentity(this.#memory, identityUnit, id, text, tokens);
    return { id, identity: { key, address, hook, protocol, source, venue, tokens, legFacts }, identityUnit };
  }

  #commit(id: number, known: PoolEntry | undefined, entry: PoolEntry, stateUnit: number): void {
    const oldPlace = this.#columns.pools[id] as number;
    // Of a pool that had the id before, and is gone from the published index, only its name is left.
    if (known === undefined && id < this.#pools.count) this.#retired.retire(this.#pools.at(id).identityUnit);
    this.#pools.taken(id);
    const newIdentity = known?.identityUnit !== entry.identityUnit;
    if (known === undefined || newIdentity || known.directions !== entry.directions) {
      this.#pools.put(entry);
      this.#edges.poolChanged(id, entry.identity.tokens);
      if (known !== undefined && newIdentity) this.#edges.poolChanged(id, known.identity.tokens);
    }
    this.#columns.pools[id] = stateUnit;
    this.#changedPools.add(id);
    if (oldPlace > 0) this.#retired.retire(oldPlace);
    else this.#present += 1;
    if (known !== undefined && newIdentity) this.#retired.retire(known.identityUnit);
  }

  #sameIdentity(identity: PoolIdentity, facts: PoolFacts): boolean {
    return (
      identity.address === facts.address &&
      identity.hook === facts.hook &&
      identity.protocol === facts.protocol &&
      identity.source === facts.source &&
      identity.venue === facts.venue &&
      sameLegFacts(identity.legFacts, facts.legFacts ?? NO_LEG_FACTS) &&
      identity.tokens.length === facts.tokens.length &&
      facts.tokens.every((token, slot) => this.#tokens.idOf(token) === identity.tokens[slot])
    );
  }

  #stampPool(id: number, epoch: number): void {
    const place = this.#columns.pools[id] as number;
    for (const unit of [place, this.#pools.at(id).identityUnit]) {
      if (unit > 0 && recordEpoch(this.#memory, unit) === 0) stampEpoch(this.#memory, unit, epoch);
    }
  }

  /** A group that finds no room is unknown rather than stale, and is tried again with the next publish. */
  #publishPrices(epoch: number): void {
    for (const group of [...this.#tokens.changedGroups]) {
      const old = this.#columns.prices[group] as number;
      if (old !== 0) this.#retired.retire(old);
      const unit = this.#allocate(PRICE_RECORD_UNITS, 0);
      this.#columns.prices[group] = unit;
      if (unit === 0) continue;
      writePrices(this.#memory, unit, group, this.#tokens.usd, this.#tokens.decimals);
      stampEpoch(this.#memory, unit, epoch);
      this.#tokens.changedGroups.delete(group);
    }
  }

  /** As with prices: a group without room is unmeasured until the next publish, so nothing is served on an old verdict. */
  #publishVerdicts(epoch: number): void {
    for (const group of [...this.#verdicts.changedGroups]) {
      const old = this.#columns.verdicts[group] as number;
      if (old !== 0) this.#retired.retire(old);
      const unit = this.#allocate(VERDICT_RECORD_UNITS, 0);
      this.#columns.verdicts[group] = unit;
      if (unit === 0) continue;
      writeVerdicts(this.#memory, unit, group, this.#verdicts.columns);
      stampEpoch(this.#memory, unit, epoch);
      this.#verdicts.changedGroups.delete(group);
    }
  }

  #allocate(units: number, keepFree: number, life: RecordLife = 'passing'): number {
    const unit = this.#arena.allocate(units, keepFree, life);
    if (unit !== 0) return unit;
    this.#retired.reclaim(pinnedEpochs(this.#memory.control));
    return this.#arena.allocate(units, keepFree, life);
  }

  #takeOver(): void {
    const head = Atomics.load(this.#memory.control, CONTROL.head);
    if (head === 0) return;
    const published = readPublishedEpoch(this.#memory, head);
    if (published === undefined) throw new Error(`snapshot head ${head} has no directory`);
    const pins = pinnedEpochs(this.#memory.control).filter((epoch) => epoch !== head);
    const pinned = pins.map((epoch) => readPublishedEpoch(this.#memory, epoch)).filter((epoch): epoch is PublishedEpoch => epoch !== undefined);
    this.#arena.restore(blocksOf(this.#memory, [published, ...pinned]));
    const adopted = new Set(published.units);
    for (const { units } of pinned) {
      for (const unit of units) {
        if (!adopted.has(unit)) this.#retired.adopt(unit, head, pins);
        adopted.add(unit);
      }
    }
    this.#columns.prices.set(published.prices);
    this.#columns.verdicts.set(published.verdicts);
    this.#columns.edges.set(published.edges);
    this.#columns.pools.set(published.pools);
    this.#tokens.adopt(published.tokenCount, published.prices);
    this.#verdicts.adopt(published.tokenCount, published.verdicts);
    this.#pools.adopt(this.#memory, published.poolCount, published.pools);
    this.#present = published.pools.filter((place) => place > 0).length;
    // The predecessor may have owed the index some edges that found no room.
    for (let id = 0; id < published.poolCount; id++) this.#edges.poolChanged(id, this.#pools.at(id).identity.tokens);
  }
}

/** The next epoch whose slot neither the head nor a pin is in; 0 when there is none. Epochs may be skipped, but never go back. */
function nextEpoch(head: number, pins: readonly number[], slots: number): number {
  for (let epoch = head + 1; epoch < head + slots; epoch++) {
    if (epoch > MAX_EPOCH) throw new Error('snapshot epochs are used up');
    if (!pins.some((pin) => pin % slots === epoch % slots)) return epoch;
  }
  return 0;
}

/** The pool's directions; the known list itself where it still holds, which is nearly always: its tokens' edge records then stay as they are. */
function keptDirections(facts: PoolFacts, known: readonly number[]): readonly number[] {
  const directions = directionsOf(facts.curves);
  return directions.length === known.length && directions.every((direction, at) => direction === known[at]) ? known : directions;
}

const NO_DIRECTIONS: readonly number[] = [];

// At one epoch a millisecond, 24 days; at one a second, 68 years.
const MAX_EPOCH = 2 ** 31 - 1;

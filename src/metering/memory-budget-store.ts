import type { BudgetDecision, BudgetOwner, BudgetState, BudgetStore } from './budget-store.ts';
import { type Bucket, capacityOf, fullBucket, type InstantMicros, refill, returnToken, secondsToToken, takeToken, wholeTokens } from './token-bucket.ts';

type Entry = { readonly bucket: Bucket; rps: number };

/** How many of the longest untouched buckets an arrival of a new owner looks at: more than one, so that the map shrinks after a flood. */
const LOOKS_PER_ARRIVAL = 4;

/**
 * Budgets of this process. Holds at most `limit` address buckets and one for each key (keys are bounded by their file). Only full buckets are forgotten:
 * a full bucket and none are the same thing, so nobody gains from being forgotten. When all are in use, further addresses share one bucket.
 */
export class MemoryBudgetStore implements BudgetStore {
  readonly #limit: number;
  // Insertion order is the order of the last touch: the first entry has rested longest.
  readonly #addresses = new Map<string, Entry>();
  readonly #keys = new Map<string, Entry>();
  #overflow: Entry | null = null;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Buckets held. */
  get size(): number {
    return this.#addresses.size + this.#keys.size;
  }

  async take(owner: BudgetOwner, now: InstantMicros): Promise<BudgetDecision> {
    const { bucket } = this.#touch(owner, now);
    const allowed = takeToken(bucket);
    const state = { limit: owner.rps, remaining: wholeTokens(bucket) };
    return allowed ? { ...state, allowed } : { ...state, allowed, retryAfterSeconds: secondsToToken(bucket, owner.rps) };
  }

  async refund(owner: BudgetOwner, now: InstantMicros): Promise<BudgetState> {
    // An owner without a bucket has a full one already.
    const entry = this.#entryOf(owner);
    // What is given back may come from before the rate was changed: the bucket keeps the rate that it has.
    if (entry !== undefined) {
      bringUpToDate(entry, entry.rps, now);
      returnToken(entry.bucket, entry.rps);
    }
    return stateOf(entry, owner);
  }

  async peek(owner: BudgetOwner, now: InstantMicros): Promise<BudgetState> {
    return stateOf(this.#find(owner, now), owner);
  }

  #find(owner: BudgetOwner, now: InstantMicros): Entry | undefined {
    const entry = this.#entryOf(owner);
    if (entry !== undefined) bringUpToDate(entry, owner.rps, now);
    return entry;
  }

  #entryOf(owner: BudgetOwner): Entry | undefined {
    return this.#mapOf(owner).get(owner.id) ?? (this.#isCrowded(owner) ? (this.#overflow ?? undefined) : undefined);
  }

  #touch(owner: BudgetOwner, now: InstantMicros): Entry {
    const map = this.#mapOf(owner);
    const known = map.get(owner.id);
    if (known !== undefined) {
      bringUpToDate(known, owner.rps, now);
      map.delete(owner.id);
      map.set(owner.id, known);
      return known;
    }
    this.#forgetFull(map, now);
    if (this.#isCrowded(owner)) {
      this.#overflow ??= newEntry(owner, now);
      bringUpToDate(this.#overflow, owner.rps, now);
      return this.#overflow;
    }
    const entry = newEntry(owner, now);
    map.set(owner.id, entry);
    return entry;
  }

  #mapOf(owner: BudgetOwner): Map<string, Entry> {
    return owner.kind === 'key' ? this.#keys : this.#addresses;
  }

  #isCrowded(owner: BudgetOwner): boolean {
    return owner.kind === 'ip' && this.#addresses.size >= this.#limit;
  }

  #forgetFull(map: Map<string, Entry>, now: InstantMicros): void {
    let looks = 0;
    for (const [id, entry] of map) {
      if (looks++ === LOOKS_PER_ARRIVAL) return;
      refill(entry.bucket, entry.rps, now);
      if (entry.bucket.level === capacityOf(entry.rps)) map.delete(id);
    }
  }
}

function newEntry(owner: BudgetOwner, now: InstantMicros): Entry {
  return { bucket: fullBucket(owner.rps, now), rps: owner.rps };
}

/** A key's rate may have changed with its file: what was gathered at the old rate stays, up to the new reservoir. */
function bringUpToDate(entry: Entry, rps: number, now: InstantMicros): void {
  refill(entry.bucket, entry.rps, now);
  if (entry.rps === rps) return;
  entry.rps = rps;
  entry.bucket.level = Math.min(entry.bucket.level, capacityOf(rps));
}

function stateOf(entry: Entry | undefined, owner: BudgetOwner): BudgetState {
  return { limit: owner.rps, remaining: Math.floor((entry?.bucket.level ?? capacityOf(owner.rps)) / 1_000_000) };
}

import pMap from 'p-map';
import { LIMITS } from '../config/limits.ts';
import { readTokenFacts } from '../market/market.ts';
import type { TokenFacts } from '../snapshot/snapshot.ts';
import type { Address } from '../units/units.ts';
import { type IndexerVenue, type IndexerVenues, momentOf, type PinnedReader } from '../venues/venues.ts';
import { type Announced, type Found, foundBy } from './announced.ts';
import type { PoolBook } from './pool-book.ts';
import type { Refusals } from './refusals.ts';
import { isOfTheRequest, RpcError } from './rpc/rpc-error.ts';
import type { TrackedPool } from './tracked-pool.ts';

export type Settled = {
  /** Keys of the pools that changed. */
  readonly changed: readonly string[];
  /** About how many announcements, pools and tokens the node was asked and did not answer: they stay as they are, open, stale or wanted, until it does. */
  readonly unanswered: number;
  /** Announcements of which the chain says that there is no pool that can be followed. */
  readonly undescribed: number;
  /** Why the rest was not asked about: the node could not be asked any more. null: all of it was. */
  readonly fault: RpcError | null;
};

/**
 * Reads from the chain, at the book's tip, what the book can not derive: what announcements leave open, states of stale pools, facts of tokens that are new.
 * `onProgress` hears of the pools among them. Everything comes from the one block that the reader is pinned to. What was read before the node failed is kept; what it refused before is not asked
 * about before its time. Must not run beside anything else that changes the book.
 */
export async function settleBook(
  book: PoolBook,
  venues: IndexerVenues,
  read: PinnedReader,
  refusals: Refusals,
  onProgress: (done: number, total: number) => void = () => undefined,
): Promise<Settled> {
  const patience: Patience = { refusals: LIMITS.indexing.refusalsPerRead, fault: null };
  const asked = new Set<string>();
  /** Of these, those whose time it is. */
  const due = <Item>(items: readonly Item[], keyOf: (item: Item) => string): readonly Item[] => {
    const some = items.filter((item) => refusals.mayAsk(keyOf(item)));
    for (const item of some) asked.add(keyOf(item));
    return some;
  };
  const undescribed = await describeAnnounced(book, venues, read, patience, (open) => due(open, ofAnnouncement));
  const stale = due(book.stalePools(), ofPool);
  const wanted = due(book.wantedTokens(), ofToken);
  let done = 0;
  onProgress(done, stale.length);
  const loadOf = async ([venue, { track }]: readonly [string, IndexerVenue]): Promise<readonly TrackedPool[]> => {
    const ours = stale.filter((tracked) => tracked.venue === venue);
    const load = async (some: readonly TrackedPool[]) => {
      const states = await track.load(
        some.map(({ pool }) => pool),
        read,
        momentOf(book.tip),
      );
      done += some.length;
      onProgress(done, stale.length);
      return states;
    };
    const states = await readInParts(ours, load, patience);
    return ours.flatMap((tracked, at) => {
      const state = states[at];
      return state === UNANSWERED ? [] : [{ ...tracked, state, stale: false, read: book.tip }];
    });
  };
  // All venues beside each other: a block that has pools of many re-read takes as long as the one that asks most often in a row. Where they are as many as at a start, one after the other: no more is
  // asked for at once than parts of one venue are.
  const isFew = stale.length <= LIMITS.indexing.poolsPerLoad * LIMITS.indexing.loadsAtOnce;
  const [facts, loaded] = await Promise.all([
    readUntilFault(wanted, (some) => readTokenFacts(some, read), patience),
    pMap(venues, loadOf, { concurrency: isFew ? Math.max(1, venues.size) : 1 }),
  ]);
  const tokens = facts.filter((token): token is TokenFacts => token !== UNANSWERED && token !== null);
  const pools = new Map(loaded.flat().map((tracked) => [tracked.pool.key, tracked]));
  const changed = book.settle(pools, tokens);
  const waiting = [...book.announced().map(ofAnnouncement), ...book.stalePools().map(ofPool), ...book.wantedTokens().map(ofToken)];
  const unanswered = new Set(waiting.filter((key) => asked.has(key)));
  // Who does not answer at all has not refused anything.
  if (waiting.length === 0) refusals.clear();
  else if (patience.fault === null) refusals.note(asked, unanswered);
  return { changed: [...changed], unanswered: unanswered.size, undescribed, fault: patience.fault };
}

/** A pool and a token may share an address. */
const ofAnnouncement = ({ id }: Announced): string => `announcement ${id}`;
const ofPool = ({ pool }: TrackedPool): string => `pool ${pool.key}`;
const ofToken = (address: Address): string => `token ${address}`;

/** Describes what is announced; a list's entries are announcements of their own, which the next round describes. Returns how many are of nothing that can be followed. */
async function describeAnnounced(
  book: PoolBook,
  venues: IndexerVenues,
  read: PinnedReader,
  patience: Patience,
  due: (open: readonly Announced[]) => readonly Announced[],
): Promise<number> {
  let undescribed = 0;
  const tried = new Set<string>();
  for (let round = 0; round < LIMITS.indexing.describeRounds; round++) {
    const open = due(book.announced().filter(({ id }) => !tried.has(id)));
    if (open.length === 0) break;
    for (const { id } of open) tried.add(id);
    for (const [venue, { track }] of venues) {
      const ours = open.filter(({ deployment }) => deployment.venue === venue);
      const describe = async (some: readonly Announced[]) => {
        const described = (await track.describe?.(some, read, (key) => book.pool(key) !== undefined)) ?? [];
        return some.map(({ deployment }, at) => described[at]?.map((found) => foundBy(deployment, track, found)) ?? null);
      };
      const results = await readInParts<Announced, readonly Found[] | null>(ours, describe, patience);
      const answered = ours.filter((_, at) => results[at] !== UNANSWERED);
      undescribed += results.filter((result) => result === null).length;
      const found = results.flatMap((result) => (result === UNANSWERED || result === null ? [] : result));
      const pools = found.flatMap((one) => (one.kind === 'pool' ? [one.tracked] : []));
      const further = found.flatMap((one) => (one.kind === 'announcement' ? [one.announced] : []));
      book.describe(answered, pools, further);
    }
  }
  return undescribed;
}

/** Stands for what the node could not be asked about. */
const UNANSWERED = Symbol('unanswered');

type Patience = {
  /** How many more refusals are traced to the item that caused them: a node that refuses everything is not asked about everything one by one. */
  refusals: number;
  /** Why the node is not asked any more. */
  fault: RpcError | null;
};

/** As `readUntilFault`, in parts of a bounded size, a few at once. */
async function readInParts<Item, Result>(
  items: readonly Item[],
  read: (items: readonly Item[]) => Promise<readonly Result[]>,
  patience: Patience,
): Promise<readonly (Result | null | typeof UNANSWERED)[]> {
  const parts = chunksOf(items, LIMITS.indexing.poolsPerLoad);
  return (await pMap(parts, (part) => readUntilFault(part, read, patience), { concurrency: LIMITS.indexing.loadsAtOnce })).flat();
}

/** As `readWhatAnswers`; where the fault is not an item's, all are UNANSWERED and nothing more is asked. */
async function readUntilFault<Item, Result>(
  items: readonly Item[],
  read: (items: readonly Item[]) => Promise<readonly Result[]>,
  patience: Patience,
): Promise<readonly (Result | null | typeof UNANSWERED)[]> {
  if (patience.fault === null) {
    try {
      return await readWhatAnswers(items, read, patience);
    } catch (error) {
      if (!(error instanceof RpcError)) throw error;
      patience.fault ??= error;
    }
  }
  return items.map(() => UNANSWERED);
}

/**
 * Reads items together, and in ever smaller parts where that fails: an item that the node refuses to run is UNANSWERED, and null is one whose answers its venue can not
 * digest; the others do not suffer for either. Throws RpcError when the fault is not an item's.
 */
async function readWhatAnswers<Item, Result>(
  items: readonly Item[],
  read: (items: readonly Item[]) => Promise<readonly Result[]>,
  patience: Patience,
): Promise<readonly (Result | null | typeof UNANSWERED)[]> {
  if (items.length === 0) return [];
  try {
    return await read(items);
  } catch (error) {
    if (error instanceof RpcError && !isOfTheRequest(error.reason)) throw error;
    const refused = error instanceof RpcError;
    if (refused && (items.length === 1 || patience.refusals === 0)) {
      patience.refusals = Math.max(0, patience.refusals - 1);
      return items.map(() => UNANSWERED);
    }
    if (items.length === 1) return [null];
    const middle = items.length >> 1;
    const before = await readWhatAnswers(items.slice(0, middle), read, patience);
    return [...before, ...(await readWhatAnswers(items.slice(middle), read, patience))];
  }
}

function chunksOf<Item>(items: readonly Item[], size: number): readonly (readonly Item[])[] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, at) => items.slice(at * size, (at + 1) * size));
}

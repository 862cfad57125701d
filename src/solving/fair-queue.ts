import { LIMITS } from '../config/limits.ts';

/**
 * What kind of place a job asks for. 'short': its estimate is short, so the thread kept for such jobs may take it. 'suspect': jobs like it have killed threads, so it
 * is run apart from the others. 'long': the rest.
 */
export type Lane = 'short' | 'long' | 'suspect';

export const LANES: readonly Lane[] = ['short', 'long', 'suspect'];

/** What the queue has to know of a job. The lane may change while the job does not wait. */
export type Waiting = { readonly client: string; lane: Lane; estimateMs: number };

/** Jobs by lane, each with its number in the order of arrival. A Map removes from anywhere in constant time. */
type LaneMaps<Entry> = Readonly<Record<Lane, Map<Entry, number>>>;

type Client<Entry> = {
  /** Solver time charged so far, ms: whoever waits with least of it is next. */
  usedMs: number;
  /** Of that what it was charged besides, which it owes even when nobody else is there. */
  chargedMs: number;
  running: number;
  /** How many of its jobs wait ahead of all others. */
  ahead: number;
  readonly lanes: LaneMaps<Entry>;
  readonly waitingMs: Record<Lane, number>;
};

/**
 * A bounded queue that is fair between clients by the solver time they use, with equal weights, whatever their rates: start-time fair queueing (Goyal, Vin and Cheng,
 * SIGCOMM 1996), charged by estimate when a job starts and corrected when it ends. Within a client's lane it is first in, first out. Piscina's own queue is kept empty, so
 * this depth is exact: it is what sheds load. Entries can leave from the middle (a client that hung up, a budget that ended).
 */
export class FairQueue<Entry extends Waiting> {
  readonly limit: number;
  readonly #clients = new Map<string, Client<Entry>>();
  /** Those of the clients that have something waiting. */
  readonly #waiting = new Set<Client<Entry>>();
  readonly #ahead: LaneMaps<Entry> = laneMaps();
  /** Virtual time: nobody who comes (back) starts with less than this, so that resting saves up no claim. */
  #floorMs = 0;
  #arrivals = 0;
  #depth = 0;
  #running = 0;

  constructor(limit: number) {
    this.limit = limit;
  }

  get depth(): number {
    return this.#depth;
  }

  /** Clients remembered: those with jobs, and those that have used more than their share. */
  get clients(): number {
    return this.#clients.size;
  }

  /** Whether anything waits in the lane. */
  waitsIn(lane: Lane): boolean {
    if (this.#ahead[lane].size > 0) return true;
    for (const { lanes } of this.#waiting) if (lanes[lane].size > 0) return true;
    return false;
  }

  /** Whether a client's next job would be refused: it may hold as many places as it leaves free, so there is always one for somebody else. */
  isFullFor(name: string): boolean {
    return this.#depth >= this.limit || waitingJobs(this.#clients.get(name)) >= this.limit - this.#depth;
  }

  /** False when the queue is full for the client: the entry was not taken. */
  push(entry: Entry): boolean {
    if (this.isFullFor(entry.client)) return false;
    this.pushAnyway(entry);
    return true;
  }

  /** Takes an entry in above the limit if need be: one that had a place before. It waits behind its client's others. */
  pushAnyway(entry: Entry): void {
    const client = this.#clientOf(entry.client);
    if (waitingJobs(client) === 0) client.usedMs = Math.max(client.usedMs, this.#floorMs);
    client.lanes[entry.lane].set(entry, this.#arrivals++);
    client.waitingMs[entry.lane] += entry.estimateMs;
    this.#waiting.add(client);
    this.#depth++;
  }

  /** Puts an entry in front of all that are no such entries, above the limit if need be: for a request that is being built already. */
  pushAhead(entry: Entry): void {
    this.#clientOf(entry.client).ahead++;
    this.#ahead[entry.lane].set(entry, this.#arrivals++);
    this.#depth++;
  }

  /** Takes the next entry that waits in one of the lanes, and charges its client. Every entry taken is followed by one `ended`. */
  next(lanes: readonly Lane[]): Entry | undefined {
    const entry = oldestOf(this.#ahead, lanes) ?? this.#fairest(lanes);
    if (entry === undefined) return undefined;
    this.remove(entry);
    const client = this.#clientOf(entry.client);
    client.usedMs += entry.estimateMs;
    client.running++;
    this.#running++;
    return entry;
  }

  /** An entry that was taken has ended after so long on a thread. */
  ended(entry: Entry, ranMs: number): void {
    const client = this.#clientOf(entry.client);
    client.usedMs += ranMs - entry.estimateMs;
    client.running--;
    this.#running--;
    this.#forget(entry.client, client);
  }

  /** Counts so much time as used by a client, beyond what its jobs ran; negative: gives it back. */
  charge(name: string, ms: number): void {
    const client = this.#clientOf(name);
    client.chargedMs = Math.max(0, client.chargedMs + ms);
    // What is given back puts nobody before those who have used least: it may be owed no more.
    client.usedMs = Math.max(client.usedMs + ms, Math.min(client.usedMs, this.#floorMs));
    this.#forget(name, client);
  }

  /** True when the entry was still waiting. */
  remove(entry: Entry): boolean {
    const { client: name, lane } = entry;
    const client = this.#clients.get(name);
    if (client === undefined) return false;
    if (client.lanes[lane].delete(entry)) {
      client.waitingMs[lane] = client.lanes[lane].size === 0 ? 0 : client.waitingMs[lane] - entry.estimateMs;
      if (waitingJobs(client) === 0) this.#waiting.delete(client);
    } else if (this.#ahead[lane].delete(entry)) client.ahead--;
    else return false;
    this.#depth--;
    this.#forget(name, client);
    return true;
  }

  /** Puts what waits of a client into the lanes that it belongs to now. */
  relane(name: string, laneOf: (entry: Entry) => Lane): void {
    const client = this.#clients.get(name);
    if (client === undefined) return;
    // In the order in which they came, whichever lanes they came by.
    const waiting = LANES.flatMap((lane) => [...client.lanes[lane]]).sort(([, one], [, other]) => one - other);
    for (const lane of LANES) {
      client.lanes[lane].clear();
      client.waitingMs[lane] = 0;
    }
    for (const [entry, arrival] of waiting) {
      entry.lane = laneOf(entry);
      client.lanes[entry.lane].set(entry, arrival);
      client.waitingMs[entry.lane] += entry.estimateMs;
    }
  }

  /** Takes new estimates for all that wait. */
  revalue(estimateOf: (entry: Entry) => number): void {
    for (const lane of LANES) for (const entry of this.#ahead[lane].keys()) entry.estimateMs = estimateOf(entry);
    for (const client of this.#waiting) {
      for (const lane of LANES) {
        client.waitingMs[lane] = 0;
        for (const entry of client.lanes[lane].keys()) {
          entry.estimateMs = estimateOf(entry);
          client.waitingMs[lane] += entry.estimateMs;
        }
      }
    }
  }

  /** Estimated run time of all that wait, ms. */
  backlogMs(): number {
    let sum = 0;
    for (const lane of LANES) for (const entry of this.#ahead[lane].keys()) sum += entry.estimateMs;
    for (const client of this.#waiting) for (const lane of LANES) sum += client.waitingMs[lane];
    return sum;
  }

  /** Estimated run time, ms, of what would be taken out of these lanes before a job that the client added to one of them now. */
  aheadOf(name: string, lanes: readonly Lane[]): Readonly<Record<Lane, number>> {
    const own = this.#clients.get(name);
    const start = own !== undefined && this.#waiting.has(own) ? own.usedMs : Math.max(own?.usedMs ?? 0, this.#floorMs);
    const turnMs = start + (own === undefined ? 0 : sumOf(own.waitingMs, lanes));
    const sums = { short: 0, long: 0, suspect: 0 };
    for (const lane of lanes) for (const entry of this.#ahead[lane].keys()) sums[lane] += entry.estimateMs;
    for (const client of this.#waiting) {
      const waitingMs = sumOf(client.waitingMs, lanes);
      // Others are served until they have used as much as this client will have when the job's turn comes.
      const share = client === own ? 1 : waitingMs === 0 ? 0 : Math.min(1, Math.max(0, turnMs - client.usedMs) / waitingMs);
      for (const lane of lanes) sums[lane] += share * client.waitingMs[lane];
    }
    return sums;
  }

  /** Empties the queue. */
  *drain(): Generator<Entry> {
    for (let entry = this.next(LANES); entry !== undefined; entry = this.next(LANES)) {
      this.ended(entry, 0);
      yield entry;
    }
  }

  #fairest(lanes: readonly Lane[]): Entry | undefined {
    let chosen: Client<Entry> | undefined;
    let least = Number.POSITIVE_INFINITY;
    for (const client of this.#waiting) {
      if (client.usedMs < least) least = client.usedMs;
      if ((chosen === undefined || client.usedMs < chosen.usedMs) && lanes.some((lane) => client.lanes[lane].size > 0)) chosen = client;
    }
    // Where somebody is chosen: those who wait in other lanes alone keep nobody waiting, and newcomers are to begin below what they were charged.
    if (chosen !== undefined) this.#floorMs = Math.max(this.#floorMs, least);
    return chosen === undefined ? undefined : oldestOf(chosen.lanes, lanes);
  }

  #clientOf(name: string): Client<Entry> {
    const known = this.#clients.get(name);
    if (known !== undefined) return known;
    const made: Client<Entry> = { usedMs: this.#floorMs, chargedMs: 0, running: 0, ahead: 0, lanes: laneMaps(), waitingMs: { short: 0, long: 0, suspect: 0 } };
    if (this.#clients.size >= LIMITS.solving.rememberedClients) this.#sweep();
    this.#clients.set(name, made);
    return made;
  }

  /** A client without jobs is remembered only while it has used more than whoever would come now. */
  #forget(name: string, client: Client<Entry>): void {
    if (this.#depth === 0 && this.#running === 0) {
      // Nobody was kept waiting by what was used so far.
      for (const [known, one] of this.#clients) {
        // What others have used beyond it is paid.
        one.chargedMs = Math.min(one.chargedMs, Math.max(0, one.usedMs - this.#floorMs));
        one.usedMs = one.chargedMs;
        if (one.chargedMs === 0) this.#clients.delete(known);
      }
      this.#floorMs = 0;
    } else if (isAtRest(client) && client.usedMs <= this.#floorMs) this.#clients.delete(name);
  }

  #sweep(): void {
    for (const [name, client] of this.#clients) if (isAtRest(client) && client.usedMs <= this.#floorMs) this.#clients.delete(name);
    // By half, or every client that comes would cost a walk.
    for (const [name, client] of this.#clients) {
      if (this.#clients.size <= LIMITS.solving.rememberedClients / 2) return;
      if (isAtRest(client)) this.#clients.delete(name);
    }
  }
}

function laneMaps<Entry>(): LaneMaps<Entry> {
  return { short: new Map(), long: new Map(), suspect: new Map() };
}

function waitingJobs<Entry>(client: Client<Entry> | undefined): number {
  return client === undefined ? 0 : LANES.reduce((sum, lane) => sum + client.lanes[lane].size, 0);
}

function isAtRest<Entry>(client: Client<Entry>): boolean {
  return client.running === 0 && client.ahead === 0 && waitingJobs(client) === 0;
}

function sumOf(byLane: Readonly<Record<Lane, number>>, lanes: readonly Lane[]): number {
  let sum = 0;
  for (const lane of lanes) sum += byLane[lane];
  return sum;
}

function oldestOf<Entry>(maps: LaneMaps<Entry>, lanes: readonly Lane[]): Entry | undefined {
  let oldest: Entry | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const lane of lanes) {
    for (const [entry, arrival] of maps[lane]) {
      if (arrival < least) [oldest, least] = [entry, arrival];
      break;
    }
  }
  return oldest;
}

import { createHash } from 'node:crypto';
import { LIMITS } from '../config/limits.ts';
import type { SolverWork } from './solver-thread.ts';

type Deaths = { count: number; until: number /** Credit that they cost. */; cost: number };
type Count = { count: number; until: number };

/**
 * Remembers which jobs killed the thread they ran on, and which clients have credit. One death proves nothing, since whatever ends a thread hits some job. Clients earn credit by runs that come to
 * their end and pay for deaths with it, until the job is cleared by a second run; all of one that has none left, or never had any, is suspect while a job of its is not cleared. A job that did it
 * twice is guilty: for a while it is not run again for its client, and unproven kinds of its pair are suspect whoever asks. Bounded: what happened longest ago is forgotten first.
 */
export class PoisonRecord {
  /** Deaths by client and exact job. */
  readonly #deaths = new Map<string, Deaths>();
  /** Jobs with deaths, by client. */
  readonly #accused = new Map<string, Count>();
  readonly #guiltyPairs = new Map<string, Count>();
  /** In runs, by client. */
  readonly #credit = new Map<string, number>();

  /** Whether the client's exact job is not to be run. Costs nothing while no thread has died lately. */
  isPoison(client: string, work: SolverWork): boolean {
    this.#dropExpired();
    if (this.#deaths.size === 0) return false;
    const known = this.#deaths.get(keyOf(client, work));
    return known !== undefined && known.until > performance.now() && known.count >= LIMITS.solving.poison.deaths;
  }

  /** Whether the work is likely to kill its thread. `proven`: work of its kind ran to its end before. */
  isSuspect(client: string, work: SolverWork, proven: boolean): boolean {
    if (this.#accused.size === 0) return false;
    // Others trade the same pair: what ran to its end before is not suspected.
    if (!proven && (this.#guiltyPairs.get(pairOf(work))?.until ?? 0) > performance.now()) return true;
    const accused = this.#accused.get(client);
    return accused !== undefined && accused.until > performance.now() && !this.isTrusted(client);
  }

  /** Whether so many of the client's jobs ran to their end, for each under which a thread died, that the next is taken for harmless. */
  isTrusted(client: string): boolean {
    return (this.#credit.get(client) ?? 0) >= LIMITS.solving.credit.needed;
  }

  /** A thread died under the work. */
  died(client: string, work: SolverWork): void {
    const until = performance.now() + LIMITS.solving.poison.rememberedMs;
    const key = keyOf(client, work);
    const cost = (this.#deaths.get(key)?.cost ?? 0) + this.#addCredit(client, -LIMITS.solving.credit.perDeath);
    const count = this.#count(this.#deaths, key, { until, cost });
    if (count === 1) this.#count(this.#accused, client, { until });
    if (count === LIMITS.solving.poison.deaths) this.#count(this.#guiltyPairs, pairOf(work), { until });
  }

  /** The work ran to its end: deaths under it were not its fault. Returns how many those are. */
  survived(client: string, work: SolverWork): number {
    this.#addCredit(client, 1);
    if (this.#deaths.size === 0) return 0;
    const key = keyOf(client, work);
    const known = this.#deaths.get(key);
    if (known === undefined) return 0;
    this.#deaths.delete(key);
    this.#addCredit(client, known.cost);
    const accused = this.#accused.get(client);
    if (accused !== undefined && --accused.count <= 0) this.#accused.delete(client);
    return known.count;
  }

  /** Returns how much less it is than before. */
  #addCredit(client: string, runs: number): number {
    const before = this.#credit.get(client) ?? 0;
    const after = Math.min(Math.max(0, before + runs), LIMITS.solving.credit.most);
    put(this.#credit, client, after, LIMITS.solving.rememberedClients);
    return before - after;
  }

  /** Entries are in the order of their ends. */
  #dropExpired(): void {
    for (const map of [this.#deaths, this.#accused, this.#guiltyPairs]) {
      for (const [key, { until }] of map) {
        if (until > performance.now()) break;
        map.delete(key);
      }
    }
  }

  #count<Entry extends Count>(counts: Map<string, Entry>, key: string, entry: Omit<Entry, 'count'>): number {
    const known = counts.get(key);
    const count = known !== undefined && known.until > performance.now() ? known.count + 1 : 1;
    put(counts, key, { ...entry, count } as Entry, LIMITS.solving.poison.remembered);
    return count;
  }
}

function put<Value>(map: Map<string, Value>, key: string, value: Value, remembered: number): void {
  map.delete(key);
  map.set(key, value);
  for (const oldest of map.keys()) {
    if (map.size <= remembered) return;
    map.delete(oldest);
  }
}

function pairOf({ job }: SolverWork): string {
  return `${job.chainId}/${job.sellToken}/${job.buyToken}`;
}

/** Everything of a job but its deadline. A digest, since lists of venues can be long. */
function keyOf(client: string, { kind, job }: SolverWork): string {
  const { deadline: _, ...asked } = job;
  const text = JSON.stringify([client, kind, asked], (_name, value: unknown) => (typeof value === 'bigint' ? value.toString() : value));
  return createHash('sha256').update(text).digest('base64');
}

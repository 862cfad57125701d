import { createHash } from 'node:crypto';
import { LIMITS } from '../config/limits.ts';
import type { SolverWork } from './solver-thread.ts';

/**
 * Remembers which jobs killed the thread they ran on. One death proves nothing, since whatever ends a thread hits some job: until it is cleared by a second run, its client's
 * jobs of kinds that never ran to their end are suspect. A job that did it twice is guilty: for a while it is not run again for its client, and such kinds of its pair are suspect whoever asks, or
 * everything of a client with several guilty jobs. Bounded: what happened longest ago is forgotten first.
 */
export class PoisonRecord {
  /** Deaths by client and exact job. */
  readonly #deaths = new Map<string, { count: number; until: number }>();
  /** Jobs with deaths, by client. */
  readonly #accused = new Map<string, { count: number; until: number }>();
  readonly #guiltyPairs = new Map<string, { count: number; until: number }>();
  readonly #guiltyJobs = new Map<string, { count: number; until: number }>();

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
    const now = performance.now();
    // Others trade the same pair: what ran to its end before is not suspected.
    if (!proven && (this.#guiltyPairs.get(pairOf(work))?.until ?? 0) > now) return true;
    const accused = this.#accused.get(client);
    if (accused === undefined || accused.until <= now) return false;
    const guilty = this.#guiltyJobs.get(client);
    return (!proven && accused.count > 0) || (guilty !== undefined && guilty.until > now && guilty.count >= LIMITS.solving.poison.guiltyJobs);
  }

  /** A thread died under the work. */
  died(client: string, work: SolverWork): void {
    const until = performance.now() + LIMITS.solving.poison.rememberedMs;
    const deaths = this.#count(this.#deaths, keyOf(client, work), until);
    if (deaths === 1) this.#count(this.#accused, client, until);
    if (deaths !== LIMITS.solving.poison.deaths) return;
    this.#count(this.#guiltyPairs, pairOf(work), until);
    this.#count(this.#guiltyJobs, client, until);
  }

  /** The work ran to its end: deaths under it were not its fault. Returns how many those are. */
  survived(client: string, work: SolverWork): number {
    if (this.#deaths.size === 0) return 0;
    const key = keyOf(client, work);
    const known = this.#deaths.get(key);
    if (known === undefined) return 0;
    this.#deaths.delete(key);
    const accused = this.#accused.get(client);
    if (accused !== undefined && --accused.count <= 0) this.#accused.delete(client);
    return known.count;
  }

  /** Entries are in the order of their ends. */
  #dropExpired(): void {
    for (const map of [this.#deaths, this.#accused, this.#guiltyPairs, this.#guiltyJobs]) {
      for (const [key, { until }] of map) {
        if (until > performance.now()) break;
        map.delete(key);
      }
    }
  }

  #count(counts: Map<string, { count: number; until: number }>, key: string, until: number): number {
    const known = counts.get(key);
    const count = known !== undefined && known.until > performance.now() ? known.count + 1 : 1;
    put(counts, key, { count, until });
    return count;
  }
}

function put<Value>(map: Map<string, Value>, key: string, value: Value): void {
  map.delete(key);
  map.set(key, value);
  for (const oldest of map.keys()) {
    if (map.size <= LIMITS.solving.poison.remembered) return;
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

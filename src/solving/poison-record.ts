import { createHash } from 'node:crypto';
import { LIMITS } from '../config/limits.ts';
import type { SolverWork } from './solver-thread.ts';

/** What deaths took of what may be risked, and of trust. */
export type Spent = { readonly risk: number; readonly trust: number };

/** Deaths of one client's exact job, remembered until then. */
type Deaths = {
  readonly client: string;
  readonly count: number;
  readonly until: number;
  /** Credit that they cost. */
  readonly cost: number;
  readonly spent: Spent;
};

/**
 * Remembers which jobs killed the thread they ran on, and which clients have credit. One death proves nothing, since whatever ends a thread hits some job. Clients earn credit by runs that come to
 * their end and pay for deaths with it, until the job is cleared by a second run; all of one that has none left, or never had any, is suspect while a job of its is not cleared. A job that did it
 * twice is guilty: for a while it is not run again for its client, and unproven kinds of its pair are suspect whoever asks. Bounded: what happened longest ago is forgotten first.
 */
export class PoisonRecord {
  /** Deaths by client and exact job. */
  readonly #deaths = new Map<string, Deaths>();
  /** How many jobs with deaths are remembered, by client. */
  readonly #accused = new Map<string, number>();
  /** Until when. */
  readonly #guiltyPairs = new Map<string, number>();
  /** In runs, by client. */
  readonly #credit = new Map<string, number>();

  /** Whether the client's exact job is not to be run. Costs nothing while no thread has died lately. */
  isPoison(client: string, work: SolverWork): boolean {
    this.#dropExpired();
    if (this.#deaths.size === 0) return false;
    return (this.#deaths.get(keyOf(client, work))?.count ?? 0) >= LIMITS.solving.poison.deaths;
  }

  /** Whether the work is likely to kill its thread. `proven`: work of its kind ran to its end before. */
  isSuspect(client: string, work: SolverWork, proven: boolean): boolean {
    this.#dropExpired();
    // Others trade the same pair: what ran to its end before is not suspected.
    if (!proven && this.#guiltyPairs.size > 0 && this.#guiltyPairs.has(pairOf(work))) return true;
    return this.#accused.has(client) && !this.isTrusted(client);
  }

  /** Whether so many of the client's jobs ran to their end, for each under which a thread died, that the next is taken for harmless. */
  isTrusted(client: string): boolean {
    return (this.#credit.get(client) ?? 0) >= LIMITS.solving.credit.needed;
  }

  /** A thread died under the work, which took so much besides. */
  died(client: string, work: SolverWork, spent: Spent): void {
    this.#dropExpired();
    const { poison, credit } = LIMITS.solving;
    const until = performance.now() + poison.rememberedMs;
    const key = keyOf(client, work);
    const known = this.#deaths.get(key) ?? { count: 0, cost: 0, spent: { risk: 0, trust: 0 } };
    const count = known.count + 1;
    const cost = known.cost + this.#addCredit(client, -credit.perDeath);
    const all = { risk: known.spent.risk + spent.risk, trust: known.spent.trust + spent.trust };
    this.#forget(key);
    this.#deaths.set(key, { client, count, until, cost, spent: all });
    this.#accused.set(client, (this.#accused.get(client) ?? 0) + 1);
    const [oldest] = this.#deaths.keys();
    if (this.#deaths.size > poison.remembered && oldest !== undefined) this.#forget(oldest);
    if (count === poison.deaths) put(this.#guiltyPairs, pairOf(work), until, poison.remembered);
  }

  /** The work ran to its end: deaths under it were not its fault. Returns those and what they took; null: none. */
  survived(client: string, work: SolverWork): { readonly deaths: number; readonly spent: Spent } | null {
    this.#addCredit(client, 1);
    this.#dropExpired();
    if (this.#deaths.size === 0) return null;
    const key = keyOf(client, work);
    const known = this.#deaths.get(key);
    if (known === undefined) return null;
    this.#forget(key);
    this.#addCredit(client, known.cost);
    return { deaths: known.count, spent: known.spent };
  }

  /** Returns how much less it is than before. */
  #addCredit(client: string, runs: number): number {
    const before = this.#credit.get(client) ?? 0;
    const after = Math.min(Math.max(0, before + runs), LIMITS.solving.credit.most);
    put(this.#credit, client, after, LIMITS.solving.rememberedClients);
    return before - after;
  }

  /** Forgets deaths, and with a client's last ones what it is accused of. */
  #forget(key: string): void {
    const known = this.#deaths.get(key);
    if (known === undefined) return;
    this.#deaths.delete(key);
    const accused = (this.#accused.get(known.client) ?? 0) - 1;
    if (accused > 0) this.#accused.set(known.client, accused);
    else this.#accused.delete(known.client);
  }

  /** Entries are in the order of their ends. */
  #dropExpired(): void {
    if (this.#deaths.size === 0 && this.#guiltyPairs.size === 0) return;
    const now = performance.now();
    for (const [key, { until }] of this.#deaths) {
      if (until > now) break;
      this.#forget(key);
    }
    for (const [pair, until] of this.#guiltyPairs) {
      if (until > now) break;
      this.#guiltyPairs.delete(pair);
    }
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

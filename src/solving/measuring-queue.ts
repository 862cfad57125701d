import { LIMITS } from '../config/limits.ts';
import type { Address } from '../units/units.ts';
import { FairQueue, LANES } from './fair-queue.ts';
import type { Caller } from './outcome.ts';

/** The indexers' side: who has transfers of tokens measured. */
export type TokenMeasuring = {
  /** Has them measured now; ok once a snapshot with their verdicts is published. `block`: of the oldest of these, null where no pool trades any. Never rejects. */
  measure(chainId: number, tokens: readonly Address[]): Promise<Measuring>;
  /** Says that these are asked for, so that they are measured before anybody has to wait. */
  wanted(chainId: number, tokens: readonly Address[]): void;
};

type Measuring = { readonly ok: true; readonly block: number | null } | { readonly ok: false };

/** 'unavailable': there is no telling, now. 'busy': no place is left to wait at. 'gone': the caller's signal. */
export type WaitOutcome = (Measuring & { readonly ok: true }) | { readonly ok: false; readonly reason: 'unavailable' | 'busy' | 'gone' };

type Tell = (outcome: WaitOutcome) => void;

/** A client's place for a token, whichever of its requests want it. Each probe counts as one, whatever it takes. */
type Place = { readonly client: string; readonly lane: 'short'; estimateMs: number; readonly token: Address; readonly waiters: Set<Tell> };

const BOUNDS = LIMITS.measuring;
const PROBE = 1;

/** Who waits for tokens of one chain to be measured. */
class Line {
  readonly places = new FairQueue<Place>(BOUNDS.waitedFor);
  readonly #byToken = new Map<Address, Map<string, Place>>();
  /** Handed over to the indexer, with all who wait. */
  readonly #under = new Map<Address, Set<Tell>>();
  readonly #measure: (token: Address) => Promise<Measuring>;

  constructor(measure: (token: Address) => Promise<Measuring>) {
    this.#measure = measure;
  }

  wait(tokens: readonly Address[], { client, signal }: Caller): Promise<WaitOutcome> {
    return new Promise((resolve) => {
      const leave: (() => void)[] = [];
      const end = (outcome: WaitOutcome): void => {
        signal.removeEventListener('abort', hangUp);
        for (const leaveOne of leave) leaveOne();
        resolve(outcome);
      };
      const hangUp = (): void => end({ ok: false, reason: 'gone' });
      if (signal.aborted) return hangUp();
      signal.addEventListener('abort', hangUp, { once: true });
      const open = new Set(tokens);
      let oldest: number | null = null;
      for (const token of open) {
        const told: Tell = (outcome) => {
          if (!outcome.ok) return end(outcome);
          oldest = oldest === null || outcome.block === null ? (oldest ?? outcome.block) : Math.min(oldest, outcome.block);
          open.delete(token);
          if (open.size === 0) end({ ok: true, block: oldest });
        };
        const left = this.#join(token, client, told);
        if (left === null) return end({ ok: false, reason: 'busy' });
        leave.push(left);
      }
      this.#handOver();
    });
  }

  /** What takes a waiter away again; null where the client has no place left. */
  #join(token: Address, client: string, told: Tell): (() => void) | null {
    const under = this.#under.get(token);
    if (under !== undefined) {
      under.add(told);
      return () => under.delete(told);
    }
    let place = this.#byToken.get(token)?.get(client);
    if (place === undefined) {
      place = { client, lane: 'short', estimateMs: PROBE, token, waiters: new Set() };
      if (!this.places.push(place)) return null;
      const others = this.#byToken.get(token);
      if (others === undefined) this.#byToken.set(token, new Map([[client, place]]));
      else others.set(client, place);
    }
    const { waiters } = place;
    waiters.add(told);
    return () => {
      waiters.delete(told);
      // A place that nobody waits at any more is given up; one that was handed over is not in the queue.
      if (waiters.size === 0 && this.places.remove(place)) this.#forget(place);
    };
  }

  /** One probe serves all who wait for a token, so it is measured when it is the turn of the first of their clients, who is charged for it. */
  #handOver(): void {
    while (this.#under.size < BOUNDS.handedOver) {
      const next = this.places.next(LANES);
      if (next === undefined) return;
      const sharing = [...(this.#byToken.get(next.token)?.values() ?? [])];
      const waiters = new Set(sharing.flatMap((place) => [...place.waiters]));
      for (const place of sharing) {
        this.places.remove(place);
        this.#forget(place);
      }
      this.#under.set(next.token, waiters);
      void this.#probe(next, waiters);
    }
  }

  async #probe(place: Place, waiters: ReadonlySet<Tell>): Promise<void> {
    const measured = await this.#measure(place.token);
    this.#under.delete(place.token);
    this.places.ended(place, PROBE);
    for (const tell of [...waiters]) tell(measured.ok ? measured : { ok: false, reason: 'unavailable' });
    this.#handOver();
  }

  #forget({ token, client }: Place): void {
    const places = this.#byToken.get(token);
    places?.delete(client);
    if (places?.size === 0) this.#byToken.delete(token);
  }
}

/**
 * Who waits for tokens to be measured, by chain: fair between clients as the threads are (decision 104), one probe for a token whoever waits for it, and a place only for as long as somebody is there. The
 * indexer is handed no more at a time than keeps it busy, so that what comes later is still served by turns.
 */
export class MeasuringQueue {
  readonly limit = BOUNDS.waitedFor;
  readonly #measuring: TokenMeasuring;
  readonly #lines = new Map<number, Line>();

  constructor(measuring: TokenMeasuring) {
    this.#measuring = measuring;
  }

  /** Resolves once there are verdicts on all, or with what is in the way. Never rejects. */
  wait(chainId: number, tokens: readonly Address[], caller: Caller): Promise<WaitOutcome> {
    const line = this.#lines.get(chainId) ?? new Line((token) => this.#measuring.measure(chainId, [token]));
    this.#lines.set(chainId, line);
    return line.wait(tokens, caller);
  }

  wanted(chainId: number, tokens: readonly Address[]): void {
    this.#measuring.wanted(chainId, tokens);
  }

  /** Places that are taken on a chain: clients by the tokens that each waits for. */
  waiting(chainId: number): number {
    return this.#lines.get(chainId)?.places.depth ?? 0;
  }
}

import { LIMITS } from '../config/limits.ts';
import type { Address } from '../units/units.ts';
import type { IndexerCommand } from './thread-data.ts';

/**
 * What came of asking for verdicts. 'unavailable': the node could not be asked, or there is no indexer thread now, which says nothing about a token; 'busy': more tokens are waited
 * for than may be; 'cancelled': the caller's signal.
 */
export type MeasureOutcome = { readonly ok: true } | { readonly ok: false; readonly reason: 'unavailable' | 'busy' | 'cancelled'; readonly message: string };

/** The main thread's side of measuring: who waits for which token of one chain. */
export type MeasureRequests = {
  measure(tokens: readonly Address[], signal?: AbortSignal): Promise<MeasureOutcome>;
  wanted(tokens: readonly Address[]): void;
  /** The thread answered the command of that id. */
  answered(id: number, failure: string | null): void;
  /** The thread is gone: whoever waits waits in vain. */
  lost(): void;
  close(): void;
};

type Flight = { readonly tokens: readonly Address[]; readonly outcome: Promise<MeasureOutcome>; readonly land: (outcome: MeasureOutcome) => void };

const BOUNDS = LIMITS.measuring;
const DONE: MeasureOutcome = { ok: true };

/** `tell` posts to the indexer thread, false where there is none now. A token is in at most one command at a time, whoever asks for it. */
export function createMeasureRequests(tell: (command: IndexerCommand) => boolean): MeasureRequests {
  const flights = new Map<number, Flight>();
  const flightOf = new Map<Address, Flight>();
  const asked = new Set<Address>();
  let flush: NodeJS.Timeout | null = null;
  let lastId = 0;

  const end = (id: number, outcome: MeasureOutcome): void => {
    const flight = flights.get(id);
    if (flight === undefined) return;
    flights.delete(id);
    for (const token of flight.tokens) flightOf.delete(token);
    flight.land(outcome);
  };
  const start = (tokens: readonly Address[]): void => {
    const id = ++lastId;
    let land: Flight['land'] = () => undefined;
    const outcome = new Promise<MeasureOutcome>((resolve) => {
      land = resolve;
    });
    const flight: Flight = { tokens, outcome, land };
    flights.set(id, flight);
    for (const token of tokens) flightOf.set(token, flight);
    if (!tell({ kind: 'measure', id, tokens })) end(id, { ok: false, reason: 'unavailable', message: 'the chain is not followed now' });
  };
  return {
    async measure(tokens, signal) {
      const fresh = [...new Set(tokens)].filter((token) => !flightOf.has(token));
      if (flightOf.size + fresh.length > BOUNDS.waitedFor)
        return { ok: false, reason: 'busy', message: `more than ${BOUNDS.waitedFor} tokens wait to be measured` };
      const before = tokens.flatMap((token) => flightOf.get(token)?.outcome ?? []);
      if (fresh.length > 0) start(fresh);
      const started = fresh.map((token) => flightOf.get(token)?.outcome ?? UNTOLD);
      const outcomes = Promise.all([...before, ...started]).then((all) => all.find(({ ok }) => !ok) ?? DONE);
      return signal === undefined ? await outcomes : await Promise.race([outcomes, cancelled(signal)]);
    },
    wanted(tokens) {
      for (const token of tokens) if (asked.size < BOUNDS.wantedAtOnce) asked.add(token);
      flush ??= setTimeout(() => {
        flush = null;
        tell({ kind: 'wanted', tokens: [...asked] });
        asked.clear();
      }, BOUNDS.wantedEveryMs).unref();
    },
    answered(id, failure) {
      end(id, failure === null ? DONE : { ok: false, reason: 'unavailable', message: failure });
    },
    lost() {
      for (const id of [...flights.keys()]) end(id, { ok: false, reason: 'unavailable', message: 'the thread that follows the chain ended' });
    },
    close() {
      if (flush !== null) clearTimeout(flush);
      flush = null;
    },
  };
}

const UNTOLD: Promise<MeasureOutcome> = Promise.resolve({ ok: false, reason: 'unavailable', message: 'the chain is not followed now' });

/** Never rejects. The listener goes with the signal, which is a request's own. */
function cancelled(signal: AbortSignal): Promise<MeasureOutcome> {
  return new Promise((resolve) => {
    const say = (): void => resolve({ ok: false, reason: 'cancelled', message: 'the request ended before the tokens were measured' });
    if (signal.aborted) say();
    else signal.addEventListener('abort', say, { once: true });
  });
}

import { LIMITS } from '../config/limits.ts';
import type { Requested } from '../market/market.ts';
import type { Address } from '../units/units.ts';
import type { IndexerCommand } from './thread-data.ts';

/**
 * What came of asking for verdicts. `block`: of the oldest of those that there are now, null where no pool trades any of the tokens. 'unavailable': the node could not be asked, or there is no indexer
 * thread now, which says nothing about a token.
 */
export type MeasureOutcome =
  | { readonly ok: true; readonly block: number | null }
  | { readonly ok: false; readonly reason: 'unavailable'; readonly message: string };

/** The main thread's side of measuring: what was asked of the indexer thread of one chain. */
export type MeasureRequests = {
  measure(tokens: readonly Address[]): Promise<MeasureOutcome>;
  wanted(tokens: readonly Address[]): void;
  /** The thread answered the command of that id. */
  answered(id: number, outcome: Requested): void;
  /** The thread is gone: whoever waits waits in vain. */
  lost(): void;
  close(): void;
};

const BOUNDS = LIMITS.measuring;

/** `tell` posts to the indexer thread, false where there is none now. */
export function createMeasureRequests(tell: (command: IndexerCommand) => boolean): MeasureRequests {
  const waiting = new Map<number, (outcome: MeasureOutcome) => void>();
  const asked = new Set<Address>();
  let flush: NodeJS.Timeout | null = null;
  let lastId = 0;

  const end = (id: number, outcome: MeasureOutcome): void => {
    waiting.get(id)?.(outcome);
    waiting.delete(id);
  };
  return {
    measure(tokens) {
      return new Promise((resolve) => {
        const id = ++lastId;
        waiting.set(id, resolve);
        if (!tell({ kind: 'measure', id, tokens })) end(id, unavailable('the chain is not followed now'));
      });
    },
    wanted(tokens) {
      for (const token of tokens) if (asked.size < BOUNDS.wantedAtOnce) asked.add(token);
      flush ??= setTimeout(() => {
        flush = null;
        tell({ kind: 'wanted', tokens: [...asked] });
        asked.clear();
      }, BOUNDS.wantedEveryMs).unref();
    },
    answered(id, outcome) {
      end(id, outcome.ok ? outcome : unavailable(outcome.message));
    },
    lost() {
      for (const id of [...waiting.keys()]) end(id, unavailable('the thread that follows the chain ended'));
    },
    close() {
      if (flush !== null) clearTimeout(flush);
      flush = null;
    },
  };
}

function unavailable(message: string): MeasureOutcome {
  return { ok: false, reason: 'unavailable', message };
}

import { LIMITS } from '../config/limits.ts';

/** Who is left alone for a while, since they said so or failed too often: growing, capped pauses, by name. One is spared for each name at first, so that a lost packet costs nothing. */
export type Pauses = {
  /** How much longer a name is left alone, ms; 0: it is asked. */
  left(name: string): number;
  /** What failed before is forgotten; a pause that has begun goes on: what they answer meanwhile was asked before it. */
  succeeded(name: string): void;
  /** They are left alone for so long, up to the longest pause, since somebody else heard that they are to be: no failure is counted, and no later pause grows. */
  hold(name: string, ms: number): void;
  /**
   * They failed, or are busy; for how long they asked to be left alone, where they said so. Gives the pause that begins, ms; 0: none does yet. What fails during a pause was asked before it, as much at once as there was: no pause grows by
   * that, and it goes on for longer only where they say so now.
   */
  failed(name: string, kind: 'failed' | 'busy', retryAfterMs?: number | null): number;
};

export type PauseOptions = {
  /** Monotonic, ms. */
  readonly now: () => number;
  /** Absent: LIMITS.outbound.pauses. */
  readonly limits?: { readonly failures: number; readonly firstMs: number; readonly longestMs: number };
  /** How many names are remembered, those that failed last; absent: all, for names that come from configuration. */
  readonly names?: number;
};

type Standing = { failures: number; pauses: number; until: number };

export function createPauses({ now, limits = LIMITS.outbound.pauses, names = Number.POSITIVE_INFINITY }: PauseOptions): Pauses {
  const standings = new Map<string, Standing>();
  const standingOf = (name: string): Standing => {
    const known = standings.get(name) ?? { failures: 0, pauses: 0, until: 0 };
    standings.delete(name);
    standings.set(name, known);
    const [oldest] = standings.keys();
    if (standings.size > names && oldest !== undefined) standings.delete(oldest);
    return known;
  };
  return {
    left: (name) => Math.max(0, (standings.get(name)?.until ?? 0) - now()),
    succeeded(name) {
      const standing = standings.get(name);
      if (standing === undefined) return;
      if (standing.until > now()) Object.assign(standing, { failures: 0, pauses: 0 });
      else standings.delete(name);
    },
    hold(name, ms) {
      const standing = standingOf(name);
      standing.until = Math.max(standing.until, now() + Math.min(limits.longestMs, ms));
    },
    failed(name, kind, retryAfterMs = null) {
      const standing = standingOf(name);
      standing.failures += 1;
      if (standing.until > now()) {
        const until = now() + Math.min(limits.longestMs, kind === 'busy' ? (retryAfterMs ?? 0) : 0);
        if (until <= standing.until) return 0;
        standing.until = until;
        return until - now();
      }
      if (kind === 'failed' && standing.failures < limits.failures) return 0;
      const grown = Math.min(limits.longestMs, limits.firstMs * 2 ** Math.min(standing.pauses, 30));
      const pause = Math.min(limits.longestMs, Math.max(grown, retryAfterMs ?? 0));
      standing.pauses += 1;
      standing.until = now() + pause;
      return pause;
    },
  };
}

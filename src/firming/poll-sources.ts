import type { Pauses } from '../outbound/outbound.ts';
import type { FirmUpFailure, OutsideSource, PollSource } from '../venues/venues.ts';

/** What came of asking somebody in a block, without a swap. */
export type Polled = { readonly chainId: number; readonly source: string; readonly outcome: 'ok' | FirmUpFailure };

type Polling = {
  readonly chainId: number;
  readonly head: () => { readonly number: number } | null;
  readonly sources: () => readonly OutsideSource[];
  /** Those of the firm-ups: whoever is left alone is not polled either. */
  readonly pauses: Pauses;
  readonly onBusy: (source: string, ms: number) => void;
  readonly onPolled: (polled: Polled) => void;
  readonly ending?: AbortSignal | undefined;
};

/**
 * What to do when a block is new: each source is asked, once for each block and never twice at a time. Only who is busy is left alone for it: no swap has failed, and whether anybody attests is shown by those that do.
 */
export function pollSources(poll: PollSource, { chainId, head, sources, pauses, onBusy, onPolled, ending }: Polling): () => void {
  const signal = ending ?? new AbortController().signal;
  const underWay = new Set<string>();
  const askedAt = new Map<string, number>();
  const ask = async (source: OutsideSource): Promise<void> => {
    const { name } = source;
    underWay.add(name);
    const failure = await poll(source, signal).catch(() => ({ reason: 'invalid', retryAfterMs: null }) as const);
    underWay.delete(name);
    if (signal.aborted) return;
    onPolled({ chainId, source: name, outcome: failure?.reason ?? 'ok' });
    const pause = failure?.reason === 'busy' ? pauses.failed(name, 'busy', failure.retryAfterMs) : 0;
    if (pause > 0) onBusy(name, pause);
  };
  return () => {
    const block = head()?.number;
    if (block === undefined || signal.aborted) return;
    for (const source of sources()) {
      const { name } = source;
      if (underWay.has(name) || askedAt.get(name) === block || pauses.left(name) > 0) continue;
      askedAt.set(name, block);
      void ask(source);
    }
  };
}

import type { Firmed } from '../firming/firming.ts';
import type { IndexerReport } from '../indexing/indexing.ts';
import { FIRM_OUTCOMES, PRICE_OUTCOMES, REGISTRY_ENTRIES, within } from './label-values.ts';
import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';

/** What makers do, by the names that the configuration gives them. Nothing that they send reaches a label or a line. */
export function observeMakers(log: Log, metrics: Metrics) {
  const ends = new Map<string, NodeJS.Timeout>();
  const makerOf = (chain: string, source: string): string => within(metrics.makerNames.get(chain) ?? [], source);
  const throttle = (chain: string, maker: string, millis: number): void => {
    const name = `${chain} ${maker}`;
    clearTimeout(ends.get(name));
    metrics.makerThrottled.set({ chain, maker }, 1);
    ends.set(name, setTimeout(() => metrics.makerThrottled.set({ chain, maker }, 0), millis).unref());
    log.warn({ chain, maker, millis: Math.round(millis) }, 'a maker is left alone for a while');
  };
  for (const [chain, names] of metrics.makerNames) for (const maker of names) metrics.makerThrottled.set({ chain, maker }, 0);
  for (const [chain, names] of metrics.listedMakerNames) for (const maker of names) metrics.makerListed.set({ chain, maker }, 0);
  /** Whom the registry listed when it was read last. */
  const listed = new Map<string, string>();
  return {
    listed(chain: string, { sources, entries, unread }: Extract<IndexerReport, { kind: 'listed' }>): void {
      const names = metrics.listedMakerNames.get(chain) ?? [];
      const served = names.filter((name) => sources.some((source) => source.name === name));
      for (const maker of names) metrics.makerListed.set({ chain, maker }, served.includes(maker) ? 1 : 0);
      metrics.registryReads.inc({ chain, outcome: unread > 0 ? 'failed' : 'ok' });
      for (const outcome of entries === null ? [] : REGISTRY_ENTRIES) metrics.registryEntries.set({ chain, outcome }, entries?.[outcome] ?? 0);
      if (listed.get(chain) === served.join()) return;
      listed.set(chain, served.join());
      log.info({ chain, makers: served }, 'the registry lists these makers');
    },
    firmed({ chainId, source, outcome, millis, shortfall }: Firmed): void {
      const chain = metrics.chainNames.get(chainId);
      if (chain === undefined) return;
      const maker = makerOf(chain, source);
      metrics.firmUp.observe({ chain, maker, outcome: within(FIRM_OUTCOMES, outcome) }, millis / 1000);
      if (shortfall !== null) metrics.firmUpShortfall.observe({ chain, maker }, shortfall);
      if (outcome !== 'ok') log.warn({ chain, maker, outcome, millis: Math.round(millis) }, 'a maker did not sign');
    },
    paused(chainId: number, source: string, millis: number): void {
      const chain = metrics.chainNames.get(chainId);
      if (chain !== undefined) throttle(chain, makerOf(chain, source), millis);
    },
    asked(chain: string, { source, outcome, malformed, pausedMs }: Extract<IndexerReport, { kind: 'outside-asked' }>): void {
      const maker = makerOf(chain, source);
      metrics.makerPrices.inc({ chain, maker, outcome: within(PRICE_OUTCOMES, outcome) });
      if (malformed > 0) metrics.makerMalformed.inc({ chain, maker }, malformed);
      if (pausedMs > 0) throttle(chain, maker, pausedMs);
    },
  };
}

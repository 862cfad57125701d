import type { Firmed, Polled } from '../firming/firming.ts';
import type { IndexerReport } from '../indexing/indexing.ts';
import { FIRM_OUTCOMES, PRICE_OUTCOMES, REGISTRY_ENTRIES, within } from './label-values.ts';
import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';

/** What makers and attesters do, by the names that the configuration gives them. Nothing that they send reaches a label or a line. */
export function observeMakers(log: Log, metrics: Metrics) {
  const ends = new Map<string, { readonly at: number; readonly timer: NodeJS.Timeout }>();
  const makerOf = (chain: string, source: string): string => within(metrics.makerNames.get(chain) ?? [], source);
  const attesterOf = (chain: string, source: string): string => within(metrics.attesterNames.get(chain) ?? [], source);
  const untilThen = (name: string, millis: number, set: (value: 0 | 1) => void): void => {
    const at = performance.now() + millis;
    const before = ends.get(name);
    // What was in flight when a pause began may bring a shorter one, which does not end it.
    if (before !== undefined && before.at >= at) return;
    clearTimeout(before?.timer);
    set(1);
    ends.set(name, { at, timer: setTimeout(() => set(0), millis).unref() });
  };
  const throttle = (chain: string, maker: string, millis: number): void => {
    untilThen(`${chain} ${maker}`, millis, (value) => metrics.makerThrottled.set({ chain, maker }, value));
    log.warn({ chain, maker, millis: Math.round(millis) }, 'a maker is left alone for a while');
  };
  for (const [chain, names] of metrics.makerNames) for (const maker of names) metrics.makerThrottled.set({ chain, maker }, 0);
  for (const [chain, names] of metrics.attesterNames) for (const attester of names) metrics.attesterThrottled.set({ chain, attester }, 0);
  for (const [chain, names] of metrics.makerNames) {
    const listedNames = metrics.listedMakerNames.get(chain) ?? [];
    for (const maker of names) metrics.makerListed.set({ chain, maker }, listedNames.includes(maker) ? 0 : 1);
    for (const outcome of REGISTRY_ENTRIES) metrics.registryEntries.set({ chain, outcome }, 0);
  }
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
    firmed({ chainId, source, signs, millis, shortfall, ...firmed }: Firmed): void {
      const chain = metrics.chainNames.get(chainId);
      if (chain === undefined) return;
      const outcome = within(FIRM_OUTCOMES, firmed.outcome);
      if (signs === 'attestation') {
        const attester = attesterOf(chain, source);
        metrics.attestation.observe({ chain, attester, outcome }, millis / 1000);
        if (outcome !== 'ok') log.warn({ chain, attester, outcome, millis: Math.round(millis) }, 'no attestation of the next blocks');
        return;
      }
      const maker = makerOf(chain, source);
      metrics.firmUp.observe({ chain, maker, outcome }, millis / 1000);
      if (shortfall !== null) metrics.firmUpShortfall.observe({ chain, maker }, shortfall);
      if (outcome !== 'ok') log.warn({ chain, maker, outcome, millis: Math.round(millis) }, 'a maker did not sign');
    },
    paused(chainId: number, source: string, millis: number): void {
      const chain = metrics.chainNames.get(chainId);
      if (chain !== undefined) throttle(chain, makerOf(chain, source), millis);
    },
    attesterPaused(chainId: number, source: string, millis: number): void {
      const chain = metrics.chainNames.get(chainId);
      if (chain === undefined) return;
      const attester = attesterOf(chain, source);
      untilThen(`${chain} ${attester}`, millis, (value) => metrics.attesterThrottled.set({ chain, attester }, value));
      log.warn({ chain, attester, millis: Math.round(millis) }, 'an attester is left alone for a while');
    },
    attesterPolled({ chainId, source, outcome }: Polled): void {
      const chain = metrics.chainNames.get(chainId);
      if (chain !== undefined) metrics.attestationPolls.inc({ chain, attester: attesterOf(chain, source), outcome: within(FIRM_OUTCOMES, outcome) });
    },
    asked(chain: string, { source, outcome, malformed, pausedMs }: Extract<IndexerReport, { kind: 'outside-asked' }>): void {
      const maker = makerOf(chain, source);
      metrics.makerPrices.inc({ chain, maker, outcome: within(PRICE_OUTCOMES, outcome) });
      if (malformed > 0) metrics.makerMalformed.inc({ chain, maker }, malformed);
      if (pausedMs > 0) throttle(chain, maker, pausedMs);
    },
  };
}

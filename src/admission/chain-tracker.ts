// Called from the main thread only.
import type { Chain, ChainView, HostedChain } from '../chains/chains.ts';
import type { IndexerReport } from '../indexing/indexing.ts';
import type { BlockRef } from '../snapshot/snapshot.ts';
import type { Address, DurationMs } from '../units/units.ts';

export type TrackedChain = HostedChain & {
  /** Takes in what the chain's indexer thread says. */
  report(report: IndexerReport): void;
};

export type TrackedChainOptions = Omit<HostedChain, 'view' | 'chain'> & {
  readonly chain: Chain;
  readonly wrappedNative: Address;
  /** Milliseconds of the wall clock since 1970. */
  readonly wallClock?: () => number;
  /** Milliseconds of a clock that never goes back. */
  readonly monotonic?: () => number;
};

/**
 * A chain whose view follows its indexer's reports. Its age is that of the head, by whichever clock shows more: the wall clock against the block's
 * timestamp (a node that lags hands out old blocks), or the time since this block first came in (a chain whose timestamps run ahead, or a wall clock that
 * runs behind, would look fresh for ever).
 */
export function trackChain(options: TrackedChainOptions): TrackedChain {
  const { wallClock = Date.now, monotonic = () => performance.now(), ...hosted } = options;
  let head: { readonly block: BlockRef; readonly labels: readonly string[]; readonly since: number } | null = null;
  return {
    ...hosted,
    report(report) {
      if (report.kind !== 'published' || report.chainId !== hosted.chain.chainId) return;
      // The same block again, with a token or a price added, is no newer.
      const since = head?.block.hash === report.block.hash ? head.since : monotonic();
      head = { block: report.block, labels: report.labels, since };
    },
    view(): ChainView {
      if (head === null) return { phase: 'coming-up', labels: [] };
      const age = Math.max(0, wallClock() - head.block.timestamp * 1000, monotonic() - head.since) as DurationMs;
      return { phase: 'live', block: head.block, age, labels: head.labels };
    },
  };
}

/** May the chain be quoted now? A pool set is always fresh. */
export function chainCondition(hosted: HostedChain, view: ChainView): 'fresh' | 'stale' | 'coming-up' {
  if (view.phase === 'coming-up') return 'coming-up';
  return view.phase === 'frozen' || view.age <= hosted.freshnessBound ? 'fresh' : 'stale';
}

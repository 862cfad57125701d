// Called from the main thread only.
import type { Chain, ChainView, HostedChain } from '../chains/chains.ts';
import { LIMITS } from '../config/config.ts';
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

type Head = { readonly block: BlockRef; readonly labels: readonly string[]; readonly since: number };

/**
 * A chain whose view follows its indexer's reports. Its age is that of the head, by whichever clock shows more: the wall clock against the block's
 * timestamp (a node that lags hands out old blocks), or the time since a new block last came in (a chain whose timestamps run ahead, or a wall clock that
 * runs behind, would look fresh for ever).
 */
export function trackChain(options: TrackedChainOptions): TrackedChain {
  const { wallClock = Date.now, monotonic = () => performance.now(), ...hosted } = options;
  let head: Head | null = null;
  /** Blocks that were published lately: one that comes again, as of backends that differ, is no newer. */
  const seen = new Set<string>();
  let orphaned = false;
  /** `unread`: by their own state, which nobody but their venue's contracts makes; who makes tokens that no node can run must not make a chain stale. */
  const pools = { followed: 0, unread: 0, absent: 0, mostUnreadSince: null as number | null };

  const published = (block: BlockRef, labels: readonly string[]): void => {
    const isNew = head === null || (block.number >= head.block.number && !seen.has(block.hash));
    head = { block, labels, since: head === null || isNew ? monotonic() : head.since };
    seen.add(block.hash);
    const [oldest] = seen;
    if (seen.size > LIMITS.indexing.journalBlocks && oldest !== undefined) seen.delete(oldest);
  };
  const counted = (): void => {
    const most = pools.unread > pools.followed * LIMITS.indexing.unreadShare;
    pools.mostUnreadSince = most ? (pools.mostUnreadSince ?? monotonic()) : null;
  };
  const brokenBy = (): 'orphaned' | 'unread' | null => {
    if (orphaned) return 'orphaned';
    return pools.mostUnreadSince !== null && monotonic() - pools.mostUnreadSince > hosted.freshnessBound ? 'unread' : null;
  };

  return {
    ...hosted,
    report(report) {
      if (report.chainId !== hosted.chain.chainId) return;
      switch (report.kind) {
        case 'published':
          return published(report.block, report.labels);
        case 'orphaned':
          orphaned = report.orphaned;
          return;
        case 'waiting':
          pools.unread = report.pools;
          // What is announced and not described stands for a pool at least.
          pools.absent = report.absent + report.announcements;
          return counted();
        case 'followed':
          pools.followed = Object.values(report.pools).reduce((sum, count) => sum + count, 0);
          return counted();
      }
    },
    view(): ChainView {
      if (head === null) return { phase: 'coming-up', labels: [] };
      const age = Math.max(0, wallClock() - head.block.timestamp * 1000, monotonic() - head.since) as DurationMs;
      const broken = brokenBy();
      return { phase: 'live', block: head.block, age, labels: head.labels, unreadPools: pools.absent, ...(broken === null ? {} : { broken }) };
    },
  };
}

/** May the chain be quoted now? A pool set is always fresh. */
export function chainCondition(hosted: HostedChain, view: ChainView): 'fresh' | 'stale' | 'coming-up' {
  if (view.phase === 'coming-up') return 'coming-up';
  if (view.phase === 'frozen') return 'fresh';
  return view.broken === undefined && view.age <= hosted.freshnessBound ? 'fresh' : 'stale';
}

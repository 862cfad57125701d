import type { IndexerReport } from '../indexing/indexing.ts';
import { CHECKPOINT_READS, CHECKPOINT_WRITES, within } from './label-values.ts';
import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';

type CheckpointReport = Extract<IndexerReport, { kind: `checkpoint-${string}` }>;

/** What an indexer says of what it keeps over a restart. Why one was not used it says in a line of its own. */
export function observeCheckpoint(log: Log, metrics: Metrics, chain: string, report: CheckpointReport): void {
  switch (report.kind) {
    case 'checkpoint-written':
      metrics.checkpointWrites.inc({ chain, outcome: 'written' });
      metrics.checkpointDuration.set({ chain }, report.millis / 1000);
      metrics.checkpointPart.set({ chain }, report.longestPartMs / 1000);
      metrics.checkpointBlock.set({ chain }, report.block);
      metrics.checkpointBytes.set({ chain }, report.bytes);
      metrics.checkpointTime.set({ chain }, Date.now() / 1000);
      return;
    case 'checkpoint-failed':
      metrics.checkpointWrites.inc({ chain, outcome: within(CHECKPOINT_WRITES, report.reason) });
      log.error({ chain, detail: report.message.slice(0, 1000) }, 'no checkpoint could be written');
      return;
    case 'checkpoint-read':
      metrics.checkpointReads.inc({ chain, outcome: within(CHECKPOINT_READS, report.outcome) });
      if (report.outcome === 'resumed' || report.outcome === 'pools-kept') {
        log.info({ chain, blocksBehind: report.blocksBehind, outcome: report.outcome }, 'going on from a checkpoint');
      }
      return;
    default:
      throw new TypeError(`unknown report ${JSON.stringify(report satisfies never)}`);
  }
}

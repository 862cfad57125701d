import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { LIMITS } from '../config/limits.ts';
import type { Address } from '../units/units.ts';
import type { ChainAnswer, ChainCall, SwitchedOff } from '../venues/venues.ts';
import { createMeasureRequests, type MeasureOutcome } from './measure-requests.ts';
import { createReadRequests } from './read-requests.ts';
import type { IndexerReport } from './report.ts';
import type { IndexerCommand, IndexerThreadData } from './thread-data.ts';

export type IndexerOptions = {
  readonly onReport: (report: IndexerReport) => void;
  /** The thread's entry; absent: workers/indexer. */
  readonly entry?: URL;
};

export type IndexerHandle = {
  /** Resolves when the thread is gone. */
  stop(): Promise<void>;
  /** Nothing of that stays in the snapshot; what is not named comes back. */
  switchOff(off: SwitchedOff): void;
  /**
   * Has the transfers of tokens measured at the chain's head. Resolves to ok once an epoch with their verdicts is published: pin again to see them. Whoever waits for a token that
   * is being measured waits for the same probe. Never rejects: a node or a thread that does not answer is an outcome.
   */
  measure(tokens: readonly Address[]): Promise<MeasureOutcome>;
  /** Asks contracts at a block. null: the node could not be asked, or not before the signal. Never rejects. */
  read(blockHash: `0x${string}`, calls: readonly ChainCall[], signal: AbortSignal): Promise<readonly ChainAnswer[] | null>;
  /** Has somebody who prices off the chain left alone for so long. */
  pauseSource(venue: string, name: string, ms: number): void;
  /** Says that tokens were asked for: their verdicts are kept fresh for a while. Cheap: told to the thread a few times a second, all at once. */
  wanted(tokens: readonly Address[]): void;
};

/** Code under development is TypeScript, and the entry beside it too; compiled code is JavaScript. */
const ENTRY = new URL(`../../workers/indexer${extname(fileURLToPath(import.meta.url))}`, import.meta.url);

/**
 * Starts the indexer thread of one chain and keeps one running: a thread that dies is replaced, with growing pauses (faults A24). The successor works on the same
 * buffers: readers keep what is published, and the snapshot's writer takes over at the published head, which is why it starts only after the exit event. It
 * goes on from the last checkpoint, or reads the chain anew, since what the dead thread knew went with it. Called by the main thread.
 */
export function startIndexer(data: IndexerThreadData, options: IndexerOptions): IndexerHandle {
  const { first, longest } = LIMITS.indexing.restartBackoffMs;
  let stopping = false;
  let off = data.switchedOff;
  let pause: number = first;
  let worker: Worker | null = null;
  let timer: NodeJS.Timeout | undefined;
  let exited: Promise<void> = Promise.resolve();
  let orphaned = false;
  /** What is published counts as orphaned, and the thread that said so is gone. */
  let inherited = false;
  const hear = (report: IndexerReport): void => {
    if (report.kind === 'published') pause = first;
    if (report.kind === 'measured') requests.answered(report.id, report.outcome);
    if (report.kind === 'read') reads.answered(report.id, report.answers);
    if (report.kind === 'orphaned') {
      orphaned = report.orphaned;
      inherited = false;
    }
    options.onReport(report);
    // The successor reads the chain anew and knows of no orphan: what it publishes takes the place of that one.
    if (report.kind === 'published' && inherited) hear({ kind: 'orphaned', chainId: data.chainId, orphaned: false });
  };

  const tell = (command: IndexerCommand): boolean => {
    worker?.postMessage(command);
    return worker !== null;
  };
  const requests = createMeasureRequests(tell);
  const reads = createReadRequests(tell);

  const start = (): void => {
    const workerData: IndexerThreadData = off === undefined ? data : { ...data, switchedOff: off };
    const thread = new Worker(options.entry ?? ENTRY, { workerData, name: `indexer-${data.chainId}` });
    worker = thread;
    thread.on('message', hear);
    let reason = 'it ended';
    thread.on('error', (error) => {
      reason = error instanceof Error ? error.message : String(error);
    });
    exited = new Promise((resolve) => {
      thread.once('exit', () => {
        worker = null;
        inherited = orphaned;
        requests.lost();
        reads.lost();
        resolve();
        if (stopping) return;
        const message = `the indexer thread died and is started again in ${pause} ms: ${reason}`;
        options.onReport({ kind: 'log', chainId: data.chainId, level: 'error', message });
        options.onReport({ kind: 'restarted', chainId: data.chainId });
        timer = setTimeout(start, pause);
        pause = Math.min(longest, pause * 2);
      });
    });
  };

  start();
  return {
    switchOff(next) {
      off = next;
      tell({ kind: 'switch-off', off: next });
    },
    measure: requests.measure,
    pauseSource: (venue, name, ms) => void tell({ kind: 'pause-source', venue, name, ms }),
    wanted: requests.wanted,
    read: reads.read,
    async stop() {
      stopping = true;
      clearTimeout(timer);
      requests.close();
      const thread = worker;
      if (thread === null) return;
      tell({ kind: 'stop' });
      const overdue = setTimeout(() => void thread.terminate(), LIMITS.indexing.stopMs);
      await exited;
      clearTimeout(overdue);
    },
  };
}

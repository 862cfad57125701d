import { LIMITS } from '../config/limits.ts';
import { SnapshotWriter } from '../snapshot/snapshot.ts';
import { loadIndexerVenues, loadStreamVenues } from '../venues/venues.ts';
import { createChainReads } from './chain-reads.ts';
import { createFlush } from './flush-reports.ts';
import type { Follower } from './follower.ts';
import { createPinnedReader } from './multicall.ts';
import { openFollower } from './open-follower.ts';
import { openOutsidePrices } from './outside-prices.ts';
import type { IndexerReport } from './report.ts';
import { RpcError } from './rpc/rpc-error.ts';
import type { CommandListener, IndexerThreadData } from './thread-data.ts';

/**
 * Runs an indexer until `signal` aborts. Only the thread's entry calls it. It owns the snapshot's writer: construct no other over the same buffers meanwhile.
 * `onCommands` hands over who is to hear of commands. Resolves when stopped; rejects only when it can not go on, and then the main thread starts another thread over the same buffers.
 */
export async function runIndexer(
  data: IndexerThreadData,
  report: (report: IndexerReport) => void,
  signal: AbortSignal,
  onCommands: (listener: CommandListener) => void = () => undefined,
): Promise<void> {
  const waker = createWaker(signal);
  const streams = await loadStreamVenues();
  const { follower, rpc, checkpoints } = openFollower(data, {
    venues: await loadIndexerVenues(),
    streams,
    writer: new SnapshotWriter(data.buffers),
    report(said) {
      report(said);
      if (said.kind === 'published') outside.blockPublished(said.block);
    },
    onBlock: (header, logs) => outside.blockTaken(header, logs),
    onHead: waker.wake,
    startDepthBlocks: LIMITS.indexing.startDepthBlocks,
  });
  const readAt = (hash: `0x${string}`) => createPinnedReader(rpc, hash);
  const outside = openOutsidePrices(data, { venues: streams, follower, readAt, report });
  const read = createChainReads(readAt);
  onCommands((command) => {
    switch (command.kind) {
      case 'switch-off':
        follower.switchOff(command.off);
        break;
      case 'measure':
        follower.measure(command.tokens, (outcome) => report({ kind: 'measured', chainId: data.chainId, id: command.id, outcome }));
        return;
      case 'read':
        void read(command.blockHash, command.calls).then((answers) => report({ kind: 'read', chainId: data.chainId, id: command.id, answers }));
        return;
      case 'pause-source':
        outside.pause(command.venue, command.name, command.ms);
        return;
      case 'wanted':
        follower.wanted(command.tokens);
        return;
      default:
        command satisfies never;
    }
    waker.wake();
  });
  // Also during a step: the first of a chain may take an hour, and what its nodes do then is what an operator looks for.
  const flushing = setInterval(createFlush(rpc, data.chainId, report), LIMITS.indexing.flushMs);
  try {
    await follow(follower, data, report, waker, signal);
  } finally {
    clearInterval(flushing);
    await outside.close();
    rpc.close();
    await checkpoints?.close();
    await follower.settled();
  }
}

async function follow(follower: Follower, data: IndexerThreadData, report: (report: IndexerReport) => void, waker: Waker, signal: AbortSignal): Promise<void> {
  const { chainId } = data;
  const bounds = LIMITS.indexing;
  let bugs = 0;
  let silentSince: string | null = null;
  while (!signal.aborted) {
    try {
      const published = await follower.step();
      if (silentSince !== null) report({ kind: 'log', chainId, level: 'info', message: 'the chain is followed again' });
      silentSince = null;
      if (published) bugs = 0;
    } catch (error) {
      if (signal.aborted) return;
      const message = error instanceof Error ? error.message : String(error);
      if (error instanceof RpcError) {
        // Said once per kind of trouble, not once per poll.
        if (silentSince !== error.reason) report({ kind: 'log', chainId, level: 'warn', message: `the chain can not be followed now: ${message}` });
        silentSince = error.reason;
      } else {
        // A bug of ours: what is known may be wrong, so it is built anew; if that does not help, so is the thread.
        report({ kind: 'log', chainId, level: 'error', message: `a block could not be taken in: ${message}` });
        if (++bugs >= bounds.bugsPerThread) throw error;
        follower.forget();
      }
    }
    await waker.wait(data.pollMs);
  }
}

type Waker = {
  wake(): void;
  /** Resolves after a pause, at once when woken or when the thread is to stop. A wake while nobody waits is kept. */
  wait(ms: number): Promise<void>;
};

function createWaker(stop: AbortSignal): Waker {
  let pending = false;
  let resume: (() => void) | null = null;
  const wake = (): void => {
    pending = true;
    resume?.();
  };
  stop.addEventListener('abort', wake, { once: true });
  return {
    wake,
    async wait(ms) {
      let timer: NodeJS.Timeout | undefined;
      if (!pending) {
        await new Promise<void>((resolve) => {
          resume = resolve;
          timer = setTimeout(resolve, ms);
        });
      }
      clearTimeout(timer);
      resume = null;
      pending = false;
    },
  };
}

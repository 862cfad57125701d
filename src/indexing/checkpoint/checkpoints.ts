import { LIMITS } from '../../config/limits.ts';
import type { ChainReader } from '../chain-reader.ts';
import type { Clock } from '../clock.ts';
import type { ChainHeader } from '../header.ts';
import type { PoolBook } from '../pool-book.ts';
import type { IndexerReport } from '../report.ts';
import { RpcError } from '../rpc/rpc-error.ts';
import type { AdverseVerdict, BookState, CheckpointIdentity, CheckpointRefusal } from './checkpoint.ts';
import { readCheckpointFile, removeUnfinished, writeCheckpointFile } from './checkpoint-file.ts';
import { decodeCheckpoint } from './decode-checkpoint.ts';
import { encodeCheckpoint } from './encode-checkpoint.ts';

export type CheckpointParts = {
  readonly file: string;
  readonly identity: CheckpointIdentity;
  readonly report: (report: IndexerReport) => void;
  readonly clock: Clock;
  /** What is known now against tokens that are trusted where nothing is. */
  readonly verdicts: () => readonly AdverseVerdict[];
  /** Called once, before anything is gone on from, with what was known. */
  readonly onVerdicts: (verdicts: readonly AdverseVerdict[]) => void;
};

/** The checkpoints of one chain: what a process before this one kept, and what this one keeps, from time to time and beside the following. */
export class Checkpoints {
  readonly #parts: CheckpointParts;
  /** What the file says; undefined: it was not read yet, null: it is not gone on from. */
  #kept: BookState | null | undefined;
  /** Since when, and how often, the chain did not show its block. */
  #doubt: { readonly since: number; polls: number } | null = null;
  #dueAt = 0;
  #writing: Promise<void> | null = null;
  #closing = false;

  constructor(parts: CheckpointParts) {
    this.#parts = parts;
  }

  /** What can be gone on from, since the chain that leads to `head` has its block; null where there is nothing. Throws RpcError where the chain can not be asked: then ask again. */
  async resume(reader: ChainReader, head: ChainHeader): Promise<BookState | null> {
    if (this.#kept === undefined) this.#kept = await this.#read();
    if (this.#kept === null) return null;
    const { number, hash } = this.#kept.block;
    const isAhead = head.number < number;
    if (!isAhead && (await reader.headerAt(number))?.hash === hash) return this.#kept;
    // Reading a chain anew may take an hour, and a node that lags, or serves another chain, shows another block, or none. Only what lasts is believed; who shows another block is left meanwhile, where there is somebody else.
    const { lostMs, lostPolls } = LIMITS.indexing;
    this.#doubt ??= { since: this.#parts.clock.now(), polls: 0 };
    this.#doubt.polls++;
    if (this.#doubt.polls >= lostPolls && this.#parts.clock.now() - this.#doubt.since >= lostMs) {
      return isAhead
        ? this.#refuse('ahead', `its block ${number} is above the head, ${head.number}`)
        : this.#refuse('not-on-chain', `the chain has another block ${number}`);
    }
    if (isAhead) reader.recheck();
    else reader.disown();
    throw new RpcError('block-gone', `block ${number} of the checkpoint is not there`);
  }

  /** It is gone on from: what is followed from here on is newer. */
  resumed(blocksBehind: number, isFollowedUp: boolean): void {
    const { report, identity, clock } = this.#parts;
    this.#dueAt = clock.now() + LIMITS.indexing.checkpoint.everyMs;
    report({ kind: 'checkpoint-read', chainId: identity.chainId, outcome: isFollowedUp ? 'resumed' : 'pools-kept', blocksBehind });
    this.#kept = null;
  }

  /** A block is published: where it is time, what the book knew some blocks before is written, beside the following. */
  published(book: PoolBook): void {
    if (this.#writing !== null || this.#closing || this.#parts.clock.now() < this.#dueAt) return;
    this.#writing = this.#write(book.stateBelow(LIMITS.indexing.checkpoint.depthBlocks)).finally(() => {
      this.#writing = null;
    });
  }

  /** Resolves when nothing is being written. */
  async idle(): Promise<void> {
    await this.#writing;
  }

  /** Resolves when nothing is written any more. What is under way is given up: the one before it serves. */
  async close(): Promise<void> {
    this.#closing = true;
    await this.#writing;
  }

  async #read(): Promise<BookState | null> {
    const { file, identity, report, onVerdicts } = this.#parts;
    const { chainId } = identity;
    try {
      await removeUnfinished(file);
      const bytes = await readCheckpointFile(file);
      if (bytes === null) {
        report({ kind: 'checkpoint-read', chainId, outcome: 'absent', blocksBehind: 0 });
        return null;
      }
      if (bytes === 'too-large') return this.#refuse('too-large', `it has more than ${LIMITS.indexing.checkpoint.bytes} bytes`);
      const decoded = decodeCheckpoint(bytes, identity);
      onVerdicts(decoded.verdicts);
      return decoded.ok ? decoded.state : this.#refuse(decoded.reason, decoded.message);
    } catch (error) {
      return this.#refuse('unreadable', error instanceof Error ? error.message : String(error));
    }
  }

  #refuse(reason: CheckpointRefusal, message: string): null {
    const { report, identity, file } = this.#parts;
    const { chainId } = identity;
    report({ kind: 'checkpoint-read', chainId, outcome: reason, blocksBehind: 0 });
    report({ kind: 'log', chainId, level: 'warn', message: `the checkpoint ${file} is not used (${reason}): ${message}` });
    this.#kept = null;
    return null;
  }

  async #write(state: BookState): Promise<void> {
    const { file, identity, report, verdicts, clock } = this.#parts;
    const { chainId } = identity;
    const began = clock.now();
    try {
      const outcome = await writeCheckpointFile(file, encodeCheckpoint({ state, verdicts: verdicts() }, identity), () => this.#closing);
      const millis = clock.now() - began;
      if (outcome.kind === 'written') {
        const { bytes, longestPartMs } = outcome;
        report({ kind: 'checkpoint-written', chainId, block: state.block.number, pools: state.pools.length, bytes, millis, longestPartMs });
      }
      if (outcome.kind === 'too-large') {
        report({ kind: 'checkpoint-failed', chainId, reason: 'too-large', message: `more than ${LIMITS.indexing.checkpoint.bytes} bytes` });
      }
    } catch (error) {
      report({ kind: 'checkpoint-failed', chainId, reason: 'disk', message: error instanceof Error ? error.message : String(error) });
    }
    const { everyMs, pauseRatio } = LIMITS.indexing.checkpoint;
    this.#dueAt = clock.now() + Math.max(everyMs, pauseRatio * (clock.now() - began));
  }
}

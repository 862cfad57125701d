import { LIMITS } from '../config/limits.ts';
import type { IndexerVenues } from '../venues/venues.ts';
import { type AuditFinding, type AuditPicks, AuditQueue, auditPools } from './audit.ts';
import type { ChainReader } from './chain-reader.ts';
import type { Clock } from './clock.ts';
import type { PoolBook } from './pool-book.ts';
import type { IndexerReport } from './report.ts';
import { RpcError } from './rpc/rpc-error.ts';

export type AuditorParts = {
  readonly chainId: number;
  readonly reader: ChainReader;
  readonly venues: IndexerVenues;
  readonly report: (report: IndexerReport) => void;
  readonly clock: Clock;
  /** 0 … 1, for which pools are compared that no block changed. */
  readonly random: () => number;
};

/** Audits one chain beside the following, so that it delays no block. One audit at a time; what one does not come to is the next one's. */
export class Auditor {
  readonly #parts: AuditorParts;
  readonly #queue: AuditQueue;
  /** Findings wait for the next step, so that the book never changes under one. */
  readonly #distrusted = new Set<string>();
  #underWay: Promise<void> | null = null;
  #bug = '';

  constructor(parts: AuditorParts) {
    this.#parts = parts;
    this.#queue = new AuditQueue(parts.random);
  }

  /** A block changed a pool by what its logs say. */
  touch(key: string, block: number): void {
    this.#queue.touch(key, block);
  }

  start(book: PoolBook): void {
    const { report, chainId } = this.#parts;
    if (this.#underWay !== null) return;
    const picks = this.#queue.take(book);
    this.#underWay = this.#compare(book, picks)
      .then((findings) => {
        for (const { key, venue } of findings) {
          this.#distrusted.add(key);
          report({ kind: 'audit-mismatch', chainId, venue, count: 1 });
        }
      })
      // The node could not be asked, the block has left the chain, or it is a bug of ours: they are audited with the next block's.
      .catch((error: unknown) => {
        this.#queue.putBack(picks.touched);
        this.#failed(error);
      })
      .finally(() => {
        this.#underWay = null;
        report({ kind: 'audited', chainId, unaudited: this.#queue.oldest === null ? 0 : Math.max(0, book.tip.number - this.#queue.oldest + 1) });
      });
  }

  /** What differs twice: a node that makes its next block may answer of its newest by what it has of that one, and one of several behind an address by another block. */
  async #compare(book: PoolBook, picks: AuditPicks): Promise<readonly AuditFinding[]> {
    const { venues, reader, clock } = this.#parts;
    const found = await auditPools(book, picks, venues, reader);
    if (found.length === 0) return found;
    await clock.sleep(LIMITS.indexing.auditAgainMs);
    return await auditPools(book, { keys: found.map(({ key }) => key), touched: new Map() }, venues, reader);
  }

  #failed(error: unknown): void {
    const { report, chainId } = this.#parts;
    const ofNode = error instanceof RpcError;
    report({ kind: 'ignored', chainId, what: ofNode ? 'unaudited' : 'audit-bug', count: 1 });
    const message = error instanceof Error ? error.message : String(error);
    // Said once, not once per block.
    if (!ofNode && message !== this.#bug) report({ kind: 'log', chainId, level: 'error', message: `pools could not be audited: ${message}` });
    this.#bug = ofNode ? this.#bug : message;
  }

  /** Waits a moment for an audit that is late: what a block changed is compared with the chain before the block is old. */
  async inTime(book: PoolBook | null): Promise<void> {
    const { auditWithinBlocks, auditWaitMs } = LIMITS.indexing;
    const since = this.#queue.underWaySince;
    if (this.#underWay === null || since === null || book === null || book.tip.number - since < auditWithinBlocks) return;
    await Promise.race([this.#underWay, this.#parts.clock.sleep(auditWaitMs)]);
  }

  /** Keys of the pools that were found to differ since the last call. */
  takeDistrusted(): readonly string[] {
    const keys = [...this.#distrusted];
    this.#distrusted.clear();
    return keys;
  }

  /** Resolves when no audit is under way. */
  async settled(): Promise<void> {
    await this.#underWay;
  }
}

import type { PoolBook } from './pool-book.ts';
import type { StageRefused } from './publisher.ts';
import type { IndexerReport } from './report.ts';
import { RpcError } from './rpc/rpc-error.ts';
import type { Settled } from './settle.ts';

export type TroublesParts = { readonly chainId: number; readonly report: (report: IndexerReport) => void };

/** Tells of what a block of one chain is published without. */
export class Troubles {
  readonly #parts: TroublesParts;
  /** What was said last of what could not be read. */
  #waiting = '';
  #fault: string | null = null;

  constructor(parts: TroublesParts) {
    this.#parts = parts;
  }

  /** Why the rest could not be read, once per kind of trouble and not once per poll; null: all could. */
  fault({ tip }: PoolBook, fault: RpcError | null): void {
    if (fault !== null && fault.reason !== this.#fault) this.#log('warn', `pools could not be read at block ${tip.number}: ${fault.message}`);
    this.#fault = fault?.reason ?? null;
  }

  /** What could not be read, whenever that changes. */
  waiting(book: PoolBook): void {
    const waiting = book.waiting();
    const said = JSON.stringify(waiting);
    if (said !== this.#waiting) this.#parts.report({ kind: 'waiting', chainId: this.#parts.chainId, ...waiting });
    this.#waiting = said;
  }

  feeds(unread: Error | null): void {
    if (unread === null) return;
    this.#ignored('unread-feeds', 1);
    this.#log(unread instanceof RpcError ? 'warn' : 'error', `price feeds could not be read: ${unread.message}`);
  }

  unread({ undescribed, unanswered }: Settled): void {
    if (undescribed > 0) this.#ignored('undescribed', undescribed);
    if (unanswered > 0) this.#ignored('unanswered', unanswered);
  }

  refused(refused: readonly StageRefused[]): void {
    for (const { key, reason, message } of refused) {
      this.#ignored(reason, 1);
      this.#log('warn', `pool ${key} is left out: ${message}`);
    }
  }

  #ignored(what: Extract<IndexerReport, { kind: 'ignored' }>['what'], count: number): void {
    this.#parts.report({ kind: 'ignored', chainId: this.#parts.chainId, what, count });
  }

  #log(level: Extract<IndexerReport, { kind: 'log' }>['level'], message: string): void {
    this.#parts.report({ kind: 'log', chainId: this.#parts.chainId, level, message });
  }
}

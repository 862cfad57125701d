import { LIMITS } from '../config/limits.ts';
import type { Address } from '../units/units.ts';
import type { BookState } from './checkpoint/checkpoint.ts';
import { type BuiltBook, buildBook, type ColdStart, resumeBook } from './cold-start.ts';
import type { ChainHeader } from './header.ts';
import type { PoolBook } from './pool-book.ts';
import { PoolSearch } from './pool-search.ts';
import type { Refusals } from './refusals.ts';
import type { IndexerReport } from './report.ts';
import type { Settled } from './settle.ts';

/** `isFollowedUp`: it is what a checkpoint says, and nothing was read yet. */
type StartedBook = BuiltBook & { readonly isFollowedUp: boolean };

const NOTHING_READ: Settled = { changed: [], unanswered: 0, undescribed: 0, fault: null };

export type ColdStartsParts = ColdStart & {
  readonly chainId: number;
  readonly wrappedNative: Address;
  readonly report: (report: IndexerReport) => void;
  /** Of whose pairs pools are looked for where the node gives no ranges of logs. Absent: none. */
  readonly tokens?: readonly Address[];
  /** Absent: LIMITS.indexing.mostLogRanges. */
  readonly mostLogRanges?: number;
};

/** Builds the book of a chain, in as many tries as it takes: what one of them found is the next one's. */
export class ColdStarts {
  readonly #parts: ColdStartsParts;
  readonly #refusals: Refusals;
  /** What looks for pools, with what it has found, and what it begins after. */
  #search: { readonly search: PoolSearch; readonly after: BookState | null } | null = null;

  constructor(parts: ColdStartsParts, refusals: Refusals) {
    this.#parts = parts;
    this.#refusals = refusals;
  }

  /** Goes on from a checkpoint that the head can be followed up from; else reads the chain from its factories, but for the pools of the checkpoint, or of a book that the head is too far above. Throws RpcError; then try again. */
  async build(shown: ChainHeader, checkpoint: BookState | null, behind: PoolBook | null): Promise<StartedBook> {
    const { report, chainId, deployments } = this.#parts;
    if (checkpoint !== null && shown.number - checkpoint.block.number <= LIMITS.indexing.catchUpBlocks) {
      return { book: resumeBook(checkpoint), settled: NOTHING_READ, head: shown, isFollowedUp: true };
    }
    const known = checkpoint ?? (behind === null ? null : this.#knownTo(behind));
    const since = known === null ? '' : ` since block ${known.block.number}, at which its pools are known`;
    report({ kind: 'log', chainId, level: 'info', message: `reading the chain from its factories${since}, up to block ${shown.number}` });
    const fromBlock = Math.max((known?.block.number ?? -1) + 1, Math.min(...deployments.map((deployment) => deployment.fromBlock)));
    if (this.#search?.after !== known) this.#search = null;
    this.#search ??= { search: this.#open(fromBlock), after: known };
    const onStates = (done: number, total: number): void => report({ kind: 'progress', chainId, phase: 'states', done, total });
    return { ...(await buildBook(this.#parts, shown, this.#search.search, this.#refusals, known, onStates)), isFollowedUp: false };
  }

  /** The same for as long as the tip is: what is looked for is what came after it. */
  #knownTo(behind: PoolBook): BookState {
    const after = this.#search?.after ?? null;
    return after?.block.hash === behind.tip.hash ? after : behind.stateBelow(0);
  }

  /** It is published: a later start begins anew. */
  done(): void {
    this.#search = null;
  }

  #open(fromBlock: number): PoolSearch {
    const { report, chainId, interpreter, deployments, venues, wrappedNative, tokens = [] } = this.#parts;
    const filter = { fromBlock, factories: deployments.map(({ factory }) => factory), topics: interpreter.discoveryTopics };
    const search = {
      tokens,
      venues,
      deployments,
      chain: { chainId, wrappedNative },
      mostRanges: this.#parts.mostLogRanges ?? LIMITS.indexing.mostLogRanges,
      onProgress: (phase: 'logs' | 'pairs', done: number, total: number): void => report({ kind: 'progress', chainId, phase, done, total }),
      onRangesRefused(unasked: readonly string[]): void {
        const missing = unasked.length === 0 ? '' : `; not those of ${unasked.join(', ')}, which only logs tell of`;
        const message = `the node gives no ranges of logs: pools are looked for by the pairs of ${tokens.length} listed tokens${missing}`;
        report({ kind: 'log', chainId, level: 'warn', message });
      },
    };
    return new PoolSearch(search, filter);
  }
}

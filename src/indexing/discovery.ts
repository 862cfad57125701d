import { LIMITS } from '../config/limits.ts';
import type { Address } from '../units/units.ts';
import type { ChainLog } from '../venues/venues.ts';
import type { ChainReader } from './chain-reader.ts';
import type { ChainHeader } from './header.ts';
import { RpcError, type RpcFailure } from './rpc/rpc-error.ts';

export type DiscoveryFilter = {
  readonly fromBlock: number;
  readonly factories: readonly Address[];
  readonly topics: readonly `0x${string}`[];
  /** Blocks of one query. Absent: what the node gives. */
  readonly widest?: number;
  /** See `isHopeless`. Absent: there is no end to it. */
  readonly mostRanges?: number;
  /** Blocks that were read, of all. */
  readonly onProgress?: (done: number, total: number) => void;
};

/**
 * Logs by which the factories of a chain announced pools, from the first of their blocks on. What was found is kept: a range that fails is asked for again, those before it are not.
 * Each range is read whole and in two parts, and believed where both say the same: a node that cuts its answers off, for once or at a number of logs, says more in parts. Where they
 * differ each part is proven in the same way, down to single blocks, whose blooms tell (faults A17). A node that never says anything of a range is believed.
 */
export class Discovery {
  readonly #filter: DiscoveryFilter;
  readonly #logs: ChainLog[] = [];
  /** The last block of each range that is read, with how many logs there were up to it. */
  readonly #read: { readonly last: ChainHeader; readonly logs: number }[] = [];
  #width: number = LIMITS.indexing.logRangeBlocks.first;
  readonly #widest: number;
  /** How many ranges are still asked for as they are, after a wider one was not answered. */
  #narrowFor = 0;

  #isHopeless = false;

  constructor(filter: DiscoveryFilter) {
    this.#filter = filter;
    this.#widest = filter.widest ?? LIMITS.indexing.logRangeBlocks.widest;
    this.#width = Math.min(this.#width, this.#widest);
  }

  /** Whether the node refused ranges that are no wider than would have to be asked for more often than is worth it. */
  get isHopeless(): boolean {
    return this.#isHopeless;
  }

  /** All logs up to a block. Throws RpcError; then what was found so far is kept for the next time. */
  async upTo(reader: ChainReader, base: ChainHeader): Promise<readonly ChainLog[]> {
    await this.#goBack(reader, base);
    const { fromBlock, factories } = this.#filter;
    if (factories.length === 0) return [];
    for (let from = Math.max(fromBlock, (this.#read.at(-1)?.last.number ?? -1) + 1); from <= base.number; ) {
      const to = Math.min(base.number, from + this.#width - 1);
      const logs = await this.#range(reader, from, to, base.number);
      if (logs === null) continue;
      const last = to === base.number ? base : await reader.headerAt(to);
      if (last === null) throw new RpcError('block-gone', `block ${to} is not known`);
      await this.#areThere(reader, logs, base);
      this.#logs.push(...logs);
      this.#read.push({ last, logs: this.#logs.length });
      from = to + 1;
      this.#filter.onProgress?.(to - fromBlock + 1, base.number - fromBlock + 1);
    }
    return this.#logs;
  }

  /** Ranges are asked for by number: whoever answered may have been on another branch, or of another chain since it said which it serves. Throws RpcError. */
  async #areThere(reader: ChainReader, logs: readonly ChainLog[], base: ChainHeader): Promise<void> {
    for (const log of new Set([logs[0], logs.at(-1)])) {
      if (log === undefined) continue;
      const header = log.blockNumber === base.number ? base : await reader.headerAt(log.blockNumber);
      if (header?.hash !== log.blockHash) throw new RpcError('block-gone', `block ${log.blockNumber} is another than the one of its logs`);
    }
  }

  /** What was found on a branch that the chain has left since, or above a block that is lower, is found anew: those ranges and no others. Throws RpcError. */
  async #goBack(reader: ChainReader, base: ChainHeader): Promise<void> {
    for (let read = this.#read.at(-1); read !== undefined; read = this.#read.at(-1)) {
      this.#logs.length = read.logs;
      const { last } = read;
      if (last.number <= base.number) {
        const now = last.number === base.number ? base : await reader.headerAt(last.number);
        // Who shows a block above it has to have it: a backend that does not lags, which says nothing about the chain.
        if (now === null) throw new RpcError('block-gone', `block ${last.number} is not known`);
        if (now.hash === last.hash) return;
      }
      this.#read.pop();
    }
    this.#logs.length = 0;
  }

  /**
   * null: the node finds the range too large, and the next is narrower. It is also after a fault, which is thrown: not all nodes say that it was too much, and some only
   * take too long.
   */
  async #range(reader: ChainReader, from: number, to: number, end: number): Promise<readonly ChainLog[] | null> {
    const { narrowFor } = LIMITS.indexing.logRangeBlocks;
    try {
      const logs = await this.#proven(reader, from, to);
      if (this.#narrowFor > 0) this.#narrowFor--;
      else this.#width = Math.min(this.#widest, this.#width * 2);
      return logs;
    } catch (error) {
      if (!(error instanceof RpcError) || !MAY_BE_TOO_MUCH.has(error.reason) || from === to) throw error;
      this.#width = (to - from + 1) >> 1;
      this.#narrowFor = narrowFor;
      this.#isHopeless = SAYS_NO.has(error.reason) && (end - from) / this.#width > (this.#filter.mostRanges ?? Number.POSITIVE_INFINITY);
      if (this.#isHopeless) throw error;
      if (error.reason !== 'range-too-large') throw error;
      return null;
    }
  }

  async #proven(reader: ChainReader, from: number, to: number): Promise<readonly ChainLog[]> {
    const { factories, topics } = this.#filter;
    const ask = (first: number, last: number) => reader.logsInRange(first, last, factories, topics);
    if (from === to) return this.#ofBlock(reader, from);
    const middle = from + ((to - from) >> 1);
    const [whole, lower, upper] = await Promise.all([ask(from, to), ask(from, middle), ask(middle + 1, to)]);
    const parted = lower.length > 0 && upper.length > 0;
    if (sameLogs(whole, [...lower, ...upper]) && (parted || (await this.#endsThere(reader, whole, to)))) return whole;
    return [...(await this.#proven(reader, from, middle)), ...(await this.#proven(reader, middle + 1, to))];
  }

  /** Where all lie in one part, that part was cut off as the whole was, if it was: the last block named has no more than those, and nothing follows it. */
  async #endsThere(reader: ChainReader, logs: readonly ChainLog[], to: number): Promise<boolean> {
    const last = logs.at(-1)?.blockNumber;
    if (last === undefined) return true;
    const { factories, topics } = this.#filter;
    const [ofLast, after] = await Promise.all([this.#ofBlock(reader, last), last === to ? [] : reader.logsInRange(last + 1, to, factories, topics)]);
    const named = logs.filter(({ blockNumber }) => blockNumber === last);
    return after.length === 0 && sameLogs(ofLast, named);
  }

  async #ofBlock(reader: ChainReader, number: number): Promise<readonly ChainLog[]> {
    const header = await reader.headerAt(number);
    if (header === null) throw new RpcError('block-gone', `block ${number} is not known`);
    const { factories, topics } = this.#filter;
    return (await reader.logs(header)).filter(({ address, topics: [topic] }) => factories.includes(address) && topic !== undefined && topics.includes(topic));
  }
}

/** What a node says that does not give ranges; what else it fails with may pass. */
const SAYS_NO: ReadonlySet<RpcFailure> = new Set(['range-too-large', 'refused']);

/** What a node may say of a range with more in it than it can give. */
const MAY_BE_TOO_MUCH: ReadonlySet<RpcFailure> = new Set(['range-too-large', 'timeout', 'garbage', 'unavailable', 'refused']);

function sameLogs(some: readonly ChainLog[], others: readonly ChainLog[]): boolean {
  return some.length === others.length && some.every(({ blockHash, logIndex }, at) => others[at]?.blockHash === blockHash && others[at]?.logIndex === logIndex);
}

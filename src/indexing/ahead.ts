import pMap from 'p-map';
import { LIMITS } from '../config/limits.ts';
import type { ChainLog } from '../venues/venues.ts';
import type { ChainReader, LogsAhead } from './chain-reader.ts';
import type { ChainHeader } from './header.ts';
import { RpcError, type RpcFailure } from './rpc/rpc-error.ts';

/** Why logs of a block can not be had, where that may be for what is believed of the block. */
const OF_THE_HEADER: ReadonlySet<RpcFailure> = new Set(['garbage', 'block-gone']);

const WIDTH = LIMITS.indexing.rpc.inFlight / 2;

/** What was read of blocks beyond the tip and is not taken in yet: a call that fails costs that call, and none of those that were answered. */
export class Ahead {
  readonly #byHash = new Map<string, ChainHeader>();
  readonly #byNumber = new Map<number, ChainHeader>();
  readonly #logs = new Map<string, readonly ChainLog[]>();
  /** Logs that nobody knew the blocks of, the latest last. */
  #offered: LogsAhead[] = [];
  /** What is being read: whoever needs the same waits for it. */
  readonly #underWay = new Map<string, Promise<void>>();

  /** A header as a node gave it. */
  remember(header: ChainHeader): void {
    this.#byHash.set(header.hash, header);
    this.#byNumber.set(header.number, header);
  }

  /** Logs of blocks that may be known by now, or later. */
  offer(logs: LogsAhead): void {
    this.#offered.push(logs);
    if (this.#offered.length > LIMITS.indexing.ahead.asksAtOnce) this.#offered.shift();
  }

  /** The highest block above `tip` that could be taken in with all between them, without asking for anything; null: there is none. */
  readyAbove(tip: ChainHeader): ChainHeader | null {
    let ready = tip;
    for (let child = this.#childOf(ready); child !== null && this.#hasLogs(child); child = this.#childOf(ready)) ready = child;
    return ready === tip ? null : ready;
  }

  /** Asks for the block after those that are known above `tip`: a chain may be further than that by the time its head is told. */
  async askNext(reader: ChainReader, tip: ChainHeader): Promise<void> {
    let top = tip;
    for (let child = this.#childOf(top); child !== null; child = this.#childOf(top)) top = child;
    const next = await reader.headerAt(top.number + 1).catch(onlyRpcErrors);
    if (next) this.remember(next);
  }

  /** Whether the block after `tip`, as it was read last, is not one of its children. */
  leadsElsewhere(tip: ChainHeader): boolean {
    const next = this.#byNumber.get(tip.number + 1);
    return next !== undefined && next.parentHash !== tip.hash;
  }

  /** Asks at once for what is missing of the blocks above `tip` up to a head, where they are few: what fails is asked for again by whoever needs it. */
  async fill(reader: ChainReader, tip: ChainHeader, head: ChainHeader): Promise<void> {
    // Asked before there is a list of them: a node may say any number.
    if (head.number - tip.number > LIMITS.indexing.batchBlocks) return;
    const numbers = Array.from({ length: Math.max(0, head.number - tip.number) }, (_, at) => tip.number + 1 + at);
    await this.#readByNumber(reader, numbers).catch(onlyRpcErrors);
    const headers = numbers.flatMap((number) => this.#byNumber.get(number) ?? []);
    await this.logs(reader, headers).catch(onlyRpcErrors);
  }

  #childOf({ number, hash }: ChainHeader): ChainHeader | null {
    const next = this.#byNumber.get(number + 1);
    return next?.parentHash === hash ? next : null;
  }

  #hasLogs(header: ChainHeader): boolean {
    if (this.#logs.has(header.hash)) return true;
    for (const offered of this.#offered) {
      const logs = offered(header);
      if (logs === null) continue;
      this.#logs.set(header.hash, logs);
      return true;
    }
    return false;
  }

  /** Headers by number, at once, from `below` a head down to above `tip`; only those that link to the head by hash. Descending. Throws RpcError. */
  async linkedBelow(reader: ChainReader, head: ChainHeader, tip: number): Promise<readonly ChainHeader[]> {
    const numbers = Array.from({ length: Math.max(0, head.number - tip - 1) }, (_, at) => head.number - 1 - at);
    const remembered = numbers.some((number) => this.#byNumber.has(number));
    await this.#readByNumber(reader, numbers);
    const linked = this.#linked(head, numbers);
    if (linked.length === numbers.length || !remembered) return linked;
    // What was read before a reorg is of its branch: what does not link is read again.
    await this.#readByNumber(reader, numbers);
    return this.#linked(head, numbers);
  }

  /** A header by its hash; null when the node does not know the block. Throws RpcError. */
  async header(reader: ChainReader, hash: `0x${string}`): Promise<ChainHeader | null> {
    const known = this.#byHash.get(hash);
    if (known !== undefined) return known;
    const header = await reader.header(hash);
    if (header !== null) this.#byHash.set(hash, header);
    return header;
  }

  /** The logs of the first of these blocks, as many as could be read one after the other; at least those of the first. Throws RpcError when not even those can be. */
  async logs(reader: ChainReader, headers: readonly ChainHeader[]): Promise<readonly (readonly ChainLog[])[]> {
    const missing = headers.filter((header) => !this.#hasLogs(header));
    const failure = await eachUntilOneFails(missing, (header) =>
      this.#once(header.hash, async () => void this.#logs.set(header.hash, await this.#readLogs(reader, header))),
    );
    const found: (readonly ChainLog[])[] = [];
    for (const { hash } of headers) {
      const logs = this.#logs.get(hash);
      if (logs === undefined) break;
      found.push(logs);
    }
    if (found.length === 0 && failure !== null) throw failure;
    return found;
  }

  async #readLogs(reader: ChainReader, header: ChainHeader): Promise<readonly ChainLog[]> {
    try {
      return await reader.logs(header);
    } catch (error) {
      // They are proven by the header, which may be what is wrong: then whoever gives the right logs is blamed for it, and so is everybody.
      if (error instanceof RpcError && OF_THE_HEADER.has(error.reason)) this.doubt([header]);
      throw error;
    }
  }

  async #readByNumber(reader: ChainReader, numbers: readonly number[]): Promise<void> {
    const missing = numbers.filter((number) => !this.#byNumber.has(number));
    const failure = await eachUntilOneFails(missing, (number) =>
      this.#once(String(number), async () => {
        const header = await reader.headerAt(number);
        if (header !== null) this.remember(header);
      }),
    );
    if (failure !== null) throw failure;
  }

  #once(key: string, read: () => Promise<void>): Promise<void> {
    const reading = this.#underWay.get(key) ?? read().finally(() => this.#underWay.delete(key));
    this.#underWay.set(key, reading);
    return reading;
  }

  #linked(head: ChainHeader, numbers: readonly number[]): readonly ChainHeader[] {
    const linked: ChainHeader[] = [];
    let child = head;
    for (const number of numbers) {
      const header = this.#byNumber.get(number);
      // Not shown by a backend that lags: the walk by hash goes on with what was read below.
      if (header === undefined) break;
      if (header.hash !== child.parentHash) {
        for (const other of numbers.slice(linked.length)) this.#byNumber.delete(other);
        break;
      }
      linked.push(header);
      child = header;
    }
    return linked;
  }

  /** Headers that lead nowhere may be other than the node said that gave them: whoever needs them asks for them again. */
  doubt(headers: readonly ChainHeader[]): void {
    for (const { hash, number } of headers) {
      this.#byHash.delete(hash);
      if (this.#byNumber.get(number)?.hash === hash) this.#byNumber.delete(number);
    }
  }

  /** Forgets what is taken in, and all of it where that is more than may be kept. */
  forget(taken: readonly ChainHeader[]): void {
    for (const { hash, number } of taken) {
      this.#logs.delete(hash);
      this.#byHash.delete(hash);
      this.#byNumber.delete(number);
    }
    const { catchUpBlocks, batchBlocks } = LIMITS.indexing;
    if (this.#byHash.size > catchUpBlocks) this.#byHash.clear();
    if (this.#byNumber.size > catchUpBlocks) this.#byNumber.clear();
    if (this.#logs.size > batchBlocks) this.#logs.clear();
  }
}

function onlyRpcErrors(error: unknown): void {
  if (!(error instanceof RpcError)) throw error;
}

/** Works on items a few at a time, and waits for all that is under way. After a failure nothing more is begun; returns the first. */
async function eachUntilOneFails<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<unknown> {
  let failure: unknown = null;
  const unlessOneFailed = async (item: Item): Promise<void> => {
    if (failure !== null) return;
    await work(item).catch((error: unknown) => {
      failure ??= error;
    });
  };
  await pMap(items, unlessOneFailed, { concurrency: WIDTH });
  return failure;
}

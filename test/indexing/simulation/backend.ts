import type { Clock } from '../../../src/indexing/clock.ts';
import type { ChainHeader } from '../../../src/indexing/header.ts';
import type { FetchAnswer } from '../../../src/indexing/rpc/http-transport.ts';
import type { MadeUpChain } from '../made-up-chain.ts';
import { answerOf, type JsonCall } from './json-node.ts';

export type Random = () => number;

/** How a backend is not as it should be. All zero and false: honest. */
export type Mood = {
  /** Blocks that it is behind. */
  readonly lag: number;
  /** Stands still at the block that it had when this began. */
  readonly stuck: boolean;
  /** Shares of its answers that are no answer. */
  readonly faulty: number;
  /** The same, of eth_call alone. */
  readonly blind: number;
  /** Shares of its logs that are cut, sent twice, or not there yet. */
  readonly loose: number;
  /** Another chain of the same id answers. */
  readonly foreign: boolean;
  /** How long an answer takes, in the middle, ms; 0: as long as those of a good node. */
  readonly slow: number;
  /** Shares of what it is asked that it never answers. */
  readonly mute: number;
};

export const HONEST: Mood = { lag: 0, stuck: false, faulty: 0, blind: 0, loose: 0, foreign: false, slow: 0, mute: 0 };

/** What a good node takes, ms: mostly the way, and for one answer in so many much longer. */
const QUICK = { least: 4, most: 40, hiccupOneIn: 50, hiccup: 400 };

const json = (value: unknown, status?: number): FetchAnswer => answer(JSON.stringify(value), status);

/** As a Response of one chunk, which takes many times as long to make and to read. */
function answer(text: string, status = 200, retryAfter: string | null = null): FetchAnswer {
  const body = {
    async *[Symbol.asyncIterator]() {
      yield Buffer.from(text);
    },
    cancel: async () => undefined,
  };
  return { status, headers: { get: (name) => (name === 'retry-after' ? retryAfter : null) }, body };
}

/** Any mood: most are mild. */
export function moodBy(random: Random): Mood {
  const seldom = (share: number): boolean => random() < share;
  return {
    lag: seldom(0.4) ? Math.floor(random() * 6) : 0,
    stuck: seldom(0.1),
    faulty: seldom(0.5) ? random() * 0.5 : 0,
    blind: seldom(0.2) ? random() : 0,
    loose: seldom(0.4) ? random() * 0.6 : 0,
    foreign: seldom(0.05),
    slow: seldom(0.25) ? 100 + random() * 3000 : 0,
    mute: seldom(0.15) ? random() * 0.4 : 0,
  };
}

/** One node of the chain behind an address, with moods. */
export class Backend {
  readonly #chain: MadeUpChain;
  readonly #other: MadeUpChain;
  readonly #random: Random;
  readonly #clock: Clock;
  #mood = HONEST;
  #stuckAt: ChainHeader | null = null;

  constructor(chain: MadeUpChain, other: MadeUpChain, random: Random, clock: Clock) {
    this.#chain = chain;
    this.#other = other;
    this.#random = random;
    this.#clock = clock;
  }

  get mood(): Mood {
    return this.#mood;
  }

  set mood(mood: Mood) {
    this.#mood = mood;
    this.#stuckAt = mood.stuck ? this.#chain.head : null;
  }

  /** Has that block for its head, of whatever branch. */
  standsOn(head: ChainHeader): void {
    this.#stuckAt = head;
  }

  /** Takes its time, on the way there or on the way back: by then the answer may be of the past. Rejects once nobody waits any more. */
  async respond(call: JsonCall, signal: AbortSignal): Promise<FetchAnswer> {
    const ms = this.#takes();
    const isOnTheWayBack = this.#random() < 0.5;
    if (!isOnTheWayBack) await this.#waited(ms, signal);
    const said = this.#answer(call);
    // Of what is on its way already, nobody sees why before it is there.
    said.catch(() => undefined);
    if (isOnTheWayBack) await this.#waited(ms, signal);
    return await said;
  }

  #takes(): number {
    const { slow, mute } = this.#mood;
    if (mute > 0 && this.#random() < mute) return Number.POSITIVE_INFINITY;
    if (slow > 0) return slow * (0.5 + this.#random());
    return QUICK.least + this.#random() * (this.#random() * QUICK.hiccupOneIn < 1 ? QUICK.hiccup : QUICK.most);
  }

  async #waited(ms: number, signal: AbortSignal): Promise<void> {
    await this.#clock.sleep(ms, signal);
    if (signal.aborted) throw signal.reason;
  }

  async #answer(call: JsonCall): Promise<FetchAnswer> {
    const { lag, faulty, blind, foreign } = this.#mood;
    if (this.#random() < faulty || (call.method === 'eth_call' && this.#random() < blind)) return this.#fault(call);
    const chain = foreign ? this.#other : this.#chain;
    const branch = chain.branch((foreign ? null : this.#stuckAt)?.hash ?? chain.head.hash);
    const head = branch.at(-1 - lag) ?? branch[0];
    if (head === undefined) throw new Error('a chain without blocks');
    const result = await answerOf(chain, head, call);
    if (result === undefined) return json({ jsonrpc: '2.0', id: call.id, error: { code: -32000, message: 'header not found' } });
    return json({ jsonrpc: '2.0', id: call.id, result: call.method === 'eth_getLogs' ? this.#bent(call, result) : result });
  }

  #fault(call: JsonCall): FetchAnswer {
    const error = (code: number, message: string, status = 200) => json({ jsonrpc: '2.0', id: call.id, error: { code, message } }, status);
    const faults: readonly (() => FetchAnswer)[] = [
      () => error(-32603, 'Internal error'),
      () => error(-32000, 'not now', 503),
      () => error(-32005, 'quota exceeded'),
      () => error(-32000, 'header not found'),
      () => answer('<html>busy</html>'),
      () => answer('', 502),
      () => answer('', 429, '1'),
      () => json({ jsonrpc: '2.0', id: call.id + 1, result: '0x1' }),
      () => json({ jsonrpc: '2.0', id: call.id, result: null }),
      () => json({ jsonrpc: '2.0', id: call.id, result: '0x123' }),
      () => {
        throw new TypeError('fetch failed');
      },
    ];
    return (faults[Math.floor(this.#random() * faults.length)] as () => FetchAnswer)();
  }

  /** Of ranges it never gives more than so many logs; of blocks, and of all since one, it does what it likes. What leaves the same logs out of a range however it is asked is believed (decisions 128). */
  #bent({ params: [filter] }: JsonCall, result: unknown): unknown {
    const { loose } = this.#mood;
    if (typeof filter === 'object' && filter !== null && ('blockHash' in filter || !('address' in filter))) return this.#loosened(result);
    return loose === 0 ? result : (result as readonly unknown[]).slice(0, 1 + Math.floor(loose * 10));
  }

  /** Logs that are not there yet, sent twice and in any order, or without one that no other log of the answer explains: what is left out otherwise only the audit finds. */
  #loosened(result: unknown): unknown {
    const logs = result as readonly { readonly topics: readonly string[] }[];
    if (logs.length === 0 || this.#random() >= this.#mood.loose) return result;
    const pick = this.#random();
    if (pick < 0.3) return [];
    if (pick < 0.6) return [...logs, ...logs].sort(() => this.#random() - 0.5);
    const at = Math.floor(this.#random() * logs.length);
    const own = logs[at]?.topics.at(-1);
    return logs.some(({ topics }, other) => other !== at && topics.at(-1) === own) ? result : logs.toSpliced(at, 1);
  }
}

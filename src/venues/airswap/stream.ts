import { isDeepStrictEqual } from 'node:util';
import { keccak256, stringToHex } from 'viem';
import { LIMITS } from '../../config/limits.ts';
import type { EpochSeconds } from '../../units/units.ts';
import type { OutsideSource } from '../outside.ts';
import type { OpenStream, StreamChain, StreamedPool, StreamFacet, StreamListener, StreamOutcome } from '../stream.ts';
import type { DiscoveredPool } from '../track.ts';
import { isLetPass } from '../venue.ts';
import { readRpcAnswer, rpcCall } from './json-rpc.ts';
import { type PricedPair, readPricing } from './read-pricing.ts';
import { type QuotedPair, validateState } from './state.ts';

/** Asks each maker for all that it prices, again and again. What it says holds for a while from when it was asked, and no longer, whatever happens to the maker meanwhile. */
export const stream: StreamFacet<QuotedPair> = {
  open(chain, sources, listener) {
    const polls = new Map(sources.map((source) => [source.name, new Poll(source, chain, listener)]));
    /** Of those who left: what they were asked last is still ending. */
    const leaving = new Set<Promise<void>>();
    /** By name, of those who left. */
    const pausedUntil = new Map<string, number>();
    return {
      pause: (name, ms) => polls.get(name)?.pause(ms),
      follow(now) {
        const wanted = new Map(now.map((source) => [source.name, source]));
        for (const [name, poll] of polls) {
          if (isDeepStrictEqual(wanted.get(name), poll.source)) continue;
          polls.delete(name);
          pausedUntil.set(name, poll.pausedUntil);
          const left = poll.leave().finally(() => leaving.delete(left));
          leaving.add(left);
        }
        // Whoever was left alone stays so, wherever it is listed now.
        for (const [name, source] of wanted) if (!polls.has(name)) polls.set(name, new Poll(source, chain, listener, pausedUntil.get(name)));
      },
      async close() {
        await Promise.all([...leaving, ...[...polls.values()].map((poll) => poll.close())]);
      },
    } satisfies OpenStream;
  },
};

/** One maker, asked over and over. */
class Poll {
  readonly source: OutsideSource;
  readonly #chain: StreamChain;
  readonly #listener: StreamListener<QuotedPair>;
  readonly #ending = new AbortController();
  /** Pools that the maker prices now, by key. */
  #open = new Map<string, DiscoveredPool>();
  #pausedUntil: number;
  #failures = 0;
  #timer: NodeJS.Timeout | undefined;
  #closing: NodeJS.Timeout | undefined;
  #asking: Promise<void>;
  #asked = 0;

  constructor(source: OutsideSource, chain: StreamChain, listener: StreamListener<QuotedPair>, pausedUntil = 0) {
    this.source = source;
    this.#pausedUntil = pausedUntil;
    this.#chain = chain;
    this.#listener = listener;
    this.#asking = pausedUntil > performance.now() ? Promise.resolve() : this.#ask();
    if (pausedUntil > performance.now()) this.#askAgain();
  }

  get pausedUntil(): number {
    return this.#pausedUntil;
  }

  pause(ms: number): void {
    this.#pausedUntil = Math.max(this.#pausedUntil, performance.now() + ms);
    this.#closeAll();
    this.#askAgain();
  }

  /** Closes its pools, and the poll itself. */
  async leave(): Promise<void> {
    this.#closeAll();
    await this.close();
  }

  async close(): Promise<void> {
    this.#ending.abort();
    clearTimeout(this.#timer);
    clearTimeout(this.#closing);
    await this.#asking;
  }

  async #ask(): Promise<void> {
    const { ask, now } = this.#chain;
    const asked = { second: now(), at: performance.now() };
    const id = `prices-${++this.#asked}`;
    const answer = readRpcAnswer(await ask(this.source, rpcCall(id, 'getAllPricingERC20', []), this.#ending.signal), id);
    if (this.#ending.signal.aborted) return;
    const pricing = answer.ok ? readPricing(answer.result, (token) => this.#chain.decimalsOf(token)) : null;
    if (pricing !== null) {
      this.#failures = 0;
      // What was said before a pause began is of then.
      if (this.#pausedUntil <= performance.now()) this.#take(pricing.pairs, asked);
      this.#listener.asked(this.source, 'ok', { malformed: pricing.malformed, pausedMs: 0 });
    } else {
      this.#failed(answer.ok ? 'garbled' : outcomeOf(answer.reason), answer.ok ? null : answer.retryAfterMs);
    }
    this.#askAgain();
  }

  /** Pauses grow; whoever is busy is dropped at once, since a route through it would ask it for an order. */
  #failed(outcome: Exclude<StreamOutcome, 'ok'>, retryAfterMs: number | null): void {
    const { failures, firstMs, longestMs } = LIMITS.outbound.pauses;
    this.#failures++;
    const grown = this.#failures < failures && outcome !== 'busy' ? 0 : Math.min(longestMs, firstMs * 2 ** Math.min(30, this.#failures - 1));
    const pausedMs = Math.min(longestMs, Math.max(grown, retryAfterMs ?? 0));
    this.#pausedUntil = Math.max(this.#pausedUntil, performance.now() + pausedMs);
    if (outcome === 'busy') this.#closeAll();
    this.#listener.asked(this.source, outcome, { malformed: 0, pausedMs });
  }

  #askAgain(): void {
    clearTimeout(this.#timer);
    if (this.#ending.signal.aborted) return;
    const wait = Math.max(LIMITS.outbound.prices.everyMs, this.#pausedUntil - performance.now());
    this.#timer = setTimeout(() => {
      this.#asking = this.#asking.then(() => this.#ask());
    }, wait);
  }

  /** `asked`: by the chain's clock, and by this thread's. */
  #take(pairs: readonly PricedPair[], asked: { readonly second: EpochSeconds; readonly at: number }): void {
    const { holdSeconds } = LIMITS.outbound.prices;
    const until = (asked.second + holdSeconds) as EpochSeconds;
    const priced = pairs.flatMap((pair): readonly StreamedPool<QuotedPair>[] => {
      const state: QuotedPair = { signer: this.source.signer, until, ladders: pair.ladders, least: pair.least };
      return isLetPass(() => validateState(state)) ? [{ pool: this.#poolOf(pair), state }] : [];
    });
    const still = new Map(priced.map(({ pool }) => [pool.key, pool]));
    const gone = [...this.#open.values()].filter(({ key }) => !still.has(key));
    this.#open = still;
    clearTimeout(this.#closing);
    this.#closing = setTimeout(() => this.#closeAll(), asked.at + 1000 * holdSeconds - performance.now());
    const changed = [...priced, ...gone.map((pool) => ({ pool, state: null }))];
    if (changed.length > 0) this.#listener.changed(changed);
  }

  #closeAll(): void {
    const closed = [...this.#open.values()].map((pool) => ({ pool, state: null }));
    this.#open = new Map();
    if (closed.length > 0) this.#listener.changed(closed);
  }

  #poolOf({ tokens }: PricedPair): DiscoveredPool {
    const { name, contract } = this.source;
    const key = keccak256(stringToHex([name, ...tokens].join(' ')));
    return { key, address: contract, hook: null, protocol: 'airswap', source: 'airswap', tokens, traits: { maker: name } };
  }
}

function outcomeOf(reason: 'busy' | 'refused' | 'unreachable' | 'garbled' | 'crowded'): Exclude<StreamOutcome, 'ok'> {
  return reason === 'crowded' ? 'unreachable' : reason;
}

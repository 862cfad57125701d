import { keccak256, stringToHex } from 'viem';
import { LIMITS } from '../../config/limits.ts';
import type { EpochSeconds } from '../../units/units.ts';
import type { IssuedAsset, OutsideSource } from '../outside.ts';
import type { OpenStream, StreamChain, StreamFacet, StreamListener, StreamOutcome } from '../stream.ts';
import type { DiscoveredPool } from '../track.ts';
import { isLetPass } from '../venue.ts';
import { type AskedLadder, askLadder } from './ask-ladder.ts';
import { type QuotedAsset, validateState } from './state.ts';
import { DECIMALS } from './worth.ts';

/** Asks each issuer for what it indicates of its assets, again and again. What it says holds for a while from when it was asked, and no longer, whatever happens to the issuer meanwhile. */
export const stream: StreamFacet<QuotedAsset> = {
  open(chain, sources, listener) {
    const rounds = sources.map((source) => new Rounds(source, chain, listener));
    return {
      pause(name, ms) {
        for (const round of rounds) if (round.name === name) round.pause(ms);
      },
      async close() {
        await Promise.all(rounds.map((round) => round.close()));
      },
    } satisfies OpenStream;
  },
};

/** One asset of an issuer, as a pool of the snapshot. */
type Quoted = { readonly issued: IssuedAsset; readonly pool: DiscoveredPool; readonly sellsSlot: 0 | 1; closing: NodeJS.Timeout | undefined; isOpen: boolean };

type Heard = { readonly outcome: StreamOutcome; readonly retryAfterMs: number | null };

/** One issuer, whose assets are asked for over and over. */
class Rounds {
  readonly name: string;
  readonly #source: OutsideSource;
  readonly #chain: StreamChain;
  readonly #listener: StreamListener<QuotedAsset>;
  readonly #ending = new AbortController();
  readonly #assets: readonly Quoted[];
  #pausedUntil = 0;
  #failures = 0;
  #timer: NodeJS.Timeout | undefined;
  #asking: Promise<void>;

  constructor(source: OutsideSource, chain: StreamChain, listener: StreamListener<QuotedAsset>) {
    this.name = source.name;
    this.#source = source;
    this.#chain = chain;
    this.#listener = listener;
    this.#assets = (source.issues?.assets ?? []).map((issued) => quotedOf(source, issued));
    this.#asking = this.#ask();
  }

  pause(ms: number): void {
    this.#pausedUntil = Math.max(this.#pausedUntil, performance.now() + ms);
    for (const asset of this.#assets) this.#close(asset);
    clearTimeout(this.#timer);
    this.#askAgain(LIMITS.outbound.issuers.everyMs);
  }

  async close(): Promise<void> {
    this.#ending.abort();
    clearTimeout(this.#timer);
    for (const { closing } of this.#assets) clearTimeout(closing);
    await this.#asking;
  }

  async #ask(): Promise<void> {
    const heard: Heard[] = [];
    const waiting = [...this.#assets];
    const worker = async (): Promise<void> => {
      for (let next = waiting.shift(); next !== undefined && !this.#ending.signal.aborted; next = waiting.shift()) heard.push(...(await this.#askFor(next)));
    };
    await Promise.all(Array.from({ length: LIMITS.outbound.issuers.atOnce }, worker));
    if (this.#ending.signal.aborted) return;
    const { outcome, retryAfterMs } = worstOf(heard);
    const pausedMs = this.#settle(outcome, retryAfterMs);
    this.#listener.asked(this.#source, outcome, { malformed: heard.filter(({ outcome: its }) => its === 'garbled').length, pausedMs });
    clearTimeout(this.#timer);
    // Where every side of everything is refused its market is closed, and does not open within a second.
    this.#askAgain(outcome === 'closed' ? LIMITS.outbound.issuers.closedEveryMs : LIMITS.outbound.issuers.everyMs);
  }

  /** Both sides of one asset. */
  async #askFor(asset: Quoted): Promise<readonly Heard[]> {
    const { ask, now, chainId } = this.#chain;
    const asked = { second: now(), at: performance.now() };
    const { signal } = this.#ending;
    const [mint, redeem] = await Promise.all([
      askLadder(ask, this.#source, chainId, asset.issued, 'buy', signal),
      askLadder(ask, this.#source, chainId, asset.issued, 'sell', signal),
    ]);
    // What was said before a pause began is of then.
    if (!signal.aborted && this.#pausedUntil <= performance.now()) this.#take(asset, mint, redeem, asked);
    return [mint, redeem].map((side) => ({ outcome: side.outcome, retryAfterMs: 'retryAfterMs' in side ? side.retryAfterMs : null }));
  }

  #take(asset: Quoted, mint: AskedLadder, redeem: AskedLadder, asked: { readonly second: EpochSeconds; readonly at: number }): void {
    // Of a side that was not heard of, what was said before holds until it ends.
    if (!('ladder' in mint) || !('ladder' in redeem)) return;
    const { holdSeconds } = LIMITS.outbound.issuers;
    const ladders = asset.sellsSlot === 0 ? ([redeem.ladder, mint.ladder] as const) : ([mint.ladder, redeem.ladder] as const);
    const state: QuotedAsset = { until: (asked.second + holdSeconds) as EpochSeconds, ladders };
    if (!isLetPass(() => validateState(state))) {
      this.#close(asset);
      return;
    }
    clearTimeout(asset.closing);
    asset.isOpen = true;
    asset.closing = setTimeout(() => this.#close(asset), asked.at + 1000 * holdSeconds - performance.now());
    this.#listener.changed([{ pool: asset.pool, state, decimals: DECIMALS }]);
  }

  #close(asset: Quoted): void {
    clearTimeout(asset.closing);
    if (!asset.isOpen) return;
    asset.isOpen = false;
    this.#listener.changed([{ pool: asset.pool, state: null }]);
  }

  /** Pauses grow with failures; to refuse is none. Gives the pause that begins, ms. */
  #settle(outcome: StreamOutcome, retryAfterMs: number | null): number {
    if (outcome === 'ok' || outcome === 'closed') {
      this.#failures = 0;
      return 0;
    }
    const { failures, firstMs, longestMs } = LIMITS.outbound.pauses;
    this.#failures++;
    const grown = this.#failures < failures && outcome !== 'busy' ? 0 : Math.min(longestMs, firstMs * 2 ** Math.min(30, this.#failures - 1));
    const pausedMs = Math.min(longestMs, Math.max(grown, retryAfterMs ?? 0));
    this.#pausedUntil = Math.max(this.#pausedUntil, performance.now() + pausedMs);
    if (outcome === 'busy') for (const asset of this.#assets) this.#close(asset);
    return pausedMs;
  }

  #askAgain(after: number): void {
    if (this.#ending.signal.aborted) return;
    this.#timer = setTimeout(
      () => {
        this.#asking = this.#asking.then(() => this.#ask());
      },
      Math.max(after, this.#pausedUntil - performance.now()),
    );
  }
}

function quotedOf({ name, contract, issues }: OutsideSource, issued: IssuedAsset): Quoted {
  const dollar = issues?.dollar ?? contract;
  const sellsSlot = issued.token < dollar ? 0 : 1;
  const tokens = sellsSlot === 0 ? [issued.token, dollar] : [dollar, issued.token];
  const key = keccak256(stringToHex([name, ...tokens].join(' ')));
  const pool: DiscoveredPool = { key, address: contract, hook: null, protocol: 'ondo', source: 'ondo', tokens, traits: { maker: name } };
  return { issued, pool, sellsSlot, closing: undefined, isOpen: false };
}

const GRAVITY: readonly StreamOutcome[] = ['busy', 'unreachable', 'garbled', 'ok', 'closed'];

/** One that is busy is busy for all; a failure of one is told before what the others said, and that all was refused only where nothing else was said. */
function worstOf(heard: readonly Heard[]): Heard {
  for (const outcome of GRAVITY) {
    const found = heard.find((each) => each.outcome === outcome);
    if (found !== undefined) return found;
  }
  return { outcome: 'closed', retryAfterMs: null };
}

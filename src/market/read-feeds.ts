import type { PriceFeed } from '../chains/chains.ts';
import { LIMITS } from '../config/limits.ts';
import { type ChainAnswer, firstWords, type PinnedReader } from '../venues/venues.ts';

/** Selectors of latestRoundData() and decimals(). */
const LATEST_ROUND_DATA = '0xfeaf968c';
const DECIMALS = '0x313ce567';
const ROUND_WORDS = 5;

/** What a feed answered, as it is; null: it reverted, or answered something else. */
export type FeedRound = {
  readonly roundId: bigint;
  readonly answer: bigint;
  readonly updatedAt: bigint;
  readonly answeredInRound: bigint;
  readonly decimals: bigint;
};

/** A feed with what it answered last. */
export type FeedReading = { readonly feed: PriceFeed; readonly round: FeedRound | null };

/** What feeds say at the reader's block, in the order asked, all in one request. Throws RpcError. */
export async function readFeeds(feeds: readonly PriceFeed[], read: PinnedReader): Promise<readonly FeedReading[]> {
  const answers = await read(
    feeds.flatMap(({ feed }) => [
      { to: feed, data: LATEST_ROUND_DATA, answerBytes: ROUND_WORDS * 32 },
      { to: feed, data: DECIMALS, answerBytes: 32 },
    ]),
  );
  return feeds.map((feed, at) => ({ feed, round: decodeRound(answers[2 * at], answers[2 * at + 1]) }));
}

function decodeRound(data: ChainAnswer | undefined, scale: ChainAnswer | undefined): FeedRound | null {
  const [words, [decimals] = []] = [firstWords(data, ROUND_WORDS), firstWords(scale, 1) ?? []];
  if (words === null || decimals === undefined) return null;
  const [roundId = 0n, answer = 0n, , updatedAt = 0n, answeredInRound = 0n] = words;
  return { roundId, answer: BigInt.asIntN(256, answer), updatedAt, answeredInRound, decimals };
}

/** 'stale': it was right, and is too old. 'refused': it is no price, or none that can be. */
export type FeedVerdict = { readonly kind: 'used'; readonly usd: number; readonly ageSeconds: number } | { readonly kind: 'stale' | 'refused' };

/** Whether what a feed answered is a price at a block of that time. An answer from the future is none, nor one that was carried over from a round that was not answered. */
export function judgeRound({ feed, round }: FeedReading, timestamp: number): FeedVerdict {
  if (round === null) return REFUSED;
  const { roundId, answer, updatedAt, answeredInRound, decimals } = round;
  if (answer <= 0n || roundId === 0n || answeredInRound < roundId || updatedAt === 0n || updatedAt > BigInt(timestamp)) return REFUSED;
  if (decimals > BigInt(LIMITS.market.mostDecimals)) return REFUSED;
  const usd = Number(answer) / 10 ** Number(decimals);
  if (!(usd >= feed.minimumUsd && usd <= feed.maximumUsd)) return REFUSED;
  const ageSeconds = timestamp - Number(updatedAt);
  return ageSeconds > feed.maximumAgeSeconds ? { kind: 'stale' } : { kind: 'used', usd, ageSeconds };
}

const REFUSED: FeedVerdict = { kind: 'refused' };

import type { PriceFeed } from '../chains/chains.ts';
import { LIMITS } from '../config/limits.ts';
import type { Address } from '../units/units.ts';
import { type ChainAnswer, firstWords, type PinnedReader } from '../venues/venues.ts';

/** Selectors of latestRoundData() and decimals(). */
const LATEST_ROUND_DATA = '0xfeaf968c';
const DECIMALS = '0x313ce567';
const ROUND_WORDS = 5;

/** What a feed answered, as it is; null: it reverted, or answered something else. */
export type FeedRound = {
  readonly roundId: bigint;
  readonly answer: bigint;
  readonly startedAt: bigint;
  readonly updatedAt: bigint;
  readonly answeredInRound: bigint;
  readonly decimals: bigint;
};

/** A feed with what it answered last, and what the feed about the sequencer did that it names. */
export type FeedReading = { readonly feed: PriceFeed; readonly round: FeedRound | null; readonly sequencer?: FeedRound | null };

/** What feeds say at the reader's block, in the order asked, all in one request. Throws RpcError. */
export async function readFeeds(feeds: readonly PriceFeed[], read: PinnedReader): Promise<readonly FeedReading[]> {
  const contracts = [...new Set(feeds.flatMap(({ feed, sequencer }) => (sequencer === undefined ? [feed] : [feed, sequencer])))];
  const answers = await read(
    contracts.flatMap((to) => [
      { to, data: LATEST_ROUND_DATA, answerBytes: ROUND_WORDS * 32 },
      { to, data: DECIMALS, answerBytes: 32 },
    ]),
  );
  const rounds = new Map<Address, FeedRound | null>(contracts.map((contract, at) => [contract, decodeRound(answers[2 * at], answers[2 * at + 1])]));
  return feeds.map((feed) => ({
    feed,
    round: rounds.get(feed.feed) ?? null,
    ...(feed.sequencer === undefined ? {} : { sequencer: rounds.get(feed.sequencer) ?? null }),
  }));
}

function decodeRound(data: ChainAnswer | undefined, scale: ChainAnswer | undefined): FeedRound | null {
  const [words, [decimals] = []] = [firstWords(data, ROUND_WORDS), firstWords(scale, 1) ?? []];
  if (words === null || decimals === undefined) return null;
  const [roundId = 0n, answer = 0n, startedAt = 0n, updatedAt = 0n, answeredInRound = 0n] = words;
  return { roundId, answer: BigInt.asIntN(256, answer), startedAt, updatedAt, answeredInRound, decimals };
}

/** 'stale': it was right, and is too old. 'refused': it is no price, or none that can be. */
export type FeedVerdict = { readonly kind: 'used'; readonly usd: number; readonly ageSeconds: number } | { readonly kind: 'stale' | 'refused' };

/** Whether what a feed answered is a price at a block of that time. An answer from the future is none, nor one that was carried over from a round that was not answered. */
export function judgeRound({ feed, round, sequencer }: FeedReading, timestamp: number): FeedVerdict {
  if (round === null) return REFUSED;
  if (feed.sequencer !== undefined && !wasWorkingAt(sequencer ?? null, round.updatedAt)) return REFUSED;
  const { roundId, answer, updatedAt, answeredInRound, decimals } = round;
  if (answer <= 0n || roundId === 0n || answeredInRound < roundId || updatedAt === 0n || updatedAt > BigInt(timestamp)) return REFUSED;
  if (decimals > BigInt(LIMITS.market.mostDecimals)) return REFUSED;
  const usd = Number(answer) / 10 ** Number(decimals);
  if (!(usd >= feed.minimumUsd && usd <= feed.maximumUsd)) return REFUSED;
  const ageSeconds = timestamp - Number(updatedAt);
  return ageSeconds > feed.maximumAgeSeconds ? { kind: 'stale' } : { kind: 'used', usd, ageSeconds };
}

/** Whether a sequencer works, and has since that time: its feed answers 0 since it does, 1 since it does not. One that was never written to says nothing. */
function wasWorkingAt(sequencer: FeedRound | null, time: bigint): boolean {
  return sequencer !== null && sequencer.answer === 0n && sequencer.startedAt > 0n && time >= sequencer.startedAt;
}

const REFUSED: FeedVerdict = { kind: 'refused' };

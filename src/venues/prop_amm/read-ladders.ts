import type { Address } from '../../units/units.ts';
import { firstWords } from '../abi-words.ts';
import { type Ladder, MAX_AMOUNT, type Rung, withFallingPrices } from '../ladder/rungs.ts';
import type { ChainAnswer, DiscoveredPool, PinnedReader } from '../track.ts';
import { quoteCall } from './makers-router.ts';

/** First it is looked how much a maker takes, by hundreds: 10^4 to 10^30 base units. */
const COARSE = Array.from({ length: 14 }, (_, at) => 10n ** BigInt(4 + 2 * at));
/** Then closer: eighths of a decade, up to the next hundred. In thousandths. */
const CLOSER = Array.from({ length: 15 }, (_, at) => BigInt(Math.round(1000 * 10 ** ((at + 1) / 8))));
const PER_THOUSAND = 1000n;
/** Then these parts of it: what most trades take, and what bends most. */
const PARTS = [1, 2, 4, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, ...Array.from({ length: 13 }, (_, at) => 256 + 64 * at)].map(BigInt);
const PARTS_OF = 1024n;

type Way = { readonly maker: Address; readonly tokenIn: Address; readonly tokenOut: Address };

/** Asks makers for quotes of both directions of their pairs, many sizes each, all at the reader's block. In the order of the pools. */
export async function readLadders(pools: readonly DiscoveredPool[], read: PinnedReader): Promise<readonly (readonly [Ladder, Ladder])[]> {
  const ways = pools.flatMap(({ address, tokens: [token0, token1] }): readonly Way[] => [
    { maker: address, tokenIn: token0 as Address, tokenOut: token1 as Address },
    { maker: address, tokenIn: token1 as Address, tokenOut: token0 as Address },
  ]);
  const coarse = (
    await askAll(
      ways.map((way) => ({ way, sizes: COARSE })),
      read,
    )
  ).map(largestOf);
  const closer = await askAll(
    ways.map((way, at) => ({ way, sizes: CLOSER.map((thousandths) => ((coarse[at] ?? 0n) * thousandths) / PER_THOUSAND) })),
    read,
  );
  const most = closer.map((rungs, at) => largestOf([{ amountIn: coarse[at] ?? 0n, amountOut: 1n }, ...rungs]));
  const ladders = await askAll(
    ways.map((way, at) => ({ way, sizes: PARTS.map((part) => ((most[at] ?? 0n) * part) / PARTS_OF) })),
    read,
  );
  const falling = ladders.map(withFallingPrices);
  return pools.map((_, at) => [falling[2 * at] ?? [], falling[2 * at + 1] ?? []]);
}

type Asked = { readonly way: Way; readonly sizes: readonly bigint[] };

/** What each gives for its sizes, up to the first that it refuses after one that it takes. */
async function askAll(asked: readonly Asked[], read: PinnedReader): Promise<readonly (readonly Rung[])[]> {
  const wanted = asked.map(({ way, sizes }) => ({ way, sizes: sizes.filter((size) => size > 0n) }));
  const answers = await read(wanted.flatMap(({ way: { maker, tokenIn, tokenOut }, sizes }) => sizes.map((size) => quoteCall(maker, tokenIn, tokenOut, size))));
  let at = 0;
  return wanted.map(({ sizes }) => {
    const said = sizes.map((amountIn): Rung => ({ amountIn, amountOut: amountOf(answers[at++]) ?? 0n }));
    const first = said.findIndex(isGiven);
    const refused = said.findIndex((rung, index) => index > first && !isGiven(rung));
    return first < 0 ? [] : said.slice(first, refused < 0 ? undefined : refused);
  });
}

/** Sizes themselves stay below 10^32. */
function isGiven({ amountOut }: Rung): boolean {
  return amountOut > 0n && amountOut <= MAX_AMOUNT;
}

/** What an answer says of a quote; null: the maker does not give one. */
export function amountOf(answer: ChainAnswer | undefined): bigint | null {
  return firstWords(answer, 1)?.[0] ?? null;
}

function largestOf(rungs: readonly Rung[]): bigint {
  return rungs.at(-1)?.amountIn ?? 0n;
}

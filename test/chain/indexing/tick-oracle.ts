import { type PublicClient, parseAbi } from 'viem';
import type { Address } from '../../../src/units/units.ts';

const LENS = parseAbi([
  'struct PopulatedTick { int24 tick; int128 liquidityNet; uint128 liquidityGross; }',
  'function getPopulatedTicksInWord(address pool, int16 word) view returns (PopulatedTick[] ticks)',
]);
const MAX_TICK = 887_272;
/** A pool of tick spacing 200 has 35 words, one of spacing 1 has 6,932: of pools with more than this, only words around the ticks in question are looked at. */
const WORDS_ALL = process.env.BRAID_SCALE === 'full' ? 200 : 40;

/** Initialised ticks of a pool by Uniswap's own TickLens, ascending. */
export async function readTicks(
  client: PublicClient,
  lens: Address,
  pool: Address,
  spacing: number,
  expected: readonly number[],
): Promise<readonly { tick: number; liquidityNet: bigint }[]> {
  const wordOf = (tick: number): number => Math.floor(tick / spacing) >> 8;
  const all = Array.from({ length: wordOf(MAX_TICK) - wordOf(-MAX_TICK) + 1 }, (_, at) => wordOf(-MAX_TICK) + at);
  const near = new Set(expected.flatMap((tick) => [wordOf(tick) - 1, wordOf(tick), wordOf(tick) + 1]));
  const words = all.length <= WORDS_ALL ? all : all.filter((word) => near.has(word));
  const found = await Promise.all(
    words.map((word) => client.readContract({ address: lens, abi: LENS, functionName: 'getPopulatedTicksInWord', args: [pool, word] })),
  );
  return found
    .flat()
    .map(({ tick, liquidityNet }) => ({ tick, liquidityNet }))
    .sort((a, b) => a.tick - b.tick);
}

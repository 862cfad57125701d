import { toFunctionSelector } from 'viem';
import { LIMITS } from '../../config/limits.ts';
import { tickTable } from '../concentrated/concentrated-state.ts';
import { MAX_TICK, MIN_TICK } from '../concentrated/tick-math.ts';
import type { ChainCall, DiscoveredPool, PinnedReader } from '../track.ts';
import type { LedgerState } from './tick-ledger.ts';

const SLOT0 = toFunctionSelector('slot0()');
const LIQUIDITY = toFunctionSelector('liquidity()');
const TICK_BITMAP = toFunctionSelector('tickBitmap(int16)');
const TICKS = toFunctionSelector('ticks(int24)');
/** Bitmap words asked for at a time: a pool of tick spacing 1 has 6,932. */
const WORDS_AT_ONCE = 20_000;

type Head = { readonly pool: DiscoveredPool; readonly sqrtPriceX96: bigint; readonly tick: number; readonly liquidity: bigint };

/**
 * Reads pools whole, at the reader's block: price and liquidity, then every word of the tick bitmap, then every initialised tick. null for a pool that is not
 * initialised or does not answer as one of these contracts.
 */
export async function loadLedgers(pools: readonly DiscoveredPool[], read: PinnedReader): Promise<readonly (LedgerState | null)[]> {
  const heads = await loadHeads(pools, read);
  const states: (LedgerState | null)[] = [];
  let batch: (Head | null)[] = [];
  let words = 0;
  for (const head of heads) {
    batch.push(head);
    if (head !== null) words += wordCount(spacingOf(head.pool));
    if (words < WORDS_AT_ONCE) continue;
    states.push(...(await loadTicks(batch, read)));
    batch = [];
    words = 0;
  }
  states.push(...(await loadTicks(batch, read)));
  return states;
}

async function loadHeads(pools: readonly DiscoveredPool[], read: PinnedReader): Promise<readonly (Head | null)[]> {
  const answers = await read(
    pools.flatMap((pool): ChainCall[] => [
      { to: pool.address, data: SLOT0, answerBytes: 64 },
      { to: pool.address, data: LIQUIDITY, answerBytes: 32 },
    ]),
  );
  return pools.map((pool, at) => {
    const [sqrtPriceX96, tick] = wordsOf(answers[2 * at], 2);
    const [liquidity] = wordsOf(answers[2 * at + 1], 1);
    if (sqrtPriceX96 === undefined || tick === undefined || liquidity === undefined || sqrtPriceX96 === 0n) return null;
    return { pool, sqrtPriceX96, tick: Number(BigInt.asIntN(24, tick)), liquidity };
  });
}

async function loadTicks(heads: readonly (Head | null)[], read: PinnedReader): Promise<readonly (LedgerState | null)[]> {
  const live = heads.filter((head) => head !== null);
  const wanted = live.flatMap((head) => wordIndices(spacingOf(head.pool)).map((word) => ({ head, word })));
  const bitmaps = await read(wanted.map(({ head, word }) => ({ to: head.pool.address, data: withInteger(TICK_BITMAP, word), answerBytes: 32 })));
  const indices = new Map<Head, number[] | null>(live.map((head) => [head, []]));
  for (const [at, { head, word }] of wanted.entries()) {
    const [bits] = wordsOf(bitmaps[at], 1);
    const known = indices.get(head) ?? null;
    if (bits === undefined || known === null || known.length > LIMITS.venues.ticksPerPool) indices.set(head, null);
    else for (let bit = 0, rest = bits; rest !== 0n; bit++, rest >>= 1n) if ((rest & 1n) === 1n) known.push((word * 256 + bit) * spacingOf(head.pool));
  }
  const asked = live.flatMap((head) => (indices.get(head) ?? []).map((tick) => ({ head, tick })));
  const answers = await read(asked.map(({ head, tick }) => ({ to: head.pool.address, data: withInteger(TICKS, tick), answerBytes: 64 })));
  const ticks = new Map<Head, { tick: number; gross: bigint; net: bigint }[] | null>(live.map((head) => [head, indices.get(head) === null ? null : []]));
  for (const [at, { head, tick }] of asked.entries()) {
    const [gross, net] = wordsOf(answers[at], 2);
    if (gross === undefined || net === undefined || gross === 0n) ticks.set(head, null);
    else ticks.get(head)?.push({ tick, gross, net: BigInt.asIntN(128, net) });
  }
  return heads.map((head) => (head === null ? null : ledgerOf(head, ticks.get(head) ?? null)));
}

function ledgerOf(head: Head, ticks: readonly { tick: number; gross: bigint; net: bigint }[] | null): LedgerState | null {
  if (ticks === null) return null;
  return {
    feePpm: Number(head.pool.traits.feePpm),
    tickSpacing: spacingOf(head.pool),
    sqrtPriceX96: head.sqrtPriceX96,
    liquidity: head.liquidity,
    tick: head.tick,
    ticks: tickTable(ticks.map(({ tick, net }) => [tick, net])),
    truncated: false,
    liquidityGross: ticks.map(({ gross }) => gross),
  };
}

function spacingOf(pool: DiscoveredPool): number {
  return Number(pool.traits.tickSpacing);
}

/** Words of the bitmap that can hold a usable tick, ascending: 256 compressed ticks each. */
function wordIndices(spacing: number): readonly number[] {
  const first = Math.ceil(MIN_TICK / spacing) >> 8;
  return Array.from({ length: wordCount(spacing) }, (_, at) => first + at);
}

function wordCount(spacing: number): number {
  return (Math.floor(MAX_TICK / spacing) >> 8) - (Math.ceil(MIN_TICK / spacing) >> 8) + 1;
}

/** Calldata of a function of one signed integer. */
function withInteger(selector: `0x${string}`, value: number): `0x${string}` {
  return `${selector}${BigInt.asUintN(256, BigInt(value)).toString(16).padStart(64, '0')}`;
}

/** The first 32-byte words of an answer; empty when it is missing or too short. */
function wordsOf(answer: `0x${string}` | null | undefined, count: number): readonly bigint[] {
  if (answer === null || answer === undefined || answer.length < 2 + 64 * count) return [];
  return Array.from({ length: count }, (_, at) => BigInt(`0x${answer.slice(2 + 64 * at, 66 + 64 * at)}`));
}

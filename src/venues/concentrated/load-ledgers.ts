import { LIMITS } from '../../config/limits.ts';
import { firstWords } from '../abi-words.ts';
import type { ChainAnswer, ChainCall, DiscoveredPool, PinnedReader } from '../track.ts';
import { tickTable } from './concentrated-state.ts';
import type { LedgerState } from './tick-ledger.ts';
import { MAX_TICK, MIN_TICK } from './tick-math.ts';

/** Bitmap words asked for at a time: a pool of tick spacing 1 has 6,932. */
const WORDS_AT_ONCE = 20_000;

/** What a concentrated pool is beside its ticks. */
export type LedgerHead = Pick<LedgerState, 'feePpm' | 'tickSpacing' | 'sqrtPriceX96' | 'tick' | 'liquidity'>;

/** Where a venue's contracts keep a pool, and how they tell of it. */
export type LedgerSource<Head extends LedgerHead> = {
  tickSpacing(pool: DiscoveredPool): number;
  headCalls(pool: DiscoveredPool): readonly ChainCall[];
  /** From the answers to those calls; null: the pool is not initialised, or does not answer as one of these contracts. */
  head(pool: DiscoveredPool, answers: readonly ChainAnswer[]): Head | null;
  /** A word of the tick bitmap; the answer is it. */
  bitmapCall(pool: DiscoveredPool, word: number): ChainCall;
  tickCall(pool: DiscoveredPool, tick: number): ChainCall;
  /** null: no answer of this contract. */
  tick(answer: ChainAnswer): { readonly gross: bigint; readonly net: bigint } | null;
};

export type LoadedLedger<Head> = { readonly head: Head; readonly ledger: LedgerState };

type Live<Head> = { readonly pool: DiscoveredPool; readonly head: Head };

/**
 * Reads pools whole, at the reader's block: their heads, then every word of the tick bitmap, then every initialised tick. null for a pool that has no head, or whose ticks do not
 * answer as the bitmap says. In the order of the input.
 */
export async function loadLedgersFrom<Head extends LedgerHead>(
  source: LedgerSource<Head>,
  pools: readonly DiscoveredPool[],
  read: PinnedReader,
): Promise<readonly (LoadedLedger<Head> | null)[]> {
  const heads = await loadHeads(source, pools, read);
  const states: (LoadedLedger<Head> | null)[] = [];
  let batch: (Live<Head> | null)[] = [];
  let words = 0;
  for (const live of heads) {
    batch.push(live);
    if (live !== null) words += wordCount(source.tickSpacing(live.pool));
    if (words < WORDS_AT_ONCE) continue;
    states.push(...(await loadTicks(source, batch, read)));
    batch = [];
    words = 0;
  }
  states.push(...(await loadTicks(source, batch, read)));
  return states;
}

/** Reads of pools what a swap moves, at the reader's block: price, tick and liquidity in range. null as of `loadLedgersFrom`, but for what their ticks would tell. */
export async function glanceAtLedgers<Head extends LedgerHead>(
  source: LedgerSource<Head>,
  pools: readonly DiscoveredPool[],
  read: PinnedReader,
): Promise<readonly (Pick<LedgerState, 'sqrtPriceX96' | 'tick' | 'liquidity'> | null)[]> {
  const heads = await loadHeads(source, pools, read);
  return heads.map((live) => (live === null ? null : { sqrtPriceX96: live.head.sqrtPriceX96, tick: live.head.tick, liquidity: live.head.liquidity }));
}

async function loadHeads<Head extends LedgerHead>(
  source: LedgerSource<Head>,
  pools: readonly DiscoveredPool[],
  read: PinnedReader,
): Promise<readonly (Live<Head> | null)[]> {
  const calls = pools.map((pool) => source.headCalls(pool));
  const answers = await read(calls.flat());
  let at = 0;
  return pools.map((pool, index) => {
    const own = answers.slice(at, at + (calls[index]?.length ?? 0));
    at += own.length;
    const head = source.head(pool, own);
    return head === null ? null : { pool, head };
  });
}

async function loadTicks<Head extends LedgerHead>(
  source: LedgerSource<Head>,
  heads: readonly (Live<Head> | null)[],
  read: PinnedReader,
): Promise<readonly (LoadedLedger<Head> | null)[]> {
  const lives = heads.filter((live) => live !== null);
  const wanted = lives.flatMap((live) => wordIndices(source.tickSpacing(live.pool)).map((word) => ({ live, word })));
  const bitmaps = await read(wanted.map(({ live, word }) => source.bitmapCall(live.pool, word)));
  const indices = new Map<Live<Head>, number[] | null>(lives.map((live) => [live, []]));
  for (const [at, { live, word }] of wanted.entries()) {
    const [bits] = firstWords(bitmaps[at], 1) ?? [];
    const known = indices.get(live) ?? null;
    if (bits === undefined || known === null || known.length > LIMITS.venues.ticksPerPool) indices.set(live, null);
    else for (let bit = 0, rest = bits; rest !== 0n; bit++, rest >>= 1n) if ((rest & 1n) === 1n) known.push((word * 256 + bit) * source.tickSpacing(live.pool));
  }
  const asked = lives.flatMap((live) => (indices.get(live) ?? []).map((tick) => ({ live, tick })));
  const answers = await read(asked.map(({ live, tick }) => source.tickCall(live.pool, tick)));
  const ticks = new Map<Live<Head>, { tick: number; gross: bigint; net: bigint }[] | null>(lives.map((live) => [live, indices.get(live) === null ? null : []]));
  for (const [at, { live, tick }] of asked.entries()) {
    const found = source.tick(answers[at] ?? null);
    if (found === null || found.gross === 0n) ticks.set(live, null);
    else ticks.get(live)?.push({ tick, ...found });
  }
  return heads.map((live) => (live === null ? null : loadedOf(live.head, ticks.get(live) ?? null)));
}

function loadedOf<Head extends LedgerHead>(head: Head, ticks: readonly { tick: number; gross: bigint; net: bigint }[] | null): LoadedLedger<Head> | null {
  if (ticks === null) return null;
  const { feePpm, tickSpacing, sqrtPriceX96, liquidity, tick } = head;
  const table = tickTable(ticks.map(({ tick: at, net }) => [at, net]));
  const liquidityGross = ticks.map(({ gross }) => gross);
  return { head, ledger: { feePpm, tickSpacing, sqrtPriceX96, liquidity, tick, ticks: table, truncated: false, liquidityGross } };
}

/** Words of the bitmap that can hold a usable tick, ascending: 256 compressed ticks each. */
function wordIndices(spacing: number): readonly number[] {
  const first = Math.ceil(MIN_TICK / spacing) >> 8;
  return Array.from({ length: wordCount(spacing) }, (_, at) => first + at);
}

function wordCount(spacing: number): number {
  return (Math.floor(MAX_TICK / spacing) >> 8) - (Math.ceil(MIN_TICK / spacing) >> 8) + 1;
}

/** A signed integer as the 32-byte word that contracts read, without 0x. */
export function signedWord(value: number): string {
  return BigInt.asUintN(256, BigInt(value)).toString(16).padStart(64, '0');
}

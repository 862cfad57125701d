import { toFunctionSelector } from 'viem';
import { firstWords } from '../abi-words.ts';
import { glanceAtLedgers, type LedgerHead, type LedgerSource, loadLedgersFrom, signedWord } from '../concentrated/load-ledgers.ts';
import type { LedgerState } from '../concentrated/tick-ledger.ts';
import type { DiscoveredPool, PinnedReader } from '../track.ts';

const SLOT0 = toFunctionSelector('slot0()');
const LIQUIDITY = toFunctionSelector('liquidity()');
const TICK_BITMAP = toFunctionSelector('tickBitmap(int16)');
const TICKS = toFunctionSelector('ticks(int24)');

/** Each pool is a contract of its own, with getters. */
const GETTERS: LedgerSource<LedgerHead> = {
  tickSpacing: spacingOf,
  headCalls: ({ address }) => [
    { to: address, data: SLOT0, answerBytes: 64 },
    { to: address, data: LIQUIDITY, answerBytes: 32 },
  ],
  head(pool, [slot0, inRange]) {
    const [sqrtPriceX96, tick] = firstWords(slot0, 2) ?? [];
    const [liquidity] = firstWords(inRange, 1) ?? [];
    if (sqrtPriceX96 === undefined || tick === undefined || liquidity === undefined || sqrtPriceX96 === 0n) return null;
    return { feePpm: Number(pool.traits.feePpm), tickSpacing: spacingOf(pool), sqrtPriceX96, tick: Number(BigInt.asIntN(24, tick)), liquidity };
  },
  bitmapCall: ({ address }, word) => ({ to: address, data: `${TICK_BITMAP}${signedWord(word)}`, answerBytes: 32 }),
  tickCall: ({ address }, tick) => ({ to: address, data: `${TICKS}${signedWord(tick)}`, answerBytes: 64 }),
  tick(answer) {
    const [gross, net] = firstWords(answer, 2) ?? [];
    return gross === undefined || net === undefined ? null : { gross, net: BigInt.asIntN(128, net) };
  },
};

/** Reads pools whole, at the reader's block. null for a pool that is not initialised or does not answer as one of these contracts. */
export async function loadLedgers(pools: readonly DiscoveredPool[], read: PinnedReader): Promise<readonly (LedgerState | null)[]> {
  return (await loadLedgersFrom(GETTERS, pools, read)).map((loaded) => loaded?.ledger ?? null);
}

/** Reads what a swap moves of pools. null as of `loadLedgers`. */
export function glanceAtPools(pools: readonly DiscoveredPool[], read: PinnedReader): Promise<readonly (object | null)[]> {
  return glanceAtLedgers(GETTERS, pools, read);
}

function spacingOf(pool: DiscoveredPool): number {
  return Number(pool.traits.tickSpacing);
}

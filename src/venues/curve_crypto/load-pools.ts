import { encodeFunctionData, parseAbi } from 'viem';
import { onlyWord } from '../abi-words.ts';
import type { QuoteMoment } from '../quote-moment.ts';
import type { ChainAnswer, ChainCall, DiscoveredPool, PinnedReader } from '../track.ts';
import { isLetPass } from '../venue.ts';
import { divide, multiply } from './checked-integers.ts';
import type { AmplificationAndGamma } from './crypto-maths.ts';
import type { CryptoPool } from './crypto-pool.ts';
import { type CryptoState, validateState } from './crypto-state.ts';
import { FEE_DENOMINATOR, feeOf, given, openPool, unlessReverted } from './exchange.ts';
import { averagesAt, evenWorth } from './move-prices.ts';
import type { PoolReading } from './pool-reading.ts';
import { callsOfThree, readingOfThree } from './read-three-coins.ts';
import { callsOfTwo, readingOfTwo, storedAverageOf } from './read-two-coins.ts';

const ABI = parseAbi(['function get_dy(uint256 i, uint256 j, uint256 dx) view returns (uint256)']);
const WORD_BYTES = 32;
const ONE = 10n ** 18n;
/** Of the balance that is paid into. */
const PROBE_PART = 8n;

/**
 * Whole states, read at one block. A pool counts only where its own fee, the worth of its shares and its prices are what the mathematics give at that block: pools of other generations have much of the same
 * interface and compute otherwise. Whether a pool is on its way to its average prices it tells nobody: it may be.
 */
export async function loadPools(pools: readonly DiscoveredPool[], read: PinnedReader, at: QuoteMoment): Promise<readonly (CryptoState | null)[]> {
  const readings = await readPools(pools, read);
  const probes = pools.map((pool, index) => (readings[index] ? probesOf(pool, readings[index].pool) : []));
  const told = inTurn(probes, await read(probes.flat()));
  return readings.map((reading, index) => {
    if (reading === null) return null;
    const state: CryptoState = { possible: [reading.pool, { ...reading.pool, adjusting: true }] };
    return isLetPass(() => validateState(state)) && agrees(reading, told[index] ?? [], BigInt(at.timestamp)) ? state : null;
  });
}

async function readPools(pools: readonly DiscoveredPool[], read: PinnedReader): Promise<readonly (PoolReading | null)[]> {
  const calls = pools.map((pool) => (isOfTwo(pool) ? callsOfTwo(pool) : callsOfThree(pool)));
  const averages = pools.map((pool) => (isOfTwo(pool) ? [storedAverageOf(pool)] : []));
  const [said, stored] = await Promise.all([read(calls.flat()), averages.flat().length === 0 ? [] : read(averages.flat())]);
  const [own, kept] = [inTurn(calls, said), inTurn(averages, stored)];
  return pools.map((pool, index) => {
    const answers = own[index] ?? [];
    return isOfTwo(pool) ? readingOfTwo(pool, answers, kept[index]?.[0]) : readingOfThree(pool, answers);
  });
}

function isOfTwo({ tokens }: DiscoveredPool): boolean {
  return tokens.length === 2;
}

/** Answers to calls of several pools, as lists of each one's own. */
function inTurn(calls: readonly (readonly ChainCall[])[], answers: readonly ChainAnswer[]): readonly (readonly ChainAnswer[])[] {
  let next = 0;
  return calls.map(({ length }) => {
    next += length;
    return answers.slice(next - length, next);
  });
}

function probesOf({ address }: DiscoveredPool, { balances }: CryptoPool): readonly ChainCall[] {
  return balances.map((balance, slot) => {
    const args = [BigInt(slot), BigInt((slot + 1) % balances.length), probeOf(balance)] as const;
    return { to: address, data: encodeFunctionData({ abi: ABI, functionName: 'get_dy', args }), answerBytes: WORD_BYTES };
  });
}

function probeOf(balance: bigint): bigint {
  return balance / PROBE_PART + 1n;
}

function agrees({ pool, now, fee, virtualPrice, averages }: PoolReading, prices: readonly ChainAnswer[], time: bigint): boolean {
  const still = { ...pool, rampEndsAt: 0n };
  const ours = {
    fee: unlessReverted(() => feeOf(pool, openPool(still, now).worth)),
    virtualPrice: unlessReverted(() => divide(multiply(ONE, evenWorth(pool.invariant, pool.priceScale)), pool.shares)),
    averages: unlessReverted(() => averagesAt(pool, time)),
  };
  if (ours.fee !== fee || ours.virtualPrice !== virtualPrice) return false;
  if (averages !== null && !averages.every((average, at) => average === ours.averages?.[at])) return false;
  const told = prices.map(onlyWord);
  if (agreesWith(pool, now, told)) return true;
  // On the way of its parameters the view of a pool of three coins takes the invariant of its last change, or the one of now.
  return pool.claim === null && agreesWith(still, now, told);
}

function agreesWith(pool: CryptoPool, now: AmplificationAndGamma, told: readonly (bigint | null)[]): boolean {
  return told.every((price, slot) => {
    const ours = unlessReverted(() => {
      const { gross, fee } = given(openPool(pool, now), slot, (slot + 1) % pool.balances.length, probeOf(pool.balances[slot] ?? 0n));
      return gross - divide(multiply(fee, gross), FEE_DENOMINATOR);
    });
    return ours === price;
  });
}

import { encodeFunctionData, parseAbi, toFunctionSelector } from 'viem';
import { asAddress } from '../../units/units.ts';
import { allWords, onlyWord } from '../abi-words.ts';
import type { ChainAnswer, ChainCall, DiscoveredPool, PinnedReader } from '../track.ts';
import { PoolRefused } from '../venue.ts';
import { divide, multiply } from './checked-integers.ts';
import type { AmplificationAndGamma } from './crypto-maths.ts';
import type { CryptoPool } from './crypto-pool.ts';
import { COINS, type CryptoState, validateState } from './crypto-state.ts';
import { FEE_DENOMINATOR, feeOf, given, openPool, unlessReverted } from './exchange.ts';
import { evenWorth } from './move-prices.ts';

const ABI = parseAbi([
  'function balances(uint256 i) view returns (uint256)',
  'function price_scale(uint256 k) view returns (uint256)',
  'function price_oracle(uint256 k) view returns (uint256)',
  'function last_prices(uint256 k) view returns (uint256)',
  'function get_dy(uint256 i, uint256 j, uint256 dx) view returns (uint256)',
  'function get_coins(address pool) view returns (address[8])',
]);
/** Answered with one word, without an argument. */
const VIEWS = [
  'last_prices_timestamp',
  'A',
  'gamma',
  'initial_A_gamma',
  'future_A_gamma',
  'initial_A_gamma_time',
  'future_A_gamma_time',
  'D',
  'mid_fee',
  'out_fee',
  'fee_gamma',
  'allowed_extra_profit',
  'adjustment_step',
  'ma_half_time',
  'xcp_profit',
  'virtual_price',
  'is_killed',
  'fee',
  'get_virtual_price',
] as const;
const SELECTORS = VIEWS.map((view) => toFunctionSelector(`${view}()`));
const TOTAL_SUPPLY = toFunctionSelector('totalSupply()');
const WORD_BYTES = 32;
const ONE = 10n ** 18n;
/** Of the balance that is paid into. */
const PROBE_PART = 8n;
/** Lists of a price each: one fewer than coins. */
const PRICES = COINS - 1;
const CALLS = COINS + 3 * PRICES + VIEWS.length + 2;
const HALF = (1n << 128n) - 1n;

type Said = Readonly<Record<(typeof VIEWS)[number], bigint>>;
/** A pool as it is in the block that it was read at, with what it says of itself there. */
type Read = { readonly pool: CryptoPool; readonly now: AmplificationAndGamma; readonly said: Said };

/**
 * Whole states, read at one block. A pool counts only where its own fee, the worth of its shares and its prices are what the mathematics give at that block: pools of other generations have much of the same
 * interface and compute otherwise. Whether a pool is on its way to its average prices it tells nobody: it may be.
 */
export async function loadPools(pools: readonly DiscoveredPool[], read: PinnedReader): Promise<readonly (CryptoState | null)[]> {
  const answers = await read(pools.flatMap(callsOf));
  const readings = pools.map((pool, at) => readingOf(pool, answers.slice(CALLS * at, CALLS * (at + 1))));
  const prices = await read(pools.flatMap((pool, at) => (readings[at] ? probesOf(pool, readings[at].pool) : [])));
  let next = 0;
  return readings.map((reading) => {
    if (reading === null) return null;
    const own = prices.slice(next, next + COINS);
    next += COINS;
    const state: CryptoState = { possible: [reading.pool, { ...reading.pool, adjusting: true }] };
    return isValid(state) && agrees(reading, own) ? state : null;
  });
}

function callsOf({ address, traits }: DiscoveredPool): readonly ChainCall[] {
  const listed = (functionName: 'balances' | 'price_scale' | 'price_oracle' | 'last_prices', count: number) =>
    Array.from({ length: count }, (_, place) => encodeFunctionData({ abi: ABI, functionName, args: [BigInt(place)] }));
  const lists = [...listed('balances', COINS), ...listed('price_scale', PRICES), ...listed('price_oracle', PRICES), ...listed('last_prices', PRICES)];
  const words = [...lists, ...SELECTORS].map((data) => ({ to: address, data, answerBytes: WORD_BYTES }));
  const supply = { to: asAddress(String(traits.token)), data: TOTAL_SUPPLY, answerBytes: WORD_BYTES };
  // A registry forgets the coins of a pool that it removes.
  const listing = {
    to: asAddress(String(traits.factory)),
    data: encodeFunctionData({ abi: ABI, functionName: 'get_coins', args: [address] }),
    answerBytes: 8 * WORD_BYTES,
  };
  return [...words, supply, listing];
}

function readingOf({ traits }: DiscoveredPool, answers: readonly ChainAnswer[]): Read | null {
  const words = answers.slice(0, CALLS - 1).map(onlyWord);
  const isListed = (allWords(answers[CALLS - 1])?.[0] ?? 0n) !== 0n;
  if (!isListed || !words.every((word) => word !== null)) return null;
  const said = Object.fromEntries(VIEWS.map((view, at) => [view, words[COINS + 3 * PRICES + at]])) as Said;
  if (said.is_killed !== 0n) return null;
  const prices = (list: number) => words.slice(COINS + PRICES * list, COINS + PRICES * (list + 1));
  const pool: CryptoPool = {
    balances: words.slice(0, COINS),
    precisions: String(traits.decimals)
      .split(',')
      .map((places) => 10n ** BigInt(18 - Number(places))),
    priceScale: prices(0),
    priceOracle: prices(1),
    lastPrices: prices(2),
    lastPricesAt: said.last_prices_timestamp,
    from: unpacked(said.initial_A_gamma),
    to: unpacked(said.future_A_gamma),
    rampStartsAt: said.initial_A_gamma_time,
    rampEndsAt: said.future_A_gamma_time,
    invariant: said.D,
    midFee: said.mid_fee,
    outFee: said.out_fee,
    feeGamma: said.fee_gamma,
    allowedExtraProfit: said.allowed_extra_profit,
    adjustmentStep: said.adjustment_step,
    averageHalfTime: said.ma_half_time,
    profit: said.xcp_profit,
    virtualPrice: said.virtual_price,
    adjusting: false,
    claim: null,
    shares: words[CALLS - 2] ?? 0n,
  };
  return { pool, now: { amplification: said.A, gamma: said.gamma }, said };
}

/** Both lie in one word. */
function unpacked(word: bigint): AmplificationAndGamma {
  return { amplification: word >> 128n, gamma: word & HALF };
}

function probesOf({ address }: DiscoveredPool, { balances }: CryptoPool): readonly ChainCall[] {
  return balances.map((balance, slot) => {
    const args = [BigInt(slot), BigInt((slot + 1) % COINS), probeOf(balance)] as const;
    return { to: address, data: encodeFunctionData({ abi: ABI, functionName: 'get_dy', args }), answerBytes: WORD_BYTES };
  });
}

function probeOf(balance: bigint): bigint {
  return balance / PROBE_PART + 1n;
}

function agrees({ pool, now, said }: Read, prices: readonly ChainAnswer[]): boolean {
  const still = { ...pool, rampEndsAt: 0n };
  const fee = unlessReverted(() => feeOf(pool, openPool(still, now).worth));
  const virtualPrice = unlessReverted(() => divide(multiply(ONE, evenWorth(pool.invariant, pool.priceScale)), pool.shares));
  if (fee !== said.fee || virtualPrice !== said.get_virtual_price) return false;
  const told = prices.map(onlyWord);
  // On the way of its parameters a pool's view takes the invariant of its last change, or the one of now.
  return agreesWith(still, now, told) || (pool.rampEndsAt !== 0n && agreesWith(pool, now, told));
}

function agreesWith(pool: CryptoPool, now: AmplificationAndGamma, told: readonly (bigint | null)[]): boolean {
  return told.every((price, slot) => {
    const ours = unlessReverted(() => {
      const { gross, fee } = given(openPool(pool, now), slot, (slot + 1) % COINS, probeOf(pool.balances[slot] ?? 0n));
      return gross - divide(multiply(fee, gross), FEE_DENOMINATOR);
    });
    return ours === price;
  });
}

function isValid(state: CryptoState): boolean {
  try {
    validateState(state);
    return true;
  } catch (error) {
    if (error instanceof PoolRefused) return false;
    throw error;
  }
}

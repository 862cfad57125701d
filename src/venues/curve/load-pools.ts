import { encodeFunctionData, parseAbi, toFunctionSelector } from 'viem';
import { asAddress, type EpochSeconds } from '../../units/units.ts';
import { allWords, onlyWord } from '../abi-words.ts';
import { momentOf } from '../quote-moment.ts';
import type { TokenScale } from '../scaled/token-scale.ts';
import type { ChainAnswer, ChainCall, DiscoveredPool, PinnedReader } from '../track.ts';
import { isLetPass } from '../venue.ts';
import type { CurveState } from './curve-state.ts';
import { listOf } from './list-of.ts';
import { price } from './price.ts';
import { type CurveForm, invariantOf } from './stable-swap.ts';
import { upscaledBalances, validateState } from './state.ts';

const ABI = parseAbi([
  'function balances(uint256 i) view returns (uint256)',
  'function get_dy(int128 i, int128 j, uint256 dx) view returns (uint256)',
  'function get_coins(address pool) view returns (address[8])',
]);
/** Answered with one word, where they are there. */
const VIEWS = [
  'fee',
  'admin_fee',
  'A',
  'A_precise',
  'initial_A',
  'future_A',
  'initial_A_time',
  'future_A_time',
  'is_killed',
  'offpeg_fee_multiplier',
  'get_virtual_price',
  'totalSupply',
] as const;
const SELECTORS = VIEWS.map((view) => toFunctionSelector(`${view}()`));
const STORED_RATES = toFunctionSelector('stored_rates()');
const WORD_BYTES = 32;
/** Of the balance that is paid into: enough to tell one amplification from another. */
const PROBE_PART = 8n;
const ONE = 10n ** 18n;
const MAX_RATE_BITS = 160n;
const ANY_MOMENT = momentOf({ number: 0, timestamp: 0 as EpochSeconds });

/** A state with the amplification that its contract computes with in the block that it was read at. */
type Read = { readonly state: CurveState; readonly now: CurveState; readonly virtualPrice: bigint | null; readonly supply: bigint | null };

/**
 * Whole states, read at one block. A pool counts only where the mathematics agree with its own answers at that block: many contracts have this interface and compute otherwise (shares of
 * lending protocols, pools over pools), and the forms of the new generation differ in nothing else that can be asked.
 */
export async function loadPools(pools: readonly DiscoveredPool[], read: PinnedReader): Promise<readonly (CurveState | null)[]> {
  const calls = pools.map(callsOf);
  const answers = await read(calls.flat());
  let from = 0;
  const states = pools.map((pool, at) => {
    const own = answers.slice(from, from + (calls[at]?.length ?? 0));
    from += own.length;
    return readingOf(pool, own);
  });
  const probes = states.map((reading, at) => (reading?.state.form === 'plain' ? probesOf(pools[at] as DiscoveredPool, reading.now) : []));
  const prices = await read(probes.flat());
  let next = 0;
  return states.map((reading, at) => {
    const own = prices.slice(next, next + (probes[at]?.length ?? 0));
    next += own.length;
    return reading !== null && agrees(reading.now, own) ? reading.state : null;
  });
}

function callsOf({ address, tokens, traits }: DiscoveredPool): readonly ChainCall[] {
  const balances = tokens.map((_, at) => encodeFunctionData({ abi: ABI, functionName: 'balances', args: [BigInt(at)] }));
  const words = [...balances, ...SELECTORS].map((data) => ({ to: address, data, answerBytes: WORD_BYTES }));
  const rates = { to: address, data: STORED_RATES, answerBytes: WORD_BYTES * (tokens.length + 2) };
  return traits.announcer === 'registry' ? [...words, rates, listingOf(address, asAddress(String(traits.factory)))] : [...words, rates];
}

/** A registry forgets the coins of a pool that it removes: one that was killed, as a rule, for which pools have no view. */
function listingOf(pool: `0x${string}`, registry: ChainCall['to']): ChainCall {
  return { to: registry, data: encodeFunctionData({ abi: ABI, functionName: 'get_coins', args: [pool] }), answerBytes: 8 * WORD_BYTES };
}

function readingOf({ tokens, traits }: DiscoveredPool, answers: readonly ChainAnswer[]): Read | null {
  const balances = answers.slice(0, tokens.length).map(onlyWord);
  const said = Object.fromEntries(VIEWS.map((view, at) => [view, onlyWord(answers[tokens.length + at])])) as Readonly<
    Record<(typeof VIEWS)[number], bigint | null>
  >;
  const rates = answers[tokens.length + VIEWS.length];
  const listed = traits.announcer !== 'registry' || (allWords(answers[tokens.length + VIEWS.length + 1])?.[0] ?? 0n) !== 0n;
  const scales = scalesOf(rates, String(traits.decimals).split(',').map(Number));
  const { fee, admin_fee: adminFee, A: whole, A_precise: precise, initial_A: from, future_A: to, initial_A_time: startsAt, future_A_time: endsAt } = said;
  if (!listed || scales === null || (said.is_killed ?? 0n) !== 0n || balances.some((balance) => balance === null)) return null;
  if (fee === null || adminFee === null || whole === null || from === null || to === null || startsAt === null || endsAt === null) return null;
  // What moves by itself is read in each block: so it is with the pools of factories, and not with those of a registry.
  if (traits.announcer === 'registry' && (said.offpeg_fee_multiplier !== null || allWords(rates)?.length)) return null;
  const unit = precise === null ? 100n : 1n;
  const ramp = from === to || endsAt <= startsAt ? null : { unit, from: from * unit, startsAt, endsAt };
  const common = { balances: balances.map((balance) => balance ?? 0n), scales, fee, adminFee };
  const state = { ...common, form: 'plain' as CurveForm, amplification: to * unit, ramp, offpegFeeMultiplier: said.offpeg_fee_multiplier ?? 0n };
  const now = { ...state, amplification: precise ?? whole * unit, ramp: null };
  const reading = { state, now, virtualPrice: said.get_virtual_price, supply: said.totalSupply };
  return said.offpeg_fee_multiplier === null ? reading : withForm(reading);
}

/** The form of the new generation whose invariant is the pool's. Where both are, they differ in nothing at these balances. */
function withForm({ state, now, ...shares }: Read): Read | null {
  const { virtualPrice, supply } = shares;
  if (virtualPrice === null || supply === null || supply === 0n) return null;
  for (const form of ['ng', 'early-ng'] as const) {
    const invariant = invariantOf(now.amplification, upscaledBalances(now), form);
    if (invariant !== null && (invariant * ONE) / supply === virtualPrice) return { state: { ...state, form }, now: { ...now, form }, ...shares };
  }
  return null;
}

function scalesOf(rates: ChainAnswer | undefined, decimals: readonly number[]): readonly TokenScale[] | null {
  const stored = rates === null ? null : listOf(rates, decimals.length);
  if (stored === null) return rates === null || rates === '0x' ? decimals.map((places) => ({ numerator: 10n ** BigInt(18 - places), denominator: 1n })) : null;
  return stored.some((rate) => rate === 0n || rate >> MAX_RATE_BITS !== 0n) ? null : stored.map((numerator) => ({ numerator, denominator: ONE }));
}

function probesOf({ address }: DiscoveredPool, { balances }: CurveState): readonly ChainCall[] {
  return balances.map((balance, slot) => {
    const args = [BigInt(slot), BigInt((slot + 1) % balances.length), balance / PROBE_PART + 1n] as const;
    return { to: address, data: encodeFunctionData({ abi: ABI, functionName: 'get_dy', args }), answerBytes: WORD_BYTES };
  });
}

/** The view takes the fee before it leaves the common unit or after: a unit more or less. */
function agrees(now: CurveState, prices: readonly ChainAnswer[]): boolean {
  if (!isLetPass(() => validateState(now))) return false;
  return prices.every((answer, slot) => {
    const told = onlyWord(answer);
    const quote = price.exactIn(now, slot, (slot + 1) % now.balances.length, (now.balances[slot] ?? 0n) / PROBE_PART + 1n, ANY_MOMENT);
    const ours = quote.ok ? quote.amountOut : 0n;
    return told === null ? ours === 0n : told <= ours + 1n && ours <= told + 1n;
  });
}

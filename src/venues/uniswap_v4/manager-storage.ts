import { concatHex, type Hex, keccak256, numberToHex, toFunctionSelector } from 'viem';
import { LIMITS } from '../../config/limits.ts';
import { firstWords } from '../abi-words.ts';
import { type LedgerHead, type LedgerSource, signedWord } from '../concentrated/load-ledgers.ts';
import type { ChainCall, DiscoveredPool } from '../track.ts';
import type { HookParameters } from './hook-model.ts';
import { HOOK_MODELS } from './known-hooks.ts';
import { createKnownWords } from './known-words.ts';

const EXTSLOAD = toFunctionSelector('extsload(bytes32)');
/** Where PoolManager keeps its pools, and within a pool its parts, in words (v4-core StateLibrary.sol, Pool.sol). */
const POOLS_SLOT = 6n;
const LIQUIDITY_OFFSET = 3n;
const TICKS_OFFSET = 4n;
const BITMAP_OFFSET = 5n;

/** Widths of what slot 0 packs, from its low bits on. */
const PRICE_BITS = 160n;
const TICK_BITS = 24;
const FEE_BITS = 24;
const LIQUIDITY_BITS = 128;

/** What the manager and the hook keep of a pool beside its ticks. */
export type V4Head = LedgerHead & { readonly protocolFee: number; readonly parameters: HookParameters };

/** The manager has no getters for pools: anybody may read its storage through it. */
export const MANAGER_STORAGE: LedgerSource<V4Head> = {
  tickSpacing: ({ traits }) => Number(traits.tickSpacing),
  headCalls(pool) {
    const place = placeOf(pool);
    return [wordAt(pool, place), wordAt(pool, place + LIQUIDITY_OFFSET), ...hookCalls(pool)];
  },
  head(pool, [slot0Answer, liquidityAnswer, ...hookAnswers]) {
    const [slot0] = firstWords(slot0Answer, 1) ?? [];
    const [liquidity] = firstWords(liquidityAnswer, 1) ?? [];
    const parameters = readingOf(pool)?.parameters(hookAnswers) ?? (readingOf(pool) === undefined ? [] : null);
    if (slot0 === undefined || liquidity === undefined || parameters === null) return null;
    const sqrtPriceX96 = BigInt.asUintN(Number(PRICE_BITS), slot0);
    if (sqrtPriceX96 === 0n) return null;
    const afterPrice = slot0 >> PRICE_BITS;
    const afterTick = afterPrice >> BigInt(TICK_BITS);
    return {
      sqrtPriceX96,
      tick: Number(BigInt.asIntN(TICK_BITS, afterPrice)),
      protocolFee: Number(BigInt.asUintN(FEE_BITS, afterTick)),
      feePpm: Number(BigInt.asUintN(FEE_BITS, afterTick >> BigInt(FEE_BITS))),
      tickSpacing: Number(pool.traits.tickSpacing),
      liquidity: BigInt.asUintN(LIQUIDITY_BITS, liquidity),
      parameters,
    };
  },
  bitmapCall: (pool, word) => ({
    to: pool.address,
    data: bitmaps.of(pool.key, word, () => dataFor(inMapping(word, placeOf(pool) + BITMAP_OFFSET))),
    answerBytes: 32,
  }),
  tickCall: (pool, tick) => wordAt(pool, inMapping(tick, placeOf(pool) + TICKS_OFFSET)),
  tick(answer) {
    const [both] = firstWords(answer, 1) ?? [];
    if (both === undefined) return null;
    return { gross: BigInt.asUintN(LIQUIDITY_BITS, both), net: BigInt.asIntN(LIQUIDITY_BITS, both >> BigInt(LIQUIDITY_BITS)) };
  },
};

function readingOf(pool: DiscoveredPool) {
  return HOOK_MODELS.get(String(pool.traits.variant))?.reading;
}

function hookCalls(pool: DiscoveredPool): readonly ChainCall[] {
  return pool.hook === null ? [] : (readingOf(pool)?.calls({ ...pool, hook: pool.hook }, keccak256) ?? []);
}

const places = new WeakMap<DiscoveredPool, bigint>();

function placeOf(pool: DiscoveredPool): bigint {
  let place = places.get(pool);
  if (place === undefined) {
    place = BigInt(keccak256(concatHex([pool.key as `0x${string}`, numberToHex(POOLS_SLOT, { size: 32 })])));
    places.set(pool, place);
  }
  return place;
}

/** A pool that is read again in each block has a hash for each word of its bitmap, always the same. */
const bitmaps = createKnownWords(LIMITS.venues.knownBitmapPlaces);

/** Where a mapping that lies at a place has the value of a signed key. */
function inMapping(key: number, place: bigint): bigint {
  return BigInt(keccak256(`0x${signedWord(key)}${place.toString(16).padStart(64, '0')}`));
}

function wordAt({ address }: DiscoveredPool, place: bigint): ChainCall {
  return { to: address, data: dataFor(place), answerBytes: 32 };
}

function dataFor(place: bigint): Hex {
  return `${EXTSLOAD}${BigInt.asUintN(256, place).toString(16).padStart(64, '0')}`;
}

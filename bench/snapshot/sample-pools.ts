import type { EdgeCurve, PoolFacts } from '../../src/snapshot/snapshot.ts';
import { type Address, asAddress } from '../../src/units/units.ts';

export const TICKS = 60;

/** The same pool in a later state: what stays is the same objects, as in an indexer. */
export function benchUpdate(pool: PoolFacts, version: number): PoolFacts {
  const curves = pool.curves.map(({ slotIn, slotOut }) => curve(slotIn, slotOut, pool.venue === 'uniswap_v3', version));
  return { ...pool, words: new BigUint64Array(pool.words.length).fill(BigInt(version)), curves };
}

/** Pool `index` of a set of `tokenCount` tokens, in the state of `version`. Odd pools are shaped like V3 with 60 initialised ticks, even ones like V2. */
export function benchPool(index: number, tokenCount: number, version: number): PoolFacts {
  const concentrated = index % 2 === 1;
  const family = concentrated ? 'uniswap_v3' : 'uniswap_v2';
  return {
    key: address(index + 2 ** 32),
    address: address(index + 2 ** 32),
    hook: null,
    protocol: family,
    source: family,
    venue: family,
    tokens: benchTokens(index, tokenCount),
    // V3: price, liquidity, tick, fee, spacing, then index and two limbs of net liquidity a tick. V2: two reserves of two limbs, fee.
    words: new BigUint64Array(concentrated ? 12 + TICKS * 3 : 5).fill(BigInt(version)),
    curves: [curve(0, 1, concentrated, version), curve(1, 0, concentrated, version)],
  };
}

export function address(index: number): Address {
  return asAddress(`0x${index.toString(16).padStart(40, '0')}`);
}

/** A third of the pools pair a token with the hub, as on a real chain with its wrapped native token. */
function benchTokens(index: number, tokenCount: number): readonly Address[] {
  const first = index % 3 === 0 ? 0 : 1 + (index % (tokenCount - 1));
  const second = 1 + ((index * 7919 + 13) % (tokenCount - 1));
  return [address(first), address(second === first ? (first % (tokenCount - 1)) + 1 : second)].sort();
}

function curve(slotIn: number, slotOut: number, concentrated: boolean, version: number): EdgeCurve {
  const pieces = concentrated ? TICKS / 2 + 1 : 1;
  const columns = new Float64Array(pieces * 4).fill(1e18 + version);
  return {
    slotIn,
    slotOut,
    curve: { kind: 'segments', keep: 0.997, capacity: Number.POSITIVE_INFINITY, gas: 100_000, gasPerPiece: 20_000, gasPerLogPrice: 0, columns },
  };
}

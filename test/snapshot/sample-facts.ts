import type { BlockRef, Curve, EdgeCurve, PoolFacts } from '../../src/snapshot/snapshot.ts';
import { type Address, asAddress, type EpochSeconds } from '../../src/units/units.ts';

/** A block whose hash tells its number. */
export function sampleBlock(number: number, baseFeePerGas: bigint | null = BigInt(number) * 10n ** 9n): BlockRef {
  return { number, hash: `0x${number.toString(16).padStart(64, '0')}`, timestamp: (1_700_000_000 + number) as EpochSeconds, baseFeePerGas };
}

export function sampleAddress(index: number): Address {
  return asAddress(`0x${(0xa000_0000 + index).toString(16).padStart(40, '0')}`);
}

/** A pool whose content follows from `version`: words, curve kinds, directions and sizes all depend on it. */
export function samplePool(
  index: number,
  tokens: readonly number[],
  version: number,
  directions: readonly (readonly [number, number])[] = [
    [0, 1],
    [1, 0],
  ],
): PoolFacts {
  const hooked = index % 3 === 1;
  return {
    key: `0x${index.toString(16).padStart(64, '0')}`,
    address: sampleAddress(10_000 + index),
    hook: hooked ? sampleAddress(20_000 + index) : null,
    protocol: 'family_é',
    source: hooked ? 'family_é:variant' : 'family_é',
    venue: 'folder',
    tokens: tokens.map(sampleAddress),
    ...(hooked ? { legFacts: { tickSpacing: index, id: 'poolKey_é' } } : {}),
    words: BigUint64Array.from({ length: (version * 7 + index) % 41 }, (_, i) => (BigInt(version) << 32n) | BigInt(index * 1000 + i)),
    curves: directions.map(([slotIn, slotOut]): EdgeCurve => ({ slotIn, slotOut, curve: sampleCurve(index, version + slotIn, slotOut) })),
  };
}

function sampleCurve(index: number, version: number, slotOut: number): Curve {
  const keep = 1 - ((version % 90) + 1) / 1000;
  switch ((index + version) % 3) {
    case 0:
      return {
        kind: 'segments',
        keep,
        capacity: Number.POSITIVE_INFINITY,
        gas: 100 + index,
        gasPerPiece: version,
        gasPerLogPrice: version / 8,
        columns: Float64Array.from({ length: 4 * (1 + (version % 9)) }, (_, i) => version * 100 + i + slotOut),
      };
    case 1:
      return { kind: 'weighted', keep, capacity: 5 + version, gas: 7, balanceIn: 1e18 + version, balanceOut: 2e18, exponent: 0.25 * (1 + slotOut) };
    default:
      return {
        kind: 'stable',
        keep,
        feeOnOutput: version % 2 === 0,
        capacity: 1e30,
        gas: 9,
        slotIn: 1,
        slotOut: slotOut + 2,
        ann: 400,
        invariant: version,
        balances: Float64Array.from({ length: 2 + (version % 3) }, (_, i) => i + version),
        scaleIn: 1e12,
        scaleOut: 1,
      };
  }
}

import { integerOption } from '../../scripts/integer-option.ts';
import { createRandom, type Random } from '../../src/random.ts';

/** A reproducible source of randomness for tests that draw their own cases. */
export type SeededRandom = Random & {
  /** 0 ≤ x < 2^bits, uniform. */
  bits(bits: number): bigint;
  /** 1 ≤ x ≤ max, its logarithm uniform: as many small ones as large ones. */
  logUniform(max: bigint): bigint;
};

/** The seed of this run: BRAID_SEED, else another one. Throws RangeError where it is no 32 bits. */
export function seedOr(other: number): number {
  return integerOption('BRAID_SEED', process.env.BRAID_SEED ?? String(other), 0, 2 ** 32 - 1);
}

/** BRAID_SEED, else 1. A failing test prints it. */
export const SEED = seedOr(1);

/** Whether the whole figure is asked for (BRAID_SCALE=full) or a slice of it. */
export const FULL_SCALE = process.env.BRAID_SCALE === 'full';

/** Streams with different names are independent, so that adding a draw in one test changes no other test. */
export function seededRandom(name: string, seed: number = SEED): SeededRandom {
  let named = seed;
  for (const character of name) named = Math.imul(named ^ character.charCodeAt(0), 0x01000193) >>> 0;
  const random = createRandom(named);
  const bits = (count: number): bigint => {
    let value = 0n;
    for (let drawn = 0; drawn < count; drawn += 32) value = (value << 32n) | BigInt(random.word());
    return value & ((1n << BigInt(count)) - 1n);
  };
  const logUniform = (max: bigint): bigint => {
    const length = random.integer(1, max.toString(2).length);
    const value = (1n << BigInt(length - 1)) | bits(length - 1);
    return value > max ? max : value;
  };
  return { ...random, bits, logUniform };
}

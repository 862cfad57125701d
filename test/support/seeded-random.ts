/** A reproducible source of randomness for tests that draw their own cases. */
export type SeededRandom = {
  /** 0 ≤ x < 1. */
  float(): number;
  /** An integer, both ends included. */
  integer(min: number, max: number): number;
  /** 0 ≤ x < 2^bits, uniform. */
  bits(bits: number): bigint;
  /** 1 ≤ x ≤ max, its logarithm uniform: as many small ones as large ones. */
  logUniform(max: bigint): bigint;
  pick<T>(values: readonly [T, ...T[]]): T;
  chance(probability: number): boolean;
};

/** The seed of this run: BRAID_SEED, else 1. A failing test prints it. */
export const SEED = Number(process.env.BRAID_SEED ?? 1) >>> 0;

/** Whether the whole figure is asked for (BRAID_SCALE=full) or a slice of it. */
export const FULL_SCALE = process.env.BRAID_SCALE === 'full';

/** Streams with different names are independent, so that adding a draw in one test changes no other test. */
export function seededRandom(name: string, seed: number = SEED): SeededRandom {
  let state = seed;
  for (const character of name) state = Math.imul(state ^ character.charCodeAt(0), 0x01000193) >>> 0;

  const next32 = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
  const float = (): number => next32() / 2 ** 32;
  const integer = (min: number, max: number): number => min + Math.floor(float() * (max - min + 1));
  const bits = (count: number): bigint => {
    let value = 0n;
    for (let drawn = 0; drawn < count; drawn += 32) value = (value << 32n) | BigInt(next32());
    return value & ((1n << BigInt(count)) - 1n);
  };
  const logUniform = (max: bigint): bigint => {
    const length = integer(1, max.toString(2).length);
    const value = (1n << BigInt(length - 1)) | bits(length - 1);
    return value > max ? max : value;
  };
  const pick = <T>(values: readonly [T, ...T[]]): T => values[integer(0, values.length - 1)] ?? values[0];
  return { float, integer, bits, logUniform, pick, chance: (probability) => float() < probability };
}

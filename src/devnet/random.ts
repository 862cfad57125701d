/** A seeded source of numbers: the same seed gives the same sequence on every machine. */
export type Random = {
  /** Uniform in [0, 1). */
  unit(): number;
  /** Uniform in [low, high). */
  between(low: number, high: number): number;
  /** A uniform integer 0 … bound − 1. */
  below(bound: number): number;
};

/** Mulberry32: 32 bits of state are plenty for laying out pools and picking trades, and it is the same everywhere. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const unit = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    unit,
    between: (low, high) => low + (high - low) * unit(),
    below: (bound) => Math.floor(unit() * bound),
  };
}

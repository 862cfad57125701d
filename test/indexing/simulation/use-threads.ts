import { availableParallelism } from 'node:os';
import { expect } from 'chai';
import { Piscina } from 'piscina';
import type { MODES } from './modes.ts';
import type { SomeSeeds } from './seeds-thread.ts';

const SEEDS_AT_ONCE = 20;

/** Threads for the suite it is called in, one for each processor: what `bySeeds` does, over all of them. A seed decides everything of its own simulation, so it is the same on any of them. */
export function useThreads(): (mode: keyof typeof MODES, seeds: readonly number[], steps: number) => Promise<void> {
  let pool: Piscina | null = null;
  before(() => {
    const threads = availableParallelism();
    const filename = new URL('./seeds-thread.ts', import.meta.url).href;
    // What a simulation makes is gone after a step or two: it need not be moved before.
    pool = new Piscina({ filename, minThreads: threads, maxThreads: threads, resourceLimits: { maxYoungGenerationSizeMb: 64 } });
  });
  after(async () => await pool?.destroy());
  return async (mode, seeds, steps) => {
    const parts = Array.from({ length: Math.ceil(seeds.length / SEEDS_AT_ONCE) }, (_, at) => seeds.slice(at * SEEDS_AT_ONCE, (at + 1) * SEEDS_AT_ONCE));
    const failures = await Promise.all(
      parts.map(async (some): Promise<readonly string[]> => await pool?.run({ mode, seeds: some, steps } satisfies SomeSeeds)),
    );
    expect(failures.flat()).to.deep.equal([]);
  };
}

import { expect } from 'chai';
import type { ChainHeader } from '../../../src/indexing/header.ts';
import { moved } from '../followed-chain.ts';
import { type Backend, HONEST, type Mood } from './backend.ts';
import { type Simulation, simulation } from './simulate.ts';

/** Runs a whole simulation by a seed. Rejects with what did not hold. */
export type Mode = (seed: number, steps: number) => Promise<void>;

/** Seeds that once found something, at the whole number of steps. */
export const KEPT = [
  // A chain of the same id whose block this one was told by; a branch that the chain had left believed again; a dead witness that kept a lagging backend followed.
  3,
  20, 30, 32,
  // A chain of the same id that was let in since it had nothing to say, once, of the block that this one is told by.
  138, 1296,
];
export const WHOLE_STEPS = 200;
export const WHOLE_SEEDS = 2000;

const POLLS_A_BLOCK = 4;
const GOES_APART = 20;
/** Two blocks of the others, 3 s in which they go on with them, and what it takes to see each. */
const POLLS_TO_OUTVOTE = 40;

/** What is left may have been left for a minute, and what is doubted for some seconds. */
const POLLS_TO_HEAL = 4 * 90;

/** One to three nodes that change their moods, then are well again: what is published is what the chain was at one of its blocks, and the head is there in the end. */
export const safely: Mode = async (seed, steps) => {
  const run = simulation(
    seed,
    Array.from({ length: 1 + (seed % 3) }, () => null),
  );
  try {
    for (let step = 0; step < steps; step++) {
      run.happen();
      await run.poll();
    }
    for (const backend of run.backends) backend.mood = HONEST;
    await heal(run);
  } finally {
    run.close();
  }
};

const BEHIND: Mood = { ...HONEST, lag: 2 };
const FAILING: Mood = { ...HONEST, faulty: 1 };

/** A node that is two blocks behind for ever and one that never answers, beside a good one, in any order: the head is never far. */
export const lively: Mode = async (seed, steps) => {
  const moods = [BEHIND, FAILING, HONEST];
  const run = simulation(seed, [...moods.slice(seed % 3), ...moods.slice(0, seed % 3)]);
  try {
    await heal(run);
    for (let step = 0; step < steps; step++) {
      if (step % 4 === 0) run.chain.grow();
      await run.poll();
      const { number } = run.followed.of('published').at(-1)?.block ?? { number: 0 };
      // Two blocks behind is where the worse of the two that answer is; one more may have come since.
      expect(run.chain.head.number - number, `step ${step}`).to.be.at.most(3);
    }
    await heal(run);
  } finally {
    run.close();
  }
};

/** Of three honest nodes one goes over to a branch of its own and builds on it, as fast as the others or twice: the two others' branch is what counts, soon and for good. */
export const outvoting: Mode = async (seed, steps) => {
  const run = simulation(seed, [HONEST, HONEST, HONEST]);
  const { chain, backends, followed } = run;
  const alone = backends[seed % 3] as Backend;
  try {
    await heal(run);
    let own: ChainHeader | null = null;
    for (let step = 0; step < steps; step++) {
      if (step % POLLS_A_BLOCK === 0) {
        const fork: ChainHeader = own ?? chain.head;
        chain.grow(moved(10, step));
        for (let block = 0; step >= GOES_APART && block <= seed % 2; block++) own = chain.growOn(own ?? fork, moved(10, 5000 + step));
        if (own !== null) alone.standsOn(own);
      }
      await run.poll();
      if (step < GOES_APART + POLLS_TO_OUTVOTE) continue;
      const block = followed.of('published').at(-1)?.block;
      expect(
        chain.branch(chain.head.hash).some(({ hash }) => hash === block?.hash),
        `step ${step}: of the branch that two have`,
      ).to.equal(true);
      expect(chain.head.number - (block?.number ?? 0), `step ${step}`).to.be.at.most(3);
    }
  } finally {
    run.close();
  }
};

export const MODES = { safely, lively, outvoting };

/** The head is published, whole, before long. */
export async function heal({ chain, poll, isThere }: Simulation): Promise<void> {
  chain.grow();
  for (let polls = 0; polls < POLLS_TO_HEAL && !isThere(); polls++) await poll();
  expect(isThere(), 'the head is published, with all pools').to.equal(true);
}

/** Runs seeds one after the other, all of them, and names those that fail: to be kept. */
export async function bySeeds(mode: Mode, seeds: readonly number[], steps: number): Promise<void> {
  expect(await failuresOf(mode, seeds, steps)).to.deep.equal([]);
}

export async function failuresOf(mode: Mode, seeds: readonly number[], steps: number): Promise<readonly string[]> {
  const failures: string[] = [];
  for (const seed of seeds) {
    await mode(seed, steps).catch((error: unknown) => failures.push(`seed ${seed}, ${steps} steps: ${error instanceof Error ? error.message : String(error)}`));
  }
  return failures;
}

export const seedsFrom = (first: number, count: number): readonly number[] => Array.from({ length: count }, (_, at) => first + at);

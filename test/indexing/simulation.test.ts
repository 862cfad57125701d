import { expect } from 'chai';
import { FULL_SCALE, SEED } from '../support/seeded-random.ts';
import { HONEST, type Mood } from './simulation/backend.ts';
import { type Simulation, simulation } from './simulation/simulate.ts';

const SEEDS = FULL_SCALE ? 2000 : 8;
const WHOLE_STEPS = 200;
const STEPS = FULL_SCALE ? WHOLE_STEPS : 60;
/** Seeds that once found something, at the whole number of steps: a chain of the same id whose block this one was told by, a branch that the chain had left believed again, and a dead witness that kept a lagging backend followed. */
const KEPT = [3, 20, 30, 32];
/** What is left may have been left for a minute, and what is doubted for some seconds. */
const POLLS_TO_HEAL = 4 * 90;

/** Runs by seed, and names the seed that fails. */
async function bySeeds(run: (seed: number, steps: number) => Promise<void>): Promise<void> {
  const seeds = Array.from({ length: SEEDS }, (_, at) => [SEED + at, STEPS] as const);
  for (const [seed, steps] of [...KEPT.map((kept) => [kept, WHOLE_STEPS] as const), ...seeds]) {
    await run(seed, steps).catch((error: unknown) => {
      throw new Error(`seed ${seed}, ${steps} steps: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
    });
  }
}

async function heal({ chain, poll, isThere }: Simulation): Promise<void> {
  chain.grow();
  for (let polls = 0; polls < POLLS_TO_HEAL && !isThere(); polls++) await poll();
  expect(isThere(), 'the head is published, with all pools').to.equal(true);
}

describe(`the indexer in a simulation (${SEEDS} seeds from ${SEED})`, function suite() {
  this.timeout(FULL_SCALE ? 7_200_000 : 120_000);

  it('publishes nothing but what the chain was at one of its blocks, whatever its nodes do, and is there when they are well again', () =>
    bySeeds(async (seed, steps) => {
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
    }));

  const behind: Mood = { ...HONEST, lag: 2 };
  const failing: Mood = { ...HONEST, faulty: 1 };
  it('keeps up for ever beside a backend that is two blocks behind for ever, and one that never answers', () =>
    bySeeds(async (seed, steps) => {
      const moods = [behind, failing, HONEST];
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
    }));
});

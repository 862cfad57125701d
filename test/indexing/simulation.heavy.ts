import { SEED } from '../support/seeded-random.ts';
import { seedsFrom, WHOLE_SEEDS, WHOLE_STEPS } from './simulation/modes.ts';
import { useThreads } from './simulation/use-threads.ts';

/** Which node it is, and how fast it builds, is all that a seed decides there. */
const SOME_SEEDS = 60;

describe(`the indexer in ${WHOLE_SEEDS} simulations of ${WHOLE_STEPS} steps from seed ${SEED}`, function suite() {
  this.timeout(3_600_000);
  const bySeeds = useThreads();

  it('publishes nothing but what the chain was at one of its blocks, whatever its nodes do, and is there when they are well again', () =>
    bySeeds('safely', seedsFrom(SEED, WHOLE_SEEDS), WHOLE_STEPS));

  it('keeps up for ever beside a backend that is two blocks behind for ever, and one that is slow for ever', () =>
    bySeeds('lively', seedsFrom(SEED, WHOLE_SEEDS), WHOLE_STEPS));

  it('goes on for ever behind one node alone that takes one and a half blocks for each answer (A3)', () =>
    bySeeds('alone', seedsFrom(SEED, SOME_SEEDS), WHOLE_STEPS));

  it('follows one node alone whose chain goes back to a lower block and then goes on differently, or stays there', () =>
    bySeeds('setBack', seedsFrom(SEED, SOME_SEEDS), WHOLE_STEPS));

  it('leaves a node that is on a branch of its own, while two others go on with theirs', () => bySeeds('outvoting', seedsFrom(SEED, SOME_SEEDS), WHOLE_STEPS));
});

import { SEED } from '../support/seeded-random.ts';
import { bySeeds, lively, safely, seedsFrom, WHOLE_SEEDS, WHOLE_STEPS } from './simulation/modes.ts';

describe(`the indexer in ${WHOLE_SEEDS} simulations of ${WHOLE_STEPS} steps from seed ${SEED}`, function suite() {
  this.timeout(3_600_000);

  it('publishes nothing but what the chain was at one of its blocks, whatever its nodes do, and is there when they are well again', () =>
    bySeeds(safely, seedsFrom(SEED, WHOLE_SEEDS), WHOLE_STEPS));

  it('keeps up for ever beside a backend that is two blocks behind for ever, and one that never answers', () =>
    bySeeds(lively, seedsFrom(SEED, WHOLE_SEEDS), WHOLE_STEPS));
});

import { SEED } from '../support/seeded-random.ts';
import { alone, bySeeds, KEPT, lively, outvoting, safely, seedsFrom, setBack, WHOLE_STEPS } from './simulation/modes.ts';

const SEEDS = 8;
const STEPS = 60;

describe(`the indexer in a simulation (${SEEDS} seeds from ${SEED}, and those that once found something)`, function suite() {
  this.timeout(600_000);

  for (const [what, mode] of [
    ['publishes nothing but what the chain was at one of its blocks, whatever its nodes do, and is there when they are well again', safely],
    ['keeps up for ever beside a backend that is two blocks behind for ever, and one that is slow for ever', lively],
    ['goes on for ever behind one node alone that takes one and a half blocks for each answer (A3)', alone],
    ['follows one node alone whose chain goes back to a lower block and then goes on differently, or stays there', setBack],
    ['leaves a node that is on a branch of its own, while two others go on with theirs', outvoting],
  ] as const) {
    it(what, async () => {
      await bySeeds(mode, KEPT, WHOLE_STEPS);
      await bySeeds(mode, seedsFrom(SEED, SEEDS), STEPS);
    });
  }
});

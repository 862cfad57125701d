import path from 'node:path';
import { FULL_SCALE, SEED } from '../support/seeded-random.ts';
import { useTemporaryFolder } from '../support/temporary-folder.ts';
import { HONEST } from './simulation/backend.ts';
import { bySeeds, heal, seedsFrom, WHOLE_STEPS } from './simulation/modes.ts';
import { simulation } from './simulation/simulate.ts';

const SEEDS = FULL_SCALE ? 500 : 30;
const RESTARTS = 0.04;

describe(`an indexer that is restarted among lying nodes (${SEEDS} seeds from ${SEED})`, function suite() {
  this.timeout(3_600_000);
  const folder = useTemporaryFolder();

  it('publishes nothing but what the chain was at one of its blocks, whatever it goes on from, and is there when its nodes are well again', async () => {
    const life = async (seed: number, steps: number): Promise<void> => {
      const moods = Array.from({ length: 1 + (seed % 3) }, () => null);
      const run = simulation(seed, moods, path.join(folder.current(), String(seed)));
      try {
        for (let step = 0; step < steps; step++) {
          run.happen();
          if (run.random() < RESTARTS) run.restart();
          await run.moment();
        }
        for (const backend of run.backends) backend.mood = HONEST;
        run.restart();
        await heal(run);
      } finally {
        run.close();
      }
    };
    await bySeeds(life, seedsFrom(SEED, SEEDS), WHOLE_STEPS);
  });
});

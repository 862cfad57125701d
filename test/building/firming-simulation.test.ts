import { SEED } from '../support/seeded-random.ts';
import { CameBy } from './simulation/came-by.ts';
import { simulateBuild } from './simulation/simulate-build.ts';

const HISTORIES = 250;

describe('the build of a swap, simulated with people who may sign and a chain that may move', function () {
  this.timeout(60_000);

  it('always ends in time with an answer that executes as it is told, or a refusal, warns of just what happened, and asks nobody it does not wait for', async () => {
    const cameBy = new CameBy();
    for (let at = 0; at < HISTORIES; at++) cameBy.add(await simulateBuild(`build ${SEED} ${at}`));
    cameBy.expectAllKinds(HISTORIES);
  });
});

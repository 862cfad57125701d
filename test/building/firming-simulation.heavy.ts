import { FULL_SCALE, SEED } from '../support/seeded-random.ts';
import { CameBy } from './simulation/came-by.ts';
import { simulateBuild } from './simulation/simulate-build.ts';

/** The figure of the issue, and a slice of it for every day. */
const HISTORIES = FULL_SCALE ? 100_000 : 1_500;

describe('the build of a swap, simulated at length', function () {
  this.timeout(3_600_000);

  it(`${HISTORIES} histories of people who may sign and a chain that may move end in time, warn of just what happened, and execute and are priced as they are told`, async () => {
    const cameBy = new CameBy();
    for (let at = 0; at < HISTORIES; at++) cameBy.add(await simulateBuild(`build at length ${SEED} ${at}`));
    cameBy.expectAllKinds(HISTORIES);
  });
});

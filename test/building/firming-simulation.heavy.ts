import { expect } from 'chai';
import { FULL_SCALE, SEED } from '../support/seeded-random.ts';
import { simulateBuild } from './simulation/simulate-build.ts';

/** The figure of the issue, and a slice of it for every day. */
const HISTORIES = FULL_SCALE ? 100_000 : 1_500;

describe('the build of a swap, simulated at length', function () {
  this.timeout(3_600_000);

  it(`${HISTORIES} histories of people who may sign and a chain that may move end in time, warn of just what happened, and execute as they are told`, async () => {
    let answered = 0;
    let signed = 0;
    for (let at = 0; at < HISTORIES; at++) {
      const history = await simulateBuild(`build at length ${SEED} ${at}`);
      if (history.ended === 'ok') answered++;
      signed += history.signed;
    }
    expect(answered).to.be.above(HISTORIES / 2);
    expect(signed).to.be.above(HISTORIES / 10);
  });
});

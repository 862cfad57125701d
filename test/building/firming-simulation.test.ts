import { expect } from 'chai';
import { SEED } from '../support/seeded-random.ts';
import { type History, simulateBuild } from './simulation/simulate-build.ts';

const HISTORIES = 250;

describe('the build of a swap, simulated with people who may sign and a chain that may move', function () {
  this.timeout(60_000);

  it('always ends in time with an answer that executes as it is told, or a refusal, warns of just what happened, and asks nobody it does not wait for', async () => {
    const histories: History[] = [];
    for (let at = 0; at < HISTORIES; at++) histories.push(await simulateBuild(`build ${SEED} ${at}`));
    const ended = (reason: string) => histories.filter((history) => history.ended === reason).length;
    const warned = (code: string) => histories.filter(({ warnings }) => warnings.includes(code)).length;
    expect(ended('ok')).to.be.above(HISTORIES / 2);
    expect(histories.filter(({ signed }) => signed > 0).length).to.be.above(HISTORIES / 10);
    expect(histories.filter(({ signed }) => signed > 1).length).to.be.above(HISTORIES / 50);
    for (const code of ['RFQ_FIRMUP_FAILED', 'HOOK_ATTESTATION_UNAVAILABLE', 'STALE_STATE_RESOLVED']) expect(warned(code), code).to.be.above(HISTORIES / 100);
  });
});

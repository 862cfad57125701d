import { expect } from 'chai';
import { buildSwap } from '../../../src/building/building.ts';
import { LIMITS } from '../../../src/config/config.ts';
import { seededRandom } from '../../support/seeded-random.ts';
import type { History } from './came-by.ts';
import { checkAnswer } from './check-answer.ts';
import { checkEnds, failingOfTwo } from './check-people.ts';
import { expectedWarnings } from './expected-warnings.ts';
import { drawWorld } from './made-up-world.ts';
import { VirtualTime } from './virtual-time.ts';

const { afterFirmUpMs, certifyMs } = LIMITS.building;

/** Builds one swap in a world drawn from a name, in virtual time, and holds what came of it against what must be. Throws an AssertionError that names it. */
export async function simulateBuild(name: string): Promise<History> {
  const time = new VirtualTime();
  const world = drawWorld(seededRandom(name), time);
  const result = await time.passUntil(buildSwap(world.build));
  expect(time.now(), `${name}: ended late`).to.be.at.most(world.timeLimitMs + certifyMs);
  for (const { signal, startedAt } of world.calls) {
    expect(signal.aborted, `${name}: somebody is asked who is waited for no more`).to.equal(true);
    expect(startedAt, `${name}: somebody is asked for a client who had left`).to.be.at.most(world.leavesAt ?? Infinity);
  }
  const people = { makers: failingOfTwo(world), calledOff: checkEnds(name, world) };
  const told = result.ok ? (result.swap.warnings ?? []).map(({ code }) => code) : [];
  // What a client who leaves in the middle made of it is nobody's to know.
  const warnings = world.leavesAt === null ? expectedWarnings(name, world) : null;
  if (!result.ok) {
    const { reason } = result.refusal;
    if (reason === 'cancelled') expect(world.leavesAt, `${name}: cancelled for nobody`).to.not.equal(null);
    else if (reason === 'no-route') expect(world.counts.noRoutes, name).to.be.above(0);
    else if (reason === 'failed') expect(world.asked.filter(({ kind }) => kind === 'solve').length, name).to.be.at.least(LIMITS.building.solves);
    else if (reason === 'expired') expect(time.now(), `${name}: given up`).to.be.at.least(world.timeLimitMs + afterFirmUpMs);
    else expect.fail(`${name}: refused as ${reason}`);
    return { ended: reason, warnings: [], signed: 0, isRepriced: false, fee: false, isPriced: false, ...people };
  }
  const { isHighImpact, ...answer } = checkAnswer(name, world, result);
  if (isHighImpact) warnings?.add('HIGH_PRICE_IMPACT');
  expect(told.includes('HIGH_PRICE_IMPACT'), `${name}: HIGH_PRICE_IMPACT`).to.equal(isHighImpact);
  if (warnings !== null) expect([...told].sort(), `${name}: warnings`).to.deep.equal([...warnings].sort());
  // Of what was not signed they say why.
  for (const { code, detail } of result.swap.warnings ?? []) {
    if (code === 'RFQ_FIRMUP_FAILED') expect(detail, name).to.match(/^a quote could not be made firm: ([a-z]+ [^;]+; )+the route is one of the chain alone$/);
    if (code === 'HOOK_ATTESTATION_UNAVAILABLE')
      expect(detail, name).to.match(/^an attestation could not be had: ([a-z]+ [^;]+; )+the route is one of the chain alone$/);
  }
  return { ended: 'ok', warnings: told, ...answer, ...people };
}

import { expect } from 'chai';
import sinon from 'sinon';
import { LIMITS } from '../../src/config/config.ts';
import { type Asked, Suspicion } from '../../src/solving/suspicion.ts';
import { asWei } from '../../src/units/units.ts';
import { solveJob, tokenOf } from './solve-job.ts';

const { restarts, trustedRestarts, credit } = LIMITS.solving;

const asked = (client: string, amount: number): Asked => ({
  client,
  work: { kind: 'solve', job: solveJob({ sellToken: tokenOf(amount), amount: asWei(BigInt(amount)) }) },
});

describe('suspicion of jobs', () => {
  let clock: sinon.SinonFakeTimers;
  let suspicion: Suspicion;
  beforeEach(() => {
    clock = sinon.useFakeTimers({ toFake: ['performance'] });
    suspicion = new Suspicion();
  });
  afterEach(() => clock.restore());

  const earnTrust = (client: string) => {
    for (let i = 0; i < credit.needed; i++) suspicion.survived(asked(client, 1));
  };
  const isSuspect = (client: string, proven = false, allThere = true) => suspicion.isSuspect(asked(client, 7), proven, allThere);

  it('falls on what never ran before, whoever asks, once threads die faster than they may; but not on clients with credit', () => {
    earnTrust('regular');
    for (let i = 0; i < restarts.burst; i++) {
      expect([suspicion.msUntilRisk(), isSuspect('stranger')]).to.deep.equal([0, false]);
      suspicion.died(asked('poisoner', 100 + i));
    }
    expect([isSuspect('stranger'), isSuspect('stranger', true), isSuspect('regular')]).to.deep.equal([true, false, false]);
    expect(suspicion.msUntilRisk()).to.equal(1000 / restarts.perSecond);
    clock.tick(1000 / restarts.perSecond);
    expect(isSuspect('stranger')).to.equal(false);
  });

  it('falls on the same while a thread that died is not replaced', () => {
    earnTrust('regular');
    expect([isSuspect('stranger', false, false), isSuspect('stranger', true, false), isSuspect('regular', false, false)]).to.deep.equal([true, false, false]);
  });

  it('spares nobody any more once too many clients with credit had threads die', () => {
    for (let i = 0; i <= trustedRestarts.burst; i++) earnTrust(`client ${i}`);
    earnTrust('regular');
    for (let i = 0; i < restarts.burst; i++) suspicion.died(asked('poisoner', 100 + i));
    for (let i = 0; i < trustedRestarts.burst; i++) {
      expect(isSuspect('regular')).to.equal(false);
      suspicion.died(asked(`client ${i}`, 200 + i));
    }
    expect(isSuspect('regular')).to.equal(true);
  });

  it('a death for which nothing was left to take gives back nothing', () => {
    earnTrust('regular');
    for (let i = 0; i < trustedRestarts.burst; i++) {
      earnTrust(`client ${i}`);
      suspicion.died(asked(`client ${i}`, 200 + i));
    }
    for (let i = 0; i < restarts.burst; i++) suspicion.died(asked('poisoner', 100 + i));
    const innocent = asked('regular', 300);
    suspicion.died(innocent);
    suspicion.survived(innocent);
    expect([suspicion.msUntilRisk(), isSuspect('regular')]).to.deep.equal([1000 / restarts.perSecond, true]);
  });

  it("deaths that were nobody's fault use up neither what may be risked nor trust", () => {
    earnTrust('regular');
    for (let i = 0; i < 10 * (restarts.burst + trustedRestarts.burst); i++) {
      const innocent = asked('regular', 300 + i);
      suspicion.died(innocent);
      expect(suspicion.survived(innocent)).to.equal(1);
    }
    for (let i = 0; i < restarts.burst; i++) {
      expect(suspicion.msUntilRisk()).to.equal(0);
      suspicion.died(asked('poisoner', 100 + i));
    }
    expect([suspicion.msUntilRisk() > 0, isSuspect('regular')]).to.deep.equal([true, false]);
  });
});

import { expect } from 'chai';
import sinon from 'sinon';
import { LIMITS } from '../../src/config/config.ts';
import { PoisonRecord } from '../../src/solving/poison-record.ts';
import type { SolverWork } from '../../src/solving/solving.ts';
import { asWei, type InstantMs } from '../../src/units/units.ts';
import { solveJob, tokenOf } from './solve-job.ts';

const NOTHING = { risk: 0, trust: 0 };

function work(amount = 1, sellToken = 1, deadline = 1): SolverWork {
  return { kind: 'solve', job: solveJob({ sellToken: tokenOf(sellToken), amount: asWei(BigInt(amount)), deadline: deadline as InstantMs }) };
}

describe('the record of jobs that kill threads', () => {
  let clock: sinon.SinonFakeTimers;
  let record: PoisonRecord;
  beforeEach(() => {
    clock = sinon.useFakeTimers({ toFake: ['performance'] });
    record = new PoisonRecord();
  });
  afterEach(() => clock.restore());

  const { needed, perDeath, most } = LIMITS.solving.credit;
  const earn = (client: string, runs: number) => {
    for (let i = 0; i < runs; i++) record.survived(client, work(1_000_000));
  };

  it('one death makes all of a client suspect that has no credit, until a run to the end clears it', () => {
    record.died('a', work(), NOTHING);
    expect(record.isPoison('a', work())).to.equal(false);
    expect([record.isSuspect('a', work(7, 3), false), record.isSuspect('a', work(7, 3), true)], 'unproven or not').to.deep.equal([true, true]);
    expect(record.isSuspect('b', work(), false), 'others').to.equal(false);
    expect(record.survived('a', work(2)), 'another job').to.equal(null);
    expect(record.survived('a', work(1, 1, 2))?.deaths).to.equal(1);
    expect(record.isSuspect('a', work(7, 3), false)).to.equal(false);
    expect(record.survived('a', work()), 'it is cleared once').to.equal(null);
  });

  it('two deaths are proof, for that client and exact job, whatever its deadline, and for a while', () => {
    for (let i = 0; i < 2; i++) record.died('a', work(1, 1, i), NOTHING);
    expect(record.isPoison('a', work(1, 1, 9))).to.equal(true);
    expect([record.isPoison('b', work()), record.isPoison('a', work(2)), record.isPoison('a', work(1, 2))]).to.deep.equal([false, false, false]);
    clock.tick(59_999);
    expect(record.isPoison('a', work())).to.equal(true);
    clock.tick(1);
    expect([record.isPoison('a', work()), record.isSuspect('a', work(2), false)]).to.deep.equal([false, false]);
  });

  it('makes unproven jobs of the pair of a guilty job suspect whoever asks', () => {
    for (let i = 0; i < 2; i++) record.died('a', work(), NOTHING);
    const suspects = [record.isSuspect('b', work(5), false), record.isSuspect('b', work(5), true), record.isSuspect('b', work(5, 2), false)];
    expect(suspects).to.deep.equal([true, false, false]);
  });

  it('runs that come to their end are credit, of which deaths take so much each: who has some left is not suspect', () => {
    earn('a', needed - 1);
    expect(record.isTrusted('a')).to.equal(false);
    earn('a', 1);
    expect([record.isTrusted('a'), record.isTrusted('b')]).to.deep.equal([true, false]);
    earn('a', 10 * most);
    let deaths = 0;
    for (; record.isTrusted('a'); deaths++) record.died('a', work(deaths), NOTHING);
    expect(deaths, 'nobody saves up more than so much').to.equal(Math.ceil((most - needed + 1) / perDeath));
    expect(record.isSuspect('a', work(7, 3), true)).to.equal(true);
    earn('a', needed);
    expect(record.isSuspect('a', work(7, 3), true), 'earned again').to.equal(false);
  });

  it('a job that is cleared gives back what its deaths took, and no more', () => {
    earn('a', perDeath + needed);
    record.died('a', work(), NOTHING);
    record.died('a', work(2), NOTHING);
    expect(record.isTrusted('a')).to.equal(false);
    record.survived('a', work());
    expect(record.isTrusted('a')).to.equal(true);
    earn('b', needed);
    record.died('b', work(), NOTHING);
    record.survived('b', work());
    expect(record.isTrusted('b')).to.equal(true);
    record.died('b', work(), NOTHING);
    earn('b', perDeath - needed - 2);
    record.died('b', work(2), NOTHING);
    expect(record.isTrusted('b'), 'a death takes what there is, which is less').to.equal(false);
  });

  it('an accusation does not outlive its deaths, whether they are cleared, forgotten for others or too long ago', () => {
    const { rememberedMs, remembered } = LIMITS.solving.poison;
    record.died('a', work(1), NOTHING);
    clock.tick(rememberedMs - 1);
    record.died('a', work(2), NOTHING);
    clock.tick(1);
    expect(record.isSuspect('a', work(3), true), 'the first is too long ago').to.equal(true);
    record.survived('a', work(2));
    expect(record.isSuspect('a', work(3), true), 'the second is cleared').to.equal(false);
    record.died('a', work(4), NOTHING);
    for (let amount = 0; amount < remembered - 1; amount++) record.died('b', work(amount), NOTHING);
    expect(record.isSuspect('a', work(3), true)).to.equal(true);
    record.died('b', work(remembered), NOTHING);
    expect(record.isSuspect('a', work(3), true), 'forgotten for another').to.equal(false);
  });

  it('tells of a job that is cleared all that its deaths took, whoever asks for the same again', () => {
    record.died('a', work(), { risk: 1, trust: 0.5 });
    record.died('a', work(1, 1, 2), { risk: 0.25, trust: 0 });
    expect(record.survived('a', work(1, 1, 3))).to.deep.equal({ deaths: 2, spent: { risk: 1.25, trust: 0.5 } });
  });

  it('is bounded: of thousands the last ones are remembered', () => {
    for (let amount = 1; amount <= 3000; amount++) for (let i = 0; i < 2; i++) record.died('a', work(amount), NOTHING);
    expect([record.isPoison('a', work(1)), record.isPoison('a', work(3000))]).to.deep.equal([false, true]);
  });
});

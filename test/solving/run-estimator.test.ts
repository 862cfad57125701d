import { expect } from 'chai';
import { LIMITS } from '../../src/config/config.ts';
import type { SolveJob } from '../../src/routing/routing.ts';
import { RunEstimator } from '../../src/solving/run-estimator.ts';
import type { SolverWork } from '../../src/solving/solving.ts';
import { asAddress, asWei, instantNow } from '../../src/units/units.ts';

const token = (number: number) => asAddress(`0x${number.toString(16).padStart(40, '0')}`);

function work(more: Partial<SolveJob> = {}): SolverWork {
  const job: SolveJob = {
    chainId: 1,
    mode: 'sell',
    sellToken: token(1),
    buyToken: token(2),
    amount: asWei(10n ** 18n),
    maxHops: null,
    gasPriceWei: null,
    filter: { include: null, exclude: [], excludeRfq: false, excludeRwa: false },
    deadline: instantNow(),
    ...more,
  };
  return { kind: 'solve', job };
}

describe('the estimate of a run', () => {
  it('starts with a guess by depth: a deep search is not taken for a short one', () => {
    const estimator = new RunEstimator();
    const guesses = [1, 4, 5, 6, 7].map((maxHops) => estimator.estimateMs(work({ maxHops })));
    expect(guesses).to.deep.equal([3, 3, 9, 27, 81]);
    expect(estimator.estimateMs(work())).to.equal(3);
  });

  it('tells depths, pairs, amounts and modes apart', () => {
    const estimator = new RunEstimator();
    const kinds = [
      [work(), 1.3],
      [work({ maxHops: 7 }), 297],
      [work({ sellToken: token(3) }), 40],
      [work({ amount: asWei(10n ** 24n) }), 90],
      [work({ mode: 'buy' }), 12],
    ] as const;
    for (let i = 0; i < 40; i++) for (const [kind, ms] of kinds) estimator.learn(kind, ms, false);
    for (const [kind, ms] of kinds) expect(estimator.estimateMs(kind)).to.be.within(0.8 * ms, 1.2 * ms + 4);
  });

  it('takes a job that it has not met for one of its kind', () => {
    const estimator = new RunEstimator();
    for (let i = 0; i < 40; i++) estimator.learn(work({ maxHops: 7, sellToken: token(10 + i) }), 300, false);
    expect(estimator.estimateMs(work({ maxHops: 7, sellToken: token(99) }))).to.be.within(250, 310);
    expect(estimator.estimateMs(work())).to.equal(3);
  });

  it('believes one run of a job more than any number of others', () => {
    const estimator = new RunEstimator();
    for (let i = 0; i < 40; i++) estimator.learn(work({ sellToken: token(10 + i) }), 300, false);
    expect([estimator.knows(work()), estimator.runsOf(work())]).to.deep.equal([false, 0]);
    estimator.learn(work(), 2, false);
    expect([estimator.knows(work()), estimator.runsOf(work())]).to.deep.equal([true, 1]);
    expect(estimator.estimateMs(work())).to.be.below(LIMITS.solving.shortRunMs);
  });

  it('follows a change', () => {
    const estimator = new RunEstimator();
    for (let i = 0; i < 100; i++) estimator.learn(work(), 2, false);
    for (let i = 0; i < 40; i++) estimator.learn(work(), 50, false);
    expect(estimator.estimateMs(work())).to.be.within(45, 51);
  });

  it('does not take a search that its deadline cut short for a short one', () => {
    const estimator = new RunEstimator();
    for (let i = 0; i < 40; i++) estimator.learn(work({ maxHops: 7 }), 300, false);
    for (let i = 0; i < 40; i++) estimator.learn(work({ maxHops: 7 }), 50, true);
    expect(estimator.estimateMs(work({ maxHops: 7 }))).to.be.greaterThan(250);
  });

  it('is bounded, whatever callers ask', () => {
    const estimator = new RunEstimator();
    for (let i = 0; i < LIMITS.solving.rememberedKinds; i++) estimator.learn(work({ amount: asWei(BigInt(i + 1)), sellToken: token(i) }), 1, false);
    expect(estimator.size).to.equal(LIMITS.solving.rememberedKinds);
  });
});

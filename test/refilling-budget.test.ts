import { expect } from 'chai';
import sinon from 'sinon';
import { RefillingBudget } from '../src/refilling-budget.ts';

describe('a budget that refills', () => {
  let clock: sinon.SinonFakeTimers;
  beforeEach(() => {
    clock = sinon.useFakeTimers({ toFake: ['performance'] });
  });
  afterEach(() => clock.restore());

  it('allows a burst, then so many a second', () => {
    const budget = new RefillingBudget({ burst: 4, perSecond: 2 });
    for (let i = 0; i < 4; i++) {
      expect(budget.msUntil(1)).to.equal(0);
      budget.spend();
    }
    expect([budget.msUntil(1), budget.msUntil(2)]).to.deep.equal([500, 1000]);
    budget.spend();
    expect(budget.msUntil(1), 'nothing is owed for what could not be prevented').to.equal(500);
    clock.tick(500);
    expect(budget.msUntil(1)).to.equal(0);
    clock.tick(59_500);
    expect([budget.msUntil(4), budget.msUntil(5)], 'no more than the burst is saved').to.deep.equal([0, 500]);
  });

  it("is not used up by deaths that were nobody's fault", () => {
    const budget = new RefillingBudget({ burst: 4, perSecond: 1 });
    for (let i = 0; i < 100; i++) {
      const taken = budget.spend();
      expect([taken, budget.msUntil(3)]).to.deep.equal([1, 0]);
      budget.giveBack(taken);
    }
    budget.giveBack(1);
    expect([budget.msUntil(4), budget.msUntil(5)], 'no more than was there').to.deep.equal([0, 1000]);
  });

  it('tells how much of it was taken, which is less where less was there', () => {
    const budget = new RefillingBudget({ burst: 1, perSecond: 1 });
    budget.spend();
    clock.tick(250);
    expect([budget.spend(), budget.spend()]).to.deep.equal([0.25, 0]);
  });
});

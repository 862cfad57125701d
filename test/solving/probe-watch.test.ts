import { expect } from 'chai';
import sinon from 'sinon';
import { LIMITS } from '../../src/config/limits.ts';
import { watchProbe } from '../../src/solving/probe-watch.ts';
import { instantNow } from '../../src/units/units.ts';

const { probeMs, probeRanMs, probeStarvedMs } = LIMITS.solving;
const LOOK_MS = 500;

describe('a thread that does not answer its probe', () => {
  let clock: sinon.SinonFakeTimers;
  beforeEach(() => {
    clock = sinon.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  });
  afterEach(() => clock.restore());

  /** When it is given up. `share`: of the time in which the process has a processor. */
  function givenUpAfter(share: number, besidesMs = 0): number | null {
    const since = instantNow();
    let after: number | null = null;
    watchProbe(
      () => {
        after = instantNow() - since;
      },
      besidesMs,
      () => 1000 + share * (instantNow() - since),
    );
    clock.tick(10 * probeStarvedMs);
    return after;
  }

  it('is given up when its time is over', () => {
    expect(givenUpAfter(1)).to.equal(probeMs);
    expect(givenUpAfter(probeRanMs / probeMs)).to.equal(probeMs);
    expect(givenUpAfter(1, 2_000)).to.equal(probeMs + 2_000);
  });

  it('is waited for where the process had hardly a processor, until it has had one', () => {
    expect(givenUpAfter(0.1)).to.be.within(10 * probeRanMs, 10 * probeRanMs + LOOK_MS);
  });

  it('is given up in the end, though the process has had no processor at all', () => {
    expect(givenUpAfter(0)).to.be.within(probeStarvedMs, probeStarvedMs + LOOK_MS);
    expect(givenUpAfter(0, 2_000)).to.be.within(probeStarvedMs + 2_000, probeStarvedMs + 2_000 + LOOK_MS);
  });

  it('is not given up once it has answered', () => {
    const overdue = sinon.spy();
    const watch = watchProbe(overdue, 0, () => 0);
    clock.tick(probeMs + 1);
    watch.stop();
    clock.tick(10 * probeStarvedMs);
    expect(overdue.called).to.equal(false);
  });
});

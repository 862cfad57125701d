import { expect } from 'chai';
import fc from 'fast-check';
import sinon from 'sinon';
import { createPauses } from '../../src/outbound/outbound.ts';

const LIMITS = { failures: 3, firstMs: 100, longestMs: 1_000 };

describe('leaving others alone', () => {
  let clock: sinon.SinonFakeTimers;
  beforeEach(() => {
    clock = sinon.useFakeTimers({ toFake: ['performance'] });
  });
  afterEach(() => clock.restore());

  it('bears some failures in a row, then pauses that grow up to the longest, and forgets them with the first success', () => {
    const pauses = createPauses({ now: () => performance.now(), limits: LIMITS });
    expect([pauses.failed('a', 'failed'), pauses.failed('a', 'failed'), pauses.left('a')]).to.deep.equal([0, 0, 0]);
    expect(pauses.failed('a', 'failed')).to.equal(100);
    expect([pauses.left('a'), pauses.left('b')]).to.deep.equal([100, 0]);
    clock.tick(100);
    expect(pauses.left('a')).to.equal(0);
    for (const pause of [200, 400, 800, 1_000, 1_000]) {
      expect(pauses.failed('a', 'failed')).to.equal(pause);
      clock.tick(pause);
    }
    pauses.succeeded('a');
    expect([pauses.left('a'), pauses.failed('a', 'failed')]).to.deep.equal([0, 0]);
  });

  it('lets a pause that has begun go on where an answer comes that was asked for before it, and begins anew after it', () => {
    const pauses = createPauses({ now: () => performance.now(), limits: LIMITS });
    for (let turn = 0; turn < 3; turn++) pauses.failed('a', 'busy', 500);
    pauses.succeeded('a');
    expect(pauses.left('a')).to.equal(500);
    clock.tick(500);
    expect([pauses.left('a'), pauses.failed('a', 'failed'), pauses.failed('a', 'failed'), pauses.failed('a', 'failed')]).to.deep.equal([0, 0, 0, 100]);
  });

  it('lets no pause grow by what fails during it, and go on for longer only where they ask for that: it was asked before it', () => {
    const pauses = createPauses({ now: () => performance.now(), limits: LIMITS });
    const during = (...answers: readonly (readonly ['failed' | 'busy', number?])[]) => answers.map(([kind, retry]) => pauses.failed('a', kind, retry));
    expect(during(['failed'], ['failed'], ['failed'], ['failed'], ['busy'], ['busy', 50])).to.deep.equal([0, 0, 100, 0, 0, 0]);
    clock.tick(40);
    expect([...during(['failed', 500], ['busy', 60]), pauses.left('a'), ...during(['busy', 90]), pauses.left('a')]).to.deep.equal([0, 0, 60, 90, 90]);
    clock.tick(90);
    expect([pauses.left('a'), ...during(['failed'], ['failed'])]).to.deep.equal([0, 200, 0]);
  });

  it('holds whoever somebody else heard to be busy, for the longer of both pauses, and no longer than the longest; no later pause grows by it', () => {
    const pauses = createPauses({ now: () => performance.now(), limits: LIMITS });
    for (const [ms, left] of [
      [300, 300],
      [200, 300],
      [400, 400],
      [1e9, 1_000],
    ] as const) {
      pauses.hold('a', ms);
      expect([pauses.left('a'), pauses.left('b')]).to.deep.equal([left, 0]);
    }
    clock.tick(1_000);
    expect([pauses.left('a'), pauses.failed('a', 'failed'), pauses.failed('a', 'busy')]).to.deep.equal([0, 0, 100]);
    pauses.hold('a', 50);
    expect(pauses.left('a')).to.equal(100);
  });

  it('leaves who is busy alone at once, for as long as they ask, within bounds', () => {
    const pauses = createPauses({ now: () => performance.now(), limits: LIMITS });
    expect(pauses.failed('a', 'busy')).to.equal(100);
    expect(pauses.failed('b', 'busy', 700)).to.equal(700);
    expect(pauses.failed('c', 'busy', 3_600_000)).to.equal(1_000);
  });

  it('remembers no more names than it is told to: those that failed last', () => {
    const pauses = createPauses({ now: () => performance.now(), limits: LIMITS, names: 2 });
    for (const name of ['a', 'b', 'a', 'c']) pauses.failed(name, 'busy');
    expect(['a', 'b', 'c'].map((name) => pauses.left(name) > 0)).to.deep.equal([true, false, true]);
  });

  it('never pauses for longer than the longest, whatever happens in whatever order', () => {
    const event = fc.record({
      passes: fc.integer({ min: 0, max: 5_000 }),
      kind: fc.constantFrom('failed', 'busy', 'succeeded', 'held'),
      retry: fc.option(fc.integer({ min: 0, max: 1e9 })),
    });
    fc.assert(
      fc.property(fc.array(event, { maxLength: 60 }), (events) => {
        const pauses = createPauses({ now: () => performance.now(), limits: LIMITS });
        for (const { passes, kind, retry } of events) {
          clock.tick(passes);
          const before = pauses.left('a');
          if (kind === 'succeeded') pauses.succeeded('a');
          else if (kind === 'held') pauses.hold('a', retry ?? 0);
          else pauses.failed('a', kind as 'failed' | 'busy', retry);
          expect(pauses.left('a')).to.be.within(before, LIMITS.longestMs);
        }
      }),
    );
  });
});

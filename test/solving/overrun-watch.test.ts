import { existsSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { expect } from 'chai';
import sinon from 'sinon';
import { LIMITS } from '../../src/config/limits.ts';
import { watchOverrun } from '../../src/solving/overrun-watch.ts';
import { processorTimeMs } from '../../src/solving/processor-time.ts';
import type { SolverAnswer } from '../../src/solving/solving.ts';
import { type InstantMs, instantNow } from '../../src/units/units.ts';

const { overrunMs, secondChanceMs, starvedMs } = LIMITS.solving;

describe('a run that goes on after its deadline', () => {
  let clock: sinon.SinonFakeTimers;
  beforeEach(() => {
    clock = sinon.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  });
  afterEach(() => clock.restore());

  /** When the run is ended, in ms after its deadline; null while it is not. `share`: of its time in which its thread has a processor, null where nobody can tell. */
  function endedAfter(share: number | null): () => number | null {
    const deadline = (instantNow() + 100) as InstantMs;
    const ran = () => (share === null ? null : 500 + share * (instantNow() - deadline));
    const end = sinon.spy(() => instantNow() - deadline);
    watchOverrun(deadline, ran, end);
    return () => end.lastCall?.returnValue ?? null;
  }

  for (const share of [1, null]) {
    it(`is ended when its time and its second chance are over (${share === null ? 'nobody can tell what it has had of a processor' : 'it had a processor'})`, () => {
      const ended = endedAfter(share);
      clock.tick(100 + overrunMs + secondChanceMs - 1);
      expect(ended()).to.equal(null);
      clock.tick(1);
      expect(ended()).to.equal(overrunMs + secondChanceMs);
    });
  }

  it('has its second chance in time that its thread had a processor for', () => {
    const ended = endedAfter(0.25);
    clock.tick(100 + overrunMs + 3 * secondChanceMs);
    expect(ended()).to.equal(null);
    clock.tick(secondChanceMs);
    expect(ended()).to.be.within(overrunMs + 3.5 * secondChanceMs, overrunMs + 4 * secondChanceMs);
  });

  it('is ended in the end, though its thread has had no processor at all', () => {
    const ended = endedAfter(0);
    clock.tick(100 + overrunMs + starvedMs - 1);
    expect(ended()).to.equal(null);
    clock.tick(1 + secondChanceMs);
    expect(ended()).to.be.within(overrunMs + starvedMs, overrunMs + starvedMs + secondChanceMs);
  });

  it('is left alone once it is over', () => {
    const ended = sinon.spy();
    const watch = watchOverrun((instantNow() + 100) as InstantMs, () => null, ended);
    clock.tick(100 + overrunMs + 1);
    watch.stop();
    clock.tick(10 * starvedMs);
    expect(ended.called).to.equal(false);
  });
});

describe('the time that a thread has had a processor for', () => {
  before(function onlyWhereItIsTold() {
    if (!existsSync('/proc/thread-self/schedstat')) this.skip();
  });

  it('is told to the main thread of a solver thread that runs, by the name that this gives itself, and of none that has ended', async () => {
    const entry = new URL('../../workers/solver.ts', import.meta.url);
    const source = `import { parentPort } from 'node:worker_threads';
      import answer from ${JSON.stringify(entry.href)};
      parentPort.once('message', () => parentPort.close());
      parentPort.postMessage(answer({ kind: 'probe' }));`;
    const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(source)}`), { workerData: { chains: [] } });
    const { kernelThread = 0 } = await new Promise<SolverAnswer>((resolve, reject) => worker.once('message', resolve).once('error', reject));
    expect(kernelThread).to.not.be.oneOf([0, process.pid]);
    expect(processorTimeMs(kernelThread)).to.be.greaterThan(0);
    worker.postMessage('end');
    await new Promise((resolve) => worker.once('exit', resolve));
    expect(processorTimeMs(kernelThread)).to.equal(null);
  });
});

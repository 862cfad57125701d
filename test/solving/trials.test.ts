import { expect } from 'chai';
import sinon from 'sinon';
import { LIMITS } from '../../src/config/config.ts';
import { createSolving, type Solving } from '../../src/solving/solving.ts';
import { Trials } from '../../src/solving/trials.ts';
import { asWei } from '../../src/units/units.ts';
import { until } from '../support/until.ts';
import { solveJob, tokenOf } from './solve-job.ts';
import { BEHAVIOUR } from './workers/misbehaving.ts';

const { runs, share } = LIMITS.solving.trials;
const LONG_MS = 4 * LIMITS.solving.shortRunMs;

describe('trials on the thread that is kept for short jobs', () => {
  afterEach(() => sinon.restore());

  it('are of kinds that hardly ran, one at a time, and what takes long costs at most a share of the thread', () => {
    const clock = sinon.useFakeTimers({ toFake: ['performance'] });
    const trials = new Trials();
    expect([trials.mayTry(runs - 1), trials.mayTry(runs)]).to.deep.equal([true, false]);
    trials.begun();
    expect(trials.mayTry(0)).to.equal(false);
    trials.ended(0);
    expect(trials.mayTry(0), 'it never ran').to.equal(true);
    trials.begun();
    trials.ended(LIMITS.solving.shortRunMs);
    expect(trials.mayTry(0), 'it was short').to.equal(true);
    trials.begun();
    trials.ended(LONG_MS);
    clock.tick(LONG_MS / share - LONG_MS - 1);
    expect(trials.mayTry(0)).to.equal(false);
    clock.tick(1);
    expect(trials.mayTry(0)).to.equal(true);
  });

  describe("beside a client's own heavy jobs", () => {
    let solving: Solving;
    let restarts = 0;
    before(async () => {
      solving = await createSolving({
        threads: 2,
        workerFile: new URL('./workers/misbehaving.ts', import.meta.url),
        data: { chains: [] },
        onEvent: ({ kind }) => {
          if (kind === 'restart') restarts++;
        },
      });
    });
    after(() => solving.close());

    const ask = (millis: number, sellToken: number, client = 'client', behaviour: number = BEHAVIOUR.answer) =>
      solving.solve(solveJob({ sellToken: tokenOf(sellToken), amount: asWei(BigInt(millis)), maxHops: behaviour }), {
        client,
        signal: new AbortController().signal,
      });

    it('a cheap one of a kind that never ran does not wait for them, though all that is known of its depth is heavy', async () => {
      for (let i = 0; i < runs; i++) await ask(LONG_MS, 1);
      const ended: string[] = [];
      const heavy = Array.from({ length: 6 }, () => ask(LONG_MS, 1).then(() => ended.push('heavy')));
      await Promise.all([...heavy, ask(1, 2).then(() => ended.push('cheap'))]);
      expect(ended.indexOf('cheap'), ended.join()).to.be.at.most(2);
    });

    it('heavy ones of ever new kinds do not hold both threads: one at most is tried', async () => {
      for (let i = 0; i < 10; i++) await ask(1, 2);
      const heavy = Promise.all(Array.from({ length: 6 }, (_, index) => ask(LONG_MS, 100 + index)));
      const cheap = Promise.all(Array.from({ length: runs + 1 }, () => ask(1, 2)));
      expect(await Promise.race([cheap.then(() => 'cheap'), heavy.then(() => 'heavy')])).to.equal('cheap');
      await heavy;
    });

    it('one that became a suspect while it waited leaves the trials to others', async () => {
      for (let i = 0; i < 20; i++) await ask(LONG_MS, 1);
      expect(await until(() => solving.workers().reserve === LIMITS.solving.reserveThreads, 50_000)).to.equal(true);
      const ended: string[] = [];
      const note = (name: string, asked: Promise<unknown>) => asked.then(() => ended.push(name));
      void note('heavy', ask(5000, 1));
      void ask(100, 2, 'accused', BEHAVIOUR.exitLate);
      void note('tried', ask(4000, 50, 'accused'));
      // The trial runs in reserve now, and the thread that died is replaced.
      expect(await until(() => restarts === 1 && solving.inflight() === 2 && solving.workers().live === 2 && solving.workers().reserve > 0, 4000)).to.equal(
        true,
      );
      await note('cheap', ask(1, 60, 'other'));
      expect(ended, 'before which a thread was free').to.deep.equal(['cheap']);
    });
  });
});

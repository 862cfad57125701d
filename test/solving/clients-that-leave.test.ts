import { expect } from 'chai';
import { LIMITS } from '../../src/config/config.ts';
import { createSolving, type Solving, type SolvingEvent } from '../../src/solving/solving.ts';
import { asWei, type InstantMs, instantNow } from '../../src/units/units.ts';
import { until } from '../support/until.ts';
import { solveJob } from './solve-job.ts';
import { BEHAVIOUR, forgetRuns } from './workers/misbehaving.ts';

const { signal } = new AbortController();

describe('clients that leave while jobs of theirs wait or run', () => {
  let solving: Solving;
  let events: SolvingEvent[];
  const start = async (threads: number) => {
    events = [];
    const workerFile = new URL('./workers/misbehaving.ts', import.meta.url);
    solving = await createSolving({ threads, workerFile, data: { chains: [] }, onEvent: (event) => events.push(event) });
    expect(await until(() => solving.workers().reserve === LIMITS.solving.reserveThreads, 50_000)).to.equal(true);
  };
  afterEach(async () => {
    await solving.close();
    forgetRuns();
  });
  const count = (kind: SolvingEvent['kind']) => events.filter((event) => event.kind === kind).length;
  const job = (behaviour: number, amount: number, more = {}) => solveJob({ maxHops: behaviour, amount: asWei(BigInt(amount)), ...more });
  const reason = ({ result }: Awaited<ReturnType<Solving['solve']>>) => (result.ok ? 'ok' : result.reason);

  it('what is solved again for another request of theirs runs once', async () => {
    await start(1);
    const hangUp = new AbortController();
    const busy = solving.solve(job(BEHAVIOUR.answer, 200), { client: 'busy', signal });
    const again = solving.solveAgain(job(BEHAVIOUR.answer, 50), { client: 'x', signal });
    const left = solving.solve(job(BEHAVIOUR.answer, 1), { client: 'x', signal: hangUp.signal });
    hangUp.abort();
    await Promise.all([busy, again, left]);
    // Whatever ran once more would come before this.
    await solving.solve(job(BEHAVIOUR.answer, 1), { client: 'last', signal });
    expect([count('ran'), solving.queueDepth(), solving.inflight()]).to.deep.equal([3, 0, 0]);
  });

  it('and is answered at its deadline while no thread is free', async () => {
    await start(1);
    const hangUp = new AbortController();
    let isFree = false;
    const busy = solving.solve(job(BEHAVIOUR.answer, 2000), { client: 'busy', signal }).then(() => {
      isFree = true;
    });
    const again = solving.solveAgain(job(BEHAVIOUR.answer, 5, { deadline: (instantNow() + 100) as InstantMs }), { client: 'x', signal });
    const left = solving.solve(job(BEHAVIOUR.answer, 1), { client: 'x', signal: hangUp.signal });
    hangUp.abort();
    expect([reason(await again), isFree]).to.deep.equal(['expired', false]);
    await Promise.all([busy, left]);
  });

  it('no second thread is risked on a job whose client is gone', async () => {
    await start(1);
    const hangUp = new AbortController();
    const doomed = solving.solve(job(BEHAVIOUR.exitLate, 200), { client: 'x', signal: hangUp.signal });
    setTimeout(() => hangUp.abort(), 50);
    expect(reason(await doomed)).to.equal('cancelled');
    expect(count('restart')).to.equal(1);
  });

  it('a run that was given up shows nothing of a job that killed its thread', async () => {
    await start(2);
    expect(reason(await solving.solve(job(BEHAVIOUR.exitThenGiveUp, 1), { client: 'x', signal }))).to.equal('cancelled');
    expect([count('restart'), solving.outlook(job(BEHAVIOUR.answer, 2), 'x').suspect]).to.deep.equal([1, true]);
  });
});

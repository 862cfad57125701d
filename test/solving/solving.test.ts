import { expect } from 'chai';
import { LIMITS } from '../../src/config/limits.ts';
import type { SolveJob } from '../../src/routing/routing.ts';
import { createSolving, type Solving, type SolvingEvent, type SolvingOptions } from '../../src/solving/solving.ts';
import { asAddress, asWei, type InstantMs, instantNow } from '../../src/units/units.ts';
import { residentAtRest } from '../support/resident-at-rest.ts';
import { until } from '../support/until.ts';
import { BEHAVIOUR } from './workers/misbehaving.ts';

const NEVER = { client: 'client', signal: new AbortController().signal };

describe('solving: jobs to threads', () => {
  let solving: Solving;
  let events: SolvingEvent[];

  async function start(threads: number, worker = 'misbehaving', more: Partial<SolvingOptions> = {}): Promise<Solving> {
    events = [];
    solving = await createSolving({
      threads,
      workerFile: new URL(`./workers/${worker}.ts`, import.meta.url),
      data: { chains: [] },
      onEvent: (event) => events.push(event),
      ...more,
    });
    return solving;
  }

  afterEach(async () => {
    await solving?.close();
  });

  const restarts = () => events.flatMap((event) => (event.kind === 'restart' ? [event.reason] : []));

  it('hands jobs over first in, first out, and its depth is exact', async () => {
    await start(1);
    const order: number[] = [];
    const jobs = [30, 21, 22, 23, 24].map((millis) => solving.solve(job(BEHAVIOUR.answer, millis), NEVER).then(() => order.push(millis)));
    expect(solving.inflight()).to.equal(1);
    expect(solving.queueDepth()).to.equal(4);
    await Promise.all(jobs);
    expect(order).to.deep.equal([30, 21, 22, 23, 24]);
    expect(solving.queueDepth()).to.equal(0);
  });

  it('puts a job that is solved again before all that wait for a first time, and a first one behind them, whoever asks', async () => {
    await start(1);
    const order: string[] = [];
    const by = (client: string) => ({ ...NEVER, client });
    const note = (name: string) => () => void order.push(name);
    const running = solving.solve(job(BEHAVIOUR.answer, 100), by('runs'));
    const waiting = [
      solving.solve(job(BEHAVIOUR.answer, 1), by('one')).then(note('first of one')),
      solving.solve(job(BEHAVIOUR.answer, 2), by('one')).then(note('second of one')),
      solving.solveAgain(job(BEHAVIOUR.answer, 3), by('one')).then(note('again of one')),
      solving.solveAgain(job(BEHAVIOUR.answer, 4), by('other')).then(note('again of another')),
    ];
    await Promise.all([running, ...waiting]);
    expect(order).to.deep.equal(['again of one', 'again of another', 'first of one', 'second of one']);
  });

  it('uses every thread at once', async () => {
    await start(2);
    const startedAt = performance.now();
    const both = Promise.all([solving.solve(job(BEHAVIOUR.answer, 1000), NEVER), solving.solve(job(BEHAVIOUR.answer, 1000), NEVER)]);
    expect([solving.inflight(), solving.queueDepth()]).to.deep.equal([2, 0]);
    const [first, second] = await both;
    // One after the other they would take the sum of what each ran.
    expect(performance.now() - startedAt).to.be.lessThan(first.runMs + second.runMs);
  });

  it('answers a job whose budget ended in the queue as expired, and does not start it', async () => {
    await start(1);
    const long = solving.solve(job(BEHAVIOUR.answer, 1500), NEVER);
    const short = await solving.solve(job(BEHAVIOUR.answer, 1, 50), NEVER);
    expect(short.result).to.deep.equal({ ok: false, reason: 'expired' });
    expect(solving.inflight()).to.equal(1);
    expect(reason(await long)).to.equal('no-route');
    expect(events.filter(({ kind }) => kind !== 'ran')).to.deep.equal([{ kind: 'expired', chainId: 1 }]);
  });

  it('tells of every run how long it held a thread and how it ended, also of a thread that was lost, and what the heap holds', async () => {
    await start(1);
    expect(solving.workers().largestHeapBytes).to.equal(0);
    await solving.solve(job(BEHAVIOUR.answer, 40), NEVER);
    expect(solving.workers().largestHeapBytes).to.be.within(2 ** 20, 2 ** 30);
    await solving.solve(job(BEHAVIOUR.throw, 0), NEVER);
    const runs = events.flatMap((event) => (event.kind === 'ran' ? [event] : []));
    expect(runs.map(({ chainId, work, end }) => ({ chainId, work, end }))).to.deep.equal([
      { chainId: 1, work: 'solve', end: 'answered' },
      { chainId: 1, work: 'solve', end: 'lost' },
      { chainId: 1, work: 'solve', end: 'lost' },
    ]);
    expect(runs[0]?.runMs).to.be.at.least(39);
  });

  it('tells of every run for how long it held a place of long jobs, of which there are as many as threads but one', async () => {
    await start(2);
    expect(solving.longPlaces).to.equal(1);
    // Nothing is known of the first one: it counts from when it turned out to be long. The next is known for long.
    for (let i = 0; i < 2; i++) await solving.solve(job(BEHAVIOUR.answer, 200), NEVER);
    const runs = events.flatMap((event) => (event.kind === 'ran' ? [event] : []));
    expect(runs).to.have.length(2);
    for (const { longMs, runMs } of runs) expect(longMs).to.be.at.least(runMs - LIMITS.solving.shortRunMs);
    expect(runs[1]?.longMs).to.be.at.least(runs[1]?.runMs ?? Number.NaN);
  });

  it('refuses as expired what has no place: a client alone may fill half of the queue, and all together fill it', async () => {
    await start(1);
    const ask = (client: string) => solving.solve(job(BEHAVIOUR.answer, 0), { client, signal: new AbortController().signal });
    const alone = Array.from({ length: solving.queueLimit / 2 + 2 }, () => ask('client'));
    expect(solving.outlook(job(BEHAVIOUR.answer, 0), 'client').full).to.equal(true);
    expect(solving.outlook(job(BEHAVIOUR.answer, 0), 'another').full).to.equal(false);
    const others = Array.from({ length: solving.queueLimit / 2 + 1 }, (_, index) => ask(`client ${index}`));
    const expired = async (jobs: typeof alone) => (await Promise.all(jobs)).filter((outcome) => reason(outcome) === 'expired').length;
    expect([await expired(alone), await expired(others)]).to.deep.equal([1, 1]);
  });

  it('values what waits anew once the first of it took far longer than was thought', async () => {
    await start(1);
    const ask = (client: string) => solving.solve(job(BEHAVIOUR.answer, 100), { client, signal: new AbortController().signal });
    const [first, ...rest] = Array.from({ length: 5 }, (_, index) => ask(`client ${index}`));
    expect(solving.estimatedWaitMs()).to.be.below(100);
    await first;
    // Four of some 100 ms each, more where the machine is busy, of which one has begun.
    expect(solving.estimatedWaitMs()).to.be.within(200, 5000);
    await Promise.all(rest);
  });

  it('takes a job out of the queue when its client hangs up', async () => {
    await start(1);
    const controller = new AbortController();
    const long = solving.solve(job(BEHAVIOUR.answer, 100), NEVER);
    const waiting = solving.solve(job(BEHAVIOUR.answer, 1), { client: 'client', signal: controller.signal });
    controller.abort();
    expect((await waiting).result).to.deep.equal({ ok: false, reason: 'cancelled' });
    expect(solving.queueDepth()).to.equal(0);
    await long;
  });

  it('B1 a thread exits mid-solve: one retry, then failed; the others are unaffected and the pool refills', async () => {
    await start(2);
    const [doomed, fine] = await Promise.all([solving.solve(job(BEHAVIOUR.exit, 0), NEVER), solving.solve(job(BEHAVIOUR.answer, 50), NEVER)]);
    expect(doomed.result).to.deep.equal({ ok: false, reason: 'failed' });
    expect(reason(fine)).to.equal('no-route');
    expect(events.filter((event) => event.kind === 'restart')).to.deep.equal([
      { kind: 'restart', reason: 'exit' },
      { kind: 'restart', reason: 'exit' },
    ]);
    expect(await until(() => solving.workers().live === 2, 50_000)).to.equal(true);
    expect(reason(await solving.solve(job(BEHAVIOUR.answer, 1), NEVER))).to.equal('no-route');
  });

  it('B4 a thread that dies once the budget is over is replaced, and its job is not tried again', async () => {
    await start(1);
    expect((await solving.solve(job(BEHAVIOUR.exitLate, 150, 100), NEVER)).result).to.deep.equal({ ok: false, reason: 'failed' });
    // Whatever waited is done by the answer to this one.
    expect(reason(await solving.solve(job(BEHAVIOUR.answer, 1), NEVER))).to.equal('no-route');
    expect(restarts()).to.have.length(1);
    expect(events.flatMap((event) => (event.kind === 'ran' ? [event.end] : []))).to.deep.equal(['lost', 'answered']);
  });

  it('B1 a job that throws is a failed job, not a broken pool', async () => {
    await start(1);
    expect((await solving.solve(job(BEHAVIOUR.throw, 0), NEVER)).result).to.deep.equal({ ok: false, reason: 'failed' });
    expect(reason(await solving.solve(job(BEHAVIOUR.answer, 1), NEVER))).to.equal('no-route');
  });

  it('B12 an unhandled rejection in a thread costs nobody an answer, and the pool stays whole', async () => {
    await start(2);
    await solving.solve(job(BEHAVIOUR.reject, 0), NEVER);
    // By these the thread has looked for its next job.
    for (let i = 0; i < 10; i++) expect(reason(await solving.solve(job(BEHAVIOUR.answer, 1), NEVER))).to.equal('no-route');
    expect(await until(() => solving.workers().live === 2 && solving.workers().reserve === LIMITS.solving.reserveThreads, 50_000)).to.equal(true);
  });

  it('B2 a thread whose heap is full: as B1, with the reason', async () => {
    await start(2, 'misbehaving', { heapMegabytes: 64 });
    const [doomed, fine] = await Promise.all([solving.solve(job(BEHAVIOUR.fillHeap, 0), NEVER), solving.solve(job(BEHAVIOUR.answer, 20), NEVER)]);
    expect(doomed.result).to.deep.equal({ ok: false, reason: 'failed' });
    expect(reason(fine)).to.equal('no-route');
    expect(restarts()).to.deep.equal(['oom', 'oom']);
    expect(await until(() => solving.workers().live === 2 && solving.workers().reserve === LIMITS.solving.reserveThreads, 50_000)).to.equal(true);
  });

  it('B3 memory outside of the heap: the thread that grows is replaced before the process is too large, in the middle of a job too', async () => {
    const limit = (await residentAtRest()) + 400 * 2 ** 20;
    await start(2, 'misbehaving', { memoryLimitBytes: limit });
    let most = 0;
    const watching = setInterval(() => {
      most = Math.max(most, process.memoryUsage.rss());
    }, 10);
    const [doomed, fine] = await Promise.all([solving.solve(job(BEHAVIOUR.growOutside, 0), NEVER), solving.solve(job(BEHAVIOUR.answer, 20), NEVER)]);
    clearInterval(watching);
    expect(doomed.result).to.deep.equal({ ok: false, reason: 'failed' });
    expect(reason(fine)).to.equal('no-route');
    expect(restarts()).to.deep.equal(['memory', 'memory']);
    // It would go on to 3 GB; each of its two threads is ended at a look after the limit, and gives its memory back when it is gone.
    expect(most).to.be.lessThan(limit + 1500 * 2 ** 20);
  });

  it('B3 a thread that keeps memory from job to job goes, not one that has kept nothing', async () => {
    const limit = (await residentAtRest()) + 400 * 2 ** 20;
    await start(1, 'misbehaving', { memoryLimitBytes: limit });
    for (let i = 0; restarts().length === 0; i++) {
      if (i > 20) throw new Error('2 GB, and nobody cared');
      const { result } = await solving.solve(job(BEHAVIOUR.leak, 100), NEVER);
      expect(result).to.include({ ok: false });
    }
    expect(restarts()).to.deep.equal(['memory']);
    expect(await until(() => process.memoryUsage.rss() < limit, 50_000)).to.equal(true);
  });

  it('B4 a solver that spins past its deadline is replaced and its request answered', async () => {
    await start(1);
    const startedAt = performance.now();
    const outcome = await solving.solve(job(BEHAVIOUR.spin, 0, 100), NEVER);
    expect(outcome.result).to.deep.equal({ ok: false, reason: 'failed' });
    expect(performance.now() - startedAt).to.be.lessThan(25_000);
    expect(events).to.deep.include({ kind: 'restart', reason: 'overrun' });
    expect(reason(await solving.solve(job(BEHAVIOUR.answer, 1), NEVER))).to.equal('no-route');
  });

  it('a thread that can not load is an error at start, not a service that hangs', async () => {
    let message = '';
    await start(1, 'broken-import').catch((error: Error) => {
      message = error.message;
    });
    expect(message).to.match(/solver thread/);
  });
});

/** The budget is out of reach unless it is the subject. */
function job(behaviour: number, millis: number, budgetMs = 60_000): SolveJob {
  return {
    chainId: 1,
    mode: 'sell',
    sellToken: asAddress('0x0000000000000000000000000000000000000001'),
    buyToken: asAddress('0x0000000000000000000000000000000000000002'),
    amount: asWei(BigInt(millis)),
    maxHops: behaviour,
    gasPriceWei: null,
    filter: { include: null, exclude: [], excludeRfq: false, excludeRwa: false },
    deadline: (instantNow() + budgetMs) as InstantMs,
  };
}

function reason(outcome: Awaited<ReturnType<Solving['solve']>>): string {
  return outcome.result.ok ? 'ok' : outcome.result.reason;
}

import { expect } from 'chai';
import sinon from 'sinon';
import { LIMITS } from '../../src/config/config.ts';
import type { SolveJob } from '../../src/routing/routing.ts';
import { RehearsalPieces } from '../../src/solving/rehearsal-pieces.ts';
import { createSolving, type Solving, type SolvingEvent } from '../../src/solving/solving.ts';
import { asWei, type InstantMs, instantNow } from '../../src/units/units.ts';
import { until } from '../support/until.ts';
import { solveJob, tokenOf } from './solve-job.ts';
import { BEHAVIOUR, forgetRuns } from './workers/misbehaving.ts';

const { jobs, runs, everyMs } = LIMITS.solving.rehearsal;
const CALLER = { client: 'client', signal: new AbortController().signal };

const job = (behaviour: number, amount: number, sellToken = 1) =>
  solveJob({ maxHops: behaviour, amount: asWei(BigInt(amount)), sellToken: tokenOf(sellToken) });

describe('what threads in reserve do over', () => {
  let clock: sinon.SinonFakeTimers;
  let pieces: RehearsalPieces;
  beforeEach(() => {
    clock = sinon.useFakeTimers({ toFake: ['performance'] });
    pieces = new RehearsalPieces();
  });
  afterEach(() => clock.restore());

  const next = (threadId: number) => pieces.next(threadId)?.amount;

  it('is what was answered quickly, each thread for itself and in turn, by a deadline of its own', () => {
    expect(next(1)).to.equal(undefined);
    pieces.note(job(1, 5, 1), 2);
    pieces.note(job(1, 6, 2), LIMITS.solving.shortRunMs + 1);
    pieces.note({ ...job(1, 7, 3), deadline: 0 as InstantMs }, 2);
    expect([next(1), next(1), next(1), next(2)]).to.deep.equal([5n, 7n, 5n, 5n]);
    expect(pieces.next(1)?.deadline).to.be.greaterThan(instantNow());
  });

  it('is one job of a pair and mode, the latest, and of the latest pairs only', () => {
    for (let pair = 1; pair <= jobs + 10; pair++) for (const amount of [1, 2]) pieces.note(job(1, 100 * pair + amount, pair), 1);
    const seen = new Set(Array.from({ length: 2 * jobs }, () => next(1)));
    expect(seen).to.deep.equal(new Set(Array.from({ length: jobs }, (_, index) => BigInt(100 * (index + 11) + 2))));
  });

  it('is enough after so many runs: then one from time to time, to follow the market', () => {
    pieces.note(job(1, 5), 1);
    for (let i = 0; i < runs; i++) expect(next(1)).to.equal(5n);
    expect(next(1)).to.equal(undefined);
    clock.tick(everyMs);
    expect([next(1), next(1)]).to.deep.equal([5n, undefined]);
    pieces.threadEnded(1);
    expect(next(1), 'its successor begins anew').to.equal(5n);
  });
});

describe('rehearsals', () => {
  let solving: Solving;
  let events: SolvingEvent[];

  beforeEach(async () => {
    events = [];
    const workerFile = new URL('./workers/misbehaving.ts', import.meta.url);
    solving = await createSolving({ threads: 1, workerFile, data: { chains: [] }, onEvent: (event) => events.push(event) });
  });
  afterEach(async () => {
    await solving.close();
    forgetRuns();
  });

  const count = (kind: SolvingEvent['kind']) => events.filter((event) => event.kind === kind).length;
  const ask = async (asked: SolveJob) => (await solving.solve(asked, CALLER)).result;

  /** Asks for a route until something has come of it: on a busy machine even a job of a millisecond is not always answered so quickly that it is rehearsed. */
  async function askUntil(kind: SolvingEvent['kind'], asked: (index: number) => SolveJob): Promise<number> {
    for (let index = 0; ; index++) {
      expect((await ask(asked(index))).ok).to.equal(true);
      if (await until(() => count(kind) > 0, 200)) return index + 1;
    }
  }

  it('are runs of the thread in reserve, while the one that works is free', async () => {
    const answers = await askUntil('rehearsed', () => job(BEHAVIOUR.route, 1));
    expect(await until(() => count('rehearsed') >= 20, 50_000)).to.equal(true);
    expect([solving.inflight(), solving.workers().live, solving.workers().reserve]).to.deep.equal([0, 1, 1]);
    expect(count('ran'), 'nobody is told of them as of work').to.equal(answers);
  });

  it('do not keep a thread from the place that it is called to', async () => {
    await askUntil('rehearsed', () => job(BEHAVIOUR.route, 5));
    // It dies, and the one in reserve is called from its rehearsal.
    expect(await ask(job(BEHAVIOUR.exit, 1))).to.deep.equal({ ok: false, reason: 'failed' });
    expect(await ask(job(BEHAVIOUR.answer, 1))).to.include({ reason: 'no-route' });
    expect(count('refilled')).to.be.at.least(1);
  });

  it('that end their thread cost nobody an answer', async () => {
    const answers = await askUntil('restart', (index) => job(BEHAVIOUR.routeFirst, 1 + index));
    expect(await until(() => solving.workers().reserve === 1, 50_000)).to.equal(true);
    expect(await ask(job(BEHAVIOUR.answer, 1))).to.include({ reason: 'no-route' });
    expect(count('rehearsed')).to.equal(0);
    expect(count('restart'), 'what was done over is forgotten').to.be.at.most(answers);
  });
});

import { expect } from 'chai';
import sinon from 'sinon';
import { LIMITS } from '../../src/config/config.ts';
import { createSolving, type Solving, type SolvingEvent } from '../../src/solving/solving.ts';
import { asWei, type InstantMs, instantNow } from '../../src/units/units.ts';
import { until } from '../support/until.ts';
import { solveJob } from './solve-job.ts';
import { BEHAVIOUR, forgetRuns } from './workers/misbehaving.ts';

const { signal } = new AbortController();

describe('what is likely to end its thread', () => {
  let solving: Solving;
  let events: SolvingEvent[];

  beforeEach(async () => {
    events = [];
    // Not what is tried here, and waited for by most of it.
    sinon.stub(LIMITS.solving, 'restarts').value({ ...LIMITS.solving.restarts, perSecond: 2 });
    const workerFile = new URL('./workers/misbehaving.ts', import.meta.url);
    solving = await createSolving({ threads: 2, workerFile, data: { chains: [] }, onEvent: (event) => events.push(event) });
    expect(await until(() => solving.workers().reserve === LIMITS.solving.reserveThreads, 50_000)).to.equal(true);
  });
  afterEach(async () => {
    await solving.close();
    sinon.restore();
    forgetRuns();
  });

  const count = (kind: SolvingEvent['kind']) => events.filter((event) => event.kind === kind).length;
  const reasonOf = async (behaviour: number, amount: number, client: string) => {
    const { result } = await solving.solve(solveJob({ maxHops: behaviour, amount: asWei(BigInt(amount)) }), { client, signal });
    return result.ok ? 'ok' : result.reason;
  };

  it('ends threads in reserve and leaves no place empty, but for the first time', async () => {
    const poisoned = [1, 2, 3].map((amount) => reasonOf(BEHAVIOUR.exit, amount, 'poisoner'));
    // Of those two were under way before anybody could know.
    expect(await Promise.all(poisoned)).to.deep.equal(['failed', 'failed', 'failed']);
    expect(count('restart')).to.equal(6);
    expect(count('refilled')).to.equal(2);
  });

  it('is found among what waits already, when the client has its first job that does', async () => {
    const neighbours = [reasonOf(BEHAVIOUR.answer, 300, 'neighbour')];
    const poisoned = [reasonOf(BEHAVIOUR.exitLate, 100, 'poisoner'), reasonOf(BEHAVIOUR.exit, 2, 'poisoner'), reasonOf(BEHAVIOUR.exit, 3, 'poisoner')];
    expect(solving.queueDepth(), 'both threads are busy').to.equal(2);
    expect(await Promise.all([...neighbours, ...poisoned])).to.deep.equal(['no-route', 'failed', 'failed', 'failed']);
    expect(count('refilled')).to.equal(1);
  });

  it('is told how long it waits for a thread to be in reserve again', async () => {
    await solving.solve(solveJob({ maxHops: BEHAVIOUR.exitLate, amount: asWei(5n), deadline: (instantNow() + 1) as InstantMs }), {
      client: 'poisoner',
      signal,
    });
    const { suspect, waitMs } = solving.outlook(solveJob({ maxHops: BEHAVIOUR.exit }), 'poisoner');
    expect([solving.workers().reserve, suspect]).to.deep.equal([0, true]);
    expect(waitMs).to.be.above(0);
    expect(await until(() => solving.workers().reserve === 1, 50_000)).to.equal(true);
    expect(solving.outlook(solveJob({ maxHops: BEHAVIOUR.exit }), 'poisoner').waitMs).to.equal(0);
  });

  it('does not come before others like it by being solved again', async () => {
    await reasonOf(BEHAVIOUR.exit, 1, 'poisoner');
    const again = solving.solveAgain(solveJob({ maxHops: BEHAVIOUR.exit, amount: asWei(2n) }), { client: 'poisoner', signal });
    expect(await reasonOf(BEHAVIOUR.answer, 1, 'newcomer')).to.equal('no-route');
    expect(count('restart'), 'of the first job alone').to.equal(2);
    await again;
  });

  it('and waits elsewhere once its client is cleared', async () => {
    const first = reasonOf(BEHAVIOUR.exitFirst, 20, 'client');
    expect(await until(() => count('restart') === 1, 10_000)).to.equal(true);
    const rest = Array.from({ length: 8 }, (_, index) => reasonOf(BEHAVIOUR.answer, 200 + index, 'client'));
    expect(solving.queueDepth(), 'all wait for the reserve').to.be.above(7);
    expect(await first).to.equal('no-route');
    expect(await until(() => solving.inflight() === 2, 10_000), 'both threads serve it').to.equal(true);
    await Promise.all(rest);
  });

  it('that failed has failed, although no thread came into reserve for its second try in time', async () => {
    const deadline = (instantNow() + 300) as InstantMs;
    const { result } = await solving.solve(solveJob({ maxHops: BEHAVIOUR.exitLate, amount: asWei(200n), deadline }), { client: 'client', signal });
    expect([result, count('restart'), count('expired')]).to.deep.equal([{ ok: false, reason: 'failed' }, 1, 0]);
  });

  it('costs its client the time that others lose by it: whoever is suspect beside it goes first', async () => {
    const { burst } = LIMITS.solving.restarts;
    const order: string[] = [];
    const note = (name: string, answered: Promise<string>) => answered.then((reason) => order.push(`${name} ${reason}`));
    // From here on nothing is risked for a while, and what never ran before is suspect.
    await reasonOf(BEHAVIOUR.exit, 1, 'poisoner');
    expect(count('restart')).to.equal(burst);
    const poisoned = note('poisoner', reasonOf(BEHAVIOUR.exit, 2, 'poisoner'));
    const newcomers = [1, 2].map((amount) => note('newcomer', reasonOf(BEHAVIOUR.answer, amount, 'newcomer')));
    await Promise.all([poisoned, ...newcomers]);
    expect(order).to.deep.equal(['newcomer no-route', 'newcomer no-route', 'poisoner failed']);
  });
});

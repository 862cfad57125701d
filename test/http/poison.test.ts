import { setMaxListeners } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect } from 'chai';
import { LIMITS } from '../../src/config/config.ts';
import type { Solving, SolvingEvent } from '../../src/solving/solving.ts';
import { asAddress, asWei, type InstantMs, instantNow } from '../../src/units/units.ts';
import { BEHAVIOUR } from '../solving/workers/misbehaving.ts';
import { FULL_SCALE } from '../support/seeded-random.ts';
import { until } from '../support/until.ts';
import { expectPlainRefusal } from './support/checks.ts';
import type { Edge } from './support/edge.ts';
import { type MisbehavingThreads, startMisbehavingThreads } from './support/misbehaving-threads.ts';

const POISON = FULL_SCALE ? 50 : 12;
const PER_SECOND = 10;
/** How long what kills waits for its turn, once threads die faster than the cap. */
const POISON_BUDGET_MS = FULL_SCALE ? 5000 : 2000;

const trade = (behaviour: number, amount: number, buyToken = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48', budgetMs = 5000) =>
  `/v1/quote?chainId=1&mode=sell&sellToken=0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2&buyToken=${buyToken}&sellAmount=${amount}&maxHops=${behaviour}&timeLimitMs=${budgetMs}`;

/** Solved within 5 ms, without a route. */
const good = trade(BEHAVIOUR.answer, 5);

describe(`poison: ${POISON} requests at ${PER_SECOND} a second that kill the thread they run on`, () => {
  let running: MisbehavingThreads;
  let solving: Solving;
  let edge: Edge;
  let events: SolvingEvent[];

  beforeEach(async () => {
    events = [];
    running = await startMisbehavingThreads(2, { budgetsStandStill: true }, (event) => events.push(event));
    ({ solving, edge } = running);
  });
  afterEach(() => running.close());

  const ask = (rps: number, path: string) => fetch(`${edge.url}${path}`, { headers: { 'x-api-key': edge.key(rps) } });
  const restarts = () => events.filter(({ kind }) => kind === 'restart').length;

  async function poisonAndNeighbours(poison: (index: number) => string) {
    const poisoned: Promise<Response>[] = [];
    const neighbours: Promise<Response>[] = [];
    const startedAt = performance.now();
    while (poisoned.length < POISON) {
      const elapsed = (performance.now() - startedAt) / 1000;
      while (poisoned.length < Math.min(POISON, elapsed * PER_SECOND)) poisoned.push(ask(100_000, poison(poisoned.length)));
      while (neighbours.length < elapsed * 3 * PER_SECOND) neighbours.push(ask(1000, good));
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    const statuses = async (asked: readonly Promise<Response>[]) => (await Promise.all(asked)).map(({ status }) => status);
    return { poisoned: await statuses(poisoned), neighbours: await statuses(neighbours), seconds: (performance.now() - startedAt) / 1000 };
  }

  for (const [title, poison] of [
    ['the same request again and again', () => trade(BEHAVIOUR.exit, 1)],
    ['always another amount', (index: number) => trade(BEHAVIOUR.exit, index + 1, undefined, POISON_BUDGET_MS)],
    ['always another token', (index: number) => trade(BEHAVIOUR.exit, 1, `0x${(index + 1).toString(16).padStart(40, '0')}`, POISON_BUDGET_MS)],
  ] as const) {
    it(`${title}: of the neighbours' requests at least 99% succeed, and threads die no faster than the cap`, async function () {
      this.timeout(300_000);
      const { poisoned, neighbours, seconds } = await poisonAndNeighbours(poison);
      expect(neighbours.length).to.be.at.least(2 * POISON);
      // Of less than a hundred, one is more than a hundredth: a job that shares its fate with the first death has had its one retry.
      expect(neighbours.filter((status) => status !== 404).length).to.be.at.most(Math.max(1, Math.floor(neighbours.length / 100)));
      expect(new Set(poisoned)).not.to.include(404);
      const { burst, perSecond } = LIMITS.solving.restarts;
      const { deaths } = LIMITS.solving.poison;
      expect(restarts()).to.be.at.most(deaths + burst + perSecond * (seconds + 1));
    });
  }

  it('each from another client, for another token: what never ran before is run apart once threads die faster than the cap', async function () {
    this.timeout(300_000);
    /** What kills waits for its turn until its budget ends; the others have time enough on any machine. */
    const job = (behaviour: number, amount: bigint, buyToken: number, budgetMs: number) => ({
      chainId: 1,
      mode: 'sell' as const,
      sellToken: asAddress(`0x${'1'.padStart(40, '0')}`),
      buyToken: asAddress(`0x${buyToken.toString(16).padStart(40, '0')}`),
      amount: asWei(amount),
      maxHops: behaviour,
      gasPriceWei: null,
      filter: { include: null, exclude: [], excludeRfq: false, excludeRwa: false },
      deadline: (instantNow() + budgetMs) as InstantMs,
    });
    const { signal } = new AbortController();
    setMaxListeners(0, signal);
    const good = async () => (await solving.solve(job(BEHAVIOUR.answer, 5n, 2, 30_000), { client: 'neighbour', signal })).result;
    expect((await good()).ok).to.equal(false);
    const startedAt = performance.now();
    const poisoned: Promise<unknown>[] = [];
    const neighbours: ReturnType<typeof good>[] = [];
    while (poisoned.length < POISON) {
      poisoned.push(solving.solve(job(BEHAVIOUR.exit, 1n, 100 + poisoned.length, POISON_BUDGET_MS), { client: `client ${poisoned.length}`, signal }));
      for (let i = 0; i < 3; i++) neighbours.push(good());
      await new Promise((resolve) => setTimeout(resolve, 1000 / PER_SECOND));
    }
    const results = await Promise.all(neighbours);
    expect(results.filter((result) => !result.ok && result.reason === 'no-route').length / results.length).to.be.at.least(0.99);
    await Promise.all(poisoned);
    const { burst, perSecond } = LIMITS.solving.restarts;
    expect(restarts()).to.be.at.most(2 * burst + perSecond * ((performance.now() - startedAt) / 1000 + 1));
  });

  it('is retried once, then answered 500 without being run, and charged; the same trade of others, and other trades, go on', async () => {
    const remaining = (response: Response) => Number(response.headers.get('x-ratelimit-remaining'));
    await expectPlainRefusal(await ask(1000, trade(BEHAVIOUR.exit, 1)), 500);
    expect(restarts()).to.equal(2);
    const again = await ask(1000, trade(BEHAVIOUR.exit, 1));
    expect(remaining(again)).to.equal(1018);
    await expectPlainRefusal(again, 500);
    expect(restarts(), 'not run').to.equal(2);
    expect(events).to.deep.include({ kind: 'poison-refused', chainId: 1 });
    expect((await ask(1000, good)).status).to.equal(404);
    await expectPlainRefusal(await ask(50, trade(BEHAVIOUR.exit, 1)), 500);
    expect(restarts(), "another client's is tried").to.equal(4);
  });

  it('a retry waits behind others: it does not come before what was asked earlier by its own client', async () => {
    const order: string[] = [];
    const note = (name: string, answer: Promise<Response>) => answer.then(() => order.push(name));
    // Both threads are busy, one of them with what will kill it.
    const busy = note('busy', ask(1000, trade(BEHAVIOUR.answer, 400)));
    const doomed = note('doomed', ask(1000, trade(BEHAVIOUR.exitLate, 100)));
    while (solving.inflight() < 2) await new Promise((resolve) => setTimeout(resolve, 1));
    const later = note('later', ask(1000, trade(BEHAVIOUR.answer, 30)));
    await Promise.all([busy, doomed, later]);
    expect(order.indexOf('later')).to.be.lessThan(order.indexOf('doomed'));
  });

  it('a thread that is killed has a warm successor at once, not one that has yet to load', async () => {
    expect(await until(() => solving.workers().reserve === LIMITS.solving.reserveThreads, 120_000)).to.equal(true);
    // Its retry runs for two seconds before it kills another.
    const answered = ask(1000, trade(BEHAVIOUR.exitLate, 2000));
    while (restarts() === 0) await nextTurn();
    const diedAt = performance.now();
    while (solving.workers().live < 2) await nextTurn();
    // One in reserve took its place, and the next reserve has yet to load.
    const cameFromReserve = solving.workers().reserve < LIMITS.solving.reserveThreads;
    const ms = performance.now() - diedAt;
    expect(cameFromReserve || ms < 1000, `after ${ms} ms, ${JSON.stringify(solving.workers())}`).to.equal(true);
    expect(ms).to.be.below(10_000);
    await answered;
  });
});

import net from 'node:net';
import { expect } from 'chai';
import type { Solving } from '../../src/solving/solving.ts';
import { BEHAVIOUR } from '../solving/workers/misbehaving.ts';
import { until } from '../support/until.ts';
import { expectRetryLater } from './support/checks.ts';
import type { Edge } from './support/edge.ts';
import { type MisbehavingThreads, startMisbehavingThreads } from './support/misbehaving-threads.ts';

const FULL = process.env.BRAID_SCALE === 'full';
const SECONDS = FULL ? 60 : 2;
/** What the one thread takes for a job: its capacity is 5 a second. Long, so that the flood itself takes little of a busy machine. */
const JOB_MS = 200;
const CAPACITY = 1000 / JOB_MS;

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** A trade that occupies the thread for so long and then has no route. */
const trade = (jobMs = JOB_MS, more = '') =>
  `/v1/quote?chainId=1&mode=sell&sellToken=0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2&buyToken=0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48&sellAmount=${jobMs}&maxHops=${BEHAVIOUR.answer}${more}`;

describe('under load, with the real queue and a thread whose jobs take a known time', () => {
  let running: MisbehavingThreads;
  let solving: Solving;
  let edge: Edge;

  beforeEach(async () => {
    running = await startMisbehavingThreads(1, { budgetsStandStill: true });
    ({ solving, edge } = running);
  });
  afterEach(() => running.close());

  const ask = (rps: number, path = trade()) => fetch(`${edge.url}${path}`, { headers: { 'x-api-key': edge.key(rps) } });

  /** Asks at a rate, whatever becomes of the requests. Resolves when the last one is on its way. */
  async function openLoop(perSecond: number, seconds: number, request: () => Promise<Response>): Promise<readonly Promise<Response>[]> {
    const asked: Promise<Response>[] = [];
    const startedAt = performance.now();
    for (let elapsed = 0; elapsed < seconds; elapsed = (performance.now() - startedAt) / 1000) {
      while (asked.length < elapsed * perSecond) asked.push(request());
      await sleep(5);
    }
    return asked;
  }

  it(`C1, C2, C4, C6: ten times its capacity for ${SECONDS} s`, async function () {
    this.timeout((SECONDS + 300) * 1000);
    for (let i = 0; i < 5; i++) await Promise.all(Array.from({ length: 20 }, () => ask(100_000, '/nothing')));
    let flooding = true;
    let lastCharged = 0;
    const flood = async () => {
      const asked = await openLoop(10 * CAPACITY, SECONDS, () => ask(100_000));
      flooding = false;
      const lastOnes = await Promise.all(Array.from({ length: 5 }, () => ask(100_000)));
      lastCharged = lastOnes.filter(({ status }) => status !== 503).length;
      const last = lastOnes.find(({ status }) => status === 503);
      if (last === undefined) throw new Error('the flood shed nothing at its end');
      await sleep(1000 * Number(last.headers.get('retry-after')));
      expect((await ask(100_000)).status, 'who waits for as long as Retry-After said is let in').to.equal(404);
      return asked;
    };
    const startedAt = performance.now();
    const [asked] = await Promise.all([flood(), askWithinShare(() => flooding), probe(() => flooding)]);
    const answers = await Promise.all(asked);
    const seconds = (performance.now() - startedAt) / 1000;
    const charged = 100 + answers.filter(({ status }) => status !== 503).length + lastCharged + 1;
    expect([...new Set(answers.map(({ status }) => status))].sort(), 'an answer or 503 overloaded, nothing else').to.deep.equal([404, 503]);
    const shed = answers.filter(({ status }) => status === 503);
    for (const response of shed) await expectRetryLater(response, 503, 'overloaded');
    // What is admitted is what the thread can do in that time, and in the wait that was allowed before it knew how long a job takes.
    expect(answers.length - shed.length).to.be.within(0.2 * CAPACITY * SECONDS, 1.1 * CAPACITY * (seconds + 2));

    // C2: the budget stands still here, so what is left of the flood's own has to be what was not shed of it.
    const left = Number((await ask(100_000, '/nothing')).headers.get('x-ratelimit-remaining'));
    expect(left).to.equal(100_020 - charged - 1);
    const after = await Promise.all(await openLoop(0.5 * CAPACITY, 1, () => ask(100_000)));
    expect([...new Set(after.map(({ status }) => status))], 'C4: nothing is shed any more').to.deep.equal([404]);
  });

  /** A caller that asks for less than its share of the thread is not shed, whatever the flood does. */
  async function askWithinShare(goesOn: () => boolean): Promise<void> {
    let left = 70;
    while (goesOn() && left > 1) {
      const response = await ask(50, trade(JOB_MS, '&timeLimitMs=5000'));
      expect(response.status).to.equal(404);
      expect(Number(response.headers.get('x-ratelimit-remaining'))).to.equal(--left);
      await sleep(3 * JOB_MS);
    }
    expect(left).to.be.below(70);
  }

  /** C6: probes are never shed, never 429, and quick. */
  async function probe(goesOn: () => boolean): Promise<void> {
    const times: number[] = [];
    while (goesOn()) {
      for (const url of [`${edge.url}/healthz`, `${edge.internalUrl}/metrics`]) {
        const askedAt = performance.now();
        const response = await fetch(url);
        await response.text();
        times.push(performance.now() - askedAt);
        expect(response.status, url).to.equal(200);
      }
      await sleep(100);
    }
    times.sort((a, b) => a - b);
    // The flood comes out of this process as well: of a short one, the slow probes are those of code that was still cold.
    expect(times[Math.floor((FULL ? 0.99 : 0.5) * times.length)]).to.be.below(2500);
  }

  it('C3: a request whose budget ends in the queue, behind jobs longer than any before: its token is given back exactly once', async () => {
    const long = ask(10, trade(2500));
    while (solving.inflight() === 0) await sleep(1);
    const late = await Promise.all(Array.from({ length: 4 }, () => ask(10, trade(JOB_MS, '&timeLimitMs=600'))));
    for (const response of late) {
      // The long one and those of the four that are not answered yet.
      expect(Number(response.headers.get('x-ratelimit-remaining'))).to.be.within(11, 14);
      await expectRetryLater(response, 503, 'overloaded');
    }
    // The later of them may be refused at arrival: by then the long one has run for longer than was thought.
    const decisions = await edge.metrics.registry.getSingleMetricAsString('braid_admission_decisions_total');
    expect(Number(/decision="admitted"} ([0-9]+)/.exec(decisions)?.[1])).to.be.within(2, 5);
    expect((await long).status).to.equal(404);
    expect(Number((await ask(10, '/nothing')).headers.get('x-ratelimit-remaining'))).to.equal(13);
  });

  it('C13: clients that hang up in the queue leave it at once', async () => {
    const count = 20;
    const sockets = Array.from({ length: count }, () => {
      const socket = net.connect({ host: '127.0.0.1', port: edge.port });
      socket.on('error', () => {});
      socket.write(`GET ${trade(3000)} HTTP/1.1\r\nHost: x\r\nx-api-key: ${edge.key(100_000)}\r\n\r\n`);
      return socket;
    });
    expect(await until(() => edge.jobs.length === count, 60_000), 'in the queue').to.equal(true);
    expect(solving.queueDepth()).to.be.greaterThan(count / 2);
    for (const socket of sockets) socket.destroy();
    // All of them together would run for a minute; the one that runs ends.
    expect(await until(() => solving.queueDepth() === 0 && edge.inflight.clients === 0 && edge.lines.length === count, 60_000), 'gone').to.equal(true);
    expect(new Set(edge.lines.map((line) => JSON.parse(line).outcome)), 'none was answered or had its time run out').to.deep.equal(new Set(['client-left']));
    expect(await until(() => solving.inflight() === 0, 60_000), 'the thread is free').to.equal(true);
    expect((await ask(10)).status).to.equal(404);
  });
});

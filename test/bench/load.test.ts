import { expect } from 'chai';
import fc from 'fast-check';
import { readArguments } from '../../bench/load/arguments.ts';
import { arrivalsOf, rateAt } from '../../bench/load/arrivals.ts';
import { type Facts, judge } from '../../bench/load/checks.ts';
import type { Result } from '../../bench/load/generator.ts';
import { reportHtml } from '../../bench/load/report-html.ts';
import { bucketP99, canRun, runScenario } from '../../bench/load/run-scenario.ts';
import type { Check, LoadClient, Scenario } from '../../bench/load/scenario.ts';
import { SCENARIOS } from '../../bench/load/scenarios.ts';
import { summarise } from '../../bench/load/summary.ts';
import { startEdge } from '../http/support/edge.ts';
import { check as checkProperty } from '../support/property.ts';

const TRADES = [
  {
    chainId: '1',
    mode: 'sell',
    sellToken: '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2',
    buyToken: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
    sellAmount: '1000000',
  },
];

const NO_FACTS: Facts = { capacity: 1, refunded: null, probes: { asked: 0, others: 0, p99Ms: null }, samples: [], refill: null };

const flood: Scenario = {
  name: 'test',
  title: 'a <test>',
  clients: [{ name: 'one', share: 1, budgetsMs: [1000], maxHops: null }],
  steps: [
    { seconds: 2, from: 1, to: 1 },
    { seconds: 2, from: 4, to: 4, overload: true },
    { seconds: 3, from: 1, to: 1 },
  ],
  faults: [],
  checks: [],
};

const result = (atMs: number, part: Partial<Result> = {}): Result => ({
  atMs,
  client: 0,
  budgetMs: 1000,
  status: 200,
  ending: 'answered',
  ms: 10,
  fault: null,
  ...part,
});
const shed = (atMs: number): Result => result(atMs, { status: 503, ending: 'shed', ms: 2 });

describe('the load harness', () => {
  it('arrivals follow the steps, whatever the seed, and are the same for the same seed', () => {
    checkProperty(
      fc.property(fc.integer({ min: 1, max: 1000 }), (seed) => {
        const arrivals = [...arrivalsOf(flood, TRADES, 200, seed)];
        expect([...arrivalsOf(flood, TRADES, 200, seed)]).to.deep.equal(arrivals);
        const due = (from: number, to: number) => arrivals.filter(({ atMs }) => atMs >= from * 1000 && atMs < to * 1000).length;
        // Five standard deviations of a Poisson count.
        expect(due(0, 2)).to.be.within(400 - 100, 400 + 100);
        expect(due(2, 4)).to.be.within(1600 - 200, 1600 + 200);
        expect(arrivals.every(({ atMs }, index) => atMs >= (arrivals[index - 1]?.atMs ?? 0))).to.equal(true);
      }),
      20,
    );
    expect([0, 1.9, 2, 5, 99].map((second) => rateAt(flood.steps, second))).to.deep.equal([1, 1, 4, 1, 0]);
  });

  it('a client with a rate of its own asks within its seconds only, beside the others', () => {
    const burst: Scenario = {
      ...flood,
      clients: [...flood.clients, { name: 'two', share: 0, perSecond: 300, within: [3, 4], budgetsMs: [1000], maxHops: null }],
    };
    const arrivals = [...arrivalsOf(burst, TRADES, 100, 1)];
    const own = arrivals.filter(({ client }) => client === 1);
    expect(own.every(({ atMs }) => atMs >= 3000 && atMs < 4100)).to.equal(true);
    expect(own.length).to.be.within(300 - 90, 300 + 90);
    expect(arrivals.length - own.length).to.be.within(1300 - 180, 1300 + 180);
  });

  it('a client that hangs up does so while it waits, and not on an answer', async () => {
    const edge = await startEdge({
      solve: (_, { signal }) => {
        const cancelled = { result: { ok: false as const, reason: 'cancelled' as const }, queueMs: 0, runMs: 0 };
        return new Promise((resolve) => signal.addEventListener('abort', () => resolve(cancelled)));
      },
    });
    try {
      const scenario: Scenario = {
        ...flood,
        clients: [{ name: 'one', share: 1, budgetsMs: [5000], maxHops: null, hangsUpAfterMs: 20 }],
        steps: [{ seconds: 1, from: 1, to: 1 }],
        checks: [{ kind: 'only-endings', endings: ['left'] }],
      };
      const target = { baseUrl: edge.url, keys: [edge.key(100_000)] };
      const run = { target, internalUrl: edge.internalUrl, own: null, trades: TRADES, capacity: 50, seed: 1, onSecond: () => undefined };
      const { summary, verdicts } = await runScenario(scenario, run);
      expect(verdicts.map(({ measured }) => measured)).to.deep.equal(['only so']);
      expect(summary.lastLeftMs).to.be.greaterThan(20);
      // Long enough for whatever else the machine does.
      const patient: Scenario = {
        ...scenario,
        clients: [{ ...(scenario.clients[0] as LoadClient), hangsUpAfterMs: 60_000 }],
        checks: [{ kind: 'only-endings', endings: ['refused'] }],
      };
      const refused = await runScenario(patient, { ...run, trades: [{ chainId: 'none' }] });
      expect(refused.verdicts.map(({ measured }) => measured)).to.deep.equal(['only so']);
    } finally {
      await edge.close();
    }
  });

  it('counts as good only what is answered in time, and finds when shedding ended', () => {
    const results = [result(100), result(2500), result(2600, { ms: 1300 }), result(2700, { status: 404 }), shed(2800), shed(4900), result(6900)];
    const summary = summarise(flood, results);
    expect(summary.statuses).to.deep.equal({ '200': 4, '404': 1, '503': 2 });
    expect(summary.goodputPerSecond).to.be.closeTo(4 / 7, 1e-9);
    expect(summary.overloadGoodputPerSecond).to.equal(1);
    expect(summary.recoverySeconds).to.be.closeTo(0.9, 1e-9);
    expect(summary.clients).to.deep.equal({ one: { requests: 7, servedShare: 4 / 7 } });
    expect(summary.seconds.map(({ offered }) => offered)).to.deep.equal([1, 0, 4, 0, 1, 0, 1]);
    expect(summary.seconds[2]).to.include({ good: 2, shed: 1, failed: 0 });
  });

  it('every kind of check fails on what it is there for, and holds without it', () => {
    const scenario: Scenario = {
      ...flood,
      clients: [...flood.clients, { name: 'two', share: 0, perSecond: 1, budgetsMs: [1000], maxHops: null, poison: 'exit' }],
    };
    const ofBoth = [result(2000, { client: 1 }), result(1900, { client: 1, ending: 'left', status: 0 })];
    const good = summarise(scenario, [result(100), result(2100), result(2200), ...ofBoth]);
    const slow = result(2300, { ms: 5000 });
    const failed = Array.from({ length: 4 }, (_, index) => result(2400 + index, { status: 500, ending: 'failed' }));
    const bad = summarise(scenario, [result(100), shed(4900), { ...shed(2100), ms: 900 }, slow, ...failed, ...ofBoth]);
    const probes = { asked: 20, others: 1, p99Ms: 20 };
    const sample = (atMs: number, queueDepth: number, residentBytes: number) => ({ atMs, queueDepth, residentBytes });
    const samples = [sample(0, 0, 100), sample(2000, 9, 100), sample(7000, 9, 150), sample(9000, 0, 105)];
    const facts = { capacity: 1, refunded: 1, probes, samples, refill: { deaths: 3, heardP99Ms: 200, filledP99Ms: 100 } };
    const refill = { ...facts.refill, filledP99Ms: 50 };
    const whole: Facts = { ...facts, refunded: 0, probes: { ...probes, others: 0 }, samples: [sample(0, 0, 100), sample(2500, 0, 105)], refill };
    const checks: readonly Check[] = [
      { kind: 'only-endings', endings: ['answered', 'shed', 'left'] },
      { kind: 'goodput', atLeast: 0.6 },
      { kind: 'admitted-p99', ms: 1000 },
      { kind: 'beyond-budget-p99', ms: 250 },
      { kind: 'refusals-p99', ms: 100 },
      { kind: 'recovered-after', seconds: 0.5 },
      { kind: 'failed', atMost: 0 },
      { kind: 'failed-per-death' },
      { kind: 'probes-p99', ms: 250 },
      { kind: 'served', client: 'one', atLeast: 0.9 },
      { kind: 'shed-costs-nothing' },
      { kind: 'refilled-p99', ms: 250 },
      { kind: 'queue-empty', ms: 1000 },
      { kind: 'memory-back', share: 0.1, seconds: 5 },
    ];
    expect(new Set(SCENARIOS.flatMap((scenario) => scenario.checks.map(({ kind }) => kind)))).to.deep.equal(new Set(checks.map(({ kind }) => kind)));
    expect(checks.filter((check) => judge(check, bad, facts).ok).map(({ kind }) => kind)).to.deep.equal([]);
    expect(checks.filter((check) => !judge(check, good, whole).ok).map(({ kind }) => kind)).to.deep.equal([]);
  });

  it('a run in which no thread died says nothing about how soon another takes its place', () => {
    const summary = summarise(flood, [result(100)]);
    expect(judge({ kind: 'refilled-p99', ms: 250 }, summary, NO_FACTS).ok).to.equal(false);
    expect(judge({ kind: 'failed-per-death' }, summary, NO_FACTS).ok).to.equal(false);
    expect(judge({ kind: 'queue-empty', ms: 1000 }, summary, NO_FACTS).ok, 'nor does one in which nobody hung up').to.equal(false);
    expect(judge({ kind: 'memory-back', share: 0.1, seconds: 5 }, summary, NO_FACTS).ok, 'or nothing was poisoned').to.equal(false);
    expect(judge({ kind: 'probes-p99', ms: 250 }, summary, NO_FACTS).ok, 'nor does one without probes of them').to.equal(false);
  });

  it('a 503 of a stale chain and a 429 are not what a flood may end in, though a shed request is a 503 too', () => {
    const only: Check = { kind: 'only-endings', endings: ['answered', 'shed'] };
    const verdict = (...results: readonly Result[]) => judge(only, summarise(flood, results), NO_FACTS);
    expect(verdict(result(100), shed(2100)).ok).to.equal(true);
    expect(verdict(shed(2100), result(2200, { status: 503, ending: 'stale' }))).to.include({ ok: false, measured: '1 × stale' });
    expect(verdict(result(2200, { status: 429, ending: 'limited' })).ok).to.equal(false);
    expect(verdict(result(2200, { status: 0, ending: 'lost', fault: 'ECONNRESET' })).ok).to.equal(false);
  });

  it('reads the 99th percentile of what a run added to a histogram', () => {
    const before = new Map([
      [0.1, 5],
      [1, 5],
      [Number.POSITIVE_INFINITY, 9],
    ]);
    const added = (...counts: readonly number[]) =>
      bucketP99(before, new Map([...before].map(([bound, count], index) => [bound, count + (counts[index] ?? 0)])));
    expect([added(0, 0, 0), added(99, 100, 100), added(98, 100, 100), added(0, 0, 1)]).to.deep.equal([0, 0.1, 1, Number.POSITIVE_INFINITY]);
  });

  it('sends every request once, at a service that answers some and sheds some, and tells them apart as the service does', async () => {
    let turn = 0;
    // Every third job expires in the queue.
    const edge = await startEdge({
      solve: async (job) =>
        ++turn % 3 === 0
          ? { result: { ok: false, reason: 'expired' }, queueMs: 1, runMs: 0 }
          : {
              result: {
                ok: false,
                reason: 'no-route',
                maxHops: job.maxHops ?? 3,
                block: { number: 1, hash: '0x01', timestamp: 1 as never, baseFeePerGas: null },
              },
              queueMs: 0,
              runMs: 1,
            },
    });
    try {
      const target = { baseUrl: edge.url, keys: [edge.key(100_000)] };
      const scenario: Scenario = {
        ...flood,
        steps: [{ seconds: 1, from: 1, to: 1, overload: true }],
        checks: [{ kind: 'shed-costs-nothing' }, { kind: 'only-endings', endings: ['answered', 'shed'] }, { kind: 'probes-p99', ms: 60_000 }],
      };
      const { summary, verdicts } = await runScenario(scenario, {
        target,
        internalUrl: edge.internalUrl,
        own: null,
        trades: TRADES,
        capacity: 150,
        seed: 1,
        onSecond: () => undefined,
      });
      const sent = [...arrivalsOf(scenario, TRADES, 150, 1)].length;
      expect([summary.requests, edge.jobs.length]).to.deep.equal([sent, sent]);
      expect(Math.round(summary.shedShare * sent)).to.equal(Math.floor(sent / 3));
      const [refunds, endings, probed] = verdicts;
      expect([refunds, endings].filter((verdict) => !verdict?.ok)).to.deep.equal([]);
      // How soon, and whether before the harness gives up, is up to the machine.
      expect(probed?.what).to.match(/\([1-9]\d* asked/);
    } finally {
      await edge.close();
    }
  });

  it('its report is one file without anything to fetch, and shows text as text', () => {
    const summary = summarise(flood, [result(100), shed(2100)]);
    const html = reportHtml(
      'A <title>',
      ['fact & figure'],
      [
        {
          scenario: flood,
          capacity: 10,
          summary,
          verdicts: [judge({ kind: 'goodput', atLeast: 1 }, summary, { ...NO_FACTS, capacity: 10 })],
        },
      ],
    );
    expect(html).to.include('fact &#38; figure').and.include('a &#60;test&#62;').and.include('<polyline');
    expect(html).not.to.match(/<script|<link|https?:|<title>A </);
    expect(html).not.to.match(/NaN|Infinity|undefined/);
  });

  it('scenarios add up, and those with faults are left out against a deployment', () => {
    for (const { name, clients, steps } of SCENARIOS) {
      expect(
        clients.reduce((sum, { share }) => sum + share, 0),
        name,
      ).to.be.closeTo(1, 1e-9);
      expect(steps.length, name).to.be.at.least(1);
    }
    expect(SCENARIOS.filter((scenario) => !canRun(scenario, null)).map(({ name }) => name)).to.deep.equal([
      'block-storm',
      'thread-kills',
      'thread-storm',
      'poison',
      'full-heaps',
      'node-stall',
    ]);
  });

  it('arguments are refused by name, and a file of requests is needed where nothing draws them', () => {
    expect(() => readArguments(['--url', 'http://127.0.0.1:1'])).to.throw('--requests');
    expect(() => readArguments(['--scenarios', 'steady,none'])).to.throw('no scenario none');
    expect(() => readArguments(['--scale=-1'])).to.throw("--scale is '-1'");
    expect(readArguments(['--help'])).to.equal(null);
    const read = readArguments(['--url', 'http://h/', '--requests', 'test/fixtures/small-requests.json', '--scenarios', 'flood', '--scale', '0.1']);
    expect(read?.url).to.equal('http://h');
    expect(read?.scenarios[0]?.steps.map(({ seconds }) => seconds)).to.deep.equal([1, 6, 2]);
    expect(read?.trades[0]).to.include({ chainId: '1', mode: 'sell', sellAmount: '10000000000' }).and.not.have.property('id');
  });
});

import { expect } from 'chai';
import sinon from 'sinon';
import type { EpochSeconds } from '../../src/units/units.ts';
import { job, openWorld, pairPool, planOf, token } from '../routing/world.ts';
import { FULL_SCALE } from '../support/seeded-random.ts';
import { until } from '../support/until.ts';
import { expectPlainRefusal, expectRetryLater } from './support/checks.ts';
import { BLOCK, type Edge, type EdgeOptions, endsWith, liveChain, noRoute, startEdge } from './support/edge.ts';
import { expectSchema } from './support/schemas.ts';

const QUOTE =
  '/v1/quote?chainId=1&mode=sell&sellToken=0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2&buyToken=0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48&sellAmount=1000';

const SHED = FULL_SCALE ? 10_000 : 1000;
/** Fewer at once than the burst of a rate of 10. */
const BATCH = 10;

/** Where the plans come from whose certification ends in one way or another. */
const world = openWorld({ pools: [pairPool(0, [1, 2], [10n ** 24n, 10n ** 24n])], tokenCount: 3 });

describe('refusals and their order', () => {
  let edges: Edge[] = [];
  afterEach(async () => {
    await Promise.all(edges.map((edge) => edge.close()));
    edges = [];
  });

  async function start(options: EdgeOptions = {}): Promise<Edge> {
    const edge = await startEdge(options);
    edges.push(edge);
    return edge;
  }
  const ask = (edge: Edge, path = QUOTE, rps = 10) => fetch(`${edge.url}${path}`, { headers: { 'x-api-key': edge.key(rps) } });
  const remaining = (response: Response) => Number(response.headers.get('x-ratelimit-remaining'));
  const full = { outlook: () => ({ waitMs: 1, full: true, suspect: false }) };

  function staleChain() {
    const chain = liveChain();
    chain.age(30_001);
    return chain.hosted;
  }

  describe('R1: each check comes before the next', () => {
    /** Spends the whole burst of the 1 rps key. */
    const spend = (edge: Edge) => ask(edge, QUOTE, 1);

    it('rate budget before parsing', async () => {
      const edge = await start({ budgetsStandStill: true });
      await spend(edge);
      await expectRetryLater(await ask(edge, '/v1/quote?chainId=x', 1), 429, 'rate_limited');
    });
    it('rate budget before an unknown path', async () => {
      const edge = await start({ budgetsStandStill: true });
      await spend(edge);
      await expectRetryLater(await ask(edge, '/nothing', 1), 429, 'rate_limited');
    });
    it('parsing before a chain that is coming up', async () =>
      expectPlainRefusal(await ask(await start({ chains: [liveChain('ethereum', false).hosted] }), `${QUOTE}&maxHops=x`), 400));
    it('chain hosted before chain up', async () =>
      expectPlainRefusal(await ask(await start({ chains: [liveChain('ethereum', false).hosted] }), QUOTE.replace('chainId=1', 'chainId=56')), 404));
    it('chain up before room in the solver', async () =>
      expectPlainRefusal(await ask(await start({ chains: [liveChain('ethereum', false).hosted], gauge: full })), 500));
    it('chain fresh before room in the solver', async () => expectPlainRefusal(await ask(await start({ chains: [staleChain()], gauge: full })), 503));
    it('room in the solver before the solve', async () => {
      const edge = await start({ gauge: full });
      await expectRetryLater(await ask(edge), 503, 'overloaded');
      expect(edge.jobs).to.have.length(0);
    });
  });

  it('a chain still coming up after a restart: 500, and /healthz is degraded with that chain unhealthy', async () => {
    const chain = liveChain('ethereum', false);
    const edge = await start({ chains: [chain.hosted, liveChain('bsc').hosted] });
    await expectPlainRefusal(await ask(edge), 500);
    const health = await fetch(`${edge.url}/healthz`);
    const body = (await health.json()) as { status: string; chains: { chain: string; healthy: boolean }[] };
    expectSchema('health-response', body);
    expect([health.status, body.status]).to.deep.equal([503, 'degraded']);
    expect(body.chains.map(({ chain, healthy }) => [chain, healthy])).to.deep.equal([
      ['ethereum', false],
      ['bsc', true],
    ]);
    chain.publish();
    expect((await fetch(`${edge.url}/healthz`)).status).to.equal(200);
    await expectPlainRefusal(await ask(edge), 404);
  });

  it("a hosted chain's committed head is older than the serving freshness bound: degraded, and back when it catches up", async () => {
    const chain = liveChain();
    const edge = await start({ chains: [chain.hosted, liveChain('bsc').hosted] });
    chain.age(30_000);
    expect((await fetch(`${edge.url}/healthz`)).status).to.equal(200);
    chain.age(1);
    const health = await fetch(`${edge.url}/healthz`);
    expect([health.status, ((await health.json()) as { status: string }).status]).to.deep.equal([503, 'degraded']);
    await expectPlainRefusal(await ask(edge), 503);
    await expectPlainRefusal(await ask(edge, QUOTE.replace('chainId=1', 'chainId=56')), 404);
    chain.publish({ number: 101, hash: '0x65', timestamp: 1_700_000_031 as EpochSeconds });
    expect((await fetch(`${edge.url}/healthz`)).status).to.equal(200);
    await expectPlainRefusal(await ask(edge), 404);
  });

  for (const [reason, status] of [
    ['failed', 500],
    ['no-snapshot', 500],
    ['cancelled', 500],
  ] as const) {
    it(`a solve that ends as '${reason}' is ${status}`, async () => expectPlainRefusal(await ask(await start({ solve: endsWith(reason) })), status));
  }

  describe('a swap ends as what it asks the solver for does', () => {
    const SWAP = `${QUOTE.replace('/quote?', '/swap?')}&taker=0x00000000000000000000000000000000000000a1`;
    const plan = planOf(world.solve(job(token(1), token(2), 1000n), world.view));
    const solved = { result: { ok: true, plan }, queueMs: 1, runMs: 1 } as const;
    const moved = { result: { ok: false, reason: 'refused', block: plan.block }, queueMs: 1, runMs: 1 } as const;

    for (const [reason, status] of [
      ['expired', 503],
      ['failed', 500],
      ['no-snapshot', 500],
      ['cancelled', 500],
    ] as const) {
      const ending = async () => ({ result: { ok: false, reason }, queueMs: 1, runMs: 0 }) as const;
      const edges: Readonly<Record<string, EdgeOptions>> = {
        'its first solve': { solve: ending },
        'its certification': { solve: async () => solved, certify: ending },
        'a later solve': { solve: sinon.stub().callsFake(ending).onFirstCall().resolves(solved), certify: async () => moved },
      };
      for (const [what, options] of Object.entries(edges)) {
        it(`${what}: '${reason}' is ${status}${status === 503 ? ', and gives the token back' : ''}`, async () => {
          const edge = await start({ ...options, budgetsStandStill: true });
          const response = await ask(edge, SWAP);
          expect(remaining(response)).to.equal(status === 503 ? 15 : 14);
          if (status === 503) await expectRetryLater(response, 503, 'overloaded');
          else await expectPlainRefusal(response, status);
          expect(edge.inflight.clients).to.equal(0);
        });
      }
    }
  });

  it('a failure of our own is a JSON 500 that tells nothing; the log tells', async () => {
    const edge = await start({
      solve: () => {
        throw new Error('canary of the inside');
      },
    });
    expect(await expectPlainRefusal(await ask(edge), 500)).not.to.include('canary');
    expect(edge.lines.some((line) => line.includes('canary of the inside'))).to.equal(true);
    expect(edge.inflight.clients).to.equal(0);
  });

  describe('what a refusal costs', () => {
    it('400 and 404 cost one token (R2)', async () => {
      const edge = await start({ budgetsStandStill: true });
      expect(remaining(await ask(edge, '/v1/quote'))).to.equal(14);
      expect(remaining(await ask(edge, '/nothing'))).to.equal(13);
      expect(remaining(await ask(edge))).to.equal(12);
    });

    it('a load-shed 503 gives the token back, and X-RateLimit-Remaining shows it', async () => {
      const edge = await start({ gauge: full, budgetsStandStill: true });
      for (let i = 0; i < 5; i++) {
        const response = await ask(edge);
        expect(remaining(response)).to.equal(15);
        await expectRetryLater(response, 503, 'overloaded');
      }
    });

    it('a job whose budget ended in the queue: 503 overloaded, token given back (B5)', async () => {
      const edge = await start({ solve: endsWith('expired'), budgetsStandStill: true });
      const response = await ask(edge);
      expect(remaining(response)).to.equal(15);
      await expectRetryLater(response, 503, 'overloaded');
    });

    it('a block that has left its chain: 503 without code and degraded, however young, until another is published; sources are listed (B22)', async () => {
      const chain = liveChain();
      const edge = await start({ chains: [chain.hosted] });
      const orphaned = (is: boolean) => chain.hosted.report({ kind: 'orphaned', chainId: 1, orphaned: is });
      const health = async () => {
        const response = await fetch(`${edge.url}/healthz`);
        const { status, chains } = (await response.json()) as {
          readonly status: string;
          readonly chains: readonly { readonly healthy: boolean; readonly broken: string | null }[];
        };
        return [response.status, status, chains[0]?.healthy, chains[0]?.broken];
      };
      expect(await health()).to.deep.equal([200, 'ok', true, null]);
      orphaned(true);
      await expectPlainRefusal(await ask(edge), 503);
      expect(await health()).to.deep.equal([503, 'degraded', false, 'orphaned']);
      expect((await ask(edge, '/v1/ethereum/sources')).status).to.equal(200);
      orphaned(false);
      expect(await health()).to.deep.equal([200, 'ok', true, null]);
      expect((await ask(edge)).status).not.to.equal(503);
    });

    it('pools that could not be read for longer than the bound, more than a quarter of them: 503 without code, and /healthz says how many', async () => {
      const chain = liveChain();
      const edge = await start({ chains: [chain.hosted] });
      chain.hosted.report({ kind: 'followed', chainId: 1, pools: { uniswap_v2: 75 } });
      chain.hosted.report({ kind: 'waiting', chainId: 1, pools: 40, tokens: 0, announcements: 0, absent: 40 });
      const health = async () => ((await (await fetch(`${edge.url}/healthz`)).json()) as { readonly chains: readonly object[] }).chains[0];
      expect(await health()).to.deep.include({ healthy: true, unreadPools: 40, broken: null });
      chain.age(30_001);
      chain.publish({ number: BLOCK.number + 1, hash: `0x${'17'.repeat(32)}`, timestamp: (BLOCK.timestamp + 30) as EpochSeconds });
      expect(await health()).to.deep.include({ healthy: false, unreadPools: 40, broken: 'unread', ageMs: 1 });
      await expectPlainRefusal(await ask(edge), 503);
    });

    it('a stale 503 is charged: it is no load-shedding', async () => {
      expect(remaining(await ask(await start({ chains: [staleChain()], budgetsStandStill: true })))).to.equal(14);
    });

    for (const [where, shedding] of [
      ['at arrival', { gauge: full }],
      ['after it waited in the queue', { solve: endsWith('expired') }],
    ] as const) {
      it(`a caller within its rate gets no 429 from ${SHED} requests shed ${where} (faults C2, C3)`, async function inBatches() {
        this.timeout(300_000);
        const edge = await start({ ...shedding, budgetsStandStill: true });
        for (let i = 0; i < SHED / BATCH; i++) {
          const batch = await Promise.all(Array.from({ length: BATCH }, () => ask(edge)));
          for (const response of batch) {
            expect(response.status).to.equal(503);
            expect(remaining(response)).to.be.within(5, 15);
          }
        }
        expect(remaining(await ask(edge, '/nothing'))).to.equal(14);
      });
    }
  });

  it('Retry-After of a shed request is the estimated wait in whole seconds', async () => {
    const edge = await start({ gauge: { outlook: () => ({ waitMs: 5025, full: false, suspect: false }) } });
    const response = await ask(edge);
    expect(response.headers.get('retry-after')).to.equal('6');
    await expectRetryLater(response, 503, 'overloaded');
  });

  it("sheds by the request's own budget: what waits 100 ms is too late for 150 ms, and in time for 5 s", async () => {
    const edge = await start({ gauge: { outlook: () => ({ waitMs: 99, full: false, suspect: false }) } });
    await expectRetryLater(await ask(edge, `${QUOTE}&timeLimitMs=150`), 503, 'overloaded');
    await expectPlainRefusal(await ask(edge), 404);
  });

  it('sheds when the event loop is late, and Retry-After is when that will have been forgotten', async () => {
    const response = await ask(await start({ eventLoopIsLate: () => true }));
    expect(response.headers.get('retry-after')).to.equal('3');
    await expectRetryLater(response, 503, 'overloaded');
  });

  it('B12: requests in flight per client are bounded; over the bound 503 overloaded, token given back, trade routes only', async () => {
    let release = () => {};
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    const edge = await start({
      budgetsStandStill: true,
      solve: async (job) => {
        await gate;
        return noRoute(job);
      },
    });
    const askAs = (rps: number) => ask(edge, QUOTE, rps);
    // Of 16 at once the burst of a rate of 10 lets in 15.
    const held = Array.from({ length: 16 }, () => askAs(10).then((response) => response.status));
    const extra = Array.from({ length: 50 }, () => askAs(50).then((response) => response.status));
    expect(await until(() => edge.jobs.length === 15 + 50, 30_000), 'as many as the rate of 50 are let in').to.equal(true);
    const refused = await askAs(50);
    expect(remaining(refused)).to.equal(20);
    await expectRetryLater(refused, 503, 'overloaded');
    expect((await ask(edge, '/v1/eth/sources', 50)).status).to.equal(200);
    release();
    expect((await Promise.all(held)).filter((status) => status !== 404)).to.deep.equal([429]);
    expect(new Set(await Promise.all(extra))).to.deep.equal(new Set([404]));
    expect(edge.inflight.clients).to.equal(0);
    await expectPlainRefusal(await askAs(50), 404);
  });

  it('429 applies to sources too', async () => {
    const edge = await start({ budgetsStandStill: true });
    expect((await ask(edge, '/v1/eth/sources', 1)).status).to.equal(200);
    await expectRetryLater(await ask(edge, '/v1/eth/sources', 1), 429, 'rate_limited');
  });
});

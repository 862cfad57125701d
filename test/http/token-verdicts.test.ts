import { expect } from 'chai';
import sinon from 'sinon';
import { LIMITS } from '../../src/config/config.ts';
import type { TransferVerdict } from '../../src/snapshot/snapshot.ts';
import { MeasuringQueue, measuredSolving, type Solving, type TokenMeasuring } from '../../src/solving/solving.ts';
import { type Address, asAddress } from '../../src/units/units.ts';
import { until } from '../support/until.ts';
import { type Edge, startEdge } from './support/edge.ts';
import { DAI, type RealSolving, realSolving, USDC, WETH } from './support/real-solving.ts';

const CLEAN: TransferVerdict = { kind: 'clean' };
const TAKER = '0x00000000000000000000000000000000000000a1';
const dai = asAddress(DAI);
const usdc = asAddress(USDC);

type Measure = (tokens: readonly Address[]) => ReturnType<TokenMeasuring['measure']>;

const CAN_NOT_ASK: Measure = async () => ({ ok: false });

/** The public routes over a real solver thread that relies on verdicts, with the indexer's side of measuring in the test's hands: `measuring.now` is what a probe does. */
async function open() {
  const asked: Address[][] = [];
  const wanted = new Set<Address>();
  const measuring = { now: CAN_NOT_ASK };
  let put: (token: Address, verdict: TransferVerdict, block?: number) => void = () => undefined;
  const policy = { verdictBlocks: 1, wellKnown: { tokens: [], blocks: 0 }, routeThrough: 'measured' } as const;
  const real: RealSolving = await realSolving((loaded) => {
    put = (token, verdict, block = loaded.block.number) => {
      loaded.writer.setVerdict(token, { verdict, block });
      loaded.writer.publish(loaded.block);
    };
  }, policy);
  const again = sinon.spy(real.solving, 'solveAgain');
  const queue = new MeasuringQueue({
    measure: (_chain, tokens) => {
      asked.push([...tokens]);
      return measuring.now(tokens);
    },
    wanted: (_chain, tokens) => {
      for (const token of tokens) wanted.add(token);
    },
  });
  const refused = sinon.spy();
  const solving: Solving = measuredSolving(real.solving, queue, refused);
  const edge: Edge = await startEdge({
    chains: [real.hosted],
    solve: (job, caller) => solving.solve(job, caller),
    certify: (job, caller) => solving.certify(job, caller),
    budgetsNeverEnd: true,
  });
  const ask = (changes: Readonly<Record<string, string>> = {}, endpoint = 'quote') => {
    const amounts = changes.mode === 'buy' ? { buyAmount: '1000000000000000' } : { sellAmount: '1000000000000000000' };
    const query = { chainId: '1', mode: 'sell', sellToken: DAI, buyToken: WETH, taker: TAKER, ...amounts, ...changes };
    return fetch(`${edge.url}/v1/${endpoint}?${new URLSearchParams(query)}`);
  };
  return {
    ask,
    asked,
    wanted,
    measuring,
    queue,
    refused,
    again,
    edge,
    put: (token: Address, verdict: TransferVerdict, block?: number) => put(token, verdict, block),
    async close() {
      await edge.close();
      await solving.close();
    },
  };
}

type World = Awaited<ReturnType<typeof open>>;

async function refusal(response: Response): Promise<string> {
  expect(response.status).to.equal(404);
  const body = (await response.json()) as { readonly error: string };
  expect(Object.keys(body)).to.deep.equal(['error'], 'exactly one member (S21)');
  expect(response.headers.get('retry-after')).to.equal(null);
  return body.error;
}

describe('Tokens and the verdicts about them', () => {
  /** Before each test DAI and USDC are clean. */
  let world: World;
  before(async function start() {
    this.timeout(600_000);
    world = await open();
  });
  beforeEach(() => {
    for (const token of [dai, usdc]) world.put(token, CLEAN);
    world.measuring.now = CAN_NOT_ASK;
    world.again.resetHistory();
    world.asked.length = 0;
    world.wanted.clear();
  });
  after(() => world.close());

  describe('A token fails the on-chain transfer-integrity measurement: 404, with a token-specific message', () => {
    const refused = async (verdict: TransferVerdict, changes: Readonly<Record<string, string>> = {}): Promise<string> => {
      world.put(dai, verdict);
      const [quote, swap] = [await refusal(await world.ask(changes)), await refusal(await world.ask(changes, 'swap'))];
      expect(swap).to.equal(quote);
      expect(quote).to.include(dai);
      return quote;
    };
    const causes = async (): Promise<Readonly<Record<string, number>>> => {
      const { values } = await world.edge.metrics.tokenRefusals.get();
      return Object.fromEntries(values.filter(({ value }) => value > 0).map(({ labels, value }) => [labels.cause, value]));
    };

    it('a transfer-gated token (honeypot or blacklist), on either side, says what gates it', async () => {
      const told = {
        honeypot: 'can not sell it again',
        blacklist: 'refuses transfers to or from some addresses',
        paused: 'are paused',
        refused: 'contract refuses',
      } as const;
      for (const [reason, words] of Object.entries(told)) {
        const verdict = { kind: 'gated', reason: reason as keyof typeof told } as const;
        expect(await refused(verdict)).to.include(words);
        expect(await refused(verdict, { sellToken: USDC, buyToken: DAI, mode: 'buy' })).to.include(words);
      }
      expect(await causes()).to.deep.include({ honeypot: 4, blacklist: 4, paused: 4, refused: 4 });
    });

    it('a token whose measured tax exceeds the routable cap of 20%, strictly', async () => {
      expect(await refused({ kind: 'taxed', buyPpm: 200_100, sellPpm: 200_100, scope: 'universal' }))
        .to.include('20.01%')
        .and.include('20%');
      world.put(dai, { kind: 'taxed', buyPpm: 200_000, sellPpm: 200_000, scope: 'universal' });
      expect((await world.ask()).status).to.equal(200);
    });

    it('any fee-on-transfer token in `mode=buy`, and one that rounds what it moves; both sell', async () => {
      const buys = { mode: 'buy' };
      const taxed = { kind: 'taxed', buyPpm: 100, sellPpm: 100, scope: 'buy-only' } as const;
      expect(await refused(taxed, buys)).to.include('mode=sell');
      expect(await refused(taxed, { ...buys, sellToken: WETH, buyToken: DAI })).to.include('mode=sell');
      expect((await world.ask()).status).to.equal(200);
      expect(await refused({ kind: 'imprecise' }, buys))
        .to.include('rounding')
        .and.include('mode=sell');
      expect((await world.ask()).status).to.equal(200);
    });

    it('a universal-scope or sell-only taxed token on the bought side; the others, and all of them where they are sold, are served with the warning', async () => {
      for (const scope of ['universal', 'sell-only', 'pool-only', 'buy-only'] as const) {
        const verdict = { kind: 'taxed', buyPpm: 10_000, sellPpm: 10_000, scope } as const;
        const bought = { sellToken: WETH, buyToken: DAI };
        if (scope === 'universal' || scope === 'sell-only')
          expect(await refused(verdict, bought))
            .to.include('can not be bought')
            .and.include(scope);
        else {
          world.put(dai, verdict);
          const { warnings } = (await (await world.ask(bought)).json()) as { readonly warnings: readonly { readonly code: string; readonly detail: string }[] };
          expect(warnings.map(({ code }) => code)).to.deep.equal(['FEE_ON_TRANSFER']);
          expect(warnings[0]?.detail).to.include('buy side 101 bps');
        }
        world.put(dai, verdict);
        expect((await (await world.ask()).json()) as object).to.have.property('warnings');
      }
    });

    it('a token that can not be measured here is refused, and says that this is why', async () => {
      expect(await refused({ kind: 'unmeasurable' })).to.include('can not be measured');
    });

    it('what is served is counted with its warning, and what is refused by its cause', async () => {
      world.put(dai, { kind: 'taxed', buyPpm: 10_000, sellPpm: 10_000, scope: 'universal' });
      const warned = async () => {
        const { values } = await world.edge.metrics.swapWarnings.get();
        return values.find(({ labels }) => labels.code === 'FEE_ON_TRANSFER')?.value ?? 0;
      };
      const before = await warned();
      expect((await world.ask({}, 'swap')).status).to.equal(200);
      expect(await warned()).to.equal(before + 1);
      const counted = (await causes())['taxed-in-buy-mode'] ?? 0;
      await refusal(await world.ask({ mode: 'buy' }));
      expect((await causes())['taxed-in-buy-mode']).to.equal(counted + 1);
    });
  });

  describe('A token without a fresh verdict (B18)', () => {
    /** A verdict of a block long gone. */
    const forget = (token: Address) => world.put(token, CLEAN, 0);
    /** Probes that find nothing, and not before the test says so. */
    const held = () => {
      const open: (() => void)[] = [];
      const measure: Measure = () => new Promise((resolve) => open.push(() => resolve({ ok: false })));
      return { measure, begun: () => open.length, release: () => open.splice(0).forEach((end) => void end()) };
    };
    const aborted = async (): Promise<number> => {
      const { values } = await world.edge.metrics.httpRequests.get();
      return values.filter(({ labels }) => labels.status === 'aborted').reduce((sum, { value }) => sum + value, 0);
    };

    it('waits for one probe, and is answered by what it finds; a request whose tokens have fresh verdicts asks for none', async () => {
      let finds: TransferVerdict = CLEAN;
      world.measuring.now = async (tokens) => {
        for (const token of tokens) world.put(token, finds);
        return { ok: true, block: 100 };
      };
      forget(dai);
      expect((await world.ask()).status).to.equal(200);
      expect(world.asked).to.deep.equal([[dai]]);
      expect((await world.ask()).status).to.equal(200);
      expect(world.asked).to.have.length(1, 'fresh now');
      finds = { kind: 'gated', reason: 'paused' };
      forget(dai);
      expect(await refusal(await world.ask({}, 'swap'))).to.include('paused');
      expect(world.asked).to.have.length(2, 'a verdict of an old block is none');
    });

    it('404 that says the token could not be measured at this block and may be tried again, where the node could not be asked or did not answer in time; no verdict about the token', async () => {
      forget(dai);
      const late = held();
      for (const now of [CAN_NOT_ASK, late.measure]) {
        world.measuring.now = now;
        const told = await refusal(await world.ask({ timeLimitMs: '150' }));
        expect(told).to.include(dai).and.include('could not be measured at block 100').and.include('says nothing about the token').and.include('try again');
      }
      late.release();
      // Measured, as the probe says, and yet not in the snapshot: no second round.
      world.measuring.now = async () => ({ ok: true, block: 100 });
      world.asked.length = 0;
      expect(await refusal(await world.ask())).to.include('could not be measured');
      expect([world.asked.length, world.again.callCount]).to.deep.equal([1, 1]);
    });

    it('a route that there is only through a token that nobody measured waits for its probe too; where that does not come, the 404 names it', async () => {
      const changes = { includeVenues: 'sushiswap_v2', maxHops: '2' };
      world.put(usdc, CLEAN, 90);
      const message = await refusal(await world.ask(changes));
      expect(message).to.include(`no route for this pair and size but, it may be, one through token ${usdc}`).and.include('try again at a later block');
      world.measuring.now = async ([token]) => {
        if (token !== undefined) world.put(token, CLEAN);
        return { ok: true, block: 100 };
      };
      world.put(usdc, CLEAN, 90);
      const response = await world.ask(changes);
      expect([response.status, world.asked.at(-1), world.again.callCount]).to.deep.equal([200, [usdc], 1]);
    });

    it('the pair, and tokens that a route might have led through, are told to whoever measures ahead', async () => {
      forget(usdc);
      expect((await world.ask()).status).to.equal(200);
      expect([...world.wanted]).to.have.members([dai, asAddress(WETH), usdc]);
    });

    it('a client that leaves while its token is measured is not answered, and costs no second solve', async () => {
      forget(dai);
      const probe = held();
      world.measuring.now = probe.measure;
      const left = await aborted();
      const leaving = new AbortController();
      const asked = fetch(`${world.edge.url}/v1/quote?chainId=1&mode=sell&sellToken=${DAI}&buyToken=${WETH}&sellAmount=1`, { signal: leaving.signal }).catch(
        () => null,
      );
      await until(() => probe.begun() > 0, 60_000);
      leaving.abort();
      await asked;
      expect(await until(async () => (await aborted()) > left, 60_000)).to.equal(true);
      probe.release();
      // Whoever is answered after this one was asked after it was given up.
      world.put(dai, CLEAN);
      expect((await world.ask()).status).to.equal(200);
      expect(world.again.callCount).to.equal(0);
    });

    it('a request that finds no place to wait for a probe at is refused rather than queued: 503 `overloaded`, which costs nothing', async () => {
      forget(dai);
      const probe = held();
      world.measuring.now = probe.measure;
      const { handedOver, waitedFor } = LIMITS.measuring;
      const others = Array.from({ length: handedOver + waitedFor }, (_, n) => ({ n, leaving: new AbortController() }));
      const waits = others.map(({ n, leaving: { signal } }) =>
        world.queue.wait(1, [asAddress(`0x${(n + 1).toString(16).padStart(40, '0')}`)], { client: `client ${n}`, signal }),
      );
      expect(world.queue.waiting(1)).to.equal(waitedFor);
      const refused = await world.ask();
      expect(refused.status).to.equal(503);
      expect(await refused.json()).to.include({ code: 'overloaded' });
      expect(refused.headers.get('retry-after')).not.to.equal(null);
      expect(world.refused.args).to.deep.equal([[1]]);
      // A token that is measured needs no place.
      world.put(dai, CLEAN);
      const served = await world.ask();
      expect(served.status).to.equal(200);
      const [left, after] = [refused, served].map(({ headers }) => Number(headers.get('x-ratelimit-remaining')));
      expect(left).to.equal(Number(after) + 1, 'of budgets that are full each time');
      for (const { leaving } of others) leaving.abort();
      await Promise.all(waits);
      expect(world.queue.waiting(1)).to.equal(0);
      probe.release();
    });
  });
});

import { expect } from 'chai';
import { LIMITS } from '../../src/config/limits.ts';
import type { CertifyJob, Plan, PlanHop, SolveJob } from '../../src/routing/routing.ts';
import { type Caller, type ChainAsking, type RequoteFacts, requotedSolving, type SolveOutcome, type Solving } from '../../src/solving/solving.ts';
import { type Address, asAddress, asBps, asWei, type InstantMs, instantNow } from '../../src/units/units.ts';
import { type ChainAnswer, NOTHING_OFF, type RequoteVenues } from '../../src/venues/venues.ts';

const address = (digit: string): Address => asAddress(`0x${digit.repeat(40)}`);
const [SELL, MIDDLE, BUY] = [address('1'), address('2'), address('3')];
const BLOCK = { number: 7, hash: '0x07' as const, timestamp: 70 as Plan['block']['timestamp'], baseFeePerGas: null };

/** A maker's hop: its pool goes by its first letter. */
function hop(poolKey: string, amountIn: bigint, amountOut: bigint, venue = 'secret'): PlanHop {
  return {
    ...{
      poolAddress: address(poolKey === 'b' ? 'b' : 'a'),
      poolKey,
      venue,
      protocol: 'fermi',
      source: 'fermi',
      hook: null,
      legFacts: {},
      slotIn: 0,
      slotOut: 1,
    },
    ...{ tokenIn: SELL, tokenOut: BUY, amountIn: asWei(amountIn), amountOut: asWei(amountOut), bps: asBps(10_000), gas: 1 },
  };
}

function planOf(hops: readonly PlanHop[], block: Plan['block'] = BLOCK): Plan {
  const last = hops.at(-1) as PlanHop;
  return { hops, sellAmount: hops[0]?.amountIn, grossAmount: last.amountOut, block } as unknown as Plan;
}

const venues: RequoteVenues = new Map([
  [
    'secret',
    {
      callOf: ({ poolAddress, amountIn }) => ({ to: poolAddress, data: `0x${amountIn.toString(16)}` }) as const,
      amountOf: (answer) => (answer === null ? null : BigInt(answer)),
    },
  ],
]);

type Given = { readonly mode?: 'sell' | 'buy'; readonly budgetMs?: number; readonly signal?: AbortSignal };

/** Solving that gives these plans one after the other, and a chain that says these amounts; null: no route. */
function setUp(plans: readonly (Plan | null)[], says: (to: Address, amountIn: bigint) => ChainAnswer | 'silent') {
  const jobs: SolveJob[] = [];
  const certified: CertifyJob[] = [];
  const asked: string[] = [];
  const facts: RequoteFacts[] = [];
  const next = async (job: SolveJob): Promise<SolveOutcome> => {
    jobs.push(job);
    const plan = plans[Math.min(jobs.length, plans.length) - 1] ?? null;
    return plan === null
      ? { result: { ok: false, reason: 'no-route', maxHops: 1, block: BLOCK }, queueMs: 1, runMs: 2 }
      : { result: { ok: true, plan }, queueMs: 1, runMs: 2 };
  };
  const solving = {
    solve: next,
    solveAgain: next,
    async certify(job: CertifyJob) {
      certified.push(job);
      // As a solver thread: what was said of an amount at the block is what it gives.
      const hops = job.hops.map((planned, at) => {
        const one = at === 0 ? { ...planned, amountIn: job.sellAmount } : planned;
        const said = job.said?.find((quote) => quote.poolKey === one.poolKey && quote.amountIn === one.amountIn && quote.blockHash === BLOCK.hash);
        return said === undefined ? one : { ...one, amountOut: asWei(said.amountOut) };
      });
      const grossAmount = (hops.at(-1) as PlanHop).amountOut;
      return {
        result: { ok: true, grossAmount, block: BLOCK, restated: { sellAmount: job.sellAmount, grossAmount, hops, block: BLOCK } },
        queueMs: 0,
        runMs: 0,
      };
    },
  } as unknown as Solving;
  const asking: ChainAsking = {
    async ask(_chainId, blockHash, calls) {
      asked.push(...calls.map(({ to, data }) => `${blockHash} ${to.at(-1)} ${Number(data)}`));
      const answers = calls.map(({ to, data }) => says(to, BigInt(data)));
      return answers.some((answer) => answer === 'silent') ? null : (answers as readonly ChainAnswer[]);
    },
  };
  const requoted = requotedSolving(solving, venues, asking, (fact) => facts.push(fact));
  const solve = ({ mode = 'sell', budgetMs = 60_000, signal = new AbortController().signal }: Given = {}) => {
    const filter = { include: null, exclude: [], excludeRfq: false, excludeRwa: false };
    const job = { chainId: 1, mode, sellToken: SELL, buyToken: BUY, amount: 100n, filter, deadline: (instantNow() + budgetMs) as InstantMs };
    return requoted.solve(job as unknown as SolveJob, { client: 'ip:a', signal } satisfies Caller);
  };
  return { requoted, solve, jobs, certified, asked, facts };
}

const hex = (amount: bigint): ChainAnswer => `0x${amount.toString(16)}`;
const hopsOf = ({ result }: SolveOutcome) => (result.ok ? result.plan.hops.map(({ poolKey, amountIn, amountOut }) => [poolKey, amountIn, amountOut]) : result);

describe('solving where contracts are asked before an answer', () => {
  it('asks nothing about a route that goes through no such pool', async () => {
    const { solve, asked, jobs } = setUp([planOf([hop('a', 100n, 5n, 'uniswap_v2')])], () => null);
    const outcome = await solve();
    expect([asked, jobs.length, outcome.requoteMs]).to.deep.equal([[], 1, undefined]);
  });

  it('answers what was estimated where the contract says the same, and asks about an amount of a block once, whoever wants to know', async () => {
    const { solve, asked, jobs, facts } = setUp([planOf([hop('a', 100n, 5000n)])], () => hex(5000n));
    expect(hopsOf(await solve())).to.deep.equal([['a', 100n, 5000n]]);
    expect(hopsOf(await solve())).to.deep.equal([['a', 100n, 5000n]]);
    expect([asked, jobs.length]).to.deep.equal([['0x07 a 100'], 2]);
    expect(facts.map(({ outcomes, millis }) => [outcomes, millis === null])).to.deep.equal([
      [['same'], false],
      [['same'], true],
    ]);
  });

  it('solves again with what was said, and without a further asking where the route stays', async () => {
    const { solve, asked, jobs } = setUp([planOf([hop('a', 100n, 5000n)]), planOf([hop('a', 100n, 5200n)])], () => hex(5200n));
    expect(hopsOf(await solve())).to.deep.equal([['a', 100n, 5200n]]);
    expect(jobs[1]?.said).to.deep.equal([{ blockHash: '0x07', poolKey: 'a', slotIn: 0, slotOut: 1, amountIn: 100n, amountOut: 5200n }]);
    expect(asked).to.have.length(1);
  });

  it('keeps a route whose amounts are hardly off, and gives it the amounts that were said', async () => {
    const estimated = planOf([hop('a', 100n, 5_000_000n)]);
    const { solve, jobs, certified } = setUp([estimated], () => hex(5_000_001n));
    expect(hopsOf(await solve())).to.deep.equal([['a', 100n, 5_000_001n]]);
    expect([jobs.length, certified.length]).to.deep.equal([1, 1]);
    // In `buy` with less input: what the maker gives more is not paid for.
    const whole = 10n ** 12n;
    const buying = setUp([planOf([hop('a', whole, 5_000_000n)])], (_to, amount) => hex(amount < whole ? 5_000_000n : 5_000_001n));
    expect(hopsOf(await buying.solve({ mode: 'buy' }))).to.deep.equal([['a', whole - 400_000n, 5_000_000n]]);
    expect(buying.jobs).to.have.length(1);
  });

  it('solves again only where there is as much time as twice what the last solve took', async () => {
    const plans = [planOf([hop('a', 100n, 5000n)]), planOf([hop('a', 100n, 5200n)])];
    // Each run takes 2 ms here.
    for (const [budgetMs, solves] of [
      [60_000, 2],
      [0, 1],
    ] as const) {
      const { solve, jobs } = setUp(plans, () => hex(5200n));
      expect(hopsOf(await solve({ budgetMs }))).to.deep.equal([['a', 100n, 5200n]]);
      expect(jobs, String(budgetMs)).to.have.length(solves);
    }
  });

  it('after some solves takes the route that there is, with what its contracts say', async () => {
    const moving = Array.from({ length: 9 }, (_, at) => planOf([hop('a', 100n + BigInt(at), 5000n)]));
    const { solve, jobs, certified } = setUp(moving, () => hex(6000n));
    const { solves } = LIMITS.requoting;
    expect(hopsOf(await solve())).to.deep.equal([['a', 99n + BigInt(solves), 6000n]]);
    expect([jobs.length, certified.length]).to.deep.equal([solves, 1]);
  });

  it('leaves a pool out that refuses, or that the node does not answer about, and one that would serve twice', async () => {
    const fallback = planOf([hop('u', 100n, 4000n, 'uniswap_v2')]);
    for (const says of [null, hex(0n), 'silent'] as const) {
      const { solve, jobs } = setUp([planOf([hop('a', 100n, 5000n)]), fallback], () => says);
      expect(hopsOf(await solve()), String(says)).to.deep.equal([['u', 100n, 4000n]]);
      expect(jobs[1]?.filter.switchedOff, String(says)).to.deep.equal({ ...NOTHING_OFF, pools: ['a'] });
    }
    const twice = planOf([
      { ...hop('a', 50n, 2500n), tokenOut: MIDDLE },
      { ...hop('c', 2500n, 5000n), tokenIn: MIDDLE },
    ]);
    const { solve, jobs, asked } = setUp([twice, planOf([hop('a', 100n, 5000n)])], () => hex(5000n));
    expect(hopsOf(await solve())).to.deep.equal([['a', 100n, 5000n]]);
    expect([jobs[1]?.filter.switchedOff?.pools, asked]).to.deep.equal([['c'], ['0x07 a 100']]);
  });

  it('comes to an end with a chain where every pool refuses, one after the other', async () => {
    const pools = Array.from({ length: 40 }, (_, at) => planOf([hop(`pool ${at}`, 100n, 5000n)]));
    const fallback = planOf([hop('u', 100n, 4000n, 'uniswap_v2')]);
    const { solve, jobs } = setUp([...pools.slice(0, LIMITS.requoting.leftOut + 1), fallback], () => null);
    expect(hopsOf(await solve())).to.deep.equal([['u', 100n, 4000n]]);
    expect(jobs.at(-1)?.filter.exclude).to.deep.equal(['fermi']);
  });

  it('has time for a last solve where the budget has ended, and none where the client has left', async () => {
    const fallback = planOf([hop('u', 100n, 4000n, 'uniswap_v2')]);
    const late = setUp([planOf([hop('a', 100n, 5000n)]), fallback], () => 'silent');
    expect(hopsOf(await late.solve({ budgetMs: -5 }))).to.deep.equal([['u', 100n, 4000n]]);
    expect((late.jobs[1]?.deadline as number) - instantNow()).to.be.within(1 - LIMITS.requoting.graceMs, LIMITS.requoting.graceMs);
    const left = new AbortController();
    const gone = setUp([planOf([hop('a', 100n, 5000n)])], () => {
      left.abort();
      return hex(6000n);
    });
    expect(hopsOf(await gone.solve({ signal: left.signal }))).to.deep.equal({ ok: false, reason: 'cancelled' });
  });

  it('certifies a plan with what its contracts say at the newest block, and refuses it where one refuses', async () => {
    const signal = new AbortController().signal;
    const job = { chainId: 1, sellToken: SELL, buyToken: BUY, sellAmount: 100n, hops: [hop('a', 100n, 5000n)], deadline: instantNow() + 60_000 };
    const certify = async (says: ChainAnswer | 'silent') => {
      const { requoted, certified } = setUp([], () => says);
      const { result } = await requoted.certify(job as unknown as CertifyJob, { client: 'ip:a', signal });
      return [result.ok ? result.grossAmount : result.reason, certified.length];
    };
    expect(await certify(hex(5000n))).to.deep.equal([5000n, 1]);
    expect(await certify(hex(4900n))).to.deep.equal([4900n, 2]);
    expect(await certify(null)).to.deep.equal(['refused', 1]);
    expect(await certify('silent')).to.deep.equal(['withdrawn', 1]);
  });

  it('asks about a plan that is certified at its own input, though by estimates it would take more: whether it holds is told by what contracts give of that', async () => {
    const asked: number[] = [];
    // Estimated a unit low at the plan's own input, and right at a larger one.
    const solving = {
      async certify({ said = [] }: CertifyJob) {
        const gives = (amountIn: bigint) => said.find((quote) => quote.amountIn === amountIn)?.amountOut ?? (amountIn === 100n ? 4999n : 5000n);
        const at = (amountIn: bigint) => [hop('a', amountIn, gives(amountIn))];
        const of = (amountIn: bigint) => ({ sellAmount: asWei(amountIn), grossAmount: asWei(gives(amountIn)), hops: at(amountIn), block: BLOCK });
        const result = gives(100n) >= 5000n ? { restated: of(100n) } : { restated: of(101n), missed: at(100n) };
        return { result: { ok: true, grossAmount: gives(100n), block: BLOCK, ...result }, queueMs: 0, runMs: 0 };
      },
    } as unknown as Solving;
    const ask = async (says: (amountIn: number) => bigint) => {
      asked.length = 0;
      const asking: ChainAsking = {
        ask: async (_chainId, _hash, calls) =>
          calls.map(({ data }) => {
            asked.push(Number(data));
            return hex(says(Number(data)));
          }),
      };
      const requoted = requotedSolving(solving, venues, asking, () => undefined);
      const job = {
        chainId: 1,
        sellToken: SELL,
        buyToken: BUY,
        sellAmount: 100n,
        target: 5000n,
        hops: [hop('a', 100n, 5000n)],
        deadline: instantNow() + 60_000,
      };
      const { result } = await requoted.certify(job as unknown as CertifyJob, { client: 'ip:a', signal: new AbortController().signal });
      return result.ok ? [result.grossAmount, result.restated?.sellAmount, ...asked] : result.reason;
    };
    expect(await ask(() => 5000n)).to.deep.equal([5000n, 100n, 100]);
    expect(await ask((amountIn) => BigInt(4899 + amountIn))).to.deep.equal([4999n, 101n, 100, 101]);
  });

  it('asks about so many requests of a chain at a time, and leaves out beyond', async () => {
    let answer: (amount: ChainAnswer) => void = () => undefined;
    const held = new Promise<ChainAnswer>((resolve) => {
      answer = resolve;
    });
    const fallback = planOf([hop('u', 100n, 4000n, 'uniswap_v2')]);
    const left: number[] = [];
    const solving = {
      solve: async (job: SolveJob) => ({ result: { ok: true, plan: planOf([hop('a', job.amount, 5000n)]) }, queueMs: 0, runMs: 0 }),
      solveAgain: async (job: SolveJob) => {
        left.push(Number(job.amount));
        return { result: { ok: true, plan: fallback }, queueMs: 0, runMs: 0 };
      },
    } as unknown as Solving;
    const requoted = requotedSolving(solving, venues, { ask: async () => [await held] }, () => undefined);
    const { waiting } = LIMITS.requoting;
    const requests = Array.from({ length: waiting + 3 }, (_, at) => {
      const filter = { include: null, exclude: [], excludeRfq: false, excludeRwa: false };
      const job = { chainId: 1, mode: 'sell', sellToken: SELL, buyToken: BUY, amount: BigInt(at + 1), filter, deadline: instantNow() + 60_000 };
      return requoted.solve(job as unknown as SolveJob, { client: 'ip:a', signal: new AbortController().signal });
    });
    await Promise.all(requests.slice(waiting));
    answer(hex(5000n));
    await Promise.all(requests);
    expect(left).to.deep.equal([waiting + 1, waiting + 2, waiting + 3]);
  });

  it('knows what a contract said before an asking still after it, though so much was asked of other blocks meanwhile that it is remembered no more', async () => {
    const blocks = Array.from({ length: LIMITS.requoting.knownBlocks + 1 }, (_, at) => ({ ...BLOCK, hash: `0x1${at}` as const }));
    const both = planOf([hop('a', 100n, 5000n), hop('b', 60n, 3000n)]);
    let answer: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const again: SolveJob[] = [];
    const solving = {
      solve: async (job: SolveJob) => {
        const at = Number(job.amount);
        const plan = at === 0 ? both : planOf([hop('a', 100n, 5000n)], at === 1 ? BLOCK : blocks[at - 2]);
        return { result: { ok: true, plan }, queueMs: 0, runMs: 0 };
      },
      solveAgain: async (job: SolveJob) => {
        again.push(job);
        return { result: { ok: true, plan: planOf([hop('u', 100n, 4000n, 'uniswap_v2')]) }, queueMs: 0, runMs: 0 };
      },
    } as unknown as Solving;
    const asking: ChainAsking = {
      async ask(_chainId, _blockHash, calls) {
        if (calls.some(({ to }) => to === address('b'))) await held;
        return calls.map(({ to }) => hex(to === address('b') ? 3000n : 5000n));
      },
    };
    const requoted = requotedSolving(solving, venues, asking, () => undefined);
    const solve = (at: number) => {
      const filter = { include: null, exclude: [], excludeRfq: false, excludeRwa: false };
      const job = { chainId: 1, mode: 'sell', sellToken: SELL, buyToken: BUY, amount: BigInt(at), filter, deadline: instantNow() + 60_000 };
      return requoted.solve(job as unknown as SolveJob, { client: 'ip:a', signal: new AbortController().signal });
    };
    await solve(1);
    const waits = solve(0);
    for (const at of blocks.keys()) await solve(at + 2);
    answer();
    expect([hopsOf(await waits), again]).to.deep.equal([
      [
        ['a', 100n, 5000n],
        ['b', 60n, 3000n],
      ],
      [],
    ]);
  });
});

import { expect } from 'chai';
import sinon from 'sinon';
import { buildSwap } from '../../src/building/build-swap.ts';
import { NO_FIRM_HOPS } from '../../src/building/building.ts';
import { certifyPlan } from '../../src/building/certify-plan.ts';
import type { SwapBuild } from '../../src/building/swap-build.ts';
import { LIMITS } from '../../src/config/config.ts';
import type { Plan } from '../../src/routing/routing.ts';
import type { SolveOutcome } from '../../src/solving/solving.ts';
import { type Address, asAddress, instantNow } from '../../src/units/units.ts';

/** Nobody signs anything, and nobody waits. */
const ALONE = { firmHops: NO_FIRM_HOPS, clock: { now: instantNow, after: () => () => {} } };

const ENDINGS = ['no-route', 'token-refused', 'unmeasured', 'no-snapshot', 'expired', 'failed', 'cancelled'] as const;

describe('the build of a swap', () => {
  const plan = { sellAmount: 1n, grossAmount: 1n, hops: [], block: { number: 7, hash: '0x07' } } as unknown as Plan;
  const timed = (result: unknown) => ({ result, queueMs: 0, runMs: 1 });
  const withBlock = new Set(['no-route', 'refused', 'withdrawn', 'token-refused', 'unmeasured']);
  const refusalOf = (reason: string) => ({ ok: false, reason, ...(withBlock.has(reason) ? { block: { number: 9, hash: '0x09' } } : {}) });
  const refused = (reason: string) => timed(refusalOf(reason));
  const built = (solving: object) =>
    buildSwap({ ...ALONE, solving, onSolved: () => {}, job: { deadline: instantNow() + 60_000 }, caller: {}, request: {}, fee: null } as unknown as SwapBuild);

  for (const reason of ENDINGS) {
    it(`ends as its solve does, the first or a later one, and as its certification: '${reason}'`, async () => {
      const solve = sinon.stub().resolves(refused(reason));
      const ending = { ok: false, refusal: refusalOf(reason), block: withBlock.has(reason) ? 9 : null };
      expect(await built({ solve })).to.deep.equal(ending);
      const solved = sinon.stub().resolves(timed({ ok: true, plan }));
      const moved = sinon.stub().resolves(refused('refused'));
      expect(await built({ solve: solved, solveAgain: solve, certify: moved })).to.deep.equal(ending);
      expect(await built({ solve: solved, solveAgain: solve, certify: sinon.stub().resolves(refused('withdrawn')) })).to.deep.equal(ending);
      if (!withBlock.has(reason)) expect(await built({ solve: solved, certify: solve })).to.deep.equal({ ok: false, refusal: { ok: false, reason }, block: 7 });
    });
  }

  it('hands out the last route as it is on the newest state where the chain moves faster than routes are found', async () => {
    const [taker, sellToken, buyToken, router, allowanceHolder] = [1, 2, 3, 4, 5].map((digit) => asAddress(`0x${String(digit).repeat(40)}`)) as Address[];
    const plan = {
      sellAmount: 100n,
      grossAmount: 50n,
      hops: [],
      gas: 1,
      gasPriceWei: null,
      block: { number: 7, hash: '0x07' },
      prices: { sell: null, buy: null },
    };
    const solved = timed({ ok: true, plan });
    const restated = { sellAmount: 103n, grossAmount: 51n, hops: [], block: { number: 9, hash: '0x09' } };
    const certify = sinon.stub().resolves(timed({ ok: true, grossAmount: 49n, block: { number: 9, hash: '0x09' }, restated }));
    const solveAgain = sinon.stub().resolves(solved);
    const request = {
      mode: 'buy',
      amount: 50n,
      sellToken,
      buyToken,
      taker,
      recipient: null,
      overrides: {},
      echo: { taker, sellToken, buyToken, recipient: null },
    };
    const hosted = { chain: { chainId: 1 }, contracts: { router, allowanceHolder } };
    const build = {
      ...ALONE,
      ...{ solving: { solve: async () => solved, solveAgain, certify }, onSolved: () => {}, caller: {}, request, hosted, fee: null, deadline: 1n },
      ...{
        job: { deadline: instantNow() + 60_000 },
        legs: { toLegs: () => [] },
        quoteId: '00000000-0000-4000-8000-000000000000',
        surplus: 'protocol',
        partnerId: null,
      },
    } as unknown as SwapBuild;
    const built = await buildSwap(build);
    if (!built.ok) throw new Error(built.refusal.reason);
    expect(built.swap).to.deep.include({ sellAmount: '103', buyAmount: '50', minBuyAmount: '50', blockNumber: 9 });
    expect(built.swap.warnings?.map(({ code }) => code)).to.deep.equal(['STALE_STATE_RESOLVED']);
    expect(solveAgain.callCount).to.equal(LIMITS.building.solves - 1);
    expect(certify.firstCall.args[0]).to.deep.include({ target: 50n, sellAmount: 100n });
  });

  describe('warns of a chain that moved just where a block left the route under what it enforces', () => {
    const amounts = (sellAmount: bigint, grossAmount: bigint) => ({ sellAmount, grossAmount, hops: [] });
    const planned = { ...amounts(1_000_000n, 2_000_000n), block: { number: 7, hash: '0x07' } } as unknown as Plan;
    const verdictOf = async (mode: 'sell' | 'buy', result: object) => {
      const request = { mode, amount: 2_000_000n, slippage: { numerator: 1n, scale: 1 } };
      const build = { ...ALONE, solving: { certify: async () => timed(result) }, job: { deadline: instantNow() + 60_000 }, caller: {}, request, fee: null };
      const certification = await certifyPlan(build as unknown as SwapBuild, planned);
      return [certification.verdict, certification.verdict === 'holds' ? certification.plan.sellAmount : null];
    };
    const given = (hash: string, grossAmount: bigint, restated: object) => ({ ok: true, grossAmount, block: { number: 9, hash }, restated });

    it('on another block whatever is missing, a pool that is gone among it', async () => {
      expect(await verdictOf('buy', given('0x09', 1_999_999n, amounts(1_000_001n, 2_000_000n)))).to.deep.equal(['moved', null]);
      expect(await verdictOf('sell', given('0x09', 1_997_999n, amounts(1_000_000n, 1_997_999n)))).to.deep.equal(['moved', null]);
      expect(await verdictOf('sell', { ok: false, reason: 'refused', block: { number: 9, hash: '0x09' } })).to.deep.equal(['moved', null]);
    });

    it('not where the route was withdrawn, or is lost on the block that it was found on', async () => {
      for (const hash of ['0x07', '0x09'])
        expect(await verdictOf('sell', { ok: false, reason: 'withdrawn', block: { number: 9, hash } })).to.deep.equal(['lost', null]);
      expect(await verdictOf('buy', { ok: false, reason: 'refused', block: { number: 7, hash: '0x07' } })).to.deep.equal(['lost', null]);
      expect(await verdictOf('buy', given('0x07', 1_999_000n, amounts(1_000_500n, 2_000_000n)))).to.deep.equal(['lost', null]);
      expect(await verdictOf('sell', given('0x07', 1_997_999n, amounts(1_000_000n, 1_997_999n)))).to.deep.equal(['lost', null]);
    });

    it('nor is a route solved for again that is off by its last units there: it is handed out as it is', async () => {
      expect(await verdictOf('buy', given('0x07', 1_999_999n, amounts(1_000_010n, 2_000_000n)))).to.deep.equal(['holds', 1_000_010n]);
      expect(await verdictOf('buy', given('0x07', 1_999_999n, amounts(1_000_011n, 2_000_000n)))).to.deep.equal(['lost', null]);
    });
  });

  it('is given up where neither the budget nor what a last solve has beyond it is left', async () => {
    const late = instantNow() - LIMITS.building.afterFirmUpMs;
    const solve = sinon.stub().resolves(timed({ ok: true, plan }));
    const solving = { solve, solveAgain: sinon.stub().resolves(timed({ ok: true, plan })), certify: sinon.stub().resolves(refused('withdrawn')) };
    const build = { ...ALONE, solving, onSolved: () => {}, job: { deadline: late }, caller: {}, request: {}, fee: null } as unknown as SwapBuild;
    expect(await buildSwap(build)).to.deep.equal({ ok: false, refusal: { ok: false, reason: 'expired' }, block: 7 });
    expect(solving.solveAgain.callCount).to.equal(0);
  });

  it('does not hold where a token loses otherwise than the plan knew, though it delivers enough: its legs and warnings are those of another token', async () => {
    const end = (ppm: number, scope: string) => ({ loss: { ppm, units: 0 }, tax: { measuredPpm: ppm, scope, block: 9 } });
    const sold = (ppm: number, scope = 'universal') => ({ lossyEnds: { sell: end(ppm, scope), buy: null } });
    const bought = (ppm: number) => ({ lossyEnds: { sell: null, buy: end(ppm, 'pool-only') } });
    const verdictOf = async (before: object, now: object) => {
      const restated = { sellAmount: 10_000n, grossAmount: 9_970n, hops: [], ...now };
      const certify = async () => timed({ ok: true, grossAmount: 9_970n, block: { number: 9, hash: '0x09' }, restated });
      const request = { mode: 'sell', slippage: { numerator: 5n, scale: 1 } };
      const build = { ...ALONE, solving: { certify }, job: { deadline: instantNow() + 60_000 }, caller: {}, request, fee: null } as unknown as SwapBuild;
      const certification = await certifyPlan(build, { ...plan, sellAmount: 10_000n, grossAmount: 10_000n, ...before } as unknown as Plan);
      if (certification.verdict === 'lost') expect(certification.fresh).to.equal(null);
      return certification.verdict;
    };
    const [holds, moved] = ['holds', 'lost'];
    expect(await verdictOf({}, {})).to.deep.equal(holds);
    expect(await verdictOf(sold(4_000), sold(7_000))).to.deep.equal(holds);
    expect(await verdictOf({}, sold(3_000))).to.deep.equal(moved);
    expect(await verdictOf({}, bought(3_000))).to.deep.equal(moved);
    expect(await verdictOf(sold(3_000), {})).to.deep.equal(moved);
    expect(await verdictOf(sold(0, 'buy-only'), sold(3_000))).to.deep.equal(moved);
  });

  it('solves again for a chain that moves, ahead of others and a bounded number of times, and hands out nothing where the route is gone', async () => {
    const plan = { sellAmount: 1n, grossAmount: 1n, hops: [], block: { number: 7, hash: '0x07' } } as unknown as Plan;
    const solved: SolveOutcome = { result: { ok: true, plan }, queueMs: 0, runMs: 1 };
    const moved = { result: refusalOf('refused'), queueMs: 0, runMs: 1 };
    const solving = { solve: sinon.stub().resolves(solved), solveAgain: sinon.stub().resolves(solved), certify: sinon.stub().resolves(moved) };
    const onSolved = sinon.spy();
    const build = { ...ALONE, solving, onSolved, job: { deadline: instantNow() + 60_000 }, caller: {}, request: {}, fee: null } as unknown as SwapBuild;
    expect(await buildSwap(build)).to.deep.equal({ ok: false, refusal: { ok: false, reason: 'failed' }, block: 7 });
    const { solves } = LIMITS.building;
    expect([solving.solve.callCount, solving.solveAgain.callCount, solving.certify.callCount, onSolved.callCount]).to.deep.equal([
      1,
      solves - 1,
      solves,
      solves,
    ]);
  });
});

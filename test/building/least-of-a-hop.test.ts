import { expect } from 'chai';
import { certifyPlan } from '../../src/building/certify-plan.ts';
import type { SwapBuild } from '../../src/building/swap-build.ts';
import { writeSwap } from '../../src/building/write-swap.ts';
import type { Plan, PlanHop } from '../../src/routing/routing.ts';
import { type Address, asAddress, asBps, asWei, instantNow } from '../../src/units/units.ts';

const [TAKER, SELL, BUY, ROUTER, HOLDER] = [1, 2, 3, 4, 5].map((digit) => asAddress(`0x${String(digit).repeat(40)}`)) as [
  Address,
  Address,
  Address,
  Address,
  Address,
];

const hop = (amountOut: bigint, bps: number) =>
  ({
    protocol: 'fermi',
    source: 'fermi',
    hook: null,
    poolAddress: ROUTER,
    tokenIn: SELL,
    tokenOut: BUY,
    amountIn: asWei(500n),
    amountOut,
    bps: asBps(bps),
  }) as PlanHop;

/** A route of two hops that gave these amounts on its own block, and gives those on the newest one; what each of its legs enforces there. */
async function enforced(mode: 'sell' | 'buy', planned: readonly bigint[], now: readonly bigint[]) {
  const hopsOf = (amounts: readonly bigint[]) => amounts.map((amount, at) => hop(asWei(amount), at === 0 ? 5_000 : 10_000));
  const of = (amounts: readonly bigint[]) => ({
    sellAmount: asWei(1_000n),
    grossAmount: asWei(amounts.reduce((sum, each) => sum + each)),
    hops: hopsOf(amounts),
  });
  const plan = {
    ...of(planned),
    gas: 1,
    gasPriceWei: null,
    gasMode: 'blind',
    maxHops: 1,
    block: { number: 7, hash: '0x07' },
    prices: { sell: null, buy: null },
  };
  const [newest, block] = [of(now), { number: 8, hash: '0x08' }];
  let least: readonly bigint[] = [];
  const build = {
    request: {
      ...{ mode, amount: of(planned).grossAmount, sellToken: SELL, buyToken: BUY, taker: TAKER, recipient: null, overrides: {} },
      ...{ slippage: { numerator: 5n, scale: 1 }, echo: { taker: TAKER, sellToken: SELL, buyToken: BUY, recipient: null } },
    },
    solving: { certify: async () => ({ result: { ok: true, grossAmount: newest.grossAmount, block, restated: { ...newest, block } } }) },
    hosted: { chain: { chainId: 1 }, contracts: { router: ROUTER, allowanceHolder: HOLDER } },
    legs: {
      toLegs(hops: readonly PlanHop[], _taxed: unknown, leastOf: (amount: bigint) => bigint) {
        least = hops.map(({ amountOut }) => leastOf(amountOut));
        return [];
      },
    },
    ...{ fee: null, job: { deadline: instantNow() + 60_000 }, caller: {}, clock: { now: instantNow }, deadline: 1n, surplus: 'protocol', partnerId: null },
    quoteId: '00000000-0000-4000-8000-000000000000',
  } as unknown as SwapBuild;
  const certification = await certifyPlan(build, plan as unknown as Plan);
  if (certification.verdict !== 'holds') throw new Error(certification.verdict);
  const swap = writeSwap(build, certification.plan, [], []);
  return { least, minBuyAmount: swap?.minBuyAmount, blockNumber: swap?.blockNumber };
}

describe('what a leg enforces of its own hop', () => {
  for (const [mode, planned, now] of [
    ['sell', [1_000n, 9_000n], [990n, 8_990n]],
    ['buy', [1_000n, 9_000n], [999n, 9_001n]],
  ] as const) {
    it(`is what the newest state gives there, where that gives enough in all and less of one hop (${mode})`, async () => {
      const { least, minBuyAmount, blockNumber } = await enforced(mode, planned, now);
      for (const [at, amount] of now.entries()) expect(Number(least[at]), `hop ${at}`).to.be.at.most(Number(amount));
      expect([minBuyAmount, blockNumber]).to.deep.equal([mode === 'sell' ? '9930' : '10000', 8]);
    });
  }

  it('stays what was planned, as all of the answer, where no hop gives less than that', async () => {
    expect(await enforced('sell', [1_000n, 9_000n], [995n, 9_000n])).to.deep.equal({ least: [995n, 8_955n], minBuyAmount: '9950', blockNumber: 7 });
    expect(await enforced('buy', [1_000n, 9_000n], [1_000n, 9_001n])).to.deep.equal({ least: [1_000n, 9_000n], minBuyAmount: '10000', blockNumber: 7 });
  });
});

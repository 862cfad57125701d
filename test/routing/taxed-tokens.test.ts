import { expect } from 'chai';
import * as fc from 'fast-check';
import type { Plan, SolveJob, SolveResult } from '../../src/routing/routing.ts';
import type { TaxScope, TransferVerdict } from '../../src/snapshot/snapshot.ts';
import { BPS_WHOLE, type InstantMs } from '../../src/units/units.ts';
import { SEED } from '../support/seeded-random.ts';
import { concentratedPool, job, openWorld, type PoolEntry, pairPool, planOf, quotePool, token, type World, type WorldSpec } from './world.ts';

const ETHER = 10n ** 18n;
const CLEAN: TransferVerdict = { kind: 'clean' };
const taxed = (buyPpm: number, sellPpm: number, scope: TaxScope): TransferVerdict => ({ kind: 'taxed', buyPpm, sellPpm, scope });

/** Token 1 and token 2 with two pairs of their own, a deeper pool of another venue, and a way over token 3. */
const POOLS: readonly PoolEntry[] = [
  pairPool(1, [1, 2], [1000n * ETHER, 1000n * ETHER]),
  pairPool(2, [1, 2], [700n * ETHER, 700n * ETHER], 30, 'sushiswap_v2'),
  concentratedPool(3, [1, 2], 0, [[-6000, 6000, 100_000n * ETHER]]),
  pairPool(4, [1, 3], [2000n * ETHER, 2000n * ETHER]),
  pairPool(5, [2, 3], [2000n * ETHER, 2000n * ETHER]),
];

function open(verdicts: Readonly<Record<number, TransferVerdict>>, more: Partial<WorldSpec> = {}): ReturnType<typeof openWorld> {
  return openWorld({ pools: POOLS, tokenCount: 6, verdicts, ...more });
}

const ALL_CLEAN = { 1: CLEAN, 2: CLEAN, 3: CLEAN };

function sell(world: World, amount: bigint, more: Partial<SolveJob> = {}): SolveResult {
  return world.solve(job(token(1), token(2), amount, more), world.view);
}

/** The tokens between the two of a plan. */
function between({ hops }: Plan): readonly string[] {
  return [...new Set(hops.flatMap(({ tokenIn, tokenOut }) => [tokenIn, tokenOut]))].filter((each) => each !== token(1) && each !== token(2));
}

describe('Tokens that nobody measured, or found bad', () => {
  it('never lie between, though the way over them is the best one; well-known ones do, and so do measured ones', () => {
    const viaThree = [POOLS[3], POOLS[4]] as readonly PoolEntry[];
    const small = pairPool(9, [1, 2], [10n * ETHER, 10n * ETHER]);
    const spec = { pools: [...viaThree, small] };
    expect(between(planOf(sell(open(ALL_CLEAN, spec), ETHER)))).to.deep.equal([token(3)]);
    expect(between(planOf(sell(open({ 1: CLEAN, 2: CLEAN }, { ...spec, wellKnown: [3] }), ETHER)))).to.deep.equal([token(3)]);
    const bad: readonly TransferVerdict[] = [
      taxed(100, 100, 'universal'),
      { kind: 'gated', reason: 'paused' },
      { kind: 'imprecise' },
      { kind: 'unmeasurable' },
    ];
    for (const verdict of bad) {
      expect(between(planOf(sell(open({ ...ALL_CLEAN, 3: verdict }, spec), ETHER)))).to.deep.equal([]);
      if (verdict.kind !== 'unmeasurable') {
        expect(between(planOf(sell(open({ ...ALL_CLEAN, 3: verdict }, { ...spec, wellKnown: [3] }), ETHER)))).to.deep.equal(
          [],
          'known to be bad, however well known',
        );
      }
    }
  });

  it('lie between where they are listed, and else not even measured clean, where a chain says so: nor are they named to be measured', () => {
    const viaThree = [POOLS[3], POOLS[4]] as readonly PoolEntry[];
    const spec: Partial<WorldSpec> = { pools: [...viaThree, pairPool(9, [1, 2], [10n * ETHER, 10n * ETHER])], routeThrough: 'listed' };
    const plan = planOf(sell(open(ALL_CLEAN, spec), ETHER));
    expect([between(plan), plan.unmeasured]).to.deep.equal([[], undefined]);
    expect(planOf(sell(open({ 1: CLEAN, 2: CLEAN }, spec), ETHER)).unmeasured).to.equal(undefined);
    expect(between(planOf(sell(open(ALL_CLEAN, { ...spec, wellKnown: [3] }), ETHER)))).to.deep.equal([token(3)]);
    expect(between(planOf(sell(open({ ...ALL_CLEAN, 3: taxed(100, 100, 'universal') }, { ...spec, wellKnown: [3] }), ETHER)))).to.deep.equal([]);
    const native = [pairPool(4, [1, 0], [2000n * ETHER, 2000n * ETHER]), pairPool(5, [2, 0], [2000n * ETHER, 2000n * ETHER])];
    expect(between(planOf(sell(open(ALL_CLEAN, { ...spec, pools: native }), ETHER)))).to.deep.equal([token(0)]);
  });

  it('are told, a few of them, where a route might have led through them', () => {
    const plan = planOf(sell(open({ 1: CLEAN, 2: CLEAN }), 50n * ETHER));
    expect(plan.unmeasured).to.deep.equal([token(3)]);
    expect(between(plan)).to.deep.equal([]);
    const none = sell(open({ 1: CLEAN, 2: CLEAN }, { pools: [POOLS[3], POOLS[4]] as readonly PoolEntry[] }), ETHER);
    expect(none).to.deep.include({ ok: false, reason: 'no-route', unmeasured: [token(3)] });
    expect(planOf(sell(open(ALL_CLEAN), 50n * ETHER)).unmeasured).to.equal(undefined);
  });

  it('leave a route unfound at the ends: it says which have to be measured, in either mode and on either side', () => {
    for (const mode of ['sell', 'buy'] as const) {
      const reason = { ok: false, reason: 'unmeasured' };
      expect(sell(open({ 3: CLEAN }), ETHER, { mode })).to.deep.include({ ...reason, tokens: [token(1), token(2)] });
      expect(sell(open({ 2: CLEAN }), ETHER, { mode })).to.deep.include({ ...reason, tokens: [token(1)] });
      expect(sell(open({ 1: CLEAN }), ETHER, { mode })).to.deep.include({ ...reason, tokens: [token(2)] });
      expect(sell(open({}, { wellKnown: [1, 2] }), ETHER, { mode })).to.deep.include({ ok: true });
    }
  });

  it('a verdict serves one block before and after its own, of a well-known token as many as its list says; an old bad one is not forgotten, an old good one is not needed', () => {
    const reasonAt = (verdictAge: number, verdict: TransferVerdict, wellKnown: readonly number[], verdictBlocks = 1) => {
      const result = sell(open({ 1: verdict, 2: CLEAN }, { verdictAge, verdictBlocks, wellKnown: [2, ...wellKnown] }), ETHER);
      return result.ok ? 'served' : result.reason;
    };
    for (const age of [-1, 0, 1]) expect(reasonAt(age, CLEAN, [])).to.equal('served');
    for (const age of [-2, 2, 1000]) expect(reasonAt(age, CLEAN, [])).to.equal('unmeasured');
    for (const age of [-1, 0, 8]) expect(reasonAt(age, CLEAN, [], 8)).to.equal('served');
    for (const age of [-2, 9]) expect(reasonAt(age, CLEAN, [], 8)).to.equal('unmeasured');
    const paused: TransferVerdict = { kind: 'gated', reason: 'paused' };
    for (const age of [-10, 0, 10]) expect(reasonAt(age, paused, [1])).to.equal('token-refused');
    for (const age of [-11, 11]) expect(reasonAt(age, paused, [1])).to.equal('unmeasured');
    for (const verdict of [CLEAN, { kind: 'unmeasurable' } as const]) for (const age of [0, 1000]) expect(reasonAt(age, verdict, [1])).to.equal('served');
  });

  it('do not say what gas is worth where they do not move: a route is split as if their pools were not there', () => {
    const traded = [pairPool(1, [1, 2], [1000n * ETHER, 1000n * ETHER]), pairPool(2, [1, 2], [900n * ETHER, 900n * ETHER], 30, 'sushiswap_v2')];
    const fair = pairPool(3, [0, 2], [1000n * ETHER, 1000n * ETHER]);
    // A wei is worth a million times as much by way of the paused token, and nobody can trade that back.
    const steered = [pairPool(4, [0, 3], [ETHER, 1000n * ETHER]), pairPool(5, [3, 2], [ETHER, 1000n * ETHER])];
    const verdicts = { 1: CLEAN, 2: CLEAN, 3: { kind: 'gated', reason: 'paused' } } as const;
    const hops = (pools: readonly PoolEntry[]) => {
      const plan = planOf(sell(open(verdicts, { pools }), 10n * ETHER, { gasPriceWei: 10n ** 9n }));
      return [plan.gasMode, plan.hops.map(({ poolKey, amountOut }) => `${poolKey} ${amountOut}`)];
    };
    expect(hops([...traded, fair, ...steered])).to.deep.equal(hops([...traded, fair]));
    expect(hops([...traded, fair])[1]).to.have.length(2);
  });

  it('the wrapped native token is always clean', () => {
    const world = open({ 1: CLEAN }, { pools: [pairPool(1, [0, 1], [1000n * ETHER, 1000n * ETHER])] });
    expect(world.solve(job(token(1), token(0), ETHER), world.view).ok).to.equal(true);
  });
});

describe('A token that some pools alone let trade', () => {
  const at = (mark: string): string => `0x${mark.padEnd(40, '7')}`;
  const [deep, small] = [
    { ...pairPool(1, [1, 2], [1000n * ETHER, 1000n * ETHER]), address: at('abcd0001') },
    { ...pairPool(2, [1, 2], [700n * ETHER, 700n * ETHER], 30, 'sushiswap_v2'), address: at('abcd0002') },
  ];
  const pools: readonly PoolEntry[] = [deep, small];
  const addresses = (world: World, more: Partial<SolveJob> = {}) =>
    [...new Set(planOf(sell(world, 500n * ETHER, more)).hops.map(({ poolAddress }) => poolAddress))].sort();

  it('is sold and bought there, and at no other, in either mode', () => {
    for (const number of [1, 2]) {
      for (const mode of ['sell', 'buy'] as const) {
        expect(addresses(open(ALL_CLEAN, { pools }), { mode })).to.deep.equal([deep.address, small.address]);
        expect(addresses(open(ALL_CLEAN, { pools, openAt: { [number]: [0xabcd0001] } }), { mode })).to.deep.equal([deep.address]);
        expect(addresses(open(ALL_CLEAN, { pools, openAt: { [number]: [0xabcd0002] } }), { mode })).to.deep.equal([small.address]);
        expect(addresses(open(ALL_CLEAN, { pools, openAt: { [number]: [0xabcd0002, 0xabcd0001] } }), { mode })).to.deep.equal([deep.address, small.address]);
      }
    }
    expect(sell(open(ALL_CLEAN, { pools, openAt: { 1: [0xabcd0003] } }), ETHER)).to.deep.include({ ok: false, reason: 'no-route' });
    expect(addresses(open({ ...ALL_CLEAN, 1: taxed(10_000, 10_000, 'pool-only') }, { pools, openAt: { 1: [0xabcd0002] } }))).to.deep.equal([small.address]);
  });

  it('that was measured at some pools is traded at these alone, where it is not listed: what it does at others nobody knows', () => {
    for (const number of [1, 2]) {
      for (const mode of ['sell', 'buy'] as const) {
        const seenAt = { [number]: [0xabcd0002] };
        for (const routeThrough of ['listed', 'measured'] as const) {
          expect(addresses(open(ALL_CLEAN, { pools, seenAt, routeThrough }), { mode })).to.deep.equal([small.address]);
          // Whoever lists it vouches for it at every pool.
          expect(addresses(open(ALL_CLEAN, { pools, seenAt, routeThrough, wellKnown: [number] }), { mode })).to.deep.equal([deep.address, small.address]);
          const bad = { ...ALL_CLEAN, [number]: taxed(10_000, 10_000, 'pool-only') };
          if (mode === 'sell') expect(addresses(open(bad, { pools, seenAt, routeThrough, wellKnown: [number] }))).to.deep.equal([small.address]);
        }
      }
    }
    expect(sell(open(ALL_CLEAN, { pools, seenAt: { 1: [0xabcd0003] } }), ETHER)).to.deep.include({ ok: false, reason: 'no-route' });
    const before = open(ALL_CLEAN, { pools });
    const plan = planOf(sell(before, 500n * ETHER));
    const asked = { chainId: 31337, sellToken: token(1), buyToken: token(2), sellAmount: plan.sellAmount, hops: plan.hops };
    const now = open(ALL_CLEAN, { pools, seenAt: { 2: [0xabcd0001] } });
    expect(now.certify({ ...asked, deadline: Number.POSITIVE_INFINITY as InstantMs }, now.view).ok).to.equal(false);
  });

  it('that was measured lies between where a chain says so, and by way of the pools that it was measured at alone', () => {
    const [into, intoToo, on] = [
      { ...pairPool(1, [1, 3], [1000n * ETHER, 1000n * ETHER]), address: at('abcd0001') },
      { ...pairPool(2, [1, 3], [900n * ETHER, 900n * ETHER], 30, 'sushiswap_v2'), address: at('abcd0002') },
      { ...pairPool(3, [3, 2], [1000n * ETHER, 1000n * ETHER]), address: at('abcd0003') },
    ];
    const via = (seen: readonly number[]) => sell(open(ALL_CLEAN, { pools: [into, intoToo, on], seenAt: { 3: seen } }), 100n * ETHER);
    const through = (seen: readonly number[]) => planOf(via(seen)).hops.map(({ poolAddress }) => poolAddress);
    expect(through([0xabcd0001, 0xabcd0002, 0xabcd0003]).sort()).to.deep.equal([into.address, intoToo.address, on.address]);
    expect(through([0xabcd0002, 0xabcd0003])).to.deep.equal([intoToo.address, on.address]);
    expect(via([0xabcd0001, 0xabcd0002])).to.deep.include({ ok: false, reason: 'no-route' });
  });

  it('and a pool that it was not measured at says nothing of what gas is worth', () => {
    const traded = [
      { ...pairPool(1, [1, 2], [1000n * ETHER, 1000n * ETHER]), address: at('abcd0001') },
      { ...pairPool(2, [1, 2], [900n * ETHER, 900n * ETHER], 30, 'sushiswap_v2'), address: at('abcd0002') },
      { ...pairPool(3, [0, 2], [1000n * ETHER, 1000n * ETHER]), address: at('abcd0003') },
    ];
    // A wei is worth a million times as much by way of the pool where the third token does not move.
    const steered = [
      { ...pairPool(4, [0, 3], [1000n * ETHER, 1000n * ETHER]), address: at('abcd0004') },
      { ...pairPool(5, [3, 2], [ETHER, 1_000_000n * ETHER]), address: at('abcd0005') },
    ];
    const hops = (pools: readonly PoolEntry[]) => {
      const world = open(ALL_CLEAN, { pools, seenAt: { 3: [0xabcd0004] } });
      return planOf(sell(world, 10n * ETHER, { gasPriceWei: 10n ** 9n })).hops.map(({ poolKey, amountOut }) => `${poolKey} ${amountOut}`);
    };
    expect(hops([...traded, ...steered])).to.deep.equal(hops(traded));
    expect(hops(traded)).to.have.length(2);
  });

  it('never lies between, however well known it is', () => {
    const viaThree = { pools: [POOLS[3], POOLS[4]] as readonly PoolEntry[], openAt: { 3: [1] } };
    for (const wellKnown of [[], [3]]) expect(sell(open(ALL_CLEAN, { ...viaThree, wellKnown }), ETHER)).to.deep.include({ ok: false, reason: 'no-route' });
  });

  it('has no swap certified through another one', () => {
    const before = open(ALL_CLEAN, { pools });
    const plan = planOf(sell(before, 500n * ETHER));
    const deadline = Number.POSITIVE_INFINITY as InstantMs;
    const asked = { chainId: 31337, sellToken: token(1), buyToken: token(2), sellAmount: plan.sellAmount, hops: plan.hops, deadline };
    const now = (openAt: readonly number[]) => {
      const world = open(ALL_CLEAN, { pools, openAt: { 2: openAt } });
      return world.certify(asked, world.view).ok;
    };
    expect([before.certify(asked, before.view).ok, now([0xabcd0001, 0xabcd0002]), now([0xabcd0001])]).to.deep.equal([true, true, false]);
  });
});

describe('The rules for taxed and gated tokens', () => {
  const refusal = (verdicts: Readonly<Record<number, TransferVerdict>>, mode: 'sell' | 'buy' = 'sell') => {
    const result = sell(open({ ...ALL_CLEAN, ...verdicts }), ETHER, { mode });
    if (result.ok) return 'served';
    return result.reason === 'token-refused' ? `${result.refusal.kind} ${result.token === token(1) ? 'sold' : 'bought'}` : result.reason;
  };

  it('the cap is 20%: strictly above it is refused; a part per million above 20% is how measuring rounds', () => {
    for (const [ppm, expected] of [
      [200_000, 'served'],
      [200_001, 'served'],
      [200_100, 'tax-above-cap'],
      [999_999, 'tax-above-cap'],
    ] as const) {
      const suffix = (side: string) => (expected === 'served' ? expected : `${expected} ${side}`);
      expect(refusal({ 1: taxed(ppm, ppm, 'universal') })).to.equal(suffix('sold'));
      expect(refusal({ 2: taxed(ppm, ppm, 'pool-only') })).to.equal(suffix('bought'));
    }
    expect(refusal({ 1: taxed(300_000, 0, 'buy-only') })).to.equal('served', 'who sells is not taxed');
    expect(refusal({ 2: taxed(10_000, 300_000, 'pool-only') })).to.equal('tax-above-cap bought', 'who buys will want to sell');
  });

  it('mode=buy is refused for any taxed token, on either side, and for one that rounds', () => {
    for (const scope of ['universal', 'pool-only', 'sell-only', 'buy-only'] as const) {
      expect(refusal({ 1: taxed(100, 100, scope) }, 'buy')).to.equal('taxed-in-buy-mode sold');
      expect(refusal({ 2: taxed(100, 100, scope) }, 'buy')).to.equal('taxed-in-buy-mode bought');
    }
    expect(refusal({ 1: { kind: 'imprecise' } }, 'buy')).to.equal('imprecise-in-buy-mode sold');
    expect(refusal({ 2: { kind: 'imprecise' } }, 'buy')).to.equal('imprecise-in-buy-mode bought');
    expect(refusal({ 1: { kind: 'imprecise' } })).to.equal('served');
    expect(refusal({ 2: { kind: 'imprecise' } })).to.equal('served');
  });

  it('a universal or sell-only tax is refused where it is bought, and served where it is sold', () => {
    for (const scope of ['universal', 'sell-only'] as const) expect(refusal({ 2: taxed(100, 100, scope) })).to.equal('taxed-when-bought bought');
    for (const scope of ['pool-only', 'buy-only'] as const) expect(refusal({ 2: taxed(100, 100, scope) })).to.equal('served');
    for (const scope of ['universal', 'pool-only', 'sell-only', 'buy-only'] as const) expect(refusal({ 1: taxed(100, 100, scope) })).to.equal('served');
  });

  it('a gated token, and one that can not be measured, is refused on either side, before the other one is waited for', () => {
    for (const reason of ['honeypot', 'blacklist', 'paused', 'refused'] as const) {
      expect(refusal({ 1: { kind: 'gated', reason } })).to.equal('gated sold');
      expect(refusal({ 2: { kind: 'gated', reason } }, 'buy')).to.equal('gated bought');
    }
    expect(refusal({ 2: { kind: 'unmeasurable' } })).to.equal('unmeasurable bought');
    expect(sell(open({ 2: { kind: 'gated', reason: 'paused' } }), ETHER)).to.deep.include({ reason: 'token-refused' });
  });
});

/** A transfer as the token's contract makes it at worst by what is modelled: the tax with its margin, max(1 bps, 1% of it), all rounded against the trader. */
function arriving(amount: bigint, measuredPpm: number): bigint {
  if (measuredPpm === 0) return amount;
  const marginPpm = Math.max(100, Math.ceil(measuredPpm / 100));
  return amount - (amount * BigInt(measuredPpm + marginPpm) + 999_999n) / 1_000_000n;
}

/** What the hops of a plan between tokens 1 and 2, each pool entered once, give by their shares alone. */
function replayTaxed(world: World, { hops }: Plan, amount: bigint, sellPpm: number, buyPpm: number): bigint {
  const held = new Map([[token(1) as string, amount]]);
  for (const hop of hops) {
    const from = held.get(hop.tokenIn) ?? 0n;
    const amountIn = (from * BigInt(hop.bps)) / BigInt(BPS_WHOLE);
    expect(amountIn).to.equal(hop.amountIn);
    const pool = world.pools.find(({ key }) => key === hop.poolKey);
    if (pool === undefined) throw new Error(`no pool ${hop.poolKey}`);
    const quote = quotePool(pool, hop.slotIn, hop.slotOut, hop.tokenIn === token(1) ? arriving(amountIn, sellPpm) : amountIn);
    if (!quote.ok) throw new Error(quote.reason);
    const amountOut = hop.tokenOut === token(2) ? arriving(quote.amountOut, buyPpm) : quote.amountOut;
    expect(amountOut).to.equal(hop.amountOut);
    held.set(hop.tokenIn, from - amountIn);
    held.set(hop.tokenOut, (held.get(hop.tokenOut) ?? 0n) + amountOut);
  }
  expect(held.get(token(1))).to.equal(0n);
  return held.get(token(2)) ?? 0n;
}

describe('A taxed sale', () => {
  const ppm = fc.constantFrom(0, 1, 4000, 10_000, 50_000, 123_457, 200_000);
  const amount = fc.bigInt({ min: 10_000n, max: 400n * ETHER });

  it('enters only pools whose legs measure their input, splits over them, and shows what leaves and what arrives, to the wei', () => {
    let splits = 0;
    fc.assert(
      fc.property(ppm, ppm, amount, fc.constantFrom<TaxScope>('universal', 'pool-only'), (sellPpm, buyPpm, input, scope) => {
        const world = open({ ...ALL_CLEAN, 1: taxed(sellPpm, sellPpm, scope), 2: taxed(buyPpm, 0, 'buy-only') });
        const plan = planOf(sell(world, input));
        const firsts = plan.hops.filter(({ tokenIn }) => tokenIn === token(1));
        splits += firsts.length > 1 ? 1 : 0;
        if (sellPpm > 0) expect(firsts.map(({ venue }) => venue)).to.deep.equal(firsts.map(() => 'uniswap_v2'));
        expect(plan.sellAmount).to.equal(input);
        expect(plan.grossAmount).to.equal(replayTaxed(world, plan, input, sellPpm, buyPpm));
        expect(plan.lossyEnds?.sell?.tax).to.deep.equal({ measuredPpm: sellPpm, scope, block: world.view.block.number });
        expect(plan.lossyEnds?.buy?.tax).to.deep.equal({ measuredPpm: buyPpm, scope: 'buy-only', block: world.view.block.number });
      }),
      { seed: SEED, numRuns: 60 },
    );
    expect(splits).to.be.greaterThan(20);
  });

  it('is worth what an untaxed sale of what arrives is, over the same pools', () => {
    const pairs = [POOLS[0], POOLS[1]] as readonly PoolEntry[];
    fc.assert(
      fc.property(ppm, fc.bigInt({ min: ETHER, max: 400n * ETHER }), (sellPpm, input) => {
        const plan = planOf(sell(open({ ...ALL_CLEAN, 1: taxed(sellPpm, sellPpm, 'universal') }, { pools: pairs }), input));
        const untaxed = planOf(sell(open(ALL_CLEAN, { pools: pairs }), arriving(input, sellPpm)));
        // Shares are the same; each split's tax rounds by itself.
        expect(Number(plan.grossAmount - untaxed.grossAmount)).to.be.within(-8, 0);
      }),
      { seed: SEED, numRuns: 30 },
    );
  });

  it('moved from the taker once by Permit2, of a token that taxes every transfer, it has one first hop; of one that taxes pools alone it may have more', () => {
    const firsts = (scope: TaxScope, pullsOnce: boolean) => {
      const plan = planOf(sell(open({ ...ALL_CLEAN, 1: taxed(10_000, 10_000, scope) }), 300n * ETHER, pullsOnce ? { pullsOnce } : {}));
      return plan.hops.filter(({ tokenIn }) => tokenIn === token(1)).length;
    };
    expect(firsts('universal', true)).to.equal(1);
    for (const scope of ['pool-only', 'sell-only'] as const) expect(firsts(scope, true)).to.be.greaterThan(1);
    expect(firsts('universal', false)).to.be.greaterThan(1);
  });

  it('a token whose balances are shares is sold two base units short of each transfer, and bought five short', () => {
    const world = open({ ...ALL_CLEAN, 1: { kind: 'imprecise' } }, { pools: [POOLS[0]] as readonly PoolEntry[] });
    const plan = planOf(sell(world, ETHER));
    const pool = world.pools[0];
    if (pool === undefined) throw new Error('no pool');
    const sold = quotePool(pool, 0, 1, ETHER - 2n);
    expect([plan.sellAmount, plan.grossAmount]).to.deep.equal([ETHER, sold.ok ? sold.amountOut : null]);
    expect(plan.lossyEnds?.sell).to.deep.include({ tax: null });
    const bought = planOf(sell(open({ ...ALL_CLEAN, 2: { kind: 'imprecise' } }, { pools: [POOLS[0]] as readonly PoolEntry[] }), ETHER));
    const whole = quotePool(pool, 0, 1, ETHER);
    expect(bought.grossAmount).to.equal((whole.ok ? whole.amountOut : 0n) - 5n);
  });

  it('is certified by the tax that was measured since, and does not hold where the token may no longer be traded', () => {
    const world = (tax: TransferVerdict) => open({ ...ALL_CLEAN, 1: tax });
    const before = world(taxed(10_000, 10_000, 'universal'));
    const plan = planOf(sell(before, 50n * ETHER));
    const deadline = Number.POSITIVE_INFINITY as InstantMs;
    const asked = { chainId: 31337, sellToken: token(1), buyToken: token(2), sellAmount: plan.sellAmount, hops: plan.hops, deadline };
    expect(before.certify(asked, before.view)).to.deep.include({ ok: true, grossAmount: plan.grossAmount });
    const dearer = world(taxed(20_000, 20_000, 'universal'));
    const now = dearer.certify(asked, dearer.view);
    expect(now.ok && now.grossAmount < plan.grossAmount && now.restated?.lossyEnds?.sell?.tax?.measuredPpm).to.equal(20_000);
    const gated = world({ kind: 'gated', reason: 'paused' });
    expect(gated.certify(asked, gated.view)).to.deep.include({ ok: false, reason: 'refused' });
  });
});

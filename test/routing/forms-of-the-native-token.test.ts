import { expect } from 'chai';
import fc from 'fast-check';
import type { Plan, SolveJob } from '../../src/routing/routing.ts';
import { type Address, type InstantMs, NATIVE_TOKEN } from '../../src/units/units.ts';
import { check } from '../support/property.ts';
import { MAKER, maker } from './made-up-maker.ts';
import { NATIVE_PAIR, pairOfForm } from './made-up-native-pair.ts';
import { type MadeUpPool, type MadeUpWorld, openMadeUpWorld } from './made-up-world.ts';
import { replayForms } from './replay-forms.ts';
import { job, planOf, token } from './world.ts';

const E18 = 10n ** 18n;
const ALL = new Map([
  ['native_pair', NATIVE_PAIR],
  ['maker', MAKER],
]);
const WRAPPED = token(0);
const DEEP = [10_000n * E18, 10_000n * E18] as const;

type Form = 'native' | 'wrapped';

function solved(pools: readonly MadeUpPool[], sell: Address, buy: Address, amount: bigint, more: Partial<SolveJob> = {}): { open: MadeUpWorld; plan: Plan } {
  const open = openMadeUpWorld(ALL, pools);
  const plan = planOf(open.solve(job(sell, buy, amount, more)));
  expect(replayForms(open, ALL, pools, plan, sell)).to.deep.equal(new Map([[buy, plan.grossAmount]]));
  return { open, plan };
}

function wrapsOf({ hops }: Plan) {
  return hops.filter(({ protocol }) => protocol === 'WRAP').map(({ tokenIn, bps, amountIn }) => ({ tokenIn, bps, amountIn }));
}

/** Token 1 into token 2 over the native token, by one pair each way. */
function overNative(first: Form, second: Form): readonly MadeUpPool[] {
  return [pairOfForm(0, [0, 1], DEEP, first), pairOfForm(1, [0, 2], DEEP, second)];
}

describe('the form of the native token along a route', () => {
  it('needs no WRAP hop where a native pool follows a native one, or a wrapped one a wrapped one', () => {
    for (const form of ['native', 'wrapped'] as const) {
      expect(wrapsOf(solved(overNative(form, form), token(1), token(2), E18).plan)).to.deep.equal([]);
    }
  });

  it('changes whole in the middle where the next pool takes the other form', () => {
    const wrapping = solved(overNative('native', 'wrapped'), token(1), token(2), E18).plan;
    expect(wrapsOf(wrapping)).to.deep.equal([{ tokenIn: NATIVE_TOKEN, bps: 10_000, amountIn: wrapping.hops[0]?.amountOut }]);
    const unwrapping = solved(overNative('wrapped', 'native'), token(1), token(2), E18).plan;
    expect(wrapsOf(unwrapping)).to.deep.equal([{ tokenIn: WRAPPED, bps: 10_000, amountIn: unwrapping.hops[0]?.amountOut }]);
  });

  it('needs no WRAP hop at an end that has the form of its pool, and one at an end that has not', () => {
    for (const form of ['native', 'wrapped'] as const) {
      for (const end of ['native', 'wrapped'] as const) {
        const own = end === 'native' ? NATIVE_TOKEN : WRAPPED;
        const pools = [pairOfForm(0, [0, 1], DEEP, form)];
        for (const [sell, buy] of [
          [own, token(1)],
          [token(1), own],
        ] as const) {
          expect(wrapsOf(solved(pools, sell, buy, E18).plan), `${form} pool, ${end} end`).to.have.lengthOf(form === end ? 0 : 1);
        }
      }
    }
  });

  it('changes for one share of what is sold where pools of both forms divide it', () => {
    const pools = [pairOfForm(0, [0, 1], DEEP, 'native'), pairOfForm(1, [0, 1], DEEP, 'wrapped')];
    const { plan } = solved(pools, NATIVE_TOKEN, token(1), 1000n * E18);
    expect(wrapsOf(plan)).to.deep.equal([{ tokenIn: NATIVE_TOKEN, bps: 5000, amountIn: 500n * E18 }]);
  });

  it('changes only by what one form lacks where both arrive and both are taken', () => {
    const arriving = [pairOfForm(0, [0, 1], DEEP, 'native'), pairOfForm(1, [0, 1], DEEP, 'wrapped')];
    const thin = [1000n * E18, 1000n * E18] as const;
    for (const thinForm of ['native', 'wrapped'] as const) {
      const taking = [
        pairOfForm(2, [0, 2], thinForm === 'native' ? thin : DEEP, 'native'),
        pairOfForm(3, [0, 2], thinForm === 'wrapped' ? thin : DEEP, 'wrapped'),
      ];
      const { plan } = solved([...arriving, ...taking], token(1), token(2), 1000n * E18);
      const [wrap, ...more] = wrapsOf(plan);
      expect(more).to.deep.equal([]);
      // Halves arrive; the thin pool takes an eleventh.
      expect(wrap?.tokenIn).to.equal(thinForm === 'native' ? NATIVE_TOKEN : WRAPPED);
      expect(wrap?.bps).to.be.within(8100, 8260);
    }
  });

  it('leaves a pool that takes no more than so much its place, whichever form it takes', () => {
    for (let step = 0n; step < 12n; step++) {
      // The maker pays 1.02 for a wrapped unit up to its balance, and is the only one that takes that form.
      const balance = (100n + 37n * step) * E18 + E18 / 3n;
      const desk = { id: 4, venue: 'maker', tokens: [0, 2], state: maker(1020n, balance) };
      const pools = [pairOfForm(0, [0, 1], DEEP, 'native'), pairOfForm(1, [0, 1], DEEP, 'wrapped'), pairOfForm(2, [0, 2], DEEP, 'native'), desk];
      const { plan } = solved(pools, token(1), token(2), 2000n * E18);
      const filled = plan.hops.find(({ protocol }) => protocol === 'maker')?.amountOut ?? 0n;
      expect(filled <= balance && filled * 1000n > balance * 990n, `${filled} of ${balance}`).to.equal(true);
    }
  });

  it('leaves several pools that are full their places too, where rounding would ask one of them for a wei more than it has', () => {
    const desks = fc.array(fc.record({ rate: fc.bigInt(1005n, 1020n), balance: fc.bigInt(20n * E18, 300n * E18) }), { minLength: 2, maxLength: 5 });
    check(
      fc.property(desks, fc.bigInt(100n * E18, 2000n * E18), (full, depth) => {
        const output = (asErc20: boolean) => {
          const own = asErc20 ? 'wrapped' : 'native';
          const makers = full.map(({ rate, balance }, at) => ({ id: 10 + at, venue: 'maker', tokens: [0, 2], state: maker(rate, balance) }));
          const given = [pairOfForm(0, [0, 1], DEEP, own), pairOfForm(1, [0, 1], DEEP, 'wrapped')];
          const taking = [pairOfForm(2, [0, 2], [depth, depth], own), pairOfForm(3, [0, 2], DEEP, 'wrapped')];
          return solved([...given, ...taking, ...makers], token(1), token(2), 2500n * E18).plan.grossAmount;
        };
        const [got, had] = [output(false), output(true)];
        expect(got >= had - had / 5000n, `${got} where one form gives ${had}`).to.equal(true);
      }),
      60,
    );
  });

  it('is priced again as it was planned', () => {
    const pools = [
      pairOfForm(0, [0, 1], DEEP, 'native'),
      pairOfForm(1, [0, 1], DEEP, 'wrapped'),
      pairOfForm(2, [0, 2], [7000n * E18, 7000n * E18], 'native'),
      pairOfForm(3, [0, 2], DEEP, 'wrapped'),
    ];
    for (const [sell, buy] of [
      [token(1), token(2)],
      [NATIVE_TOKEN, token(2)],
      [token(1), NATIVE_TOKEN],
    ] as const) {
      const { open, plan } = solved(pools, sell, buy, 900n * E18);
      const again = {
        chainId: 31337,
        sellToken: sell,
        buyToken: buy,
        sellAmount: plan.sellAmount,
        hops: plan.hops,
        deadline: Number.POSITIVE_INFINITY as InstantMs,
      };
      expect(open.certify(again, open.view)).to.deep.include({ ok: true, grossAmount: plan.grossAmount });
    }
  });
});

describe('random routes over native and ERC-20 pools', () => {
  const ends = fc.constantFrom<readonly [number, number]>([0, 1], [0, 1], [0, 2], [0, 2], [0, 3], [1, 3], [2, 3], [1, 2]);
  const drafts = fc.array(
    fc.record({
      ends,
      form: fc.constantFrom<Form>('native', 'wrapped'),
      depth: fc.double({ min: 20, max: 23, noNaN: true }),
      skew: fc.integer({ min: 995, max: 1005 }),
    }),
    { minLength: 5, maxLength: 12 },
  );
  const sides = fc.constantFrom<readonly [Address, Address]>(
    [token(1), token(2)],
    [token(1), token(2)],
    [NATIVE_TOKEN, token(2)],
    [WRAPPED, token(2)],
    [token(1), NATIVE_TOKEN],
    [token(1), WRAPPED],
  );
  const requests = fc.record({
    sides,
    exponent: fc.oneof(
      { weight: 1, arbitrary: fc.double({ min: 1, max: 23, noNaN: true }) },
      { weight: 3, arbitrary: fc.double({ min: 19, max: 22.5, noNaN: true }) },
    ),
    maxHops: fc.integer({ min: 1, max: 4 }),
    mode: fc.constantFrom('sell' as const, 'buy' as const),
    gasPriceWei: fc.constantFrom(null, 10n ** 9n),
  });

  function build(
    all: readonly { readonly ends: readonly [number, number]; readonly form: Form; readonly depth: number; readonly skew: number }[],
    asErc20: boolean,
  ) {
    return all.map(({ ends: tokens, form, depth, skew }, id) => {
      const reserve = BigInt(Math.round(10 ** depth));
      return pairOfForm(id, tokens, [reserve, (reserve * BigInt(skew)) / 1000n], asErc20 ? 'wrapped' : form);
    });
  }

  it('replay to the wei with two balances, leave nothing of either, change form once at most and only by what is lacking, at no loss beyond rounding', () => {
    let [shared, routes] = [0, 0];
    check(
      fc.property(drafts, requests, (all, { sides: [sell, buy], exponent, maxHops, mode, gasPriceWei }) => {
        const amount = BigInt(Math.round(10 ** exponent));
        const pools = build(all, false);
        const open = openMadeUpWorld(ALL, pools);
        const request = job(sell, buy, amount, { mode, maxHops, gasPriceWei });
        const result = open.solve(request);
        const plain = openMadeUpWorld(ALL, build(all, true)).solve(request);
        expect(result.ok).to.equal(plain.ok);
        if (!result.ok || !plain.ok) return;
        const { plan } = result;
        expect(replayForms(open, ALL, pools, plan, sell)).to.deep.equal(new Map([[buy, plan.grossAmount]]));
        if (mode === 'buy') expect(plan.grossAmount >= amount).to.equal(true);
        else expect(plan.sellAmount).to.equal(amount);
        const wraps = wrapsOf(plan);
        expect(wraps).to.have.lengthOf.at.most(1);
        for (const { tokenIn, amountIn } of wraps) {
          // What is made of the form would otherwise be missing: without the hop its takers would find less than they take.
          const made = tokenIn === NATIVE_TOKEN ? WRAPPED : NATIVE_TOKEN;
          const pooled = plan.hops.filter(({ protocol }) => protocol !== 'WRAP');
          const sum = (amounts: readonly bigint[]) => amounts.reduce((total, each) => total + each, 0n);
          const arrived = sum(pooled.filter(({ tokenOut }) => tokenOut === made).map(({ amountOut }) => amountOut)) + (sell === made ? plan.sellAmount : 0n);
          const taken = sum(pooled.filter((hop) => hop.tokenIn === made).map((hop) => hop.amountIn)) + (buy === made ? plan.grossAmount : 0n);
          expect(amountIn).to.equal(taken - arrived);
        }
        routes++;
        if (wraps.some(({ bps }) => bps < 10_000)) shared++;
        if (gasPriceWei !== null) return;
        const [got, had] = mode === 'sell' ? [plan.grossAmount, plain.plan.grossAmount] : [plain.plan.sellAmount, plan.sellAmount];
        expect(got + 10n >= had - had / 10_000n, `${got} where one form gives ${had}`).to.equal(true);
      }),
      120,
    );
    expect(shared, `of ${routes} routes`).to.be.above(5);
  });
});

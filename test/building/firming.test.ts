import { expect } from 'chai';
import fc from 'fast-check';
import type { SwapBuild } from '../../src/building/building.ts';
import { driftExposedShareBps } from '../../src/building/firming/drift-exposed.ts';
import type { SignedHop } from '../../src/building/firming/firm-hops.ts';
import { hopsToFirm, judgeFirmHop } from '../../src/building/firming/hops-to-firm.ts';
import { signedFirst, steadyTokens } from '../../src/building/firming/signed-first.ts';
import { withSigned } from '../../src/building/firming/with-signed.ts';
import type { Plan, PlanHop } from '../../src/routing/routing.ts';
import { type Address, asAddress, asBps, asWei, type EpochSeconds, NATIVE_TOKEN, ZERO_ADDRESS } from '../../src/units/units.ts';
import type { FirmHop, HopToFirm } from '../../src/venues/venues.ts';
import { seeded } from '../validation/seeded.ts';

const [A, B, C, W, TAKER, USER, ROUTER] = ['01', '02', '03', '04', '05', '06', '07'].map((byte) => asAddress(`0x${byte.repeat(20)}`)) as [
  Address,
  Address,
  Address,
  Address,
  Address,
  Address,
  Address,
];
const MAKER = 'stall';

function hop(venue: string, tokenIn: Address, tokenOut: Address, amountIn: bigint, amountOut: bigint, bps = 10_000): PlanHop {
  const protocol = venue === '' ? 'WRAP' : venue;
  return {
    ...{ poolAddress: ZERO_ADDRESS, poolKey: `${venue}${tokenIn}${tokenOut}`, venue, protocol, source: protocol, hook: null, legFacts: { of: venue } },
    ...{ slotIn: 0, slotOut: 1, tokenIn, tokenOut, amountIn: asWei(amountIn), amountOut: asWei(amountOut), bps: asBps(bps), gas: 1 },
  };
}

const isMaker = ({ venue }: PlanHop) => venue === MAKER;
const planOf = (hops: readonly PlanHop[], sellAmount: bigint, grossAmount: bigint) => ({ hops, sellAmount, grossAmount }) as unknown as Plan;
const signed = (amountIn: bigint, amountOut: bigint, expiry = 9) =>
  ({ ok: true, amountIn, amountOut, legFacts: { nonce: 7 }, expiry: expiry as EpochSeconds }) as const;

describe('hops that somebody has to sign', () => {
  const buildOf = (changes: object) =>
    ({
      request: {
        mode: 'sell',
        sellToken: A,
        taker: TAKER,
        recipient: B,
        userAddress: USER,
        overrides: { router: null },
        slippage: { numerator: 1n, scale: 0 },
        ...changes,
      },
      hosted: { contracts: { router: ROUTER } },
      firmHops: new Map([[MAKER, {}]]),
      deadline: 5n,
    }) as unknown as SwapBuild;

  it('are asked for just what is planned where they are fed by the sell token, and for what it becomes by changing its form', () => {
    const plain = [hop('pool', A, C, 40n, 40n, 4000), hop(MAKER, A, C, 60n, 61n)];
    const [asked, ...more] = hopsToFirm(buildOf({}), { hops: plain });
    expect(more).to.deep.equal([]);
    expect(asked).to.deep.include({ place: 1, venue: MAKER });
    const parties = { taker: TAKER, recipient: B, user: USER, router: ROUTER, deadline: 5 };
    expect(asked?.hop).to.deep.include({ ...parties, mode: 'sell', amountIn: 60n, amountOut: 61n, leastOut: 60n, tokenIn: A, tokenOut: C, taxedInput: false });
    expect(hopsToFirm(buildOf({ userAddress: null }), { hops: plain })[0]?.hop.user).to.equal(TAKER);
    const wrapped = [hop('', NATIVE_TOKEN, W, 1_000n, 1_000n), hop(MAKER, W, C, 1_000n, 900n)];
    expect(hopsToFirm(buildOf({ sellToken: NATIVE_TOKEN }), { hops: wrapped })[0]?.hop).to.deep.include({ amountIn: 1_000n, amountOut: 900n });
  });

  it('are asked for less slippage, and half a percent at most, where what feeds them may drift; in `buy` for what is planned', () => {
    const hops = [hop('pool', A, B, 1_000n, 2_000n), hop(MAKER, B, C, 2_000n, 4_000n)];
    const half = hopsToFirm(buildOf({}), { hops })[0]?.hop;
    expect(half).to.deep.include({ amountIn: 1_990n, amountOut: 3_980n, leastOut: 3_940n });
    expect(hopsToFirm(buildOf({ slippage: { numerator: 1n, scale: 1 } }), { hops })[0]?.hop.amountIn).to.equal(1_998n);
    expect(hopsToFirm(buildOf({ mode: 'buy' }), { hops })[0]?.hop).to.deep.include({ amountIn: 2_000n, amountOut: 4_000n, leastOut: 4_000n });
    expect(steadyTokens(hops, A)).to.deep.equal(new Set([A]));
    // What pools give beside the change of form drifts too.
    const mixed = [hop('', NATIVE_TOKEN, W, 500n, 500n, 5000), hop('pool', NATIVE_TOKEN, W, 500n, 499n), hop(MAKER, W, C, 999n, 900n)];
    expect([...steadyTokens(mixed, NATIVE_TOKEN)]).to.deep.equal([NATIVE_TOKEN]);
    // And so does what that becomes by a change of form.
    const unwrapped = [hop('pool', A, W, 1_000n, 900n), hop('', W, NATIVE_TOKEN, 900n, 900n), hop(MAKER, NATIVE_TOKEN, C, 900n, 800n)];
    expect([...steadyTokens(unwrapped, A)]).to.deep.equal([A]);
  });

  it('come before the pools of a token that may drift, with shares that hold what is planned, and stay where it can not', () => {
    const hops = [hop('pool', A, B, 1_000n, 3_000n), hop('pool', B, C, 1_000n, 1n, 3334), hop('other', B, C, 500n, 1n, 2500), hop(MAKER, B, C, 1_500n, 1n)];
    const turned = signedFirst(hops, A, isMaker);
    expect(turned.map(({ venue, bps }) => [venue, bps])).to.deep.equal([
      ['pool', 10_000],
      [MAKER, 5_000],
      ['pool', 6_667],
      ['other', 10_000],
    ]);
    expect(signedFirst(turned, A, isMaker)).to.deep.equal(turned);
    const ofSold = [hop('pool', A, C, 40n, 40n, 4000), hop(MAKER, A, C, 60n, 61n)];
    expect(signedFirst(ofSold, A, isMaker)).to.equal(ofSold);
  });

  it('get shares of at least what is planned for them, whatever the amounts', () => {
    const amount = fc.bigInt({ min: 1n, max: 10n ** 30n });
    fc.assert(
      fc.property(fc.array(fc.record({ amount, signs: fc.boolean() }), { minLength: 1, maxLength: 6 }), (parts) => {
        const total = parts.reduce((sum, each) => sum + each.amount, 0n);
        const hops = [hop('pool', A, B, 1n, total), ...parts.map(({ amount, signs }) => hop(signs ? MAKER : 'pool', B, C, amount, amount))];
        const turned = signedFirst(hops, A, isMaker).filter(({ tokenIn }) => tokenIn === B);
        if (!turned.some(isMaker) || turned.every((each, at) => each === hops[at + 1])) return;
        let left = total;
        for (const { amountIn, bps, venue } of turned) {
          if (venue === MAKER) expect((left * BigInt(bps)) / 10_000n >= amountIn).to.equal(true);
          left -= amountIn;
        }
        expect(turned.at(-1)?.bps).to.equal(10_000);
      }),
      seeded(200),
    );
  });

  it('are held against what was asked: another amount is none, and what is worse by more than the request allows neither (B11)', () => {
    const sell = { mode: 'sell', amountIn: 100n, amountOut: 200n, leastOut: 199n } as HopToFirm;
    const buy = { mode: 'buy', amountIn: 100n, amountOut: 200n, leastOut: 200n } as HopToFirm;
    const cases: readonly (readonly [HopToFirm, FirmHop, string])[] = [
      [sell, signed(100n, 200n), 'ok'],
      [sell, signed(100n, 199n), 'ok'],
      [sell, signed(100n, 300n), 'ok'],
      [sell, signed(100n, 198n), 'worse'],
      [sell, signed(99n, 200n), 'invalid'],
      [sell, signed(101n, 200n), 'invalid'],
      [sell, signed(100n, 0n), 'invalid'],
      [buy, signed(100n, 200n), 'ok'],
      [buy, signed(99n, 200n), 'ok'],
      [buy, signed(101n, 200n), 'worse'],
      [buy, signed(100n, 199n), 'worse'],
      [buy, signed(0n, 200n), 'invalid'],
      [buy, { ok: false, reason: 'busy' }, 'busy'],
    ];
    for (const [asked, answer, end] of cases) {
      const judged = judgeFirmHop(asked, answer);
      expect(judged.ok ? 'ok' : judged.reason, JSON.stringify(end)).to.equal(end);
    }
  });
});

describe('a plan with what was signed', () => {
  it('has the signed amounts, and of what is behind them no more than was planned', () => {
    const hops = [hop(MAKER, A, B, 1_000n, 2_000n), hop('pool', B, C, 2_000n, 4_000n)];
    const gives = (amountOut: bigint) => withSigned(planOf(hops, 1_000n, 4_000n), A, C, new Map([[0, signed(1_000n, amountOut)]]));
    expect(gives(1_990n)?.grossAmount).to.equal(3_980n);
    expect(gives(2_500n)?.grossAmount).to.equal(4_000n);
    expect(gives(1_990n)?.hops[0]).to.deep.include({ amountOut: 1_990n, legFacts: { of: MAKER, nonce: 7 } });
  });

  it('sells what its one order takes, where that is less', () => {
    const found = withSigned(planOf([hop(MAKER, A, C, 1_000n, 2_000n)], 1_000n, 2_000n), A, C, new Map([[0, signed(990n, 2_000n)]]));
    expect(found).to.deep.include({ sellAmount: 990n, grossAmount: 2_000n });
  });

  it('is none where one order gives less than the next was signed for', () => {
    const hops = [hop(MAKER, A, B, 1_000n, 2_000n), hop(MAKER, B, C, 2_000n, 4_000n)];
    const orders = (given: bigint) => new Map([0, 1].map((place) => [place, place === 0 ? signed(1_000n, given) : signed(1_990n, 3_980n)] as const));
    expect(withSigned(planOf(hops, 1_000n, 4_000n), A, C, orders(1_989n))).to.equal(null);
    expect(withSigned(planOf(hops, 1_000n, 4_000n), A, C, orders(1_990n))?.grossAmount).to.equal(3_980n);
  });
});

describe('the share of the output that can drift (S17)', () => {
  const order = (place: number): SignedHop => ({ place, signs: 'order', amountIn: 1n, amountOut: 1n, expiry: 1 as EpochSeconds });
  const exposed = (hops: readonly PlanHop[], ...orders: readonly SignedHop[]) => driftExposedShareBps({ hops }, A, C, orders);

  it('is 0 where orders, vaults and changes of form fund all of it, and 10000 where none does', () => {
    expect(exposed([hop(MAKER, A, C, 1n, 9n)], order(0))).to.equal(0);
    expect(exposed([hop('erc4626', A, B, 1n, 9n), hop(MAKER, B, C, 9n, 9n)], order(1))).to.equal(0);
    expect(driftExposedShareBps({ hops: [hop('', NATIVE_TOKEN, W, 9n, 9n), hop(MAKER, W, C, 9n, 9n)] }, NATIVE_TOKEN, C, [order(1)])).to.equal(0);
    expect(exposed([hop('pool', A, C, 1n, 9n)])).to.equal(10_000);
    // An order that a pool feeds is no more pinned than the pool.
    expect(exposed([hop('pool', A, B, 1n, 9n), hop(MAKER, B, C, 9n, 9n)], order(1))).to.equal(10_000);
    expect(exposed([hop(MAKER, A, C, 1n, 9n)], { ...order(0), signs: 'issuance' })).to.equal(10_000);
  });

  it('is the mean over what gave a token, by amount, rounded up', () => {
    const split = [hop(MAKER, A, C, 1n, 1n, 3333), hop('pool', A, C, 2n, 2n)];
    expect(exposed(split, order(0))).to.equal(10_000 - 3333);
    const deep = [hop(MAKER, A, B, 1n, 3n, 5000), hop('pool', A, B, 1n, 1n), hop('erc4626', B, C, 2n, 2n, 5000), hop('pool', B, C, 2n, 2n)];
    expect(exposed(deep, order(0))).to.equal(10_000 - 3750);
  });
});

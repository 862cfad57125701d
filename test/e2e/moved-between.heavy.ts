import { expect } from 'chai';
import { toFunctionSelector } from 'viem';
import type { DevnetPool } from '../../src/devnet/devnet.ts';
import { createRandom } from '../../src/random.ts';
import { openActivity } from '../chain/indexing/activity.ts';
import { type BalancerActivity, openBalancerActivity } from '../chain/indexing/balancer-activity.ts';
import { type CurveActivity, openCurveActivity } from '../chain/indexing/curve-activity.ts';
import { curveKindOf } from '../chain/indexing/curve-state.ts';
import { openSolidlyActivity, type SolidlyActivity } from '../chain/indexing/solidly-activity.ts';
import { useBraid } from '../support/braid.ts';
import { SEED } from '../support/seeded-random.ts';
import { approveAll, canPay, executeExactly, settleHead, type Taker, takeBack, takerOf, type WireSwap } from './swap-check.ts';

/** The router's BelowMinimum(uint256,uint256). */
const FLOOR = toFunctionSelector('BelowMinimum(uint256,uint256)');
const ONE = 10n ** 18n;
const NINE_HOURS = 9 * 3600;

type Ground = { readonly taker: Taker; readonly solidly: SolidlyActivity; readonly balancer: BalancerActivity; readonly curve: CurveActivity };
type Outcome = 'held by the floor' | 'delivers the floor or more' | 'refused by the venue';
type Change = {
  readonly name: string;
  readonly family: string;
  /** The swap sells the last of its tokens for the first. */
  pool(ground: Ground): DevnetPool | undefined;
  apply(ground: Ground, pool: DevnetPool): Promise<void>;
  readonly outcomes: readonly Outcome[];
  /** What the service answers once it has seen the change: an exact route, one if there is another pool, or what it did before, since no log tells. */
  readonly after: 'a route' | 'another route or none' | 'as before';
};

const HELD: readonly Outcome[] = ['held by the floor'];
const DELIVERED: readonly Outcome[] = ['delivers the floor or more'];
const REFUSED: readonly Outcome[] = ['refused by the venue'];

const CHANGES: readonly Change[] = [
  {
    name: 'a factory’s fee of one pool rises',
    family: 'aerodrome',
    pool: ({ solidly }) => solidly.pools[0],
    apply: ({ solidly }, { address }) => solidly.setCustomFee(address, 300n),
    outcomes: HELD,
    after: 'a route',
  },
  {
    name: 'a factory’s fee of one pool falls to nothing',
    family: 'aerodrome',
    pool: ({ solidly }) => solidly.pools[0],
    apply: ({ solidly }, { address }) => solidly.setCustomFee(address, 420n),
    outcomes: DELIVERED,
    after: 'a route',
  },
  {
    name: 'a factory’s default fee rises, of which no log tells',
    family: 'aerodrome',
    pool: ({ solidly }) => solidly.pools[0],
    async apply({ solidly }) {
      for (const stable of [true, false]) await solidly.setDefaultFee(stable, 300n);
    },
    outcomes: HELD,
    after: 'as before',
  },
  {
    name: 'a factory pauses all trade',
    family: 'aerodrome',
    pool: ({ solidly }) => solidly.pools[0],
    apply: ({ solidly }) => solidly.setPaused(true),
    outcomes: REFUSED,
    after: 'another route or none',
  },
  {
    name: 'a pool is paused',
    family: 'balancer_v2',
    pool: ({ balancer }) => balancer.stable[0],
    apply: ({ balancer }, pool) => balancer.setPoolPaused(pool, true),
    outcomes: REFUSED,
    after: 'another route or none',
  },
  {
    name: 'an amplification begins to move, and hours of its ramp pass',
    family: 'balancer_v2',
    pool: ({ balancer }) => balancer.stable[0],
    async apply({ balancer, taker }, pool) {
      await balancer.startRamp(pool, 300n);
      await taker.rpc('evm_increaseTime', NINE_HOURS);
      await taker.rpc('evm_mine');
    },
    outcomes: [...HELD, ...DELIVERED],
    after: 'a route',
  },
  {
    name: 'a rate that a pool goes by halves',
    family: 'curve',
    pool: ({ curve }) => curve.pools.find((pool) => curveKindOf(pool) === 'ng'),
    apply: ({ curve }) => curve.setRate(ONE / 2n),
    outcomes: HELD,
    after: 'a route',
  },
  {
    name: 'a rate that a pool goes by rises',
    family: 'curve',
    pool: ({ curve }) => curve.pools.find((pool) => curveKindOf(pool) === 'ng'),
    apply: ({ curve }) => curve.setRate((11n * ONE) / 10n),
    outcomes: DELIVERED,
    after: 'a route',
  },
];

describe('what moves at a venue between a quote and its execution', function suite() {
  this.timeout(600_000);
  const braid = useBraid({ env: { FRESHNESS_BOUND_MS: '600000' } });
  let ground: Ground;

  before(async () => {
    const { devnet } = braid.current();
    if (devnet === null) throw new Error('only on the devnet');
    const taker = takerOf(braid.current());
    await taker.rpc('evm_setIntervalMining', 0);
    const random = createRandom(SEED).unit;
    const activity = await openActivity(devnet, random);
    await approveAll(taker);
    const [solidly, balancer, curve] = [
      await openSolidlyActivity(devnet, activity, random),
      await openBalancerActivity(devnet, activity, random),
      await openCurveActivity(devnet, activity, random),
    ];
    ground = { taker, solidly, balancer, curve };
  });

  /** A thousand dollars over the pool alone, at a floor that is the quote itself but for a tenth of a millionth. */
  async function ask({ tokens }: DevnetPool, family: string): Promise<WireSwap | null> {
    const { taker } = ground;
    const [buyToken, sellToken] = [tokens[0], tokens.at(-1)];
    const facts = taker.devnet.tokens.find(({ address }) => address === sellToken);
    if (facts === undefined || sellToken === undefined) throw new Error('a token of the devnet');
    const sellAmount = (BigInt(Math.round(1e9 / facts.usd)) * 10n ** BigInt(facts.decimals ?? 18)) / 1_000_000n;
    await settleHead(braid.current(), taker);
    const { timestamp } = await taker.reader.getBlock();
    const { status, swap, text } = await taker.ask({
      mode: 'sell',
      sellToken,
      buyToken,
      sellAmount: String(sellAmount),
      includeVenues: family,
      maxHops: '1',
      slippagePct: '0.00001',
      deadline: String(timestamp + 2n * BigInt(NINE_HOURS)),
    });
    if (status === 404) return null;
    expect(status, text).to.equal(200);
    expect(await canPay(taker, swap)).to.equal(true);
    return swap;
  }

  async function outcomeOf({ transaction, buyToken, recipient, minBuyAmount }: WireSwap): Promise<Outcome> {
    const { taker } = ground;
    const { to, data, value } = transaction;
    try {
      await taker.reader.estimateGas({ account: taker.account.address, to, data, value: BigInt(value) });
    } catch (error) {
      return String(error).includes(FLOOR) ? 'held by the floor' : 'refused by the venue';
    }
    const before = await taker.balance(buyToken, recipient);
    const hash = await taker.wallet.sendTransaction({ to, data, value: BigInt(value), gas: 3_000_000n });
    await taker.rpc('evm_mine');
    expect((await taker.reader.waitForTransactionReceipt({ hash })).status).to.equal('success');
    expect((await taker.balance(buyToken, recipient)) - before >= BigInt(minBuyAmount)).to.equal(true);
    return 'delivers the floor or more';
  }

  for (const { name, family, pool: choose, apply, outcomes, after } of CHANGES) {
    it(`${name} (${family}): ${outcomes.join(', or ')}${after === 'as before' ? '' : '; and the next answer is exact'}`, async () => {
      const { taker } = ground;
      const pool = choose(ground);
      if (pool === undefined) throw new Error('no such pool on the devnet');
      const snapshot = await taker.rpc('evm_snapshot');
      const before = await ask(pool, family);
      if (before === null) throw new Error('no route before the change');
      expect(before.route.map(({ poolAddress }) => poolAddress.toLowerCase())).to.include(pool.address);
      await apply(ground, pool);
      expect(outcomes).to.include(await outcomeOf(before));
      const next = await ask(pool, family);
      if (after === 'a route') expect(next).to.not.equal(null);
      if (next !== null && after !== 'as before') await executeExactly(taker, next, name);
      await takeBack(taker, snapshot);
    });
  }
});

import { expect } from 'chai';
import { dualBound, readMarket } from '../../src/bound/bound.ts';
import { boundsOn } from '../../src/offline/bounds.ts';
import { decodeRow, lossBps, type SolveOne, solveRequests } from '../../src/offline/offline.ts';
import type { Plan, SolveJob } from '../../src/routing/routing.ts';
import { createSolver } from '../../src/routing/routing.ts';
import { type Address, asAddress, asWei, instantNow, NATIVE_TOKEN } from '../../src/units/units.ts';
import { loadSolverVenues, type SolverVenues } from '../../src/venues/venues.ts';
import { job } from '../routing/world.ts';
import { type OpenMarket, openMarket, type SmallPool, tokenAddress } from '../routing-oracle/small-market.ts';

const [RESERVE_IN, RESERVE_OUT] = [4_000_000_000_000_000n, 9_000_000_000_000_000n];
const KEEP = 0.997;
/** The bound is bisected to a hundred-millionth. */
const CLOSE = 2e-8;

const TARGET = 10n ** 15n;

function pool(id: number, venue = 'uniswap_v2'): SmallPool {
  const address = `0x${(0xaa00 + id).toString(16).padStart(40, '0')}`;
  const reserves = [String(RESERVE_IN), String(RESERVE_OUT)];
  return { id: address, kind: 'constantProduct', venue, tokens: [tokenAddress(0), tokenAddress(1)], reserves, feePpm: 3000 };
}

/** What pools side by side ask for a target together, without rounding. */
function inputOf(pools: number, target: bigint): number {
  const share = Number(target) / pools;
  return (pools * Number(RESERVE_IN) * share) / (KEEP * (Number(RESERVE_OUT) - share));
}

function outputOf(pools: number, amount: bigint): number {
  const share = (KEEP * Number(amount)) / pools;
  return (pools * Number(RESERVE_OUT) * share) / (Number(RESERVE_IN) + share);
}

const SLACK_AMOUNT = 1522n;
const SLACK_POOLS: readonly SmallPool[] = [
  { ...pool(1), tokens: [tokenAddress(0), tokenAddress(2)], reserves: ['7772551413780', '30563309035'] },
  { ...pool(2), tokens: [tokenAddress(1), tokenAddress(2)], reserves: ['627914', '117361'] },
  { ...pool(3), tokens: [tokenAddress(1), tokenAddress(2)], reserves: ['2278893220864428', '425730302017045'], feePpm: 100 },
];

function jobOf(mode: 'sell' | 'buy', amount: bigint, [sell, buy]: readonly [Address, Address] = [addressOf(0), addressOf(1)]): SolveJob {
  return job(sell, buy, amount, { chainId: 1, mode });
}

function addressOf(token: number): Address {
  return asAddress(tokenAddress(token));
}

describe('the bounds of offline answers', () => {
  let venues: SolverVenues;
  before(async () => {
    venues = await loadSolverVenues();
  });

  const planFor = ({ loaded, read }: OpenMarket, job: SolveJob): Plan => {
    const chain = { chainId: 1, wrappedNative: loaded.wrappedNative, minimumGasPriceWei: 0n };
    const result = read((view) => createSolver({ chain, venues, now: instantNow, cancelled: () => false }).solve(job, view));
    if (!result.ok) throw new Error(result.reason);
    return result.plan;
  };
  const open = (pools: readonly SmallPool[], tokens = 2) => {
    const opened = openMarket(pools, tokens, venues);
    return { opened, boundOf: boundsOn(opened.reader, opened.loaded.wrappedNative) };
  };
  const amounts = [10n ** 10n, 10n ** 13n, 10n ** 15n, 5n * 10n ** 15n];

  for (const count of [1, 2, 5]) {
    it(`are what ${count === 1 ? 'one pool' : `${count} equal pools`} can do, in both modes`, () => {
      const { opened, boundOf } = open(Array.from({ length: count }, (_, id) => pool(id)));
      for (const amount of amounts) {
        const bought = boundOf(jobOf('buy', amount), planFor(opened, jobOf('buy', amount))) ?? 0;
        expect(bought / inputOf(count, amount), `buy ${amount}`).to.be.within(1 - CLOSE, 1 + 1e-12);
        const sold = boundOf(jobOf('sell', amount), planFor(opened, jobOf('sell', amount))) ?? 0;
        expect(sold / outputOf(count, amount), `sell ${amount}`).to.be.within(1 - 1e-12, 1 + CLOSE);
      }
    });
  }

  it('do not follow the plan: one that asks more has the same bound', () => {
    const { opened, boundOf } = open([pool(0), pool(1)]);
    const job = jobOf('buy', TARGET);
    const plan = planFor(opened, job);
    for (const percent of [100n, 101n, 120n, 300n]) {
      const bound = boundOf(job, { ...plan, sellAmount: asWei((plan.sellAmount * percent) / 100n) }) ?? 0;
      expect(bound / inputOf(2, TARGET), `${percent} %`).to.be.within(1 - CLOSE, 1 + 1e-12);
    }
    expect(boundOf(job, { ...plan, sellAmount: asWei(plan.sellAmount / 2n) }), 'an input that can not reach the target').to.equal(null);
  });

  it('show what a route over one of two equal pools loses, in both modes', () => {
    const { opened, boundOf } = open([pool(0), pool(1, 'sushiswap_v2')]);
    const solve: SolveOne = (job) => {
      const plan = planFor(opened, { ...job, filter: { ...job.filter, exclude: ['sushiswap_v2'] } });
      return { ok: true, plan };
    };
    const rows = (['sell', 'buy'] as const).map((mode, index) => {
      const [sellAmount, buyAmount] = [String(TARGET), String(TARGET)];
      const request = { id: mode, mode, sellToken: tokenAddress(0), buyToken: tokenAddress(1), sellAmount, buyAmount };
      return decodeRow(request, index, { chainId: 1, defaults: {} });
    });
    const [sold, bought] = [...solveRequests(rows, solve, boundOf)].map(lossBps);
    expect(sold).to.be.closeTo(10_000 * (1 - outputOf(1, TARGET) / outputOf(2, TARGET)), 1e-3);
    expect(bought).to.be.closeTo(10_000 * (1 - inputOf(2, TARGET) / inputOf(1, TARGET)), 1e-3);
    expect(Math.min(sold ?? 0, bought ?? 0)).to.be.above(100);
  });

  it('take the native token for its wrapped one, and there are none for a token that the set lacks or for a trade with itself', () => {
    const { opened, boundOf } = open([pool(0)]);
    const job = jobOf('buy', TARGET);
    const plan = planFor(opened, job);
    expect(boundOf(jobOf('buy', TARGET, [NATIVE_TOKEN, addressOf(1)]), plan)).to.equal(boundOf(job, plan));
    for (const ends of [
      [addressOf(7), addressOf(1)],
      [addressOf(0), addressOf(7)],
      [addressOf(0), NATIVE_TOKEN],
    ] as const) {
      expect(boundOf(jobOf('buy', TARGET, ends), plan)).to.equal(null);
    }
  });

  it('are not told where they may be off by more than half a percent, in either mode', () => {
    // A trade of so little against pools so deep hardly moves a price: the descent ends for want of digits.
    const { opened, boundOf } = open(SLACK_POOLS, 3);
    const plan = { ...planFor(open([pool(0)]).opened, jobOf('sell', TARGET)), sellAmount: asWei(SLACK_AMOUNT) };
    const slack = opened.read((view) => {
      const [sell, buy] = [view.tokenId(addressOf(0)), view.tokenId(addressOf(1))];
      return dualBound(readMarket(view), sell, buy, Number(SLACK_AMOUNT));
    });
    expect(slack?.slackBps).to.be.within(50, 10_000);
    expect(boundOf(jobOf('sell', SLACK_AMOUNT), plan)).to.equal(null);
    // Within what the loose bound says can be had.
    const target = asWei(1n);
    expect(slack?.bound).to.be.above(0);
    expect(boundOf(jobOf('buy', target), plan)).to.equal(null);
  });
});

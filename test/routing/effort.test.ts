// The bound on effort is for the few requests that would hardly end; the others must not feel it.
import { expect } from 'chai';
import { type BenchSet, openBenchSet, pinned } from '../../bench/solver/bench-set.ts';
import { LIMITS } from '../../src/config/limits.ts';
import { gasRule } from '../../src/routing/gas/gas-rule.ts';
import { ExactQuotes } from '../../src/routing/market/exact-quotes.ts';
import { Market } from '../../src/routing/market/market.ts';
import { SortedNeighbours } from '../../src/routing/market/neighbours.ts';
import { PoolModels } from '../../src/routing/market/pool-models.ts';
import { ReferencePrices } from '../../src/routing/market/reference-prices.ts';
import { createPace, type Pace } from '../../src/routing/pace.ts';
import { createSolver } from '../../src/routing/routing.ts';
import { search } from '../../src/routing/search.ts';
import { createLedger } from '../../src/routing/solve-facts.ts';
import { asAddress, type InstantMs, instantNow } from '../../src/units/units.ts';
import { momentOf } from '../../src/venues/venues.ts';
import { describeWithSharedData } from '../pool-set/shared-data.ts';
import { FULL_SCALE } from '../support/seeded-random.ts';
import { job, venues } from './world.ts';

const EVERY = FULL_SCALE ? 1 : 40;
/** What no ordinary solve comes near, as a part of the bound: that is chosen so that no solve is long, and is some times what these take. */
const ORDINARY = 1 / 2;

type Asked = BenchSet['requests'][number];

/** Answers with the bound on effort, and without a bound on anything, with the effort that these took. */
function solversOf(set: BenchSet) {
  const chain = { chainId: 1, wrappedNative: set.loaded.wrappedNative, minimumGasPriceWei: 1n };
  const solver = createSolver({ chain, venues, now: instantNow, cancelled: () => false });
  const market = new Market(new PoolModels(venues));
  const prices = new ReferencePrices(market, set.loaded.wrappedNative);
  const shared = { market, prices, neighbours: new SortedNeighbours(market, prices) };
  const bounded = ({ sellToken, buyToken, amount, mode }: Asked) =>
    pinned(set.reader, (view) => solver.solve(job(asAddress(sellToken), asAddress(buyToken), amount, { chainId: 1, mode, gasPriceWei: 0n }), view));
  const unbounded = ({ sell, buy, amount, mode }: Asked) => {
    let spent = 0;
    const pace: Pace = {
      halted: () => null,
      spend(edges) {
        spent += edges;
      },
      left: () => Number.MAX_SAFE_INTEGER,
    };
    const ledger = createLedger(instantNow);
    const found = pinned(set.reader, (view) => {
      prices.refresh(view, () => true);
      const ends = { wrapped: view.tokenId(set.loaded.wrappedNative), sellsNative: false, buysNative: false };
      const quotes = new ExactQuotes((pool) => market.models.exact(pool), momentOf(view.block), pace.spend);
      return search(
        { ...shared, view, sell, buy, ends, mode, fixed: amount, maxHops: 3, admits: null, between: null, gas: gasRule(0n, 0), quotes, pace },
        ledger,
      );
    });
    return { found, spent, stopped: ledger.close(null).stopped };
  };
  return { bounded, unbounded };
}

/** Returns how many had a route. */
function compare(set: BenchSet, requests: readonly Asked[]): number {
  const { bounded, unbounded } = solversOf(set);
  let routed = 0;
  let most = 0;
  for (const asked of requests) {
    if (asked.sell < 0 || asked.buy < 0) continue;
    const result = bounded(asked);
    const { found, spent, stopped } = unbounded(asked);
    expect(result.ok, asked.id).to.equal(found !== null);
    if (result.ok && found !== null) {
      routed++;
      const { plan } = result;
      expect([plan.sellAmount, plan.grossAmount, plan.facts.stopped], asked.id).to.deep.equal([found.input, found.output, stopped]);
    }
    most = Math.max(most, spent);
  }
  expect(most, 'edges looked at').to.be.below(LIMITS.routing.effort * ORDINARY);
  return routed;
}

describe('the effort of a solve, on a generated market of 1,000 pools', () => {
  it('cuts no search short: plans are those of a search without a bound, in both modes', async () => {
    const set = await openBenchSet({ name: 'M', seed: 1, outside: 0, clear: false, blocks: false, requests: FULL_SCALE ? 400 : 24 });
    expect(compare(set, set.requests)).to.be.above(set.requests.length / 2);
    const { bounded } = solversOf(set);
    const bought = set.requests.slice(0, set.requests.length / 3).flatMap((asked): Asked[] => {
      const sold = bounded(asked);
      return sold.ok ? [{ ...asked, mode: 'buy', amount: sold.plan.grossAmount }] : [];
    });
    expect(compare(set, bought)).to.equal(bought.length);
  });
});

describeWithSharedData('the effort of a solve, on the Ethereum set of March 2026', () => {
  it('cuts no search short', async () => {
    const set = await openBenchSet({ name: 'tycho', seed: 1, outside: 0, clear: false, blocks: true, requests: 0 });
    const requests = set.requests.filter((_asked, index) => index % EVERY === 0);
    expect(compare(set, requests)).to.be.above(requests.length / 2);
  });
});

describe('the pace of a solve', () => {
  /** A pace whose clock and cancel word can be set. */
  const open = (effort: number) => {
    const world = { now: 0, cancelled: false };
    const pace = createPace(
      10 as InstantMs,
      () => world.now as InstantMs,
      () => world.cancelled,
      effort,
    );
    return { world, pace };
  };

  it('halts by effort once all of it is spent, and not before', () => {
    const { pace } = open(100);
    expect(pace.halted()).to.equal(null);
    pace.spend(60);
    pace.spend(39.5);
    expect(pace.halted()).to.equal(null);
    pace.spend(0.5);
    expect(pace.halted()).to.equal('effort');
    expect(open(0).pace.halted()).to.equal('effort');
  });

  it('halts by the deadline from its very millisecond on', () => {
    const { world, pace } = open(100);
    world.now = 9.999;
    expect(pace.halted()).to.equal(null);
    world.now = 10;
    expect(pace.halted()).to.equal('deadline');
  });

  it('names the cancel word before the deadline, and the deadline before effort', () => {
    const both = open(0);
    both.world.now = 10;
    expect(both.pace.halted()).to.equal('deadline');
    const all = open(0);
    all.world.now = 10;
    all.world.cancelled = true;
    expect(all.pace.halted()).to.equal('cancelled');
  });

  it('keeps to the first reason that it gave, whatever comes after', () => {
    const spent = open(1);
    spent.pace.spend(1);
    expect(spent.pace.halted()).to.equal('effort');
    spent.world.now = 10;
    spent.world.cancelled = true;
    expect(spent.pace.halted()).to.equal('effort');
    const late = open(1);
    late.world.now = 10;
    expect(late.pace.halted()).to.equal('deadline');
    late.world.now = 0;
    late.world.cancelled = true;
    expect(late.pace.halted()).to.equal('deadline');
  });

  it('reads neither clock nor cancel word to spend, and looks only when asked', () => {
    const { world, pace } = open(1);
    world.cancelled = true;
    pace.spend(1);
    world.cancelled = false;
    expect(pace.halted()).to.equal('effort');
  });
});

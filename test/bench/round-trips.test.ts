import { expect } from 'chai';
import { openBenchSet } from '../../bench/solver/bench-set.ts';
import { createBraid } from '../../bench/solver/candidates.ts';
import { lessBps } from '../../bench/solver/measure-monotony.ts';
import { roundTripRequests, shortfalls } from '../../bench/solver/measure-round-trips.ts';
import { type RoundTrip, roundTrip } from '../../bench/solver/round-trip.ts';
import { DRAW_BPS, lessFigures } from '../../bench/solver/table/less-figures.ts';
import { roundTripRow } from '../../bench/solver/table/round-trip-rows.ts';
import { missesOf } from '../../bench/solver/table/table-row.ts';

describe('round trips on the pools of the local chain', () => {
  it('are 528: twelve tokens in all pairs, from $10,000 to $10,000,000, the sizes of a pair in order', async () => {
    const set = await openBenchSet({ name: 'devnet', seed: 1, outside: 0, clear: false, blocks: false, requests: 0 });
    const requests = roundTripRequests(set);
    expect(requests).to.have.lengthOf(528);
    expect(new Set(requests.map(({ sell, buy, amount }) => `${sell} ${buy} ${amount}`)).size).to.equal(528);
    for (const [index, { sell, buy, amount }] of requests.entries()) {
      const token = set.tokens[sell];
      const usd = (Number(amount) / 10 ** (token?.decimals ?? 0)) * (token?.usd ?? 0);
      expect(usd / 10 ** (4 + (index % 4))).to.be.within(0.99, 1 + 1e-9);
      expect(sell).to.not.equal(buy);
    }
    // The maths behind a plan is run again by the benchmark, which throws where a plan does not give what it says.
    const braid = createBraid(set, 1);
    const trip = roundTrip(set, braid, requests[0] as (typeof requests)[number], 4, null);
    expect(trip.sold.output).to.be.a('bigint');
    expect(trip.bought?.output).to.satisfy((output: bigint) => output >= (trip.sold.output ?? 0n));
    expect(trip.dearerBps).to.be.closeTo((Number((trip.bought?.plan?.sellAmount ?? 0n) - trip.request.amount) / Number(trip.request.amount)) * 1e4, 1e-9);
  });
});

describe('what has to hold between two answers', () => {
  const outcome = (output: bigint | null, gas = 0) => ({ output, gas, millis: 1, plan: null, phases: null, resimulationMillis: Number.NaN, allocated: 0 });
  const trip = (pair: number, sold: bigint | null, bought: bigint | null, dearerBps: number): RoundTrip => ({
    request: { id: `p${pair}`, mode: 'sell', sell: 0, buy: pair, sellToken: '', buyToken: '', amount: 1n },
    sold: outcome(sold),
    bought: sold === null ? null : outcome(bought),
    dearerBps,
  });

  it('a sell that gives less than a smaller one of its pair is counted, one that is a unit short or without a route is not', () => {
    const trips = [
      trip(1, 1000n, null, 0),
      trip(1, 2000n, null, 0),
      trip(1, 1500n, null, 0),
      trip(1, null, null, 0),
      trip(2, 900n, null, 0),
      trip(1, 1998n, null, 0),
      trip(1, 1999n, null, 0),
    ];
    expect(shortfalls(trips).map(({ bps }) => bps)).to.deep.equal([2500, 10]);
  });

  it('a buy without a route and one that asks for more than was sold are misses, at a fixed depth', () => {
    const trips = [trip(1, 1000n, 1000n, 0.09), trip(2, 1000n, 1000n, 3), trip(3, 1000n, null, Number.NaN)];
    const row = roundTripRow('set', 'braid', '3', trips, true);
    expect(missesOf(row)).to.deep.equal(['buys without a route', 'buys that ask over 0.1 bps more than was sold']);
    expect(row.further.slice(0, 3).map(({ values, of }) => [values[0], of])).to.deep.equal([
      [1, 'p3'],
      [1, undefined],
      [3, 'p2'],
    ]);
    expect(missesOf(roundTripRow('set', 'braid', '3', trips, false))).to.deep.equal(['buys without a route']);
    expect(missesOf(roundTripRow('set', 'braid', '1', trips.slice(0, 1), true))).to.deep.equal([]);
  });

  it('an answer that is worth less than the one before is told in basis points of that one, gas counted', () => {
    expect(lessBps(outcome(10_000n), outcome(9_999n), 0)).to.equal(1);
    expect(lessBps(outcome(10_000n, 10), outcome(9_999n, 5), 0.2)).to.equal(0);
    expect(lessBps(outcome(10_000n, 10), outcome(10_000n, 15), 0.2)).to.equal(1);
    expect(lessBps(outcome(10_000n), outcome(null), 0)).to.equal(10_000);
    expect(lessBps(outcome(null), outcome(1n), 0)).to.equal(0);
    const comparisons = [0, 0.0005, 0.5, -3].map((bps, index) => ({ what: `c${index}`, lessBps: bps }));
    const [counted, worst] = lessFigures('more', comparisons, { drawBps: DRAW_BPS, most: 0, worstBps: 0.1 });
    expect([counted?.values, counted?.unit, worst?.values, worst?.of]).to.deep.equal([[1], 'of 4', [0.5], 'c2']);
    expect(lessFigures('more', comparisons.slice(0, 2), { drawBps: DRAW_BPS, most: 0, worstBps: 0.1 })).to.have.lengthOf(1);
  });
});

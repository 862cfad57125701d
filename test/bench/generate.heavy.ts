import { expect } from 'chai';
import { generateSet, SIZES, type Size } from '../../bench/solver/generate/generate.ts';
import { loadPoolSet, parsePoolSet } from '../../src/pool-set/pool-set.ts';
import { SnapshotReader } from '../../src/snapshot/snapshot.ts';
import { loadSolverVenues, type SolverVenues } from '../../src/venues/venues.ts';
import { FULL_SCALE } from '../support/seeded-random.ts';

const COUNTS: Readonly<Record<Size, number>> = { M: 1000, L: 10_000, XL: 100_000 };
/** The largest takes many seconds. */
const MADE: readonly Size[] = FULL_SCALE ? ['M', 'L', 'XL'] : ['M', 'L'];

const options = { requests: 200, outside: 0 };

describe('the generator of pool sets', () => {
  let venues: SolverVenues;
  before(async () => {
    venues = await loadSolverVenues();
  });

  it('gives the same set for the same seed and another for another', () => {
    for (const outside of [0, 500]) {
      const [one, again, other] = [1, 1, 2].map((seed) => generateSet({ size: 'M', seed, requests: 200, outside }));
      expect(JSON.stringify(again)).to.equal(JSON.stringify(one));
      expect(JSON.stringify(other?.requests)).to.not.equal(JSON.stringify(one?.requests));
      const known = new Set(one?.poolSet.pools.map(({ id }) => id));
      expect(other?.poolSet.pools.filter(({ id }) => known.has(id))).to.deep.equal([]);
    }
  });

  it('adds pools outside without a change to the set inside', () => {
    const [alone, joined] = [0, 500].map((outside) => generateSet({ size: 'M', seed: 1, requests: 200, outside }));
    if (alone === undefined || joined === undefined) throw new Error('two sets');
    expect(joined.poolSet.pools.slice(0, COUNTS.M)).to.deep.equal(alone.poolSet.pools);
    expect(joined.poolSet.pools).to.have.lengthOf(COUNTS.M + 500);
    expect(joined.requests).to.deep.equal(alone.requests);
    // One pool joins the two markets.
    const inside = new Set(Object.keys(alone.poolSet.tokens));
    const across = joined.poolSet.pools.filter(({ tokens }) => tokens.some((token) => inside.has(token)) && tokens.some((token) => !inside.has(token)));
    expect(across).to.have.lengthOf(1);
  });

  it('has sizes of 1,000, 10,000 and 100,000 pools', () => {
    expect(Object.fromEntries(Object.entries(SIZES).map(([size, { pools }]) => [size, pools]))).to.deep.equal(COUNTS);
  });

  for (const size of MADE) {
    const count = COUNTS[size];
    it(`makes ${count} pools and ${SIZES[size].tokens} tokens for size ${size}, each with an id of its own and all of them readable`, () => {
      const { poolSet, requests } = generateSet({ ...options, size, seed: 1 });
      expect([poolSet.pools.length, Object.keys(poolSet.tokens).length, requests.requests.length]).to.deep.equal([count, SIZES[size].tokens, 200]);
      expect(new Set(poolSet.pools.map(({ id }) => id)).size).to.equal(count);
      expect(new Set(poolSet.pools.flatMap(({ tokens }) => tokens)).size, 'every token has a pool').to.equal(SIZES[size].tokens);
      const parsed = parsePoolSet(poolSet);
      if (!parsed.ok) throw new Error(parsed.message);
      const loading = loadPoolSet(parsed.set, { venues });
      if (!loading.ok) throw new Error(loading.message);
      const { pools, leftOut } = loading.loaded.tally.summary();
      expect([pools, leftOut], 'all of them are read').to.deep.equal([count, []]);
      expect(SnapshotReader.claim(loading.loaded.buffers, 0).pin()?.poolCount).to.equal(count);
    });
  }

  it('joins the 20,000 tokens of size XL through eight hubs: every token has a pool with one of them, and each hub has hundreds to thousands of neighbours', () => {
    const { poolSet } = generateSet({ ...options, size: 'XL', seed: 1 });
    const hubs = Object.keys(poolSet.tokens).slice(0, 8);
    const neighbours = new Map(hubs.map((hub) => [hub, new Set<string>()]));
    const joined = new Set(hubs);
    for (const { tokens } of poolSet.pools) {
      for (const hub of tokens.filter((token) => neighbours.has(token))) {
        for (const token of tokens.filter((other) => other !== hub)) {
          neighbours.get(hub)?.add(token);
          joined.add(token);
        }
      }
    }
    expect(joined.size).to.equal(SIZES.XL.tokens);
    const degrees = [...neighbours.values()].map(({ size }) => size);
    expect(Math.max(...degrees)).to.be.above(10_000);
    expect(Math.min(...degrees)).to.be.above(500);
  });

  it('asks for trades of $100 to $10M between tokens of the set, and now and then for a token that it lacks', () => {
    const { poolSet, requests } = generateSet({ size: 'M', seed: 1, requests: 1500, outside: 0 });
    const unheld = requests.requests.filter(({ buyToken }) => poolSet.tokens[buyToken] === undefined);
    expect(unheld.length / 1500).to.be.within(1 / 60, 1 / 15);
    for (const { sellToken, buyToken, sellAmount, usd } of requests.requests) {
      expect(poolSet.tokens[sellToken]).to.not.equal(undefined);
      expect(sellToken).to.not.equal(buyToken);
      expect(BigInt(sellAmount) > 0n).to.equal(true);
      expect(usd).to.be.within(100, 1e7);
    }
  });
});

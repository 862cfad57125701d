// What a sell gave is bought for no more: trades on the local chain's pools that lost to one another, by the limit on hops or by draining what they buy from.
import { expect } from 'chai';
import { type BenchSet, DEVNET, openBenchSet } from '../../bench/solver/bench-set.ts';
import { createBraid } from '../../bench/solver/candidates.ts';
import { roundTripRequests, shortfalls } from '../../bench/solver/measure-round-trips.ts';
import { roundTrip } from '../../bench/solver/round-trip.ts';

const MAX_HOPS = 4;
/** A tenth of a basis point, which whole basis points of shares may cost. */
const ROUNDING_BPS = 0.1;
/** What came first put what is better beyond the limit on hops; pools that end beside pools that drain, into tokens of two decimals or none. */
const REORDERED = [
  '$10,000,000 USDT→WBTC',
  '$10,000,000 DAI→USDT',
  '$10,000,000 USDT→PEPE',
  '$10,000,000 MKR→WBTC',
  '$10,000,000 PEPE→WBTC',
  '$10,000,000 WBTC→USDT',
  '$1,000,000 DAI→PEPE',
];
const DRAINED = ['$10,000,000 LINK→MUTE', '$1,000,000 GUSD→MUTE', '$10,000,000 LINK→GUSD', '$10,000,000 WBTC→NEAR', '$10,000,000 MKR→GUSD'];

describe('a sell, and the buy of what it gave', () => {
  let set: BenchSet;
  before(async function load() {
    this.timeout(600_000);
    set = await openBenchSet({ name: DEVNET, seed: 1, outside: 0, clear: false, blocks: false, requests: 0 });
  });

  const trips = (isWanted: (id: string) => boolean) => {
    const braid = createBraid(set, 1);
    return roundTripRequests(set).flatMap((request) => (isWanted(request.id) ? [roundTrip(set, braid, request, MAX_HOPS, null)] : []));
  };

  for (const [kind, wanted] of [
    ['that the limit on hops keeps apart', REORDERED],
    ['that drain', DRAINED],
  ] as const) {
    it(`agree where they are trades ${kind}`, () => {
      const found = trips((id) => wanted.includes(id));
      expect(found).to.have.lengthOf(wanted.length);
      for (const { request, bought, dearerBps } of found) {
        expect(bought?.output, request.id).to.be.a('bigint');
        expect(dearerBps, request.id).to.be.at.most(ROUNDING_BPS);
      }
    });
  }

  it('of which a larger one gives no less, where a small pool that ends gives a third of it', () => {
    const found = trips((id) => ['WETH→MUTE', 'USDT→MUTE', 'USDC→MUTE'].some((pair) => id.endsWith(pair)));
    expect(shortfalls(found).filter(({ bps }) => bps > ROUNDING_BPS)).to.deep.equal([]);
  });
});

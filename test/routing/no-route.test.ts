import { expect } from 'chai';
import type { Address } from '../../src/units/units.ts';
import { describeWithSharedData } from '../pool-set/shared-data.ts';
import { type EthereumSet, openEthereumSet, type RecordedRequest } from './ethereum-set.ts';
import { job, quotePool } from './world.ts';

const HOPS = 3;
/** Powers of ten up to far more than any pool holds. */
const PROBES = Array.from({ length: 36 }, (_, exponent) => 10n ** BigInt(exponent));

describeWithSharedData('recorded requests without a route in the Ethereum set of March 2026', () => {
  let set: EthereumSet;
  let without: Readonly<Record<'sell' | 'buy', readonly RecordedRequest[]>>;
  before(async () => {
    set = await openEthereumSet();
    const nowhere = set.requests.filter(({ sell, buy }) => !reaches(set, sell, buy) || isNeverGiven(set, buy));
    const refused = set.requests.filter((request) => !nowhere.includes(request) && isRefused(set, request.sell, request.amount));
    // What a pool refuses to take is a matter of a sell's amount.
    without = { sell: [...nowhere, ...refused], buy: nowhere };
  });

  it('are 313 by the pools alone', () => {
    expect(without.sell).to.have.lengthOf(313);
    expect(without.buy).to.have.lengthOf.within(285, 313);
  });

  for (const mode of ['sell', 'buy'] as const) {
    it(`are answered with no route, and without an error, in ${mode}`, () => {
      for (const { sell, buy, amount } of without[mode]) {
        const result = set.world.solve(job(sell, buy, amount, { mode, maxHops: HOPS }), set.world.view);
        expect(result, `${amount} of ${sell} for ${buy}`).to.deep.equal({ ok: false, reason: 'no-route', maxHops: HOPS, block: set.world.view.block });
      }
    });
  }
});

/** Whether so many pools in a row lead from one token to the other, whatever they hold. */
function reaches({ world: { pools, view } }: EthereumSet, sell: Address, buy: Address): boolean {
  const [start, goal] = [view.tokenId(sell), view.tokenId(buy)];
  if (start < 0 || goal < 0) return false;
  const met = new Set([start]);
  for (let hop = 0; hop < HOPS; hop++) {
    const before = [...met];
    for (const { tokens } of pools) if (before.some((token) => tokens.includes(token))) for (const token of tokens) met.add(token);
  }
  return met.has(goal);
}

/** Whether a token has one pool alone, and that would not take the amount in any direction: there is nothing to split over. */
function isRefused({ world: { pools, view } }: EthereumSet, sell: Address, amount: bigint): boolean {
  const start = view.tokenId(sell);
  const [pool, ...more] = pools.filter(({ tokens }) => tokens.includes(start));
  if (pool === undefined || more.length > 0) return false;
  const slotIn = pool.tokens.indexOf(start);
  return pool.tokens.every((_token, slotOut) => slotOut === slotIn || !quotePool(pool, slotIn, slotOut, amount).ok);
}

/** Whether no pool of a token gives any of it, for however much. */
function isNeverGiven({ world: { pools, view } }: EthereumSet, buy: Address): boolean {
  const goal = view.tokenId(buy);
  return pools
    .filter(({ tokens }) => tokens.includes(goal))
    .every((pool) => {
      const slotOut = pool.tokens.indexOf(goal);
      return pool.tokens.every((_token, slotIn) => slotIn === slotOut || PROBES.every((amount) => !quotePool(pool, slotIn, slotOut, amount).ok));
    });
}

// What makers say is no part of what gas costs: it would be every request's price, for one that a maker need not stand by.
import { expect } from 'chai';
import { MAKER, maker } from './made-up-maker.ts';
import { type MadeUpPool, openMadeUpWorld } from './made-up-world.ts';
import { job, planOf, token, venues } from './world.ts';

const E18 = 10n ** 18n;
const GWEI = 10n ** 9n;
const ALL = new Map([...venues, ['maker', MAKER]]);
const BLOCK = { number: 100, timestamp: 1000, baseFee: 50n * GWEI };

function pair(id: number, tokens: readonly [number, number], reserve: bigint): MadeUpPool {
  return { id, venue: 'uniswap_v2', tokens, state: { reserve0: reserve, reserve1: reserve, feePpm: 3000 } };
}

const CHAIN = [pair(0, [0, 1], 100_000n * E18), pair(1, [0, 2], 100_000n * E18), pair(2, [1, 2], 1_000n * E18), pair(3, [1, 2], 900n * E18)];
/** A thousand times what the native token is worth, for a little of it, in each of two tokens. */
const BAITS = [1, 2].map(
  (to, at): MadeUpPool => ({ id: 10 + at, venue: 'maker', tokens: [0, to], state: maker(1_000_000n, 1_000n * E18, { lastSecond: 9_000n }) }),
);
const WITHOUT_RFQ = { filter: { include: null, exclude: [], excludeRfq: true, excludeRwa: false } };

describe('the rate at which gas is counted', () => {
  for (const mode of ['sell', 'buy'] as const) {
    it(`is the chain's own: a maker's bait changes no plan that excludes makers (${mode})`, () => {
      for (const amount of [E18, 10n * E18, 100n * E18]) {
        const [plain, baited] = [CHAIN, [...CHAIN, ...BAITS]].map((pools) => {
          const { facts, ...plan } = planOf(openMadeUpWorld(ALL, pools, BLOCK).solve(job(token(1), token(2), amount, { mode, ...WITHOUT_RFQ })));
          expect([plan.gasMode, facts.stopped]).to.deep.equal(['prune', 'converged']);
          return plan;
        });
        expect(baited).to.deep.equal(plain);
      }
    });
  }
});

import { expect } from 'chai';
import { job, openWorld, type PoolEntry, pairPool, planOf, token } from './world.ts';

const E18 = 10n ** 18n;
const deep = [1_000_000n * E18, 1_000_000n * E18] as const;

/** What a route is where the gas price is known but nothing says what the native token is worth, and where no gas price is known at all. */
function routes(pools: readonly PoolEntry[], amount: bigint, mode: 'sell' | 'buy') {
  const solve = (gas: { readonly baseFee?: bigint }) => {
    const open = openWorld({ pools, tokenCount: 4, ...gas });
    return planOf(open.solve(job(token(1), token(2), amount, { mode }), open.view));
  };
  return { guarded: solve({ baseFee: 1n }), blind: solve({}) };
}

describe('the guardrail', () => {
  for (const mode of ['sell', 'buy'] as const) {
    it(`asks two basis points of a second pool in ${mode}: less is refused, more is taken`, () => {
      const second = (reserve: bigint) => routes([pairPool(0, [1, 2], deep), pairPool(1, [1, 2], [reserve * E18, reserve * E18])], 4000n * E18, mode);
      const gained = ({ guarded, blind }: ReturnType<typeof routes>) =>
        mode === 'sell' ? Number(blind.grossAmount) / Number(guarded.grossAmount) - 1 : Number(guarded.sellAmount) / Number(blind.sellAmount) - 1;
      const small = second(40_000n);
      expect([small.guarded.gasMode, small.guarded.hops.length, small.blind.hops.length]).to.deep.equal(['guardrail', 1, 2]);
      expect(gained(small)).to.be.within(1.4e-4, 1.7e-4);
      const large = second(60_000n);
      expect([large.guarded.gasMode, large.guarded.hops.length]).to.deep.equal(['guardrail', 2]);
    });

    it(`asks as much of a longer way without splits in ${mode}`, () => {
      // The way over token 3 pays its second fee, and so many basis points more.
      const way = (better: bigint) =>
        routes(
          [
            pairPool(0, [1, 2], [10n ** 27n, 10n ** 27n], 5),
            pairPool(1, [1, 3], [10n ** 27n, 10n ** 27n], 5),
            pairPool(2, [2, 3], [10n ** 27n + 10n ** 23n * (5n + better), 10n ** 27n], 5),
          ],
          E18,
          mode,
        );
      const lengths = [1n, 3n].map((bps) => way(bps)).map(({ guarded, blind }) => [guarded.hops.length, blind.hops.length]);
      expect(lengths).to.deep.equal([
        [1, 2],
        [2, 2],
      ]);
    });
  }
});

import { expect } from 'chai';
import { job, openWorld, token } from './world.ts';

const Q96 = 2n ** 96n;

/** Liquidity below the price only: the pool gives its second token for its first, and nothing the other way. */
function oneWay(id: string, first: number, second: number) {
  const liquidity = (10n ** 24n).toString();
  const ticks = [
    [-6000, liquidity],
    [-60, `-${liquidity}`],
  ];
  const tokens = [token(first), token(second)];
  return { id, kind: 'concentrated', venue: 'uniswap_v3', tokens, feePpm: 3000, tickSpacing: 60, sqrtPriceX96: String(Q96), tick: 0, liquidity: '0', ticks };
}

describe('pools that fill one way only', () => {
  it('are found from both ends: a route over two of them, and none back', () => {
    const [a, b, c] = [1, 2, 3].map(token) as [ReturnType<typeof token>, ReturnType<typeof token>, ReturnType<typeof token>];
    const { solve, view } = openWorld({ tokenCount: 4, pools: [oneWay(`0x${'1'.repeat(40)}`, 1, 2), oneWay(`0x${'2'.repeat(40)}`, 2, 3)] });
    for (const mode of ['sell', 'buy'] as const) {
      const there = solve(job(a, c, 10n ** 18n, { mode }), view);
      expect(there.ok && there.plan.hops.map(({ tokenIn, tokenOut }) => [tokenIn, tokenOut]), mode).to.deep.equal([
        [a, b],
        [b, c],
      ]);
      expect(solve(job(c, a, 10n ** 18n, { mode }), view), mode).to.include({ ok: false, reason: 'no-route' });
    }
  });
});

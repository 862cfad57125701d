// Shares are rounded while the route is simulated: from what really arrived, the hops that are full first, so that only the last hop of a token can be asked for more than was meant.

import { expect } from 'chai';
import fc from 'fast-check';
import type { HopFlow, TokenFlow } from '../../src/routing/execute/hop-flows.ts';
import { resimulate } from '../../src/routing/execute/resimulate.ts';
import { roundFlows } from '../../src/routing/execute/rounding.ts';
import { check } from '../support/property.ts';
import { problemOf } from './problem-of.ts';
import { cappedVault } from './random-world.ts';
import { openWorld, pairPool, token } from './world.ts';

const E18 = 10n ** 18n;
const MOST_VAULTS = 6;
/** Half a basis point of a token's balance is what a share of a hop that is not full may be off. */
const HALF_BPS = 0.5e-4;
/** What amounts may differ by because shares of one token are taken in a row. */
const FLOATS = 1e-12;

describe('rounding to whole basis points', () => {
  /** Token 1 leads over a pool to token 3, whence vaults, each of a cap, lead to token 2 beside a pool. */
  const drafts = fc.record({
    caps: fc.array(fc.double({ min: 12, max: 20, noNaN: true }), { minLength: 1, maxLength: MOST_VAULTS }),
    /** What the model thinks that each vault is filled by. */
    filled: fc.array(fc.oneof(fc.constant(1), fc.double({ min: 0.01, max: 1, noNaN: true })), { minLength: MOST_VAULTS, maxLength: MOST_VAULTS }),
    /** What really arrives against what the model thinks, and the part of it that is meant for the pool. */
    arrived: fc.double({ min: 0.995, max: 1.005, noNaN: true }),
    poolShare: fc.double({ min: 0.001, max: 0.9, noNaN: true }),
  });

  it('asks no hop but the last of its token for more than was meant, and no full one for a unit more', () => {
    check(
      fc.property(drafts, ({ caps, filled, arrived, poolShare }) => {
        const whole = caps.map((exponent) => BigInt(Math.round(10 ** exponent)));
        const vaults = whole.map((cap, index) => cappedVault(`0x${(0xd0000 + index).toString(16).padStart(40, '0')}`, [3, 2], 1000n, cap));
        const world = openWorld({
          pools: [pairPool(0, [1, 3], [10n ** 30n, 10n ** 30n], 0), pairPool(1, [2, 3], [10n ** 26n, 10n ** 26n]), ...vaults],
          tokenCount: 4,
        });
        const problem = problemOf(world, { mode: 'sell', fixed: E18, maxHops: 2 });
        const { models } = problem.market;
        const middle = world.view.tokenId(token(3));
        const hop = (key: unknown, from: number, to: number, input: number): HopFlow => {
          const pool = world.pools.find((candidate) => candidate.key === key);
          const edge = pool === undefined ? null : models.edge(pool, pool.tokens.indexOf(from), pool.tokens.indexOf(to));
          if (edge === null) throw new Error('an edge');
          return { edge, input, capacity: edge.curve.capacity, worth: 1 };
        };
        const pools = world.pools.filter(({ tokens }) => tokens.length === 2).map(({ key }) => key);
        const keyOf = (first: number, second: number) =>
          pools.find((key) =>
            world.pools.some((pool) => pool.key === key && pool.tokens.includes(first) && pool.tokens.includes(second) && pool.venue !== 'erc4626'),
          );
        const inVaults = vaults.map(({ id }, index) => hop(id, middle, problem.buy, Number(whole[index]) * (filled[index] ?? 1)));
        const meantForVaults = inVaults.reduce((sum, { input }) => sum + input, 0);
        const total = meantForVaults / (1 - poolShare);
        const flows: TokenFlow[] = [
          { token: problem.sell, hops: [hop(keyOf(problem.sell, middle), problem.sell, middle, total)] },
          { token: middle, hops: [hop(keyOf(middle, problem.buy), middle, problem.buy, total * poolShare), ...inVaults] },
        ];
        const input = BigInt(Math.floor(total * arrived));
        const { quotes } = problem;
        const rounded = roundFlows({ flows, sell: problem.sell, input, quotes, fine: false });
        expect(rounded.ok, 'the pool beside the vaults takes whatever is left').to.equal(true);
        if (!rounded.ok) return;
        const priced = resimulate({ steps: rounded.hops, sell: problem.sell, buy: problem.buy }, input, quotes);
        if (!priced.ok) throw new Error('what was simulated is refused');
        const leaving = priced.hops.filter(({ pool, slotIn }) => pool.tokens[slotIn] === middle);
        const balance = leaving.reduce((sum, { amountIn }) => sum + Number(amountIn), 0);
        for (const { pool, amountIn } of leaving.slice(0, -1)) {
          const meant = inVaults.find(({ edge }) => edge.pool === pool) ?? flows[1]?.hops[0];
          if (meant === undefined) throw new Error('a hop that was not meant');
          const full = meant.input > meant.capacity * 0.999;
          const most = full ? meant.input : meant.input * 1.01 + Math.max(0, balance - total) + HALF_BPS * balance;
          expect(Number(amountIn), pool.key).to.be.at.most(most * (1 + FLOATS));
        }
      }),
      200,
    );
  });
});

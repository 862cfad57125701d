// Swaps through a pool of many tokens one after the other, as the model of its star sees them.
import { expect } from 'chai';
import fc from 'fast-check';
import { StarRun } from '../../src/routing/execute/star-run.ts';
import type { Star, StarArc } from '../../src/routing/market/star.ts';
import { type PoolView, WordReader } from '../../src/snapshot/snapshot.ts';
import { MOMENT } from '../support/moment.ts';
import { check } from '../support/property.ts';
import { problemOf } from './problem-of.ts';
import { manyTokenPool } from './random-world.ts';
import { openWorld, token, venues } from './world.ts';

const MEMBERS = [0, 1, 2, 3];
const DEPTH = 1e18;
/** The pools take a thousandth, and leave it among their balances, which the model does not know. */
const FEES = 4e-3;

type Opened = { readonly star: Star; readonly run: StarRun; readonly pool: PoolView };

function open(stable: boolean, skews: readonly number[]): Opened {
  const pool = { ...manyTokenPool(MEMBERS, stable, DEPTH, skews), id: token(99) };
  const world = openWorld({ pools: [pool], tokenCount: MEMBERS.length });
  const view = world.pools[0] as PoolView;
  const star = problemOf(world, { mode: 'sell', fixed: 1n, maxHops: 2 }).market.models.star(view) as Star;
  return { star, run: new StarRun(star), pool: view };
}

const skews = fc.array(fc.double({ min: 0.5, max: 2, noNaN: true }), { minLength: 4, maxLength: 4 });
/** Of the balance, in parts per thousand. */
const part = fc.integer({ min: 10, max: 280 });
/** No token goes in by one swap and comes out by another: that would be a cycle. */
const swaps = fc.array(fc.tuple(fc.constantFrom([0, 2], [0, 3], [1, 2], [1, 3]), part), { minLength: 1, maxLength: 4 });

describe('the swaps through a star', () => {
  it('each give what the contract gives in the state that those before it left', () => {
    check(
      fc.property(fc.boolean(), skews, swaps, (stable, scales, entries) => {
        const { star, run, pool } = open(stable, scales);
        const venue = venues.get(pool.venue);
        let state = venue?.state.unpack(new WordReader(pool.words));
        for (const [[from = 0, to = 0], permille] of entries) {
          const input = (BigInt(permille) * BigInt(DEPTH)) / 2000n;
          const quote = venue?.price.exactIn(state, pool.tokens.indexOf(from), pool.tokens.indexOf(to), input, MOMENT);
          if (!quote?.ok) return;
          state = quote.next;
          const [into, out] = [star.deposits[from], star.withdrawals[to]] as [StarArc, StarArc];
          expect(run.copy().inputFor(into, out, run.copy().swap(into, out, Number(input)), DEPTH) / Number(input)).to.be.closeTo(1, 1e-6);
          expect(run.swap(into, out, Number(input)) / Number(quote.amountOut)).to.be.closeTo(1, FEES);
        }
      }),
      60,
    );
  });
});

// Routes of few base units, improved by moving shares and leaving hops out.
import { expect } from 'chai';
import { countUnits } from '../../src/routing/execute/count-units.ts';
import { type Finalist, priceExactly, type Trial } from '../../src/routing/execute/finalists.ts';
import { type MadeUpHop, madeUpFlows } from './made-up-flows.ts';
import { problemOf } from './problem-of.ts';
import { openWorld, pairPool } from './world.ts';

const [SELL, BUY, MIDDLE, FAR] = [1, 2, 3, 4];

/** A finalist of these hops with these shares, and what counting units makes of it. */
function counted(
  hops: readonly (MadeUpHop & { readonly bps: number })[],
  fixed: bigint,
  perHop: number,
): { readonly found: Finalist; readonly best: Finalist } {
  const { flows, quotes } = madeUpFlows(hops);
  const world = openWorld({ pools: [pairPool(0, [1, 2], [1n, 1n])], tokenCount: 3 });
  const problem = { ...problemOf(world, { mode: 'sell', fixed, maxHops: 3 }), sell: SELL, buy: BUY, quotes };
  const trial: Trial = { problem, tolls: { perGas: 0, perHop } };
  const split = flows.map(({ edge: { pool, slotIn, slotOut } }, index) => ({ pool, slotIn, slotOut, bps: hops[index]?.bps ?? 0 }));
  const priced = priceExactly(trial, split, 0, null);
  if (!priced.ok) throw new Error('a route that is executed');
  return { found: priced.finalist, best: countUnits(trial, priced.finalist) };
}

const keys = ({ hops }: Finalist) => hops.map(({ pool, bps }) => [pool.id, bps]);

describe('a route of few base units', () => {
  it('loses a hop that does not earn its toll, together with all that leads to it', () => {
    // Two feeders pay for themselves as long as the third hop is paid for, all three together do not.
    const hops = [
      { id: 0, ends: [SELL, MIDDLE], input: 0, bps: 1000 },
      { id: 1, ends: [SELL, MIDDLE], input: 0, bps: 1111 },
      { id: 2, ends: [SELL, BUY], input: 0, bps: 10_000 },
      { id: 3, ends: [MIDDLE, BUY], input: 0, bps: 10_000, price: 1.12, takes: 200n },
    ] as const;
    const { found, best } = counted(hops, 1000n, 10);
    expect(found.net).to.equal(983n);
    expect(keys(best)).to.deep.equal([[2, 10_000]]);
    expect(best.net).to.equal(990n);
  });

  it('loses a hop that does not earn its toll, together with all that leads on from it', () => {
    const hops = [
      { id: 0, ends: [SELL, MIDDLE], input: 0, bps: 2000 },
      { id: 1, ends: [SELL, BUY], input: 0, bps: 10_000 },
      { id: 2, ends: [MIDDLE, FAR], input: 0, bps: 5000, takes: 100n },
      { id: 3, ends: [MIDDLE, BUY], input: 0, bps: 10_000, price: 1.05, takes: 100n },
      { id: 4, ends: [FAR, BUY], input: 0, bps: 10_000, price: 1.05, takes: 100n },
    ] as const;
    expect(keys(counted(hops, 1000n, 10).best)).to.deep.equal([[1, 10_000]]);
  });

  it('loses the last hop of a token, and the one before it takes all that is left', () => {
    const hops = [
      { id: 0, ends: [SELL, BUY], input: 0, bps: 5000 },
      { id: 1, ends: [SELL, BUY], input: 0, bps: 9990 },
      { id: 2, ends: [SELL, BUY], input: 0, bps: 10_000, price: 0.9 },
    ] as const;
    const { best } = counted(hops, 100_000n, 2000);
    expect(best.hops).to.have.lengthOf(1);
    expect([best.output, best.net]).to.deep.equal([100_000n, 98_000n]);
  });

  it('has its shares moved as far as that gives more, and no further', () => {
    const hops = [
      { id: 0, ends: [SELL, BUY], input: 0, bps: 4000, price: 1.2, takes: 500n },
      { id: 1, ends: [SELL, BUY], input: 0, bps: 10_000 },
    ] as const;
    const { best } = counted(hops, 1000n, 1);
    expect(best.output).to.equal(1100n);
    expect(best.hops.map(({ amountIn }) => amountIn)).to.deep.equal([500n, 500n]);
  });

  it('keeps what can not be better, and a large trade is left as it is', () => {
    const hops = (share: number) =>
      [
        { id: 0, ends: [SELL, BUY], input: 0, bps: share, price: 1.2, takes: 10n ** 12n },
        { id: 1, ends: [SELL, BUY], input: 0, bps: 10_000 },
      ] as const;
    const single = counted([{ id: 0, ends: [SELL, BUY], input: 0, bps: 10_000 }], 1000n, 1);
    expect(single.best).to.equal(single.found);
    for (const amount of [1_000_000n, 10n ** 12n]) {
      const large = counted(hops(4000), amount, 1);
      expect(large.best).to.equal(large.found);
    }
    const small = counted(hops(4000), 800_000n, 1);
    expect(small.best.net > small.found.net).to.equal(true);
  });
});

import { expect } from 'chai';
import type { InstantMs } from '../../src/units/units.ts';
import { MAKER, type MakerState, maker } from './made-up-maker.ts';
import { makerAddress, openMadeUpWorld } from './made-up-world.ts';
import { job, planOf, token, venues } from './world.ts';

const E18 = 10n ** 18n;
const ALL = new Map([...venues, ['maker', MAKER]]);

/** A maker that pays more as long as its price holds, beside one that pays less for ever. */
function twoMakers(end: Partial<MakerState>) {
  return [
    { id: 0, venue: 'maker', tokens: [1, 2], state: maker(1000n, 1000n * E18, end) },
    { id: 1, venue: 'maker', tokens: [1, 2], state: maker(900n, 1000n * E18) },
  ];
}

const BEFORE = { number: 100, timestamp: 1000 };
const BORDERS = [
  { what: 'block', end: { lastBlock: 101n }, last: { number: 101, timestamp: 5000 }, first: { number: 102, timestamp: 1024 } },
  { what: 'second', end: { lastSecond: 1012n }, last: { number: 500, timestamp: 1012 }, first: { number: 101, timestamp: 1013 } },
  {
    what: 'block, the second being later',
    end: { lastBlock: 101n, lastSecond: 9000n },
    last: { number: 101, timestamp: 1012 },
    first: { number: 102, timestamp: 1024 },
  },
] as const;

describe('a price that ends', () => {
  for (const { what, end, last, first } of BORDERS) {
    for (const mode of ['sell', 'buy'] as const) {
      it(`is used up to and with its last ${what} and not after, whether the thread met the pool before or not (${mode})`, () => {
        const met = openMadeUpWorld(ALL, twoMakers(end), BEFORE);
        met.solve(job(token(1), token(2), E18, { mode }));
        for (const [block, pool] of [
          [last, 0],
          [first, 1],
        ] as const) {
          met.publish(block);
          const fresh = openMadeUpWorld(ALL, twoMakers(end), block);
          for (const open of [met, fresh]) {
            const { hops } = planOf(open.solve(job(token(1), token(2), E18, { mode })));
            expect(hops.map(({ poolAddress }) => poolAddress)).to.deep.equal([makerAddress(pool)]);
          }
        }
      });
    }

    it(`is refused when a plan is priced again after its last ${what}, and not before`, () => {
      const open = openMadeUpWorld(ALL, twoMakers(end), BEFORE);
      const { hops, sellAmount } = planOf(open.solve(job(token(1), token(2), E18)));
      const again = { chainId: 31337, sellToken: token(1), buyToken: token(2), sellAmount, hops, deadline: Number.POSITIVE_INFINITY as InstantMs };
      open.publish(last);
      expect(open.certify(again, open.view).ok).to.equal(true);
      open.publish(first);
      expect(open.certify(again, open.view)).to.deep.include({ ok: false, reason: 'refused' });
    });
  }

  it("comes back with the pool's next state", () => {
    const open = openMadeUpWorld(ALL, twoMakers({ lastBlock: 101n }), { number: 102, timestamp: 1024 });
    expect(planOf(open.solve(job(token(1), token(2), E18))).hops[0]?.poolAddress).to.equal(makerAddress(1));
    open.publish({ number: 103, timestamp: 1036 }, twoMakers({ lastBlock: 110n }));
    expect(planOf(open.solve(job(token(1), token(2), E18))).hops[0]?.poolAddress).to.equal(makerAddress(0));
  });

  it('leaves no route where it was the only one', () => {
    const open = openMadeUpWorld(ALL, twoMakers({ lastBlock: 101n }).slice(0, 1), { number: 102, timestamp: 1024 });
    expect(open.solve(job(token(1), token(2), E18))).to.deep.include({ ok: false, reason: 'no-route' });
  });
});

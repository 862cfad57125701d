// Which hop comes when, which is last, and what becomes of a pool that does not take what its curve says.
import { expect } from 'chai';
import fc from 'fast-check';
import type { HopFlow, TokenFlow } from '../../src/routing/execute/hop-flows.ts';
import { type ExactHop, resimulate } from '../../src/routing/execute/resimulate.ts';
import { type Rounded, roundFlows } from '../../src/routing/execute/rounding.ts';
import type { ExactQuotes } from '../../src/routing/market/exact-quotes.ts';
import type { Curve } from '../../src/snapshot/snapshot.ts';
import { check } from '../support/property.ts';
import { type MadeUpHop, madeUpFlows } from './made-up-flows.ts';

const [SELL, BUY, MIDDLE, OTHER, FAR] = [1, 2, 3, 4, 5];
const WHOLE = 10_000;
/** Half a basis point, and what floats add to it. */
const NEAREST = 0.5 + 1e-6;

const walked = (gasPerLogPrice: number): Curve => ({
  kind: 'segments',
  keep: 1,
  capacity: 1e30,
  gas: 1,
  gasPerPiece: 0,
  gasPerLogPrice,
  columns: Float64Array.from([0, 0, 1e24, 1e24]),
});
/** Takes what is over with no gas at all. */
const LAST = { kind: 'weighted', keep: 1, capacity: 1e30, gas: 1, balanceIn: 1e24, balanceOut: 1e24, exponent: 1 } as const;

type Run = { readonly rounded: Rounded; readonly exact: readonly ExactHop[]; readonly output: bigint; readonly taken: (id: number) => number };

/** Rounds hops of tokens in this order, and executes what comes out. */
function round(hops: readonly MadeUpHop[], input: number, fine = false): Run {
  const { flows, quotes } = madeUpFlows(hops);
  const tokens = [...new Set(hops.map(({ ends }) => ends[0]))];
  const byToken = tokens.map((token): TokenFlow => ({ token, hops: flows.filter(({ edge }) => edge.pool.tokens[0] === token) }));
  const rounded = roundFlows({ flows: byToken, sell: SELL, input: BigInt(input), quotes, fine });
  const { exact, output } = rounded.ok ? executed(rounded.hops, input, quotes) : { exact: [], output: 0n };
  const taken = (id: number) => exact.filter(({ pool }) => pool.id === id).reduce((sum, { amountIn }) => sum + Number(amountIn), 0);
  return { rounded, exact, output, taken };
}

function executed(
  hops: Extract<Rounded, { ok: true }>['hops'],
  input: number,
  quotes: ExactQuotes,
): { readonly exact: readonly ExactHop[]; readonly output: bigint } {
  const result = resimulate({ steps: hops, sell: SELL, buy: BUY }, BigInt(input), quotes);
  if (!result.ok) throw new Error('what was simulated is refused');
  return { exact: result.hops, output: result.output };
}

const direct = (hop: Partial<MadeUpHop> & Pick<MadeUpHop, 'id' | 'input'>): MadeUpHop => ({ ends: [SELL, BUY], ...hop });
const order = ({ exact }: Run) => exact.map(({ pool }) => pool.id);
const total = (hops: readonly { readonly input: number }[]) => hops.reduce((sum, { input }) => sum + input, 0);

describe('the hops of a token', () => {
  it('come largest first, each with the nearest basis point of what is left, and the smallest takes the rest', () => {
    const drafts = fc.array(
      fc.record({
        input: fc.integer({ min: 1e12, max: 1e15 }),
        room: fc.double({ min: 1, max: 1e6, noNaN: true }),
        price: fc.integer({ min: 500, max: 2000 }),
      }),
      { minLength: 1, maxLength: 6 },
    );
    check(
      fc.property(drafts, (hops) => {
        const sorted = hops
          .map(({ input, room, price }, id) => direct({ id, input, capacity: input + room * 1e13, price: price / 1000 }))
          .sort((a, b) => b.input - a.input);
        const run = round(
          sorted.toSorted((a, b) => a.id - b.id),
          total(sorted),
        );
        let meant = total(sorted);
        for (const [at, { id, input }] of sorted.entries()) {
          const bps = run.exact.find(({ pool }) => pool.id === id)?.bps ?? 0;
          if (at === sorted.length - 1) expect(bps).to.equal(WHOLE);
          else expect(bps, `hop ${id}`).to.be.closeTo((input / meant) * WHOLE, NEAREST);
          meant -= input;
        }
        const placeOf = (id: number) => sorted.findIndex((hop) => hop.id === id);
        expect(order(run)).to.deep.equal(order(run).toSorted((a, b) => placeOf(a) - placeOf(b)));
        expect(run.exact.reduce((sum, { amountIn }) => sum + amountIn, 0n)).to.equal(BigInt(total(sorted)));
      }),
      100,
    );
  });

  it('have what was meant where they are full, whatever arrives, and else their part of the rest', () => {
    const full = [direct({ id: 0, input: 9e15, capacity: 9e15 }), direct({ id: 1, input: 2e15, capacity: 2e15 })];
    const open = [direct({ id: 2, input: 6e15 }), direct({ id: 3, input: 3e15 })];
    for (const arrived of [0.7, 0.99, 1, 1.009]) {
      const input = 20e15 * arrived;
      const run = round([...full, ...open], input);
      const rest = input - 11e15;
      // Whole basis points of what is left: rounded down where no more may be taken.
      const point = input / WHOLE;
      for (const hop of full) expect(run.taken(hop.id), `full, of ${arrived}`).to.be.within(hop.input - point, hop.input);
      expect(run.taken(2), `open, of ${arrived}`).to.be.closeTo((rest * 6) / 9, 2 * point);
      expect(run.taken(2) + run.taken(3)).to.be.closeTo(rest, 2 * point);
      const shares = [9e15 / input, 2e15 / (input - run.taken(0) - run.taken(2))];
      const coarsest = Math.max(...shares.map((share) => 1 - Math.floor(share * WHOLE) / (share * WHOLE)));
      expect(run.rounded.ok && run.rounded.coarsest, `of ${arrived}`).to.be.closeTo(coarsest, 1e-9);
    }
  });

  it('have the same part of what was meant where they are full and less arrives', () => {
    const full = [5e15, 3e15, 2e15].map((capacity, id) => direct({ id, input: capacity, capacity, price: id === 2 ? 0.5 : 1 }));
    for (const arrived of [0.5, 0.9, 1]) {
      const run = round(full, 10e15 * arrived);
      for (const { id, input } of full) expect(run.taken(id) / input, `${id} of ${arrived}`).to.be.closeTo(arrived, 1e-3);
    }
  });

  it('have what was meant where far more arrives, and are left out where that is nothing', () => {
    const hops = [
      direct({ id: 0, input: 5e15, curve: walked(10_000) }),
      direct({ id: 1, input: 1e11, curve: walked(10_000) }),
      direct({ id: 2, input: 3e15, curve: LAST }),
    ];
    const run = round(hops, 2 * total(hops));
    expect(order(run)).to.deep.equal([0, 2]);
    expect(run.taken(0)).to.be.closeTo(5e15, (2 * total(hops)) / WHOLE);
  });

  it('end with one that has room: not with one that is full, were it the smallest, nor with one that would be', () => {
    const full = direct({ id: 0, input: 1e12, capacity: 1e12, takes: 10n ** 12n });
    const tight = direct({ id: 1, input: 2e12, capacity: 2.003e12, takes: 2_003_000_000_000n });
    const [roomy, large] = [direct({ id: 2, input: 3e12, capacity: 9e12 }), direct({ id: 3, input: 4e12, capacity: 4.1e12 })];
    const run = round([full, tight, roomy, large], 10e12);
    expect(order(run)).to.deep.equal([3, 1, 0, 2]);
    expect(run.taken(0)).to.be.within(1e12 * 0.999, 1e12);
  });

  it('end with the one of most room where none has enough', () => {
    // A basis point of the balance is more than any has.
    const hops = [80e12, 100e12, 90e12].map((capacity, id) => direct({ id, input: capacity * 0.9985, capacity }));
    expect(order(round(hops, total(hops))).at(-1)).to.equal(1);
  });

  it('end, where all are full, with the one that gives least for what is over', () => {
    for (const cheap of [0, 1, 2]) {
      const hops = [3e12, 2e12, 1e12].map((capacity, id) => direct({ id, input: capacity, capacity, price: id === cheap ? 0.9 : 1 }));
      expect(order(round(hops, total(hops))).at(-1), `${cheap} pays least`).to.equal(cheap);
    }
    // What is worth less where it leads to counts as well.
    const hops = [3e12, 2e12, 1e12].map((capacity, id) => direct({ id, input: capacity, capacity, worth: id === 1 ? 0.5 : 1 }));
    expect(order(round(hops, total(hops))).at(-1)).to.equal(1);
  });

  it('end, where far more arrives than there is use for, with the pool that takes it with the least gas', () => {
    const last = (...curves: readonly Curve[]) => {
      const hops = curves.map((curve, id) => direct({ id, input: 5e12 - id * 1e12, curve }));
      return order(round(hops, 2 * total(hops))).at(-1);
    };
    expect(last(walked(20_000), walked(10_000), walked(15_000))).to.equal(1);
    expect(last(walked(20_000), LAST, walked(15_000))).to.equal(1);
    expect(last(LAST, walked(20_000), walked(15_000))).to.equal(0);
    expect(last(walked(15_000), walked(20_000), LAST)).to.equal(2);
  });
});

describe('a pool that does not take what its curve says', () => {
  const beside = direct({ id: 1, input: 40e12 });
  const short = (part: number) => direct({ id: 0, input: 60e12, takes: BigInt(Math.floor(60e12 * part)) });

  it('is asked for less, until it takes most of what it takes at all, and the others have the rest', () => {
    for (const [part, atLeast] of [
      [0.9998, 0.9985],
      [0.995, 0.98],
      [0.95, 0.88],
      [0.5, 0.44],
    ] as const) {
      const run = round([short(part), beside], 100e12);
      expect(run.taken(0) / 60e12, `takes ${part}`).to.be.within(atLeast, part);
      expect(run.taken(1)).to.be.closeTo(100e12 - run.taken(0), 1);
      expect(run.rounded).to.include({ ok: true, refused: null });
    }
  });

  it('is left out where it takes far less, which is said, and the others have all', () => {
    const run = round([short(0.3), beside], 100e12);
    expect([run.taken(0), run.taken(1)]).to.deep.equal([0, 100e12]);
    expect(run.rounded.ok && run.rounded.refused?.pool.id).to.equal(0);
  });

  it('is said to be why, where it is the only one', () => {
    const run = round([short(0.9)], 60e12);
    expect(run.rounded.ok).to.equal(false);
    expect(run.rounded.refused?.pool.id).to.equal(0);
  });

  it('has what leads to it held back by no more than it has to be', () => {
    for (const part of [0.99995, 0.9995, 0.995, 0.97, 0.93]) {
      const takes = Math.floor(20e12 * part);
      const only = { id: 2, ends: [MIDDLE, BUY], input: 20e12, capacity: 20e12, takes: BigInt(takes) } as const;
      const run = round([{ id: 0, ends: [SELL, MIDDLE], input: 20e12 }, direct({ id: 1, input: 80e12 }), only], 100e12);
      // A basis point of what is sold is five of what it takes.
      expect(run.taken(2) / takes, `takes ${part}`).to.be.within(1 - 15e-4, 1);
      expect(run.output, 'nothing is left between').to.equal(100n * 10n ** 12n);
    }
  });

  it('is given what it takes where more comes to its token than was meant', () => {
    for (const more of [1.0002, 1.003, 1.05]) {
      const only = { id: 2, ends: [MIDDLE, BUY], input: 20e12, capacity: 20e12, takes: 20n * 10n ** 12n } as const;
      const run = round([{ id: 0, ends: [SELL, MIDDLE], input: 20e12, price: more }, direct({ id: 1, input: 80e12 }), only], 100e12);
      expect(run.taken(2) / 20e12, `${more} times as much`).to.be.within(1 - 15e-4, 1);
    }
  });

  it('does not hold back what its neighbours are led to by', () => {
    // Two ways leave the middle: one ends in a pool that takes half of what it should, the other takes anything.
    const hops: readonly MadeUpHop[] = [
      { id: 0, ends: [SELL, MIDDLE], input: 60e12 },
      direct({ id: 1, input: 40e12 }),
      { id: 2, ends: [MIDDLE, OTHER], input: 20e12 },
      { id: 3, ends: [MIDDLE, FAR], input: 40e12 },
      { id: 4, ends: [OTHER, BUY], input: 20e12, capacity: 20e12, takes: 10n * 10n ** 12n },
      { id: 5, ends: [FAR, BUY], input: 40e12 },
    ];
    const run = round(hops, 100e12);
    expect(run.taken(4) / 10e12).to.be.within(0.99, 1);
    expect(run.taken(0) / 60e12, 'what the middle is given').to.be.within(0.9999, 1.0001);
    expect(run.taken(5)).to.be.closeTo(60e12 - run.taken(2), 1);
  });
});

describe('shares that are fine', () => {
  it('have the largest with room take the rest where others are full, and the smallest where none is', () => {
    const open = [direct({ id: 1, input: 6e12 }), direct({ id: 2, input: 3e12 })];
    const full = direct({ id: 0, input: 1e12, capacity: 1e12, takes: 10n ** 12n });
    const last = (hops: readonly MadeUpHop[], fine: boolean) => order(round(hops, total(hops), fine)).at(-1);
    expect([last([full, ...open], true), last([full, ...open], false)]).to.deep.equal([1, 2]);
    expect([last(open, true), last(open, false)]).to.deep.equal([2, 2]);
    const tight = direct({ id: 3, input: 9e12, capacity: 9.001e12 });
    expect(last([full, tight, ...open], true), 'the largest has no room').to.equal(1);
  });

  it('leave of what full pools take no more than any early share of the last would', () => {
    const part = fc.double({ min: 1e-4, max: 0.02, noNaN: true });
    check(
      fc.property(fc.array(part, { minLength: 1, maxLength: 3 }), (parts) => {
        const whole = 1e18;
        const capped = parts.map((share, id) => {
          const capacity = Math.floor(share * whole);
          return direct({ id, input: capacity, capacity, takes: BigInt(capacity), price: 1.5 });
        });
        const last = direct({ id: 9, input: whole - total(capped) });
        const run = round([...capped, last], whole, true);
        expect(run.output >= bestByTrying(capped, last, whole), `${run.output}`).to.equal(true);
      }),
      20,
    );
  });
});

/** The most that any early share of the last hop gives: it, the others by what they take at most, it again. */
function bestByTrying(capped: readonly MadeUpHop[], last: MadeUpHop, whole: number): bigint {
  const { flows, quotes } = madeUpFlows([...capped, last]);
  const hopOf = (id: number, bps: number) => {
    const { pool, slotIn, slotOut } = (flows.find(({ edge }) => edge.pool.id === id) as HopFlow).edge;
    return { pool, slotIn, slotOut, bps };
  };
  const most = Math.floor(WHOLE * (1 - total(capped) / whole)) - 1;
  const sorted = capped.toSorted((a, b) => b.input - a.input);
  let best = 0n;
  for (let early = most; early > Math.max(0, most - 200); early--) {
    let left = (whole * (WHOLE - early)) / WHOLE;
    const between = sorted.flatMap(({ id, input }) => {
      const bps = Math.min(WHOLE - 1, Math.floor((input / left) * WHOLE));
      left *= 1 - bps / WHOLE;
      return bps === 0 ? [] : [hopOf(id, bps)];
    });
    const { output } = executed([hopOf(last.id, early), ...between, hopOf(last.id, WHOLE)], whole, quotes);
    if (output > best) best = output;
  }
  return best;
}

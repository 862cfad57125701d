// Routes over venues whose prices hold up to a size and then jump: levels of a book of orders, and curves with a piece of no width.
import { expect } from 'chai';
import fc from 'fast-check';
import { curveFlowAt, curveGas, curveInputFor, curveOutput, curveTangent, emptyFlow, emptyTangent, strandsOf } from '../../src/curves/curves.ts';
import { createSolver, type Plan, type SolveJob, type SolveResult } from '../../src/routing/routing.ts';
import { allocateSnapshot, type Curve, type SegmentsCurve, SnapshotReader, SnapshotWriter, type WordReader, WordWriter } from '../../src/snapshot/snapshot.ts';
import { asAddress, instantNow } from '../../src/units/units.ts';
import { priceLadder } from '../../src/venues/ladder/price-ladder.ts';
import type { SolverVenue, SolverVenues } from '../../src/venues/venues.ts';
import { sampleBlock } from '../snapshot/sample-facts.ts';
import { check } from '../support/property.ts';
import { job, planOf, token } from './world.ts';

/** `size` base units of input at `ppm` millionths of a unit out for each. */
type Level = { readonly ppm: bigint; readonly size: bigint };
type Book = readonly Level[];

const GAS = 90_000;
const MILLION = 1_000_000n;

/** What a book gives: its levels one after the other, each rounded down; null beyond the last. */
function fill(book: Book, amount: bigint): bigint | null {
  let left = amount;
  let output = 0n;
  for (const { ppm, size } of book) {
    if (left <= size) return output + (left * ppm) / MILLION;
    output += (size * ppm) / MILLION;
    left -= size;
  }
  return null;
}

function capacityOf(book: Book): bigint {
  return book.reduce((sum, { size }) => sum + size, 0n);
}

/** A venue of such books, which sell their second token for their first. */
const books: SolverVenue = {
  venue: { name: 'book', families: [{ family: 'book', feePpm: 0 }] },
  state: {
    pack: () => undefined,
    unpack: (words: WordReader): Book => Array.from({ length: Number(words.unsigned(1)) }, () => ({ ppm: words.unsigned(1), size: words.unsigned(2) })),
    curves: () => [],
  },
  price: {
    exactIn(state, slotIn, _slotOut, amountIn) {
      const amountOut = slotIn === 0 ? fill(state as Book, amountIn) : null;
      if (amountOut === null) return { ok: false, reason: 'partial' };
      return amountOut === 0n ? { ok: false, reason: 'reverts' } : { ok: true, amountIn, amountOut, next: [], gas: GAS };
    },
  },
};
const venues: SolverVenues = new Map([['book', books]]);

type Listed = { readonly ends: readonly [number, number]; readonly book: Book };

/** Publishes books between tokens by number and solves among them. */
function openBooks(listed: readonly Listed[], curveOf = ladderOf): (amount: bigint, more?: Partial<SolveJob>) => SolveResult {
  const buffers = allocateSnapshot({ arenaBytes: 2 ** 20, pools: 32, tokens: 16, readers: 1, slots: 2 });
  const writer = new SnapshotWriter(buffers);
  listed.forEach(({ ends, book }, index) => {
    const address = asAddress(`0x${(0xb00c00 + index).toString(16).padStart(40, '0')}`);
    const words = new WordWriter().unsigned(BigInt(book.length), 1);
    for (const { ppm, size } of book) words.unsigned(ppm, 1).unsigned(size, 2);
    const identity = { key: address, address, hook: null, protocol: 'book', source: 'book', venue: 'book', tokens: ends.map(token) };
    writer.setPool({ ...identity, words: words.finish(), curves: [{ slotIn: 0, slotOut: 1, curve: curveOf(book) }] });
  });
  writer.publish(sampleBlock(1, null));
  const view = SnapshotReader.claim(buffers, 0).pin();
  if (view === null) throw new Error('nothing is published');
  const chain = { chainId: 31337, wrappedNative: token(0), minimumGasPriceWei: 1n };
  const { solve } = createSolver({ chain, venues, now: instantNow, cancelled: () => false });
  return (amount, more = {}) => solve(job(token(1), token(2), amount, more), view);
}

function ladderOf(book: Book): Curve {
  return priceLadder(
    book.map(({ ppm, size }) => ({ price: Number(ppm) / 1e6, size: Number(size) })),
    GAS,
  );
}

/** All levels of some books as one, best price first: what a trade over all of them can reach. */
function merged(listed: readonly Listed[]): Book {
  return listed.flatMap(({ book }) => book).sort((a, b) => Number(b.ppm - a.ppm));
}

const size = fc.bigInt(10n ** 15n, 10n ** 21n);
const bookOf: fc.Arbitrary<Book> = fc
  .array(fc.record({ ppm: fc.bigInt(200_000n, 3_000_000n), size }), { minLength: 2, maxLength: 5 })
  .map((levels) => levels.sort((a, b) => Number(b.ppm - a.ppm)));
const share = fc.double({ min: 0.001, max: 0.999, noNaN: true });
const part = (whole: bigint, ratio: number) => (whole * BigInt(Math.round(ratio * 1e6))) / MILLION + 1n;

describe('a price ladder of several levels on a route', () => {
  it('gives its levels best price first, to the wei, up to its capacity, in both modes', () => {
    check(
      fc.property(bookOf, share, (book, ratio) => {
        const solve = openBooks([{ ends: [1, 2], book }]);
        const amount = part(capacityOf(book), ratio);
        const expected = fill(book, amount) ?? 0n;
        expect(planOf(solve(amount)).grossAmount).to.equal(expected);
        const bought = planOf(solve(expected, { mode: 'buy' }));
        expect([bought.grossAmount >= expected, bought.sellAmount <= amount]).to.deep.equal([true, true]);
        expect((fill(book, bought.sellAmount - 1n) ?? 0n) < expected).to.equal(true);
        const most = fill(book, capacityOf(book)) ?? 0n;
        expect(solve(capacityOf(book) + 1n + capacityOf(book) / MILLION).ok).to.equal(false);
        expect(solve(most + 1n + most / MILLION, { mode: 'buy' }).ok).to.equal(false);
      }),
      60,
    );
  });

  it('is used level by level beside another, best price first and no more of each than it has, in both modes', () => {
    const E18 = 10n ** 18n;
    const level = (ppm: bigint, units: bigint): Level => ({ ppm, size: units * E18 });
    const all: readonly Book[] = [
      [level(2_000_000n, 100n), level(1_500_000n, 200n), level(1_000_000n, 400n)],
      [level(1_800_000n, 150n), level(1_200_000n, 300n)],
    ];
    const listed = all.map((book): Listed => ({ ends: [1, 2], book }));
    const solve = openBooks(listed);
    for (const units of UNITS) {
      const amount = units * E18;
      const best = fill(merged(listed), amount) ?? 0n;
      const sold = planOf(solve(amount));
      expectWithinBooks(sold, listed);
      expect(Number(sold.grossAmount) / Number(best), `sell ${units}`).to.be.within(1 - ROUNDING, 1 + 1e-12);
      const bought = planOf(solve(best, { mode: 'buy' }));
      expectWithinBooks(bought, listed);
      expect(bought.grossAmount >= best).to.equal(true);
      expect(Number(bought.sellAmount) / Number(amount), `buy ${units}`).to.be.within(1 - 1e-12, 1 + ROUNDING);
    }
  });

  it('shares a trade with others as one book of all their levels would, in all but a few markets', () => {
    const MOST = 0.02;
    let markets = 0;
    const behind: string[] = [];
    check(
      fc.property(fc.array(bookOf, { minLength: 2, maxLength: 5 }), share, (books, ratio) => {
        const listed = books.map((book): Listed => ({ ends: [1, 2], book }));
        const amount = part((books.reduce((sum, book) => sum + capacityOf(book), 0n) * 9n) / 10n, ratio);
        const best = fill(merged(listed), amount) ?? 0n;
        const result = openBooks(listed)(amount, { maxHops: 1 });
        markets++;
        if ((result.ok ? result.plan.grossAmount : 0n) * 1000n < best * 999n) behind.push(`${amount} of ${best}`);
      }),
      200,
    );
    expect(behind.length, behind.join('; ')).to.be.at.most(MOST * markets);
  });
});

/** Shares are whole basis points, and the levels on both sides of a rounded share may be some times apart in price. */
const UNITS = [50n, 99n, 120n, 180n, 240n, 300n, 400n, 440n, 500n, 700n, 800n, 1000n, 1100n];
const ROUNDING = 1e-3;

function expectWithinBooks({ hops }: Plan, listed: readonly Listed[]): void {
  for (const hop of hops) {
    const { book } = listed[Number(BigInt(hop.poolKey) - 0xb00c00n)] ?? { book: [] };
    expect(hop.amountIn <= capacityOf(book), 'within the capacity').to.equal(true);
    expect(hop.amountOut).to.equal(fill(book, hop.amountIn));
  }
}

describe('a curve with a piece of no width', () => {
  /** The same curve with a piece at each border that ends where it starts. */
  function withEmptyPieces(curve: SegmentsCurve): SegmentsCurve {
    const columns: number[] = [];
    for (let at = 0; at < curve.columns.length; at += 4) {
      const [x0 = 0, y0 = 0, reserveIn = 0, reserveOut = 0] = curve.columns.subarray(at, at + 4);
      if (at > 0) {
        const [, , inBefore = 0, outBefore = 0] = curve.columns.subarray(at - 4, at);
        const reach = inBefore + x0 - (curve.columns[at - 4] ?? 0);
        const before = ((outBefore / reach) * inBefore) / reach;
        const between = Math.sqrt(before * (reserveOut / reserveIn));
        columns.push(x0, y0, reserveIn, reserveIn * between);
      }
      columns.push(x0, y0, reserveIn, reserveOut);
    }
    return { ...curve, columns: Float64Array.from(columns) };
  }
  const pairs = bookOf.map((book) => {
    const plain = ladderOf(book);
    if (plain.kind !== 'segments') throw new Error('a ladder has segments');
    return [plain, withEmptyPieces(plain)] as const;
  });

  it('is the same curve', () => {
    const [tangent, other] = [emptyTangent(), emptyTangent()];
    const [flow, otherFlow] = [emptyFlow(), emptyFlow()];
    check(
      fc.property(pairs, share, ([plain, padded], ratio) => {
        const input = plain.capacity * ratio;
        expect(padded.columns.length).to.be.above(plain.columns.length);
        expect(curveOutput(padded, input)).to.equal(curveOutput(plain, input));
        expect(curveOutput(padded, plain.capacity)).to.equal(curveOutput(plain, plain.capacity));
        expect(curveInputFor(padded, curveOutput(plain, input))).to.be.closeTo(input, input * 1e-9);
        curveTangent(plain, input, tangent);
        curveTangent(padded, input, other);
        expect(other).to.deep.equal(tangent);
        for (const price of [tangent.marginal, tangent.marginal * 1.01, tangent.marginal * 0.5]) {
          curveFlowAt(plain, price, flow);
          curveFlowAt(padded, price, otherFlow);
          expect(otherFlow.input).to.be.closeTo(flow.input, plain.capacity * 1e-9);
          expect(otherFlow.output).to.be.closeTo(flow.output, curveOutput(plain, plain.capacity) * 1e-9);
        }
        expect(curveGas(padded, input)).to.equal(curveGas(plain, input));
        for (const strand of strandsOf(padded)) expect(strand.width).to.be.above(0);
        expect(strandsOf(padded).reduce((sum, { width }) => sum + width, 0)).to.be.closeTo(plain.capacity, plain.capacity * 1e-12);
      }),
      200,
    );
  });

  it('is routed over as without it, in both modes', () => {
    check(
      fc.property(bookOf, share, (book, ratio) => {
        const listed: readonly Listed[] = [{ ends: [1, 2], book }];
        const [plain, padded] = [ladderOf, (book: Book) => withEmptyPieces(ladderOf(book) as SegmentsCurve)].map((curveOf) => openBooks(listed, curveOf));
        if (plain === undefined || padded === undefined) throw new Error('two markets');
        const amount = part(capacityOf(book), ratio);
        const [expected, sold] = [planOf(plain(amount)), planOf(padded(amount))];
        expectWithinBooks(sold, listed);
        expect(sold.grossAmount).to.equal(expected.grossAmount);
        const bought = planOf(padded(sold.grossAmount, { mode: 'buy' }));
        expect(bought.sellAmount <= amount).to.equal(true);
      }),
      40,
    );
  });
});

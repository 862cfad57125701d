import { expect } from 'chai';
import fc from 'fast-check';
import { PriceBook } from '../../src/market/price-book.ts';
import type { Address } from '../../src/units/units.ts';
import { check } from '../support/property.ts';
import { constantProduct, type MarketPool, narrowRange, stablePool, token } from './market-pools.ts';

const E18 = 1e18;
const LEAST_USD = 1000;
const [NATIVE, DOLLAR, OTHER, THIRD, FAKE, FAKE_TOO] = [0, 1, 2, 3, 4, 5] as const;

type Facts = {
  readonly pools: readonly MarketPool[];
  readonly anchors: Readonly<Record<number, number>>;
  readonly decimals?: Readonly<Record<number, number | null>>;
  /** Numbers of the tokens by which others are priced; absent: all. */
  readonly sources?: readonly number[];
};

function bookOf({ pools, anchors, decimals = {}, sources }: Facts): PriceBook {
  const book = new PriceBook(LEAST_USD);
  for (const number of [NATIVE, DOLLAR, OTHER, THIRD, FAKE, FAKE_TOO]) book.setDecimals(token(number), number in decimals ? (decimals[number] ?? null) : 18);
  for (const { key, tokens, curves } of pools) book.setPool(key, tokens, curves);
  if (sources !== undefined) book.setSources(new Set(sources.map(token)));
  book.setAnchors(anchorsOf(anchors));
  book.settle();
  return book;
}

function anchorsOf(anchors: Readonly<Record<number, number>>): ReadonlyMap<Address, number> {
  return new Map(Object.entries(anchors).map(([number, usd]) => [token(Number(number)), usd]));
}

/** A pool of a token against the native one, which is worth 2000: what it holds, in USD, and what it says the token is worth. */
function nativePool(key: string, of: number, usd: number, price: number): MarketPool {
  return constantProduct(key, [NATIVE, of], [(usd / 2 / 2000) * E18, (usd / 2 / price) * E18]);
}

describe('prices by pools', () => {
  const anchors = { [NATIVE]: 2000 };

  it('come from the anchor alone, through a pool, and on through the next', () => {
    const onward = constantProduct('b', [OTHER, THIRD], [1e5 * E18, 4e5 * E18]);
    const book = bookOf({ pools: [nativePool('a', OTHER, 2e6, 8), onward], anchors });
    expect(book.usd(token(NATIVE))).to.equal(2000);
    expect(book.usd(token(OTHER))).to.be.closeTo(8, 1e-9);
    expect(book.usd(token(THIRD))).to.be.closeTo(2, 1e-9);
    expect([book.usd(token(FAKE)), book.priced]).to.deep.equal([null, 3]);
    expect([book.unitsFor(token(NATIVE), 1_000_000), book.unitsFor(token(FAKE), 1_000_000)]).to.deep.equal([500n * 10n ** 18n, null]);
  });

  it('name a token’s pools by the USD that it takes to move them, whatever they hold of the token itself', () => {
    const filled = constantProduct('filled', [NATIVE, OTHER], [1 * E18, 1e12 * E18]);
    const fakes = constantProduct('fakes', [FAKE, OTHER], [1e12 * E18, 1e12 * E18]);
    const book = bookOf({ pools: [fakes, filled, nativePool('small', OTHER, 2e6, 8), nativePool('deep', OTHER, 4e6, 8)], anchors });
    // A token that is worth something by its pool with this one alone.
    expect(book.usd(token(FAKE))).to.be.closeTo(8, 1e-9);
    expect(book.deepestPools(token(OTHER)), 'without what is next to nothing').to.deep.equal(['deep', 'small']);
    const alone = bookOf({ pools: [fakes, filled], anchors });
    expect(alone.deepestPools(token(OTHER))).to.deep.equal(['filled']);
    expect(book.deepestPools(token(THIRD))).to.deep.equal([]);
  });

  it('without an anchor there are none, and two fake tokens do not price each other, however deep the pool between them', () => {
    const ring = [constantProduct('a', [FAKE, FAKE_TOO], [1e12 * E18, 1e12 * E18]), constantProduct('b', [FAKE_TOO, FAKE], [1e12 * E18, 1e9 * E18])];
    expect(bookOf({ pools: ring, anchors }).priced).to.equal(1);
    expect(bookOf({ pools: [...ring, nativePool('c', OTHER, 2e6, 8)], anchors: {} }).priced).to.equal(0);
  });

  it('are not of a pool that holds little of the priced side, whatever the other side is said to be worth', () => {
    const little = constantProduct('a', [NATIVE, FAKE], [0.001 * E18, 1e15 * E18]);
    const below = nativePool('a', FAKE, 1.9 * 100 * LEAST_USD, 8);
    expect(bookOf({ pools: [little], anchors }).usd(token(FAKE))).to.equal(null);
    expect(bookOf({ pools: [below], anchors }).usd(token(FAKE))).to.equal(null);
    expect(bookOf({ pools: [nativePool('a', FAKE, 2.1 * 100 * LEAST_USD, 8)], anchors }).usd(token(FAKE))).to.be.closeTo(8, 1e-9);
  });

  it('are not of a pool that takes what is to be priced and has nothing of the priced side to give for it', () => {
    // All that is there of the native token lies beyond the range; only the fake one is for sale.
    const oneSided = narrowRange('a', [NATIVE, FAKE], [1e5 * E18, 1e7 * E18], [1e5 * E18, 1]);
    expect(bookOf({ pools: [oneSided], anchors }).usd(token(FAKE))).to.equal(null);
  });

  it('are not of a pool that trades one way only, nor of one that asks far more than it bids', () => {
    const { key, tokens, curves } = nativePool('a', OTHER, 2e6, 8);
    for (const only of [0, 1]) expect(bookOf({ pools: [{ key, tokens, curves: curves.slice(only, only + 1) }], anchors }).priced).to.equal(1);
    expect(bookOf({ pools: [constantProduct('a', [NATIVE, OTHER], [1e3 * E18, 1e5 * E18], 100_000)], anchors }).priced).to.equal(1);
  });

  it('a thin pool whose price is a thousandfold changes nothing', () => {
    const deep = [nativePool('a', OTHER, 4e6, 8), constantProduct('b', [DOLLAR, OTHER], [2e6 * E18, 2.5e5 * E18])];
    const both = { [NATIVE]: 2000, [DOLLAR]: 1 };
    const fair = bookOf({ pools: deep, anchors: both }).usd(token(OTHER));
    for (const [usd, price] of [
      [1e4, 8],
      [1e4, 8000],
      [3e5, 8000],
      [1e4 * Math.sqrt(1000), 8000],
      [3e5, 0.008],
    ] as const) {
      expect(bookOf({ pools: [...deep, nativePool('thin', OTHER, usd, price)], anchors: both }).usd(token(OTHER)), `${usd} at ${price}`).to.equal(fair);
    }
  });

  it('what a sandwich of the one thin pool leaves in it at the end of a block is no price: tenfold the money is still too little', () => {
    const reserves = [4 * E18, 1000 * E18] as const;
    for (const times of [1, 2, 10]) {
      const moved = constantProduct('thin', [NATIVE, OTHER], [reserves[0] * times, reserves[1] / times]);
      expect(bookOf({ pools: [moved], anchors }).usd(token(OTHER)), `${times}`).to.equal(null);
    }
  });

  it('a token that nobody has to buy lends no more weight than stands behind its own price, through however many pools', () => {
    const honest = [nativePool('a', OTHER, 4e6, 8)];
    // The fake token is made in any amount; what it costs is the native token beside it, a hundredth of what is in the honest pool.
    const fake = [nativePool('f', FAKE, 4e5, 1), ...Array.from({ length: 20 }, (_, at) => constantProduct(`g${at}`, [FAKE, OTHER], [1e12 * E18, 1e9 * E18]))];
    expect(bookOf({ pools: [...honest, ...fake], anchors }).usd(token(OTHER))).to.be.closeTo(8, 1e-9);
  });

  it('what is no source moves no price of another token, and is no step to one, whatever is in its pools: its own price is what pools to sources say', () => {
    const honest = [nativePool('a', OTHER, 4e6, 8), constantProduct('b', [DOLLAR, OTHER], [1e6 * E18, 1.25e5 * E18])];
    const both = { anchors: { [NATIVE]: 2000, [DOLLAR]: 1 }, sources: [NATIVE, DOLLAR] };
    const fair = bookOf({ pools: honest, ...both });
    // 8,000 of the native token beside the one, 100 of the other token beside the next: what its maker seeded, and takes out again.
    const seeded = [nativePool('f', FAKE, 3.2e7, 1), constantProduct('g', [FAKE, OTHER], [1.6e7 * E18, 100 * E18])];
    const onward = [constantProduct('h', [FAKE, FAKE_TOO], [1e7 * E18, 1e7 * E18]), constantProduct('i', [FAKE_TOO, THIRD], [1e7 * E18, 1 * E18])];
    const steered = bookOf({ pools: [...honest, ...seeded, ...onward], ...both });
    for (const number of [NATIVE, DOLLAR, OTHER]) expect(steered.usd(token(number)), String(number)).to.equal(fair.usd(token(number)));
    expect(steered.usd(token(FAKE))).to.be.closeTo(1, 1e-9);
    expect([steered.usd(token(FAKE_TOO)), steered.usd(token(THIRD))]).to.deep.equal([null, null]);
    expect(steered.deepestPools(token(OTHER))).to.deep.equal(['a', 'b']);
    // As it would be if it were one: nothing else in the book keeps it from it.
    expect(bookOf({ pools: [...honest, ...seeded, ...onward], anchors: both.anchors }).usd(token(THIRD))).to.be.above(1e5);
    const alone = bookOf({ pools: seeded, ...both });
    expect([alone.usd(token(OTHER)), alone.deepestPools(token(OTHER))]).to.deep.equal([null, []]);
  });

  it('an anchor that is no source keeps its own price and gives none', () => {
    const book = bookOf({ pools: [nativePool('a', OTHER, 4e6, 8)], anchors, sources: [DOLLAR] });
    expect([book.usd(token(NATIVE)), book.usd(token(OTHER)), book.priced]).to.deep.equal([2000, null, 1]);
  });

  it('sources that disagree weaken each other, and where neither outweighs the other there is no price', () => {
    const two = (first: number, second: number) => [
      nativePool('a', OTHER, 200 * first, 8),
      constantProduct('b', [DOLLAR, OTHER], [100 * second * E18, ((100 * second) / 16) * E18]),
    ];
    const both = { [NATIVE]: 2000, [DOLLAR]: 1 };
    expect(bookOf({ pools: two(1200, 1100), anchors: both }).usd(token(OTHER))).to.equal(null);
    expect(bookOf({ pools: two(12_000, 1100), anchors: both }).usd(token(OTHER))).to.be.closeTo(8, 1e-9);
    expect(bookOf({ pools: two(1200, 110_000), anchors: both }).usd(token(OTHER))).to.be.closeTo(16, 1e-9);
  });

  it('a stable pool gives each of its tokens', () => {
    const pool = stablePool('a', [DOLLAR, OTHER, THIRD], [1e6, 1e6, 1e6], 3e6);
    const book = bookOf({ pools: [pool], anchors: { [DOLLAR]: 1 }, decimals: { [DOLLAR]: 0, [OTHER]: 0, [THIRD]: 0 } });
    for (const number of [OTHER, THIRD]) expect(book.usd(token(number))).to.be.closeTo(1, 1e-6);
  });

  it('tokens of 77, of 255 and of unknown decimals have none, and none comes through them', () => {
    const onward = constantProduct('b', [OTHER, THIRD], [1e5 * E18, 4e5 * E18]);
    for (const decimals of [77, 255, 37, null]) {
      const book = bookOf({ pools: [nativePool('a', OTHER, 2e6, 8), onward], anchors, decimals: { [OTHER]: decimals } });
      expect(book.priced, String(decimals)).to.equal(1);
      expect(bookOf({ pools: [onward], anchors: { [OTHER]: 8 }, decimals: { [OTHER]: decimals } }).priced, String(decimals)).to.equal(0);
    }
    for (const decimals of [0, 2, 24, 36]) {
      const unit = 10 ** decimals;
      const pool = constantProduct('a', [NATIVE, OTHER], [1000 * E18, 250_000 * unit]);
      const book = bookOf({ pools: [pool], anchors, decimals: { [OTHER]: decimals } });
      expect(book.usd(token(OTHER)), String(decimals)).to.be.closeTo(8, 1e-9);
    }
  });

  it('curves of zeros, infinities and of no number price nothing and break nothing', () => {
    for (const reserves of [0, Number.NaN, Infinity, Number.MIN_VALUE, Number.MAX_VALUE]) {
      for (const other of [E18, reserves]) {
        const book = bookOf({ pools: [constantProduct('a', [NATIVE, OTHER], [reserves, other]), nativePool('b', THIRD, 2e6, 8)], anchors });
        const usd = book.usd(token(OTHER));
        expect(usd === null || (usd > 0 && usd < Infinity), `${reserves} and ${other}: ${usd}`).to.equal(true);
        expect(book.usd(token(THIRD))).to.be.closeTo(8, 1e-9);
      }
    }
  });

  describe('depend on the pools and the anchors alone', () => {
    const numbers = Array.from({ length: 9 }, (_, number) => number);
    const amount = fc.integer({ min: 20, max: 90 }).map((power) => 10 ** (power / 10));
    const pair = fc.uniqueArray(fc.constantFrom(...numbers), { minLength: 2, maxLength: 2 }).map(([one = 0, other = 1]) => [one, other] as const);
    const pool = fc
      .tuple(fc.integer({ min: 0, max: 19 }), pair, amount, amount, fc.constantFrom(100, 3000, 10_000))
      .map(([key, tokens, here, there, fee]) => constantProduct(`pool-${key}`, tokens, [here * E18, there * E18], fee));
    const anchoring = fc.dictionary(fc.constantFrom('0', '1', '2'), fc.constantFrom(0.5, 1, 1.001, 2000), { maxKeys: 3 });
    const step = fc.oneof(
      { weight: 8, arbitrary: fc.record({ kind: fc.constant('pool' as const), pool }) },
      { weight: 2, arbitrary: fc.record({ kind: fc.constant('gone' as const), key: fc.integer({ min: 0, max: 19 }).map((key) => `pool-${key}`) }) },
      { weight: 2, arbitrary: fc.record({ kind: fc.constant('anchors' as const), anchors: anchoring }) },
      { weight: 2, arbitrary: fc.record({ kind: fc.constant('sources' as const), sources: fc.subarray(numbers, { minLength: 2 }) }) },
      {
        weight: 1,
        arbitrary: fc.record({ kind: fc.constant('decimals' as const), number: fc.constantFrom(...numbers), decimals: fc.constantFrom(6, 18, 77, null) }),
      },
    );
    type Step = typeof step extends fc.Arbitrary<infer One> ? One : never;

    const shown = (book: PriceBook) => numbers.map((number) => book.usd(token(number)));

    /** All at once, in an order of its own. */
    function anew(state: {
      pools: ReadonlyMap<string, MarketPool>;
      decimals: ReadonlyMap<number, number | null>;
      anchors: Readonly<Record<string, number>>;
      sources: readonly number[];
    }): PriceBook {
      const book = new PriceBook(LEAST_USD);
      book.setSources(new Set(state.sources.map(token)));
      for (const { key, tokens, curves } of [...state.pools.values()].sort((one, other) => (one.key < other.key ? 1 : -1))) book.setPool(key, tokens, curves);
      for (const [number, decimals] of state.decimals) book.setDecimals(token(number), decimals);
      book.setAnchors(anchorsOf(state.anchors));
      book.settle();
      return book;
    }

    it('whatever came before and in whatever order: after each change they are those of a book that knows only what is there, to the last bit', () => {
      check(
        fc.property(fc.array(fc.array(step, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 12 }), (blocks: readonly (readonly Step[])[]) => {
          const book = new PriceBook(LEAST_USD);
          const state = {
            pools: new Map<string, MarketPool>(),
            decimals: new Map<number, number | null>(numbers.map((number) => [number, 18])),
            anchors: {} as Readonly<Record<string, number>>,
            sources: numbers as readonly number[],
          };
          for (const [number, decimals] of state.decimals) book.setDecimals(token(number), decimals);
          const told = new Map<string, number | null>();
          for (const block of blocks) {
            for (const one of block) {
              if (one.kind === 'pool') {
                state.pools.set(one.pool.key, one.pool);
                book.setPool(one.pool.key, one.pool.tokens, one.pool.curves);
              } else if (one.kind === 'gone') {
                state.pools.delete(one.key);
                book.removePool(one.key);
              } else if (one.kind === 'anchors') state.anchors = one.anchors;
              else if (one.kind === 'sources') {
                state.sources = one.sources;
                book.setSources(new Set(one.sources.map(token)));
              } else {
                state.decimals.set(one.number, one.decimals);
                book.setDecimals(token(one.number), one.decimals);
              }
            }
            book.setAnchors(anchorsOf(state.anchors));
            for (const { address, usd } of book.settle()) told.set(address, usd);
            const fresh = anew(state);
            expect(shown(book)).to.deep.equal(shown(fresh));
            expect(
              numbers.map((number) => told.get(token(number)) ?? null),
              'what was told',
            ).to.deep.equal(shown(fresh));
            expect(book.priced).to.equal(fresh.priced);
          }
        }),
        400,
      );
    });
  });
});

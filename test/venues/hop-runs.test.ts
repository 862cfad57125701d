import { expect } from 'chai';
import fc from 'fast-check';
import { type HopInRoute, hopRuns, loadBuilderVenues } from '../../src/venues/venues.ts';
import { seeded } from '../validation/seeded.ts';

const WHOLE = 10_000;
const TOKENS = 6;

/** Hops between tokens in the order of their numbers, as routes have them: from token 0, the last of each token with all that is left. Few pools, so that they serve twice. */
const route: fc.Arbitrary<readonly HopInRoute[]> = fc
  .array(
    fc.record({
      tokenIn: fc.integer({ min: 0, max: TOKENS - 2 }),
      step: fc.integer({ min: 1, max: 3 }),
      bps: fc.integer({ min: 1, max: WHOLE }),
      pool: fc.constantFrom('p', 'q', 'r', 's', 't', 'u', 'v'),
      within: fc.constantFrom(null, 'one', 'one', 'one', 'two'),
      hook: fc.constantFrom(null, null, 'h'),
    }),
    { minLength: 1, maxLength: 10 },
  )
  .map((drawn) => {
    const sorted = drawn
      .map(({ step, ...hop }) => ({ ...hop, tokenOut: Math.min(hop.tokenIn + step, TOKENS - 1) }))
      .sort((one, other) => one.tokenIn - other.tokenIn);
    return sorted.map((hop, index) => ({ ...hop, bps: sorted[index + 1]?.tokenIn === hop.tokenIn ? hop.bps : WHOLE }));
  });

/** What each hop takes, by index: shares of a ledger, and pools and hooks whose price every swap changes. */
function taken(hops: readonly HopInRoute[], order: readonly number[]): ReadonlyMap<number, bigint> {
  const ledger = new Map<string | number, bigint>([[0, 10n ** 24n]]);
  const used = new Map<string, bigint>();
  const amounts = new Map<number, bigint>();
  for (const index of order) {
    const { tokenIn, tokenOut, bps, within, pool, hook } = hops[index] as HopInRoute;
    const amount = ((ledger.get(tokenIn) ?? 0n) * BigInt(bps)) / BigInt(WHOLE);
    const states = [`${within} ${pool}`, ...(hook === null ? [] : [`hook ${hook}`])];
    const cost = states.reduce((sum, state) => sum + (used.get(state) ?? 0n), 1n);
    for (const state of states) used.set(state, (used.get(state) ?? 0n) + amount / 10n ** 18n);
    ledger.set(tokenIn, (ledger.get(tokenIn) ?? 0n) - amount);
    ledger.set(tokenOut, (ledger.get(tokenOut) ?? 0n) + (amount * 1000n) / (1000n + cost));
    amounts.set(index, amount);
  }
  return amounts;
}

describe('which hops run as one leg', () => {
  it('every hop takes what it takes in the order of the plan, and runs are whole chains of one venue that share no token with anybody', () => {
    let joined = 0;
    fc.assert(
      fc.property(route, (hops) => {
        const runs = hopRuns(hops);
        const order = runs.flat();
        expect([...order].sort((a, b) => a - b)).to.deep.equal(hops.map((_, index) => index));
        expect(taken(hops, order)).to.deep.equal(taken(hops, [...hops.keys()]));
        for (const run of runs.filter(({ length }) => length > 1)) {
          joined++;
          const members = run.map((index) => hops[index] as HopInRoute);
          expect(new Set(members.map(({ within }) => within)).size).to.equal(1);
          expect(members[0]?.within).to.not.equal(null);
          for (const [place, member] of members.slice(1).entries()) {
            expect(member.tokenIn).to.equal(members[place]?.tokenOut);
            expect(hops.filter(({ tokenIn, tokenOut }) => tokenIn === member.tokenIn || tokenOut === member.tokenIn)).to.have.length(2);
          }
        }
      }),
      seeded(2_000),
    );
    expect(joined).to.be.greaterThan(200);
  });

  it('a venue that writes several hops as one leg says what that saves, and no other does', async () => {
    for (const [folder, { venue, encode }] of await loadBuilderVenues()) {
      expect(venue.joinedHops !== undefined, folder).to.equal(encode.path !== undefined);
    }
  });
});

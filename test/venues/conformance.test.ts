import { readdirSync } from 'node:fs';
import { expect } from 'chai';
import fc from 'fast-check';
import { type EdgeCurve, WordReader, WordWriter } from '../../src/snapshot/snapshot.ts';
import { loadSolverVenues, PoolRefused, type SolverVenue } from '../../src/venues/venues.ts';
import { evaluateCurve } from '../support/evaluate-curve.ts';
import { MOMENT } from '../support/moment.ts';
import { check } from '../support/property.ts';
import type { VenueSample } from './venue-sample.ts';

const RUNS = 120;
const SAMPLES = new URL('./samples/', import.meta.url);
const names = readdirSync(SAMPLES).map((file) => file.replace(/\.ts$/, ''));

describe('every venue', () => {
  let venues: ReadonlyMap<string, SolverVenue>;
  before(async () => {
    venues = await loadSolverVenues();
  });

  it('has a sample for this suite, and every sample a venue', () => {
    expect([...venues.keys()]).to.deep.equal(names.sort());
  });

  it('has family labels that no other venue of its kind has', () => {
    const labels = [...venues.values()].flatMap(({ venue }) => venue.families.map(({ family }) => ({ family, kind: venue.poolSetKind })));
    expect(labels).to.have.lengthOf(new Set(labels.map(({ family, kind }) => `${kind} ${family}`)).size);
    for (const { family } of labels) expect(family).to.match(/^[a-z0-9_]+$/);
  });

  for (const name of names) describe(name, () => conforms(name, () => venues.get(name)));
});

function conforms(name: string, find: () => SolverVenue | undefined): void {
  let facets: SolverVenue;
  let sample: VenueSample<unknown>;
  before(async () => {
    const found = find();
    if (found === undefined) throw new Error(`no venue ${name}`);
    facets = found;
    const module: { readonly sample: VenueSample<unknown> } = await import(new URL(`${name}.ts`, SAMPLES).href);
    sample = module.sample;
  });

  /** Runs a check on every edge of sampled states, with an amount within the edge's capacity, at least 10^6 units where the capacity allows. */
  function forEachEdge(runs: number, body: (state: unknown, edge: EdgeCurve, amount: bigint, share: number) => void): void {
    const share = fc.double({ min: 0, max: 1, noNaN: true });
    check(
      fc.property(sample.states, share, (state, fraction) => {
        for (const edge of facets.state.curves(state)) {
          const largest = Math.min(edge.curve.capacity, 2 ** 112);
          if (largest < 1e6) continue;
          const amount = BigInt(Math.floor(1e6 * (largest / 1e6) ** fraction));
          body(state, edge, amount, fraction);
        }
      }),
      Math.min(runs, sample.runs ?? runs),
    );
  }

  it('unpacks what it packed, to the last word', () => {
    check(
      fc.property(sample.states, (state) => {
        const words = new WordReader(pack(facets, state));
        expect(facets.state.unpack(words)).to.deep.equal(state);
        expect(words.remaining).to.equal(0);
      }),
      RUNS,
    );
  });

  it('prices without touching the state it is given', () => {
    forEachEdge(RUNS, (state, { slotIn, slotOut }, amount) => {
      const before = pack(facets, state);
      const frozen = Object.freeze(state);
      const first = facets.price.exactIn(frozen, slotIn, slotOut, amount, MOMENT);
      facets.price.exactOut?.(frozen, slotIn, slotOut, amount, MOMENT);
      expect(facets.price.exactIn(frozen, slotIn, slotOut, amount, MOMENT)).to.deep.equal(first);
      expect(pack(facets, state)).to.deep.equal(before);
    });
  });

  it('gives at least as much for more', () => {
    forEachEdge(RUNS, (state, { slotIn, slotOut }, amount, share) => {
      const less = facets.price.exactIn(state, slotIn, slotOut, (amount * BigInt(Math.floor(share * 1000))) / 1000n, MOMENT);
      const one = facets.price.exactIn(state, slotIn, slotOut, amount, MOMENT);
      const more = facets.price.exactIn(state, slotIn, slotOut, amount + 1n, MOMENT);
      if (less.ok) expect(one.ok && one.amountOut >= less.amountOut).to.equal(true);
      if (one.ok && more.ok) expect(more.amountOut >= one.amountOut).to.equal(true);
      if (!one.ok && one.reason === 'partial') expect(more.ok).to.equal(false);
    });
  });

  it('refuses nothing and negative amounts', () => {
    forEachEdge(20, (state, { slotIn, slotOut }) => {
      for (const amount of [0n, -1n]) {
        expect(facets.price.exactIn(state, slotIn, slotOut, amount, MOMENT)).to.deep.equal({ ok: false, reason: 'reverts' });
        if (facets.price.exactOut) expect(facets.price.exactOut(state, slotIn, slotOut, amount, MOMENT)).to.deep.equal({ ok: false, reason: 'reverts' });
      }
    });
  });

  it('gives back no more than was put in when the swap is undone on the next state', () => {
    forEachEdge(RUNS, (state, { slotIn, slotOut }, amount) => {
      const there = facets.price.exactIn(state, slotIn, slotOut, amount, MOMENT);
      if (!there.ok) return;
      const back = facets.price.exactIn(there.next, slotOut, slotIn, there.amountOut, MOMENT);
      if (back.ok) expect(back.amountOut <= amount, `${back.amountOut} back for ${amount}`).to.equal(true);
    });
  });

  it('gives a next state that packs, prices and has curves like any other', () => {
    forEachEdge(RUNS, (state, { slotIn, slotOut }, amount) => {
      const { price } = facets;
      const quote = price.exactIn(state, slotIn, slotOut, amount, MOMENT);
      if (!quote.ok) return;
      const again = facets.state.unpack(new WordReader(pack(facets, quote.next)));
      expect(again).to.deep.equal(quote.next);
      expect(facets.state.curves(again)).to.deep.equal(facets.state.curves(quote.next));
      expect(price.exactIn(again, slotOut, slotIn, quote.amountOut, MOMENT)).to.deep.equal(price.exactIn(quote.next, slotOut, slotIn, quote.amountOut, MOMENT));
    });
  });

  it('takes for an exact output an input that gives it, and hardly more than the smallest', () => {
    forEachEdge(RUNS, (state, { slotIn, slotOut, curve }, amount) => {
      const given = facets.price.exactIn(state, slotIn, slotOut, amount, MOMENT);
      if (!given.ok || facets.price.exactOut === undefined) return;
      const asked = facets.price.exactOut(state, slotIn, slotOut, given.amountOut, MOMENT);
      expect(asked.ok).to.equal(!sample.refusesExactOut?.(state, slotOut, given.amountOut));
      if (!asked.ok) return;
      expect(asked.amountOut).to.equal(given.amountOut);
      const missed = sample.missedOutput?.(state, curve, Number(amount)) ?? 0n;
      const check = facets.price.exactIn(state, slotIn, slotOut, asked.amountIn, MOMENT);
      // Close to the capacity the rounding may lead over it.
      if (check.ok || Number(asked.amountIn) <= curve.capacity) {
        expect(check.ok ? check.amountOut >= given.amountOut - missed : given.amountOut <= missed).to.equal(true);
      }
      const less = facets.price.exactIn(state, slotIn, slotOut, asked.amountIn - 1n - sample.excessInput(state, curve, Number(amount)), MOMENT);
      expect(!less.ok || less.amountOut < given.amountOut).to.equal(true);
    });
  });

  it('has curves that agree with the exact maths to 1e-9 and its rounding', () => {
    forEachEdge(RUNS * 2, (state, { slotIn, slotOut, curve }, amount) => {
      const quote = facets.price.exactIn(state, slotIn, slotOut, amount, MOMENT);
      const approx = evaluateCurve(curve, Number(amount));
      const tolerance = approx * 1e-9 + sample.roundingUnits(state, curve, Number(amount));
      if (!quote.ok) expect(approx, `refused: ${quote.reason}`).to.be.at.most(tolerance);
      else expect(Math.abs(approx - Number(quote.amountOut)), `curve ${approx}, exact ${quote.amountOut}`).to.be.at.most(tolerance);
    });
  });

  it('has curves that are concave and whose capacity the exact maths takes whole', () => {
    forEachEdge(RUNS, (state, { slotIn, slotOut, curve }) => {
      if (Number.isFinite(curve.capacity)) {
        const quote = facets.price.exactIn(state, slotIn, slotOut, BigInt(Math.floor(curve.capacity)), MOMENT);
        expect(quote.ok || quote.reason).to.not.equal('partial');
      }
      if (curve.kind !== 'segments') return;
      const { columns } = curve;
      for (let at = 4; at < columns.length; at += 4) {
        const [x0 = 0, , reserveIn = 0, reserveOut = 0] = columns.subarray(at, at + 4);
        const [previousX = 0, , previousIn = 0, previousOut = 0] = columns.subarray(at - 4, at);
        const rateAtEnd = (previousIn * previousOut) / (previousIn + x0 - previousX) ** 2;
        expect(x0).to.be.at.least(previousX);
        // Where a small piece follows a large one, x0 itself has an error that is large against the small one.
        const errorOfX = (4 * Number.EPSILON * x0) / Math.min(reserveIn, previousIn);
        expect(reserveOut / reserveIn).to.be.at.most(rateAtEnd * (1 + 1e-9 + errorOfX));
      }
    });
  });

  it('reads its entry of a pool set, and refuses it with any needed field missing or of the wrong kind', () => {
    const { fromPoolSet } = facets.state;
    if (sample.entry === undefined || fromPoolSet === undefined) {
      expect([sample.entry, fromPoolSet, facets.venue.poolSetKind], 'a reader without a sample, or a sample without a reader').to.deep.equal([
        undefined,
        undefined,
        undefined,
      ]);
      return;
    }
    const { entry, optionalFields = [], tokenCount = 2, decimals } = sample;
    expect(facets.state.curves(fromPoolSet(entry, tokenCount, decimals))).to.have.lengthOf(tokenCount * (tokenCount - 1));
    for (const field of Object.keys(entry)) {
      const { [field]: _, ...without } = entry;
      if (optionalFields.includes(field)) fromPoolSet(without, tokenCount, decimals);
      else expect(() => fromPoolSet(without, tokenCount, decimals), field).to.throw(PoolRefused);
      if (field === 'id' || field === 'venue') continue;
      for (const wrong of [null, 'x', -1, 1.5, {}, [], [null], ['1', '-1'], '1'.repeat(100)]) {
        expect(() => fromPoolSet({ ...entry, [field]: wrong }, tokenCount, decimals), `${field} ${JSON.stringify(wrong)}`).to.throw(PoolRefused);
      }
    }
    expect(() => fromPoolSet(entry, tokenCount + 9, decimals), 'token count').to.throw(PoolRefused);
  });
}

function pack(facets: SolverVenue, state: unknown): BigUint64Array {
  const out = new WordWriter();
  facets.state.pack(state, out);
  return out.finish();
}

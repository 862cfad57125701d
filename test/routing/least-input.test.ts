// The least input that reaches a target, whatever a route answers: nothing for dust, whole numbers far apart, a cap.
import { expect } from 'chai';
import fc from 'fast-check';
import { leastInput, type Probe } from '../../src/routing/execute/least-input.ts';
import { MAX_WEI } from '../../src/units/units.ts';
import { check } from '../support/property.ts';

/** What a route may be like. `dust`: the largest input that gives nothing; `cap`: the largest that it takes. */
type Shape = { readonly num: bigint; readonly den: bigint; readonly step: bigint; readonly reserve: bigint; readonly dust: bigint; readonly cap: bigint };

/** A constant product whose output comes in steps. */
function probeOf({ num, den, step, reserve, dust, cap }: Shape, says: 'partial' | 'reverts'): (input: bigint) => Probe {
  return (input) => {
    if (input > cap) return { ok: false, reason: says };
    const whole = (input * reserve * num) / (den * (reserve + input));
    const output = (whole / step) * step;
    return input <= dust || output === 0n ? { ok: false, reason: 'reverts' } : { ok: true, output };
  };
}

const magnitude = (most: number) =>
  fc.tuple(fc.bigInt(1n, 999_999n), fc.integer({ min: 0, max: most })).map(([digits, exponent]) => digits * 10n ** BigInt(exponent));
const shapes = fc.record({
  num: magnitude(15),
  den: magnitude(15),
  step: fc.oneof(fc.constant(1n), magnitude(12)),
  reserve: magnitude(27),
  dust: fc.oneof(fc.constant(0n), magnitude(9)),
  room: magnitude(24),
});

describe('the least input that reaches a target', () => {
  it('is found from any guess: one less misses, and there is none only where the most that is taken misses', () => {
    check(
      fc.property(shapes, magnitude(24), fc.double({ min: 0, max: 1, noNaN: true }), fc.boolean(), ({ dust, room, ...rest }, asked, guessed, reverts) => {
        const shape = { ...rest, dust, cap: dust + room };
        const probe = probeOf(shape, reverts ? 'reverts' : 'partial');
        const most = probe(shape.cap);
        const guess = 1n + (shape.cap * BigInt(Math.floor(guessed * 1e6)) * (reverts ? 1n : 1000n)) / 1_000_000n;
        // Where a refusal does not say that it was too much, only a fill below it does.
        fc.pre(!reverts || probe(guess).ok);
        for (const target of most.ok ? [most.output, 1n + (asked % most.output), 1n] : [1n]) {
          let probes = 0;
          const found = leastInput(
            (input) => {
              probes++;
              return probe(input);
            },
            target,
            guess,
            MAX_WEI,
          );
          expect(probes).to.be.below(MOST_PROBES);
          if (!most.ok) {
            expect(found).to.equal(null);
            continue;
          }
          if (found === null) throw new Error(`nothing found for ${target}`);
          const [at, less] = [probe(found), probe(found - 1n)];
          expect(at.ok && at.output >= target, 'reaches').to.equal(true);
          expect(less.ok && less.output >= target, 'one less').to.equal(false);
        }
      }),
      500,
    );
  });

  it('costs few simulations of the route where the guess is close, and no more than its bits where it is not', () => {
    let [close, far] = [0, 0];
    for (const reserve of [10n ** 21n, 10n ** 24n, 10n ** 27n]) {
      for (const part of [1n, 30n, 300n, 2000n]) {
        const target = (reserve * part) / 10_000n + 12_345n;
        // What a constant product asks for, rounded up.
        const needed = (target * reserve) / (reserve - target) + 1n;
        for (const [off, isClose] of [
          [1n, true],
          [-1n, true],
          [1000n, false],
          [-1000n, false],
          [900_000n, false],
          [-999_999n, false],
        ] as const) {
          let probes = 0;
          const probe = (input: bigint): Probe => {
            probes++;
            return { ok: true, output: (input * reserve) / (reserve + input) };
          };
          expect(leastInput(probe, target, needed + (needed * off) / 1_000_000n, MAX_WEI)).to.equal(needed);
          if (isClose) close = Math.max(close, probes);
          else far = Math.max(far, probes);
        }
      }
    }
    expect(close).to.be.at.most(20);
    // Halving alone takes a step for each of some ninety bits.
    expect(far).to.be.at.most(38);
  });

  it('is not looked for beyond the most that may be sold', () => {
    const probe = (input: bigint): Probe => ({ ok: true, output: input });
    for (const guess of [1n, 500n, 1000n, 2000n]) {
      expect(leastInput(probe, 1000n, guess, 1000n)).to.equal(1000n);
      expect(leastInput(probe, 1001n, guess, 1000n)).to.equal(null);
    }
  });
});

/** Twice the bits of what is looked for, and those by which a guess may be off: far below what a search is allowed. */
const MOST_PROBES = 400;

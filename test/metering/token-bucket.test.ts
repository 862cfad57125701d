import { expect } from 'chai';
import fc from 'fast-check';
import type { BudgetOwner } from '../../src/metering/budget-store.ts';
import { MemoryBudgetStore } from '../../src/metering/memory-budget-store.ts';
import { type InstantMicros, PARTS_PER_TOKEN, secondsToToken } from '../../src/metering/token-bucket.ts';
import { SEED } from '../support/seeded-random.ts';

const micros = (value: number) => value as InstantMicros;
const owner = (rps: number, id = 'a'): BudgetOwner => ({ id, kind: 'ip', rps });

/** Burst in half tokens, by the words of the interface: min(rps × 1.5, rps + 20). */
const burstHalves = (rps: number) => (rps <= 40 ? 3 * rps : 2 * rps + 40);

// Forty rates, five facts each.
const RATES = [
  1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 17, 19, 20, 21, 29, 30, 39, 40, 41, 42, 50, 59, 60, 61, 64, 99, 100, 101, 127, 128, 250, 333, 499, 500, 777, 999, 1000,
  1001,
];

describe('the rate bucket', () => {
  for (const rps of RATES) {
    describe(`at ${rps} requests per second`, () => {
      const burst = Math.floor(burstHalves(rps) / 2);
      // What is left after the burst: half a token where the reservoir ends in one.
      const restMicroTokens = burstHalves(rps) % 2 === 1 ? 500_000 : 0;
      const waitMicros = Math.ceil((1_000_000 - restMicroTokens) / rps);

      async function drained(): Promise<MemoryBudgetStore> {
        const store = new MemoryBudgetStore(10);
        for (let i = 0; i < burst; i++) expect((await store.take(owner(rps), micros(0))).allowed).to.equal(true);
        return store;
      }

      it('burst reservoir is min(rps x 1.5, rps + 20) tokens', async () => {
        const store = new MemoryBudgetStore(10);
        expect(await store.peek(owner(rps), micros(0))).to.deep.equal({ limit: rps, remaining: burst });
        expect(await store.take(owner(rps), micros(0))).to.deep.equal({ limit: rps, remaining: burst - 1, allowed: true });
      });

      it('an empty bucket refuses and says when to come back: an integer, at least 1', async () => {
        const store = await drained();
        expect(await store.take(owner(rps), micros(0))).to.deep.equal({ limit: rps, remaining: 0, allowed: false, retryAfterSeconds: 1 });
      });

      it('the microsecond before the next token it still refuses', async () => {
        const store = await drained();
        expect((await store.take(owner(rps), micros(waitMicros - 1))).allowed).to.equal(false);
      });

      it('at the microsecond of the next token it serves exactly one', async () => {
        const store = await drained();
        expect((await store.take(owner(rps), micros(waitMicros))).allowed).to.equal(true);
        expect((await store.take(owner(rps), micros(waitMicros))).allowed).to.equal(false);
      });

      it('refilling continuously at the sustained rate: asked every millisecond for ten seconds it serves ten times the rate and no more', async () => {
        const store = await drained();
        let served = 0;
        for (let ms = 1; ms <= 10_000; ms++) {
          // The reservoir must not fill up in between, or refill would be lost: asking often enough is the point.
          for (;;) {
            const { allowed } = await store.take(owner(rps), micros(ms * 1000));
            if (!allowed) break;
            served++;
          }
        }
        expect(served).to.equal(Math.floor(rps * 10 + restMicroTokens / 1_000_000));
      });
    });
  }

  it('agrees with an independent rational model on 10,000 random sequences', async function () {
    this.timeout(300_000);
    const step = fc.record({ wait: fc.oneof(fc.nat(3), fc.nat(2_000), fc.nat(3_000_000)), what: fc.constantFrom('take', 'take', 'take', 'refund', 'peek') });
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 5000 }), fc.array(step, { minLength: 1, maxLength: 20 }), async (rps, steps) => {
        const store = new MemoryBudgetStore(10);
        const model = new RationalBucket(BigInt(rps));
        let now = 0;
        for (const { wait, what } of steps) {
          now += wait;
          model.advance(BigInt(wait));
          if (what === 'take') {
            const decision = await store.take(owner(rps), micros(now));
            expect(decision.allowed).to.equal(model.take());
            if (!decision.allowed) expect(decision.retryAfterSeconds).to.equal(model.secondsToToken());
          } else if (what === 'refund') {
            await store.refund(owner(rps), micros(now));
            model.refund();
          }
          expect((await store.peek(owner(rps), micros(now))).remaining).to.equal(model.whole());
        }
      }),
      { numRuns: 10_000, seed: SEED },
    );
  });

  it('a refund never lifts a bucket above the burst', async () => {
    const store = new MemoryBudgetStore(10);
    await store.take(owner(3), micros(0));
    for (let i = 0; i < 5; i++) expect((await store.refund(owner(3), micros(0))).remaining).to.equal(4);
    for (let i = 0; i < 4; i++) expect((await store.take(owner(3), micros(0))).allowed).to.equal(true);
    expect((await store.take(owner(3), micros(0))).allowed).to.equal(false);
  });

  it('a clock that goes back gives nothing and takes nothing', async () => {
    const store = new MemoryBudgetStore(10);
    for (let i = 0; i < 4; i++) await store.take(owner(3), micros(1_000_000));
    expect((await store.take(owner(3), micros(0))).allowed).to.equal(false);
    expect((await store.take(owner(3), micros(1_000_000))).allowed).to.equal(false);
    expect((await store.take(owner(3), micros(1_166_667))).allowed).to.equal(true);
  });

  it('a clock that goes back takes nothing of what is there', async () => {
    const store = new MemoryBudgetStore(10);
    await store.take(owner(3), micros(1_000_000));
    expect((await store.peek(owner(3), micros(0))).remaining).to.equal(3);
    expect((await store.take(owner(3), micros(0))).remaining).to.equal(2);
  });

  it('says a second, never none, also where a token is there already', () => {
    for (const level of [0, PARTS_PER_TOKEN - 1, PARTS_PER_TOKEN, 4 * PARTS_PER_TOKEN]) {
      for (const rps of RATES) expect(secondsToToken({ level, at: micros(0) }, rps), `${level} at ${rps}`).to.equal(1);
    }
  });

  it('a long rest fills it and no more', async () => {
    const store = new MemoryBudgetStore(10);
    for (let i = 0; i < 4; i++) await store.take(owner(3), micros(0));
    expect((await store.peek(owner(3), micros(Number.MAX_SAFE_INTEGER))).remaining).to.equal(4);
  });
});

/** The bucket in exact fractions: the level is `parts / scale` tokens, with nothing in common with the code under test but the words of the interface. */
class RationalBucket {
  readonly #rps: bigint;
  readonly #capacity: bigint;
  #parts: bigint;
  // Microseconds and halves: a token is 2,000,000 parts.
  static readonly TOKEN = 2_000_000n;

  constructor(rps: bigint) {
    this.#rps = rps;
    const oneAndAHalf = (rps * 3n * RationalBucket.TOKEN) / 2n;
    const plusTwenty = (rps + 20n) * RationalBucket.TOKEN;
    this.#capacity = rps <= 40n ? oneAndAHalf : plusTwenty;
    this.#parts = this.#capacity;
  }

  advance(elapsedMicros: bigint): void {
    // rps tokens per 1,000,000 µs.
    this.#add((elapsedMicros * this.#rps * RationalBucket.TOKEN) / 1_000_000n);
  }

  take(): boolean {
    if (this.#parts < RationalBucket.TOKEN) return false;
    this.#parts -= RationalBucket.TOKEN;
    return true;
  }

  refund(): void {
    this.#add(RationalBucket.TOKEN);
  }

  whole(): number {
    return Number(this.#parts / RationalBucket.TOKEN);
  }

  secondsToToken(): number {
    const missing = RationalBucket.TOKEN - this.#parts;
    const perSecond = this.#rps * RationalBucket.TOKEN;
    const seconds = (missing + perSecond - 1n) / perSecond;
    return Number(seconds < 1n ? 1n : seconds);
  }

  #add(parts: bigint): void {
    this.#parts += parts;
    if (this.#parts > this.#capacity) this.#parts = this.#capacity;
  }
}

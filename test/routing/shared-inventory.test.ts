import { expect } from 'chai';
import fc from 'fast-check';
import type { Plan } from '../../src/routing/routing.ts';
import { check } from '../support/property.ts';
import { MAKER, maker } from './made-up-maker.ts';
import { type MadeUpPool, type MadeUpWorld, makerAddress, openMadeUpWorld } from './made-up-world.ts';
import { job, planOf, token, venues } from './world.ts';

const E18 = 10n ** 18n;
const ALL = new Map([...venues, ['maker', MAKER]]);
const BALANCE = 1000n * E18;

function pair(id: number, tokens: readonly [number, number], reserve: bigint): MadeUpPool {
  return { id, venue: 'uniswap_v2', tokens, state: { reserve0: reserve, reserve1: reserve, feePpm: 3000 } };
}

function deskQuote(id: number, tokens: readonly [number, number], permille: bigint, inventory: bigint): MadeUpPool {
  return { id, venue: 'maker', tokens, state: maker(permille, BALANCE, { inventory }) };
}

/** What a plan takes of a token out of pools, by their numbers. */
function paid(plan: Plan, out: number, pools: readonly number[]): bigint {
  const addresses = pools.map(makerAddress);
  return plan.hops
    .filter(({ poolAddress, tokenOut }) => addresses.includes(poolAddress) && tokenOut === token(out))
    .reduce((sum, { amountOut }) => sum + amountOut, 0n);
}

/** One balance of token 2 that is quoted against 1 and against 3, with a deep pool from 1 to 3 and a dearer one straight to 2. */
function oneDesk(inventories: readonly [bigint, bigint], baseFee?: bigint): MadeUpWorld {
  const pools = [
    deskQuote(0, [1, 2], 1000n, inventories[0]),
    deskQuote(1, [3, 2], 1000n, inventories[1]),
    pair(2, [1, 3], 1_000_000n * E18),
    pair(3, [1, 2], 20_000n * E18),
    pair(4, [0, 1], 1_000_000n * E18),
    pair(5, [0, 2], 1_000_000n * E18),
  ];
  return openMadeUpWorld(ALL, pools, { number: 100, timestamp: 1000, ...(baseFee === undefined ? {} : { baseFee }) });
}

describe('pools that pay out of one inventory', () => {
  for (const mode of ['sell', 'buy'] as const) {
    for (const baseFee of [undefined, 10n ** 9n]) {
      it(`never promise more of a token than it holds (${mode}, ${baseFee === undefined ? 'gas-free' : 'net of gas'})`, () => {
        for (const units of [500n, 1500n, 2500n]) {
          const plan = planOf(oneDesk([7n, 7n], baseFee).solve(job(token(1), token(2), units * E18, { mode })));
          expect(paid(plan, 2, [0, 1]) <= BALANCE, `${paid(plan, 2, [0, 1])} of ${BALANCE}`).to.equal(true);
        }
      });
    }

    it(`are used beside each other where the inventories are two, or none is named (${mode})`, () => {
      for (const inventories of [
        [7n, 8n],
        [0n, 0n],
      ] as const) {
        const plan = planOf(oneDesk(inventories).solve(job(token(1), token(2), 2500n * E18, { mode })));
        expect(paid(plan, 2, [0, 1]) > (BALANCE * 3n) / 2n).to.equal(true);
      }
    });
  }

  it('serve one at a time in a split where one swap changes what the others would give, whatever they pay', () => {
    for (const once of [0n, 1n]) {
      const desk = (id: number, tokens: readonly [number, number]): MadeUpPool => ({
        ...{ id, venue: 'maker', tokens },
        state: maker(1000n, BALANCE, { inventory: 7n, once }),
      });
      const pools = [desk(0, [1, 2]), desk(1, [1, 3]), pair(2, [1, 2], 20_000n * E18), pair(3, [3, 2], 1_000_000n * E18)];
      const plan = planOf(openMadeUpWorld(ALL, pools).solve(job(token(1), token(2), 1900n * E18)));
      const used = plan.hops.filter(({ venue }) => venue === 'maker');
      expect(used, String(once)).to.have.lengthOf(once === 1n ? 1 : 2);
    }
  });

  it('may follow each other in a route where they pay different tokens', () => {
    const pools = [deskQuote(0, [1, 2], 1000n, 7n), deskQuote(1, [2, 3], 1000n, 7n)];
    const plan = planOf(openMadeUpWorld(ALL, pools).solve(job(token(1), token(3), 10n * E18)));
    expect(plan.hops).to.have.lengthOf(2);
  });

  it('are promised no more than once in any market', () => {
    const ends = fc.constantFrom<readonly [number, number]>([1, 2], [3, 2], [4, 2], [1, 3], [4, 3], [1, 4]);
    const quotes = fc.array(fc.tuple(ends, fc.integer({ min: 900, max: 1010 }), fc.integer({ min: 1, max: 2 })), { minLength: 2, maxLength: 8 });
    const requests = fc.record({
      units: fc.integer({ min: 1, max: 6000 }),
      mode: fc.constantFrom('sell' as const, 'buy' as const),
      gas: fc.constantFrom(undefined, 10n ** 9n),
    });
    check(
      fc.property(quotes, requests, (drafts, { units, mode, gas }) => {
        const desks = drafts.map(([tokens, permille, inventory], id) => ({ pool: deskQuote(id, tokens, BigInt(permille), BigInt(inventory)), inventory }));
        const rest = [pair(20, [1, 3], 10_000n * E18), pair(21, [1, 4], 10_000n * E18), pair(22, [1, 2], 10_000n * E18), pair(23, [0, 1], 10_000n * E18)];
        const block = { number: 100, timestamp: 1000, ...(gas === undefined ? {} : { baseFee: gas }) };
        const open = openMadeUpWorld(ALL, [...desks.map(({ pool }) => pool), ...rest], block);
        const result = open.solve(job(token(1), token(2), BigInt(units) * E18, { mode }));
        if (!result.ok) return;
        for (const inventory of [1, 2]) {
          const members = desks.filter((desk) => desk.inventory === inventory).map(({ pool }) => pool.id);
          for (const out of [2, 3, 4]) expect(paid(result.plan, out, members) <= BALANCE).to.equal(true);
        }
      }),
      150,
    );
  });
});

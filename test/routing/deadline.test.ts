import { expect } from 'chai';
import type { InstantMs } from '../../src/units/units.ts';
import { expectRouteShape } from './route-shape.ts';
import { bestSinglePath, concentratedPool, job, openWorld, type PoolEntry, pairPool, planOf, replay, token } from './world.ts';

const E18 = 10n ** 18n;
const [EARLY, LATE] = [0 as InstantMs, 1000 as InstantMs];

/** A solve by a clock that strikes the deadline when it is asked for the so-manieth time. */
function solveUntil(pools: readonly PoolEntry[], amount: bigint, mode: 'sell' | 'buy', strikesAt: number) {
  let calls = 0;
  const open = openWorld({ pools, tokenCount: 5, baseFee: 10n ** 9n }, { now: () => (++calls >= strikesAt ? LATE : EARLY) });
  const result = open.solve(job(token(1), token(2), amount, { deadline: LATE, mode }), open.view);
  return { result, calls, open };
}

const reserve = (units: number) => [BigInt(units) * E18, BigInt(units) * E18] as const;
const merging = [
  pairPool(0, [1, 2], reserve(1000)),
  pairPool(1, [1, 3], reserve(3000)),
  pairPool(2, [2, 3], reserve(2000)),
  pairPool(3, [1, 4], reserve(2500)),
  pairPool(4, [2, 4], reserve(1500)),
  pairPool(5, [3, 4], reserve(5000)),
  pairPool(6, [0, 2], reserve(100_000)),
];
const vaults: readonly PoolEntry[] = [190n, 310n].map((cap, index) => ({
  kind: 'erc4626',
  id: `0x${(0xe0000 + index).toString(16).padStart(40, '0')}`,
  venue: 'erc4626',
  tokens: [token(3), token(2)],
  rates: [String(E18), String((E18 * 9n) / 10n)],
  maxDeposit: String(cap * E18),
}));

describe('a deadline in the middle of a search', () => {
  const markets: readonly (readonly [string, 'sell' | 'buy', readonly PoolEntry[], bigint])[] = [
    ['of ways that part and meet', 'sell', merging, 300n * E18],
    ['of ways that part and meet', 'buy', merging, 300n * E18],
    ['of capped pools', 'sell', [...merging, ...vaults], 600n * E18],
    ['of capped pools', 'buy', [...merging, ...vaults], 600n * E18],
    ['that is drained', 'sell', merging, 20_000n * E18],
    ['where a few units are traded', 'sell', merging, 1000n],
    ['where a few units are traded', 'buy', merging, 1000n],
  ];

  for (const [name, mode, pools, amount] of markets) {
    it(`leaves an exact route whenever it strikes, and says so, in a market ${name}, ${mode}`, () => {
      const whole = solveUntil(pools, amount, mode, Infinity);
      const wholePlan = planOf(whole.result);
      expect(wholePlan.facts.stopped).to.equal('converged');
      for (let strikesAt = 1; strikesAt <= whole.calls; strikesAt++) {
        const { result, open } = solveUntil(pools, amount, mode, strikesAt);
        const plan = planOf(result);
        const about = `struck at call ${strikesAt} of ${whole.calls}`;
        expectRouteShape(plan.hops, 3);
        expect(replay(open, plan, token(1), plan.sellAmount), about).to.deep.equal({ output: plan.grossAmount, stranded: 0n });
        expect(mode === 'sell' ? plan.sellAmount === amount : plan.grossAmount >= amount, about).to.equal(true);
        expect(plan.grossAmount >= bestSinglePath(open, token(1), token(2), plan.sellAmount, 1), about).to.equal(true);
        // The last look at the clock is the account of the time that the answer took.
        expect(plan.facts.stopped, about).to.equal(strikesAt < whole.calls ? 'deadline' : 'converged');
        if (strikesAt === whole.calls) expect(plan.hops).to.deep.equal(wholePlan.hops);
      }
    });
  }

  it('keeps what was found before it struck: the later, the better', () => {
    const amount = 300n * E18;
    const { calls, open } = solveUntil(merging, amount, 'sell', Infinity);
    const outputs = Array.from({ length: calls }, (_, at) => planOf(solveUntil(merging, amount, 'sell', at + 1).result).grossAmount);
    for (const [at, output] of outputs.entries()) expect(output >= (outputs[at - 1] ?? 0n), `call ${at}`).to.equal(true);
    // A split that was still growing is better than none.
    const single = bestSinglePath(open, token(1), token(2), amount, 3);
    expect(outputs.some((output) => output > single && output < (outputs.at(-1) ?? 0n))).to.equal(true);
  });

  it('leaves an exact route or none where no route without splits carries the trade', () => {
    const narrow = [0, 1, 2].map((id) => concentratedPool(id, [1, 2], 0, [[-600, 600, 1000n * E18]]));
    for (const mode of ['sell', 'buy'] as const) {
      const whole = solveUntil(narrow, 60n * E18, mode, Infinity);
      expect(planOf(whole.result).hops).to.have.lengthOf(3);
      for (let strikesAt = 1; strikesAt < whole.calls; strikesAt++) {
        const { result, open } = solveUntil(narrow, 60n * E18, mode, strikesAt);
        if (!result.ok) expect(result.reason).to.equal('no-route');
        else expect(replay(open, result.plan, token(1), result.plan.sellAmount)).to.deep.equal({ output: result.plan.grossAmount, stranded: 0n });
      }
    }
  });
});

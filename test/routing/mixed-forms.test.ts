import { expect } from 'chai';
import type { ExactHop } from '../../src/routing/execute/resimulate.ts';
import { mixedWrapSteps, type ShareRounding } from '../../src/routing/execute/wrap-steps.ts';
import type { PoolView } from '../../src/snapshot/snapshot.ts';
import { BPS_WHOLE } from '../../src/units/units.ts';

const [WRAPPED, BUY] = [1, 2];
const ENDS = { wrapped: WRAPPED, sellsNative: false, buysNative: false };
const INPUT = 1_000_000n;

/** Sells part of the wrapped token, in either form, to the token that is bought. */
const hop = (name: string, amountIn: bigint, native = false): ExactHop =>
  ({
    pool: { key: name, tokens: [WRAPPED, BUY] } as unknown as PoolView,
    slotIn: 0,
    slotOut: 1,
    bps: 1,
    amountIn,
    amountOut: amountIn,
    gas: 1,
    ...(native ? { native: 'in' } : {}),
  }) as ExactHop;

describe('a token that leaves its node in both forms', () => {
  /** The names of the hops in order with their shares; the change of form as its share. */
  const stepsOf = (hops: readonly ExactHop[], rounding: ShareRounding) =>
    (mixedWrapSteps(hops, INPUT, { sell: WRAPPED, buy: BUY }, ENDS, rounding)[0] ?? []).map((step) => [
      step.pool === null ? 'change' : step.pool.key,
      step.bps,
    ]);

  it('keeps the last of its hops the last, whichever form that takes, and gives each form to the last of its own', () => {
    const [a, b, c] = [hop('a', 500_000n), hop('b', 300_000n, true), hop('c', 200_000n)];
    expect(stepsOf([a, b, c], 'within')).to.deep.equal([
      ['change', 3000],
      ['a', 7142],
      ['b', BPS_WHOLE],
      ['c', BPS_WHOLE],
    ]);
    expect(stepsOf([a, c, b], 'within')).to.deep.equal([
      ['change', 3000],
      ['c', 2857],
      ['a', BPS_WHOLE],
      ['b', BPS_WHOLE],
    ]);
    expect(stepsOf([a, b, c], 'nearest')).to.deep.equal([
      ['change', 3000],
      ['a', 7143],
      ['b', BPS_WHOLE],
      ['c', BPS_WHOLE],
    ]);
  });
});

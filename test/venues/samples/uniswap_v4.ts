import fc from 'fast-check';
import { HOOK_MODELS } from '../../../src/venues/uniswap_v4/known-hooks.ts';
import { swapPool } from '../../../src/venues/uniswap_v4/swap-pool.ts';
import type { UniswapV4State } from '../../../src/venues/uniswap_v4/uniswap-v4-pool.ts';
import { evaluateCurve } from '../../support/evaluate-curve.ts';
import type { VenueSample } from '../venue-sample.ts';
import { sample as concentrated } from './uniswap_v3.ts';

const PARTS = 1_000_000n;
const protocolPart = fc.constantFrom(0, 1, 500, 1000);
/** What a hook asks of a swap, by its variant: fees that it imposes; the fee of unlocked swaps, and what it takes of the unspecified amount. Parts per million. */
const PARAMETERS: Readonly<Record<string, fc.Arbitrary<bigint[]>>> = {
  dynamic_fee: fc.constantFrom([], [0n, 0n, 0n], [3000n, 100n, 1n], [0n, 20_000n, 1n]),
  angstrom: fc.constantFrom([], [500n, 0n], [3000n, 2500n], [0n, 200_000n]),
};

/** A hook that takes of what is not specified takes of the output for an exact input, and of the input for an exact output: the one does not undo the other, by less than what is taken in either. */
function partOf({ variant, parameters: [, rate = 0n] }: UniswapV4State, amount: number): bigint {
  if (variant === 'output_fee') return BigInt(Math.ceil(amount * 0.002));
  return variant === 'angstrom' ? BigInt(Math.ceil((amount * Number(rate)) / Number(PARTS - rate))) : 0n;
}

export const sample: VenueSample<UniswapV4State> = {
  states: fc.constantFrom(null, ...HOOK_MODELS.keys()).chain((variant) =>
    fc.record({
      pool: concentrated.states,
      protocolFee: fc.tuple(protocolPart, protocolPart).map(([down, up]) => down + up * 4096),
      dynamicFee: fc.boolean(),
      native: fc.boolean(),
      variant: fc.constant(variant),
      parameters: PARAMETERS[variant ?? ''] ?? fc.constant([]),
    }),
  ),
  // Beside what the pool rounds, the hook's part is rounded.
  roundingUnits: ({ pool }, curve, amountIn) => concentrated.roundingUnits(pool, curve, amountIn) + 1,
  excessInput: (state, curve, amountIn) => concentrated.excessInput(swapPool(state, true) ?? state.pool, curve, amountIn) + partOf(state, amountIn),
  missedOutput: (state, curve, amountIn) => partOf(state, evaluateCurve(curve, amountIn)),
};

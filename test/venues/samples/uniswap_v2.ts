import fc from 'fast-check';
import type { UniswapV2State } from '../../../src/venues/uniswap_v2/state.ts';
import type { VenueSample } from '../venue-sample.ts';

const reserve = fc.tuple(fc.integer({ min: 24, max: 108 }), fc.bigInt(0n, (1n << 24n) - 1n)).map(([bits, low]) => (1n << BigInt(bits)) + low);

export const sample: VenueSample<UniswapV2State> = {
  states: fc.record({ reserve0: reserve, reserve1: reserve, feePpm: fc.constantFrom(0, 500, 2500, 3000, 10_000) }),
  entry: { id: '0xcd7989894bc033581532d2cd88da5db0a4b12859', venue: 'uniswap_v2', feeBps: 30, reserves: ['172795526', '320211356108301104338117'] },
  // The family fixes the fee.
  optionalFields: ['id', 'venue', 'feeBps'],
  tokenCount: 2,
  roundingUnits: () => 1,
  // The router adds one unit also where the quotient is whole.
  excessInput: () => 1n,
};

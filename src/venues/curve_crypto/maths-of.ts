import * as three from './crypto-maths.ts';
import * as two from './two-coin-maths.ts';

/** What pools of two and of three coins compute each in their own way. */
export type CryptoMaths = Pick<typeof two, 'geometricMean' | 'reductionCoefficient' | 'invariantOf' | 'balanceFor'>;

/** The mathematics of a pool with so many coins. */
export function mathsOf({ length }: readonly unknown[]): CryptoMaths {
  return length === 2 ? two : three;
}

import { expect } from 'chai';
import { balanceOf } from '../../src/venues/balancer_v2_stable/stable-math.ts';

const MAX_UINT256 = 2n ** 256n - 1n;
const PRECISION = 1000n;
const AMPLIFICATION = 200n * PRECISION;
const BALANCE = 2n ** 126n;
const BALANCES = [BALANCE, BALANCE];

/** The largest word of StableMath.sol's `_getTokenBalanceGivenInvariantAndAllOtherBalances` with two such balances: D² + ⌈D² / (A n P)⌉ · precision · balance. */
function largestWord(invariant: bigint): bigint {
  const product = (2n * BALANCE * (2n * BALANCE)) / invariant;
  const squared = invariant * invariant;
  const divisor = AMPLIFICATION * 2n * product;
  return squared + ((squared + divisor - 1n) / divisor) * PRECISION * BALANCE;
}

describe('the balance that gives an invariant', () => {
  it('is there up to the last one whose words are within 256 bits, and not with the next, with which the contract reverts', () => {
    let [fits, overflows] = [2n ** 127n, 2n ** 128n - 1n];
    while (overflows - fits > 1n) {
      const middle = (fits + overflows) / 2n;
      if (largestWord(middle) <= MAX_UINT256) fits = middle;
      else overflows = middle;
    }
    expect(overflows * overflows, 'its square alone would fit').to.satisfy((squared: bigint) => squared <= MAX_UINT256);
    expect(balanceOf(AMPLIFICATION, BALANCES, fits, 1)).to.be.a('bigint');
    expect(balanceOf(AMPLIFICATION, BALANCES, overflows, 1)).to.equal(null);
  });
});

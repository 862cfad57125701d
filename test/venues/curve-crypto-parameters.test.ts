import { expect } from 'chai';
import { Reverted } from '../../src/venues/curve_crypto/checked-integers.ts';
import { type AmplificationAndGamma, balanceFor, invariantOf } from '../../src/venues/curve_crypto/crypto-maths.ts';
import { balanceFor as balanceOfTwo, invariantOf as invariantOfTwo } from '../../src/venues/curve_crypto/two-coin-maths.ts';

const ONE = 10n ** 18n;
const [INVARIANT, BALANCES] = [3_000_000n * ONE, [1_000_000n * ONE, 1_000_000n * ONE, 1_000_000n * ONE]];
const TWO = [1_500_000n * ONE, 1_500_000n * ONE];

/** As the contracts have them: A over n^n · 10,000 is between a hundredth and so much, gamma between 10^10 and so much. */
const KINDS = [
  {
    coins: 'three',
    amplification: [2700n, 270_000_000n],
    gamma: [10n ** 10n, 5n * 10n ** 16n],
    computes: [(p: AmplificationAndGamma) => invariantOf(p, BALANCES), (p: AmplificationAndGamma) => balanceFor(p, BALANCES, INVARIANT, 0)],
  },
  {
    coins: 'two',
    amplification: [4000n, 4_000_000_000n],
    gamma: [10n ** 10n, 2n * 10n ** 16n],
    computes: [(p: AmplificationAndGamma) => invariantOfTwo(p, TWO), (p: AmplificationAndGamma) => balanceOfTwo(p, TWO, INVARIANT, 0)],
  },
] as const;

describe('the parameters of a crypto pool', () => {
  for (const { coins, amplification, gamma, computes } of KINDS)
    it(`of ${coins} coins are computed with up to their bounds, and revert beyond them`, () => {
      const usual = { amplification: amplification[0] * 100n, gamma: gamma[0] * 100n };
      const within = [...amplification.map((amplified) => ({ ...usual, amplification: amplified })), ...gamma.map((one) => ({ ...usual, gamma: one }))];
      const beyond = [
        ...[amplification[0] - 1n, amplification[1] + 1n].map((amplified) => ({ ...usual, amplification: amplified })),
        ...[gamma[0] - 1n, gamma[1] + 1n].map((one) => ({ ...usual, gamma: one })),
      ];
      for (const compute of computes) {
        for (const parameters of within) expect(() => compute(parameters)).to.not.throw();
        for (const parameters of beyond) expect(() => compute(parameters)).to.throw(Reverted);
      }
    });
});

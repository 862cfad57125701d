import { expect } from 'chai';
import { LIMITS } from '../../src/config/limits.ts';
import { assertPoolFacts } from '../../src/snapshot/pool-checks.ts';
import { samplePool } from './sample-facts.ts';

describe('what a pool may be to have room in a snapshot', () => {
  const { poolTokens, keyCharacters } = LIMITS.snapshot;
  const ofTokens = (count: number) =>
    samplePool(
      1,
      Array.from({ length: count }, (_, token) => token),
      1,
    );

  it('two tokens at least and at most as many as fit', () => {
    for (const count of [2, poolTokens]) expect(() => assertPoolFacts(ofTokens(count))).to.not.throw();
    for (const count of [1, poolTokens + 1]) expect(() => assertPoolFacts(ofTokens(count))).to.throw(`${count} tokens`);
  });

  it('a key of one character at least and at most as many as fit', () => {
    for (const length of [1, keyCharacters]) expect(() => assertPoolFacts({ ...ofTokens(2), key: 'k'.repeat(length) })).to.not.throw();
    for (const length of [0, keyCharacters + 1]) expect(() => assertPoolFacts({ ...ofTokens(2), key: 'k'.repeat(length) })).to.throw(`${length} characters`);
  });
});

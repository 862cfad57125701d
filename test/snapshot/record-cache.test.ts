import { expect } from 'chai';
import { LIMITS } from '../../src/config/limits.ts';
import { openMemory } from '../../src/snapshot/memory.ts';
import { RecordCache } from '../../src/snapshot/record-cache.ts';
import { allocateSnapshot } from '../../src/snapshot/snapshot.ts';

describe('what a reader keeps of tokens', () => {
  const { cachedTokens } = LIMITS.snapshot;
  const cacheOf = (tokens: number) => new RecordCache(openMemory(allocateSnapshot({ arenaBytes: 2 ** 20, pools: 2, tokens, readers: 1, slots: 2 })));

  it('is as many as are allowed, and no more of however many there are', () => {
    const cache = cacheOf(2 * cachedTokens);
    const first = cache.token(0, 0);
    const second = cache.token(1, 0);
    for (let id = 2; id < cachedTokens; id++) cache.token(id, 0);
    expect(cache.token(0, 0), 'all that are allowed').to.equal(first);
    const displacing = cache.token(cachedTokens, 0);
    expect(cache.token(cachedTokens, 0)).to.equal(displacing);
    const again = cache.token(0, 0);
    expect(again, 'decoded again').not.to.equal(first);
    expect(again).to.deep.equal(first);
    expect(cache.token(1, 0), 'and no other').to.equal(second);
  });

  it('is all of them where there are few', () => {
    const cache = cacheOf(5);
    const all = [0, 1, 2, 3, 4].map((id) => cache.token(id, 0));
    for (const [id, facts] of all.entries()) expect(cache.token(id, 0)).to.equal(facts);
  });
});

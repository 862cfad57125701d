import { expect } from 'chai';
import { LIMITS } from '../../src/config/limits.ts';
import { longMsOf, longPlacesOf } from '../../src/solving/long-jobs.ts';

describe('threads that long jobs may hold', () => {
  it('are all but one, and all of one', () => {
    expect([1, 2, 3, 8].map((threads) => longPlacesOf(threads))).to.deep.equal([1, 1, 2, 7]);
  });

  it('are never the last one that lives, for which short jobs wait too, while others are replaced', () => {
    expect([0, 1, 2].map((live) => longPlacesOf(2, live))).to.deep.equal([0, 0, 1]);
    expect([0, 1, 2, 3, 4].map((live) => longPlacesOf(3, live))).to.deep.equal([0, 0, 1, 2, 2]);
    expect([0, 1].map((live) => longPlacesOf(1, live))).to.deep.equal([1, 1]);
  });

  it('are held from the start by what was expected to be long, and from when it was not by what was expected to be short', () => {
    const { shortRunMs } = LIMITS.solving;
    expect(longMsOf('short', shortRunMs - 1)).to.equal(0);
    expect(longMsOf('short', shortRunMs + 7)).to.equal(7);
    expect(longMsOf('long', 3)).to.equal(3);
    expect(longMsOf('suspect', 3 * shortRunMs), 'in reserve, in nobody’s place').to.equal(0);
  });
});

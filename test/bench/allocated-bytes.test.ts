import { expect } from 'chai';
import { countAllocations } from '../../bench/solver/allocated-bytes.ts';

const MEGABYTE = 2 ** 20;

describe('the bytes that a solve allocates', () => {
  it('count what collections free in between, in proportion to what is made', () => {
    const made = (turns: number): number => {
      const allocated = countAllocations();
      let kept: readonly number[] = [];
      // Each is 8 KB, together more than a young generation holds: so they are collected along the way.
      for (let turn = 0; turn < turns; turn++) kept = new Array<number>(1024).fill(turn + 0.5);
      expect(kept).to.have.lengthOf(1024);
      return allocated();
    };
    made(8_000);
    const [some, twice] = [made(8_000), made(16_000)];
    expect(some).to.be.within(60 * MEGABYTE, 80 * MEGABYTE);
    expect(twice / some).to.be.within(1.7, 2.3);
  });

  it('count buffers that are kept', () => {
    const allocated = countAllocations();
    const buffer = new Float64Array(MEGABYTE);
    expect(allocated()).to.be.within(8 * MEGABYTE, 9 * MEGABYTE);
    expect(buffer.length).to.equal(MEGABYTE);
  });
});

import { expect } from 'chai';
import { asBlockNumber, type EpochSeconds } from '../../src/units/units.ts';
import { hasEnded, type PriceEnd } from '../../src/venues/venues.ts';

describe('the end of a price', () => {
  const endedAt = (end: PriceEnd, block: number, second: number) => hasEnded(end, { blockNumber: asBlockNumber(block), timestamp: second as EpochSeconds });
  const blockNumber = asBlockNumber(100);
  const timestamp = 1_000 as EpochSeconds;

  it('is after its last block, and after its last second', () => {
    expect([99, 100, 101].map((block) => endedAt({ blockNumber }, block, 5_000))).to.deep.equal([false, false, true]);
    expect([999, 1_000, 1_001].map((second) => endedAt({ timestamp }, 500, second))).to.deep.equal([false, false, true]);
  });

  it('is whichever comes first where both are named, and never where neither is', () => {
    expect([endedAt({ blockNumber, timestamp }, 101, 1_000), endedAt({ blockNumber, timestamp }, 100, 1_001)]).to.deep.equal([true, true]);
    expect([endedAt({ blockNumber, timestamp }, 100, 1_000), endedAt({}, 500, 5_000)]).to.deep.equal([false, false]);
  });
});

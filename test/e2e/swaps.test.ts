import { expect } from 'chai';
import { useBraid } from '../support/braid.ts';
import { checkRandomSwaps } from './swap-check.ts';

describe('a swap’s transaction delivers exactly the quoted amount', function suite() {
  this.timeout(180_000);
  const braid = useBraid({ env: { FRESHNESS_BOUND_MS: '600000' } });

  it('10 random swaps, sell and buy, native on either side, with fees and recipients', async () => {
    const tally = await checkRandomSwaps(braid.current(), 10, 'swaps-slice');
    expect(tally.executed, JSON.stringify(tally)).to.be.at.least(7);
    expect(tally.buys).to.be.at.least(2);
  });

  it('8 random swaps whose taker signs a permit and writes its 65 bytes into the calldata', async () => {
    const tally = await checkRandomSwaps(braid.current(), 8, 'swaps-permit2', { funding: 'permit2' });
    expect(tally.executed, JSON.stringify(tally)).to.be.at.least(5);
    expect(tally.buys).to.be.at.least(1);
  });
});

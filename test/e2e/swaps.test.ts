import { expect } from 'chai';
import { useBraid } from '../support/braid.ts';
import { checkRandomSwaps } from './swap-check.ts';

describe('a swap’s transaction delivers exactly the quoted amount', function suite() {
  this.timeout(180_000);
  const braid = useBraid({ env: { FRESHNESS_BOUND_MS: '600000' } });

  it('15 random swaps, sell and buy, native on either side, with fees and recipients', async () => {
    const tally = await checkRandomSwaps(braid.current(), 15, 'swaps-slice');
    expect(tally.executed, JSON.stringify(tally)).to.be.at.least(11);
    expect(tally.buys).to.be.at.least(3);
  });

  it('12 random swaps whose taker signs a permit and writes its 65 bytes into the calldata', async () => {
    const tally = await checkRandomSwaps(braid.current(), 12, 'swaps-permit2', { funding: 'permit2' });
    expect(tally.executed, JSON.stringify(tally)).to.be.at.least(8);
    expect(tally.buys).to.be.at.least(2);
  });

  it('10 random swaps through Aerodrome alone', async () => {
    const among = ['WETH', 'USDC', 'DAI', 'WBTC', 'LINK', 'AAVE', 'BSC-USD', 'GUSD'];
    const tally = await checkRandomSwaps(braid.current(), 10, 'swaps-solidly', { includeVenues: 'aerodrome', maxHops: '7' }, among);
    expect(tally.executed, JSON.stringify(tally)).to.be.at.least(3);
    expect(tally.hops).to.be.at.least(5);
  });
});

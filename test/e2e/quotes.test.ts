import { expect } from 'chai';
import { useBraid } from '../support/braid.ts';
import { checkRandomQuotes } from './quote-check.ts';

describe('a quote is exact: replayed on the chain at its block, every hop gives the listed amounts', function suite() {
  this.timeout(300_000);
  const braid = useBraid();

  it('30 random quotes, sell and buy, native on either side', async () => {
    const tally = await checkRandomQuotes(braid.current(), 30, 'slice');
    expect(tally.answered, JSON.stringify(tally)).to.be.at.least(25);
    expect(tally.buys).to.be.at.least(7);
    expect(tally.native).to.be.at.least(1);
    expect(tally.multiHop).to.be.at.least(5);
    expect(tally.split).to.be.at.least(1);
  });
});

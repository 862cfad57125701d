import { expect } from 'chai';
import { useBraid } from '../support/braid.ts';
import { expectGasNear } from './gas-errors.ts';
import { checkRandomSwaps } from './swap-check.ts';

describe('a swap’s transaction delivers exactly the quoted amount', function suite() {
  this.timeout(180_000);
  const braid = useBraid({ env: { FRESHNESS_BOUND_MS: '600000' } });

  it('7 random trades, each twice, sell and buy, native on either side, with fees and recipients; the gas is near what is said', async () => {
    const tally = await checkRandomSwaps(braid.current(), 7, 'swaps-slice', { again: true });
    expect(tally.executed, JSON.stringify(tally)).to.be.at.least(9);
    expect(tally.buys).to.be.at.least(2);
    expectGasNear(tally.gas, 3);
  });

  it('8 random swaps whose taker signs a permit and writes its 65 bytes into the calldata', async () => {
    const tally = await checkRandomSwaps(braid.current(), 8, 'swaps-permit2', { always: { funding: 'permit2' } });
    expect(tally.executed, JSON.stringify(tally)).to.be.at.least(5);
    expect(tally.buys).to.be.at.least(1);
  });
});

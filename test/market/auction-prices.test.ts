import { expect } from 'chai';
import { stablecoinsOf } from '../../src/chains/chains.ts';
import { type Address, asAddress } from '../../src/units/units.ts';
import { describeWithSharedData } from '../pool-set/shared-data.ts';
import { recordedSet, recordedWorld } from '../routing/recorded-world.ts';
import { bookOfView } from './book-of-view.ts';

const WETH = asAddress('0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2');
/** The only anchor, near what ether was worth then; ratios do not depend on it. The set's own prices are what is compared with, and no input. */
const ETHER_USD = 1630;
const LEAST_DEPTH_USD = 1000;

describeWithSharedData('prices of the recorded auction of September 2023, from its pools and the native token alone', function () {
  this.timeout(600_000);

  it('are within 2% of those that the auction was settled by, for 95% of the tokens with a deep pool', async () => {
    const set = await recordedSet('snapshots/cow-ethereum-auction-7400681');
    const { view } = await recordedWorld(set);
    const book = bookOfView(view, new Map<Address, number>([[WETH, ETHER_USD]]), LEAST_DEPTH_USD, new Set([WETH, ...stablecoinsOf(1)]));
    const off: string[] = [];
    let compared = 0;
    for (const [address, { decimals, ethPriceWeiPerAtom }] of set.tokens) {
      const usd = book.usd(address);
      if (usd === null || decimals === null || ethPriceWeiPerAtom === null || ethPriceWeiPerAtom === undefined) continue;
      compared++;
      const ratio = ((usd / ETHER_USD) * 10 ** (18 - decimals)) / Number(ethPriceWeiPerAtom);
      if (!(Math.abs(ratio - 1) <= 0.02)) off.push(`${address}: ${ratio.toFixed(4)}`);
    }
    process.stdout.write(`      ${view.tokenCount} tokens, ${book.priced} priced, ${compared} compared, ${off.length} off by more than 2%\n`);
    expect(compared).to.be.at.least(90);
    expect(off.length / compared, off.join(', ')).to.be.at.most(0.05);
  });
});

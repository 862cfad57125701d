import { expect } from 'chai';
import { toFunctionSelector } from 'viem';
import { useBraid } from '../support/braid.ts';
import { seededRandom } from '../support/seeded-random.ts';
import { expectAllVenues } from './route-facts.ts';
import { approveAll, checkRandomSwaps, randomTrade, takerOf } from './swap-check.ts';

/** The one revert that a moved price explains: the router's BelowMinimum(uint256,uint256). */
const FLOOR = toFunctionSelector('BelowMinimum(uint256,uint256)');

describe('200 random swaps on the devnet', function suite() {
  this.timeout(600_000);

  describe('at the state that they were quoted on', () => {
    const braid = useBraid({ env: { FRESHNESS_BOUND_MS: '600000' } });

    it('all execute, and deliver exactly the response’s buyAmount', async () => {
      const tally = await checkRandomSwaps(braid.current(), 220, 'swaps-still');
      process.stdout.write(`      ${JSON.stringify(tally)}\n`);
      expect(tally.executed, JSON.stringify(tally)).to.be.at.least(200);
      expect(tally.split).to.be.at.least(10);
      expect(tally.native).to.be.at.least(10);
      expect(tally.buys).to.be.at.least(60);
      expectAllVenues(tally, braid.current().devnet?.deployments ?? []);
    });
  });

  describe('with the bots trading', () => {
    const braid = useBraid({ devnetBots: true });

    it('all pass eth_estimateGas right after the response, or revert only for the floor', async () => {
      const taker = takerOf(braid.current());
      await approveAll(taker);
      const random = seededRandom('swaps-moving');
      const tally = { estimated: 0, floor: 0, noRoute: 0 };
      for (let i = 0; i < 220; i++) {
        const { status, swap, text } = await taker.ask(randomTrade(taker, random));
        if (status === 404) {
          tally.noRoute++;
          continue;
        }
        expect(status, text).to.equal(200);
        const { to, data, value } = swap.transaction;
        try {
          await taker.reader.estimateGas({ account: taker.account.address, to, data, value: BigInt(value) });
          tally.estimated++;
        } catch (error) {
          expect(String(error), `swap ${i}`).to.match(new RegExp(FLOOR));
          tally.floor++;
        }
      }
      process.stdout.write(`      ${JSON.stringify(tally)}\n`);
      expect(tally.estimated + tally.floor, JSON.stringify(tally)).to.be.at.least(200);
      expect(tally.estimated).to.be.greaterThan(tally.floor);
    });
  });
});

import { expect } from 'chai';
import { plainMarket } from '../../src/devnet/devnet.ts';
import { useBraid } from '../support/braid.ts';
import { FULL_SCALE, seededRandom } from '../support/seeded-random.ts';
import { expectGasNear } from './gas-errors.ts';
import { isPriceMoved } from './price-moved.ts';
import { expectAllVenues } from './route-facts.ts';
import { approveAll, canPay, checkRandomSwaps, type ModelledGas, randomTrade, takerOf } from './swap-check.ts';

/** Trades, each twice, at the state that they were quoted on; and with the bots trading, once. */
const TRADES = FULL_SCALE ? 130 : 40;
const MOVING = FULL_SCALE ? 260 : 80;
const SWAPS = FULL_SCALE ? 200 : 60;
/** Swaps of each family alone: 100 in the whole figure. */
const EACH = FULL_SCALE ? 100 : 2;
const BATCH = FULL_SCALE ? 10 : 2;
const MOST_BATCHES = 100;

describe(`${SWAPS} random swaps on the devnet`, function suite() {
  this.timeout(FULL_SCALE ? 3_600_000 : 900_000);

  describe('at the state that they were quoted on', () => {
    const braid = useBraid({ env: { FRESHNESS_BOUND_MS: '600000' } });

    it('all execute, and deliver exactly the response’s buyAmount', async () => {
      const tally = await checkRandomSwaps(braid.current(), TRADES, 'swaps-still', { again: true });
      const { gas, ...counts } = tally;
      process.stdout.write(`      ${JSON.stringify(counts)}\n`);
      expect(tally.executed, JSON.stringify(counts)).to.be.at.least(SWAPS);
      for (const kind of [tally.split, tally.native, tally.buys]) expect(kind, JSON.stringify(counts)).to.be.at.least(SWAPS / 20);
      if (FULL_SCALE) expectAllVenues(tally, braid.current().devnet?.deployments ?? []);
      expectGasNear(gas, SWAPS / 4);
    });
  });

  describe('through one family alone', () => {
    const braid = useBraid({ env: { FRESHNESS_BOUND_MS: '600000' } });

    it(`each executes at least ${EACH} of its own, to the wei`, async () => {
      const { devnet } = braid.current();
      const plain = devnet === null ? null : plainMarket(devnet);
      const families = [...new Set(devnet?.deployments.map(({ family }) => family))];
      expect(families.length).to.be.at.least(10);
      const gas: ModelledGas[] = [];
      for (const family of families) {
        const traded = new Set(plain?.pools.filter((pool) => pool.family === family).flatMap(({ tokens }) => tokens));
        const among = plain?.tokens.filter(({ address }) => traded.has(address)).map(({ symbol }) => symbol);
        let [executed, hops] = [0, 0];
        for (let batch = 0; executed < EACH && batch < MOST_BATCHES; batch++) {
          const always = { includeVenues: family, maxHops: '7' };
          const tally = await checkRandomSwaps(braid.current(), BATCH, `swaps-${family}-${batch}`, { always, among, again: true });
          executed += tally.executed;
          hops += tally.hops;
          gas.push(...tally.gas);
        }
        process.stdout.write(`        ${family}: ${executed} executed, ${hops} hops\n`);
        expect(executed, family).to.be.at.least(EACH);
      }
      expectGasNear(gas, families.length);
    });
  });

  describe('with the bots trading', () => {
    const braid = useBraid({ devnetBots: true });

    it('all pass eth_estimateGas right after the response, or revert only for the floor', async () => {
      const taker = takerOf(braid.current());
      await approveAll(taker);
      const random = seededRandom('swaps-moving');
      const tally = { estimated: 0, floor: 0, noRoute: 0 };
      for (let i = 0; i < MOVING; i++) {
        const { status, swap, text } = await taker.ask(randomTrade(taker, random));
        if (status === 404) {
          tally.noRoute++;
          continue;
        }
        expect(status, text).to.equal(200);
        if (!(await canPay(taker, swap))) continue;
        const { to, data, value } = swap.transaction;
        try {
          await taker.reader.estimateGas({ account: taker.account.address, to, data, value: BigInt(value) });
          tally.estimated++;
        } catch (error) {
          expect(isPriceMoved(error), `swap ${i}: ${String(error).slice(0, 500)}`).to.equal(true);
          tally.floor++;
        }
      }
      process.stdout.write(`      ${JSON.stringify(tally)}\n`);
      expect(tally.estimated + tally.floor, JSON.stringify(tally)).to.be.at.least(SWAPS);
      expect(tally.estimated).to.be.greaterThan(tally.floor);
    });
  });
});

// A market with a thin pool over all ticks: what its flow gives is less than the gas of the bitmap words that it walks.

import { expect } from 'chai';
import { ALLOWANCE_HOLDER_GAS, ROUTER_GAS } from '../../src/routing/gas/gas-rule.ts';
import { createSolver, type SolveJob, type Solver } from '../../src/routing/routing.ts';
import type { SnapshotView } from '../../src/snapshot/snapshot.ts';
import { asAddress, instantNow } from '../../src/units/units.ts';
import { tickTable } from '../../src/venues/concentrated/concentrated-state.ts';
import { LOG_PRICE_PER_TICK, MAX_TICK, sqrtRatioAtTick } from '../../src/venues/concentrated/tick-math.ts';
import { price } from '../../src/venues/uniswap_v3/price.ts';
import { loaded, pinned, poolOf } from '../pool-set/loaded.ts';
import { fixture } from '../pool-set/shared-data.ts';
import { MOMENT } from '../support/moment.ts';
import { job, planOf, quotePool, venues } from './world.ts';

const THIN = asAddress('0x0000000000000000000000000000000000000011');
const WETH = asAddress('0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2');
const PAIR = '0x0000000000000000000000000000000000000201';
const ALL_TICKS = '0x0000000000000000000000000000000000000202';
const FIVE = 5n * 10n ** 18n;
const TEN_GWEI = 10n ** 10n;
/** What a transaction through both pools used on the real contracts, and afterwards ones that sold 10^20 and 10^29 to the thin pool alone. */
const USED_BY_BOTH = 1_551_706;
const USED_AFTERWARDS = [
  [10n ** 20n, 2_800_000],
  [10n ** 29n, 15_260_000],
] as const;
/** What a transaction takes before the pools are called: router and allowance holder. */
const BEFORE_HOPS = ROUTER_GAS + ALLOWANCE_HOLDER_GAS;

describe('a thin pool over thousands of empty bitmap words', () => {
  async function onMarket(look: (solve: Solver['solve'], view: SnapshotView) => void): Promise<void> {
    const set = await loaded(fixture('empty-words-pool-set.json'), venues);
    const { solve } = createSolver({ chain: { chainId: 1, wrappedNative: WETH, minimumGasPriceWei: 1n }, venues, now: instantNow, cancelled: () => false });
    pinned(set, (view) => look(solve, view));
  }
  const sell = (amount: bigint, more: Partial<SolveJob> = {}): SolveJob => job(THIN, WETH, amount, { chainId: 1, maxHops: 2, ...more });
  const only = (venue: string): SolveJob['filter'] => ({ include: [venue], exclude: [], excludeRfq: false, excludeRwa: false });
  const pool = (view: SnapshotView, key: string, amount: bigint) => {
    const found = poolOf(view, key);
    const quote = found === undefined ? null : quotePool(found, 0, 1, amount);
    if (!quote?.ok) throw new Error(`the pool ${key} refuses ${amount}`);
    return quote;
  };

  it('is not filled to the price of its neighbour where that gives less than its gas costs', () =>
    onMarket((solve, view) => {
      const [alone, free, net] = [
        planOf(solve(sell(FIVE, { filter: only('uniswap_v2') }), view)),
        planOf(solve(sell(FIVE, { gasPriceWei: 1n }), view)),
        planOf(solve(sell(FIVE, { gasPriceWei: TEN_GWEI }), view)),
      ].map(({ grossAmount, gas }) => grossAmount - BigInt(gas) * TEN_GWEI) as [bigint, bigint, bigint];
      expect(free < 0n && alone > 0n, 'both pools at one price lose').to.equal(true);
      // A hundredth of the trade through the thin pool would net a little more than none of it.
      expect(net >= alone).to.equal(true);
    }));

  it('is taken where gas costs next to nothing, at the gas that the real contracts use, to 5%', () =>
    onMarket((solve, view) => {
      const plan = planOf(solve(sell(FIVE, { gasPriceWei: 1n }), view));
      expect(plan.hops.map(({ poolKey }) => poolKey)).to.have.members([PAIR, ALL_TICKS]);
      expect(plan.gas).to.be.within(USED_BY_BOTH * 0.95, USED_BY_BOTH * 1.05);
    }));

  it('takes from the price at which both pools meet what the real contracts use from there, to 5%', () => {
    const liquidity = 35n * 10n ** 15n;
    const ticks = tickTable([
      [-MAX_TICK, liquidity],
      [MAX_TICK, -liquidity],
    ]);
    const tick = Math.floor(Math.log(1 / 1000) / LOG_PRICE_PER_TICK);
    const met = { feePpm: 100, tickSpacing: 1, sqrtPriceX96: sqrtRatioAtTick(tick), liquidity, tick, ticks, truncated: false };
    for (const [amount, used] of USED_AFTERWARDS) {
      const quote = price.exactIn(met, 0, 1, amount, MOMENT);
      expect(quote.ok && BEFORE_HOPS + quote.gas).to.be.within(used * 0.95, used * 1.05);
    }
  });

  it('costs more gas the more it is sold, until no transaction can pay for it', () =>
    onMarket((solve, view) => {
      let before = 0;
      for (let exponent = 17n; exponent <= 28n; exponent++) {
        const amount = 10n ** exponent;
        const plan = planOf(solve(sell(amount, { filter: only('uniswap_v3') }), view));
        expect(plan.gas).to.equal(BEFORE_HOPS + pool(view, ALL_TICKS, amount).gas);
        expect(plan.gas).to.be.above(before);
        before = plan.gas;
      }
      expect(pool(view, ALL_TICKS, 10n ** 29n).gas).to.be.above(15_500_000);
      expect(solve(sell(10n ** 29n, { filter: only('uniswap_v3') }), view)).to.include({ ok: false, reason: 'no-route' });
    }));
});

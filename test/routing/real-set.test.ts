import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { applyBlocks, isObject, readJsonFile } from '../../src/pool-set/pool-set.ts';
import { asAddress } from '../../src/units/units.ts';
import { describeWithSharedData, sharedData } from '../pool-set/shared-data.ts';
import { FULL_SCALE } from '../support/seeded-random.ts';
import { recordedSet, recordedWorld } from './recorded-world.ts';
import { bestSinglePath, job, planOf, replay, type World } from './world.ts';

const SET = 'snapshots/tycho-ethereum-24693611';

describeWithSharedData('the solver on the Ethereum set of March 2026, three hops', () => {
  let world: World;

  before(async () => {
    world = await recordedWorld(await recordedSet(SET), (loaded) => applyBlocks(loaded, sharedData(`${SET}.blocks.json.gz`)));
  });

  it('gives at least every golden quote, and no route where there is none', async () => {
    const golden: unknown = JSON.parse(await readFile(sharedData(`${SET}.golden-quotes.json`), 'utf8'));
    if (!isObject(golden) || !Array.isArray(golden.scenarios)) throw new Error('golden quotes have scenarios');
    let routed = 0;
    for (const scenario of golden.scenarios) {
      const [sell, buy] = [asAddress(scenario.tokenIn), asAddress(scenario.tokenOut)];
      const result = world.solve(job(sell, buy, BigInt(scenario.amount)), world.view);
      expect(result.ok, scenario.name).to.equal(scenario.status === 'success');
      if (!result.ok) continue;
      routed++;
      const least = BigInt(scenario.grossAmountOut ?? scenario.amountOutNetGas);
      expect(result.plan.grossAmount >= least, `${scenario.name}: ${result.plan.grossAmount} < ${least}`).to.equal(true);
    }
    expect(routed).to.equal(41);
  });

  it('gives large trades routes that a transaction has gas for', () => {
    const [weth, usdc, wbtc] = [
      '0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2',
      '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48',
      '0x2260fac5e5542a773aa44fbcfedf7c193bc2c599',
    ].map(asAddress);
    if (weth === undefined || usdc === undefined || wbtc === undefined) throw new Error('three tokens');
    const trades = [
      [weth, usdc, 10_000n * 10n ** 18n],
      [wbtc, usdc, 300n * 10n ** 8n],
      [wbtc, weth, 2_000n * 10n ** 8n],
      [usdc, weth, 60n * 10n ** 12n],
    ] as const;
    for (const [sell, buy, amount] of trades) {
      const plan = planOf(world.solve(job(sell, buy, amount, { maxHops: 4 }), world.view));
      expect(plan.gas, `${amount} of ${sell}`).to.be.below(2 ** 24);
      expect(replay(world, plan, sell, amount).output).to.equal(plan.grossAmount);
    }
  });

  it('answers the recorded requests: never under the best route of two hops without splits, replayed to the wei', async () => {
    const file = await readJsonFile(sharedData('requests/fynd-1k-requests.json.gz'));
    if (!file.ok || !isObject(file.value) || !Array.isArray(file.value.requests)) throw new Error('requests are expected');
    let routed = 0;
    let compared = 0;
    const dearer: string[] = [];
    const every = FULL_SCALE ? 1 : 100;
    const rows = file.value.requests.filter((_row, index) => index % every === 0);
    for (const [sellText, buyText, amountText] of rows) {
      const [sell, buy, amount] = [asAddress(sellText), asAddress(buyText), BigInt(amountText)];
      const result = world.solve(job(sell, buy, amount), world.view);
      const best = bestSinglePath(world, sell, buy, amount, 2);
      if (!result.ok) {
        expect(best).to.equal(0n);
        continue;
      }
      routed++;
      expect(result.plan.grossAmount >= best).to.equal(true);
      expect(replay(world, result.plan, sell, amount)).to.deep.equal({ output: result.plan.grossAmount, stranded: 0n });
      // Some requests sell far more than the market holds. They take the last units of reserves, which whole basis points can not aim at from the other side.
      const averagePriceKept = (part: bigint) => best * 100n >= bestSinglePath(world, sell, buy, amount / part, 2) * part;
      const half = world.solve(job(sell, buy, amount / 2n), world.view);
      const growing = half.ok && result.plan.grossAmount * 100n >= half.plan.grossAmount * 102n;
      if (!growing || !averagePriceKept(1000n) || !averagePriceKept(1_000_000n)) continue;
      compared++;
      const bought = planOf(world.solve(job(sell, buy, result.plan.grossAmount, { mode: 'buy' }), world.view));
      if (Number(bought.sellAmount) > Number(amount) * (1 + 1e-4) + 2) dearer.push(`${sellText} to ${buyText}: ${bought.sellAmount} for ${amount}`);
    }
    // Where a token between has few units, one of a thousand buys may take another way.
    expect(dearer, dearer.join('; ')).to.have.lengthOf.at.most(FULL_SCALE ? 1 : 0);
    if (FULL_SCALE) expect(routed).to.equal(687);
    else expect(routed).to.be.above(0);
    expect(compared / routed).to.be.above(0.6);
  });
});

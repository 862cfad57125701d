import { expect } from 'chai';
import type { Hex } from 'viem';
import { SIGNATURE_BYTES } from '../../src/building/building.ts';
import { withSignature } from '../../src/client/client.ts';
import type { TaxScope } from '../../src/snapshot/snapshot.ts';
import { type Address, asAddress, NATIVE_TOKEN } from '../../src/units/units.ts';
import { FULL_SCALE, SEED, type SeededRandom, seededRandom } from '../support/seeded-random.ts';
import { ONE } from '../support/settlement/ground.ts';
import { approvePermit2 } from '../support/settlement/permit2.ts';
import type { MadeToken, TaxedSpec } from '../support/taxed-market.ts';
import type { WireSwap } from './swap-check.ts';
import { openTaxedEdge, type TaxedEdge } from './taxed-edge.ts';

/** Taxes of the issue: 0.4, 1, 5 and 20%. */
const PPM = [4000, 10_000, 50_000, 200_000];

function taxedToken(scope: TaxScope, ppm: number): TaxedSpec {
  const [buyPpm, sellPpm, walletPpm] = [scope === 'sell-only' ? 0 : ppm, scope === 'buy-only' ? 0 : ppm, scope === 'universal' ? ppm : 0];
  return { name: `${scope} ${ppm}`, buyPpm, sellPpm, walletPpm, verdict: { kind: 'taxed', buyPpm, sellPpm, scope } };
}

const SPECS: readonly TaxedSpec[] = [
  ...PPM.map((ppm) => taxedToken('universal', ppm)),
  ...PPM.map((ppm) => taxedToken('pool-only', ppm)),
  taxedToken('buy-only', 50_000),
  taxedToken('sell-only', 50_000),
];

type Trade = { readonly sell: Address; readonly buy: Address; readonly amount: bigint; readonly query: Readonly<Record<string, string>> };

describe('Ordinary fee-on-transfer trades are served with a `FEE_ON_TRANSFER` warning, and settle', function suite() {
  this.timeout(FULL_SCALE ? 1_800_000 : 240_000);
  let taxed: TaxedEdge;
  let ground: TaxedEdge['ground'];
  let market: TaxedEdge['market'];
  let edge: TaxedEdge['edge'];
  before(async () => {
    taxed = await openTaxedEdge(SPECS, 'given');
    ({ ground, market, edge } = taxed);
    await approvePermit2(ground, ground.accounts.taker);
  });
  after(() => taxed?.close());

  const named = (name: string): MadeToken => {
    const found = market.tokens.find((token) => token.name === name);
    if (found === undefined) throw new Error(`no token ${name}`);
    return found;
  };
  const ask = (endpoint: 'quote' | 'swap', { sell, buy, amount, query }: Trade, keyed: boolean): Promise<Response> => {
    const { taker, recipient } = ground.accounts;
    const asked = { chainId: '31337', mode: 'sell', sellToken: sell, buyToken: buy, sellAmount: String(amount), taker, recipient, ...query };
    return fetch(`${edge.url}/v1/${endpoint}?${new URLSearchParams(asked)}`, keyed ? { headers: { 'x-api-key': edge.key(1000) } } : {});
  };

  /** Signs where a permit is asked for, sends, takes all back, and gives what the recipient got and the taker spent. */
  async function execute(swap: WireSwap, buy: Address): Promise<{ readonly got: bigint; readonly spent: bigint }> {
    const { chain, accounts } = ground;
    const { taker, recipient } = accounts;
    const sell = asAddress(swap.sellToken);
    let data = swap.transaction.data;
    if (swap.permit2 !== undefined) {
      const signature = (await chain.rpc.request('eth_signTypedData_v4', taker, swap.permit2.eip712)) as Hex;
      data = withSignature(data, { ...swap.permit2, signatureLength: SIGNATURE_BYTES }, signature);
    }
    return await chain.apart(async () => {
      const before = [await ground.balance(buy, recipient), await ground.balance(sell, taker)] as const;
      await chain.mustSend(taker, { to: asAddress(swap.transaction.to), data, value: BigInt(swap.transaction.value) });
      return { got: (await ground.balance(buy, recipient)) - before[0], spent: before[1] - (await ground.balance(sell, taker)) };
    });
  }

  function randomTrade(random: SeededRandom): Trade & { readonly keyed: boolean } {
    const pick = <Item>(items: readonly Item[]): Item => items[random.integer(0, items.length - 1)] as Item;
    const { wrappedNative, accounts } = ground;
    const bought = market.tokens.filter(({ name }) => name.startsWith('pool-only') || name.startsWith('buy-only') || name === 'shares');
    const others = [wrappedNative, NATIVE_TOKEN, ...market.clean];
    const lossy = pick(market.tokens);
    const sells = random.integer(0, 3) > 0 || !bought.includes(lossy);
    const other = random.integer(0, 3) === 0 ? pick(sells ? bought : market.tokens).address : pick(others);
    const [sell, buy] = sells ? [lossy.address, other] : [other, lossy.address];
    const amount = random.integer(1, 999) * 10 ** random.integer(0, 3);
    const fee = random.integer(0, 2) === 0 ? { feeBps: String(random.integer(1, 1500)), feeRecipient: accounts.partner } : {};
    return {
      sell,
      buy: buy === sell ? wrappedNative : buy,
      amount: (BigInt(amount) * ONE) / 500n,
      query: { slippagePct: pick(['0.00001', '0.01', '0.5', '5']), funding: pick(['allowanceHolder', 'permit2']), ...fee },
      keyed: random.integer(0, 1) === 0,
    };
  }

  it('swaps of random sizes deliver at least `minBuyAmount`, and all of `buyAmount`, sold and bought, with both fundings and with fees', async () => {
    const random = seededRandom('taxed swaps');
    const seen = { split: 0, native: 0, permit2: 0, fee: 0, boughtTaxed: 0, path: 0 };
    const runs = FULL_SCALE ? 200 : 24;
    for (let run = 0; run < runs; run++) {
      const { keyed, ...trade } = randomTrade(random);
      const context = `run ${run}, seed ${SEED}: ${market.tokens.find(({ address }) => address === trade.sell)?.name ?? trade.sell} to ${market.tokens.find(({ address }) => address === trade.buy)?.name ?? trade.buy}, ${trade.amount} ${JSON.stringify(trade.query)}`;
      const response = await ask('swap', trade, keyed);
      const text = await response.text();
      expect(response.status, `${context}: ${text}`).to.equal(200);
      const swap = JSON.parse(text) as WireSwap;
      const { got, spent } = await execute(swap, trade.buy).catch((error: Error) => {
        throw new Error(`${context}: ${error.message}`);
      });
      expect(got >= BigInt(swap.minBuyAmount), `${context}: ${got} of at least ${swap.minBuyAmount}`).to.equal(true);
      expect(got >= BigInt(swap.buyAmount), `${context}: ${got} of ${swap.buyAmount}`).to.equal(true);
      if (trade.sell !== NATIVE_TOKEN) expect(spent <= trade.amount, context).to.equal(true);
      const firsts = swap.route.filter(({ tokenIn }) => asAddress(tokenIn) === trade.sell);
      expect(firsts.reduce((sum, { amountIn }) => sum + BigInt(amountIn), 0n)).to.equal(trade.amount, context);
      seen.split += firsts.length > 1 ? 1 : 0;
      seen.native += trade.buy === NATIVE_TOKEN ? 1 : 0;
      seen.permit2 += swap.permit2 === undefined ? 0 : 1;
      seen.fee += swap.fee === undefined ? 0 : 1;
      seen.boughtTaxed += market.tokens.some(({ address }) => address === trade.buy) ? 1 : 0;
      seen.path += swap.route.length > firsts.length ? 1 : 0;
    }
    for (const [what, times] of Object.entries(seen)) expect(times, `${what}, of ${JSON.stringify(seen)}`).to.be.greaterThan(0);
  });

  it('quote and swap say so with the modelled bps of each side: the measured tax and max(1 bps, 1% of it) (B15, S2)', async () => {
    for (const [name, sold, measured] of [
      ['universal 4000', '41', '40'],
      ['universal 10000', '101', '100'],
      ['pool-only 50000', '505', '500'],
      ['universal 200000', '2020', '2000'],
      ['buy-only 50000', '0', '0'],
    ] as const) {
      const { address } = named(name);
      const trade = { sell: address, buy: ground.wrappedNative, amount: ONE, query: {} };
      for (const endpoint of ['quote', 'swap'] as const) {
        const { warnings } = (await (await ask(endpoint, trade, true)).json()) as { warnings: readonly { code: string; detail: string }[] };
        expect(warnings.map(({ code }) => code)).to.deep.equal(['FEE_ON_TRANSFER']);
        expect(warnings[0]?.detail).to.include(`sell side ${sold} bps, buy side 0 bps`).and.include(`measured at ${measured} bps`);
      }
    }
    const both = { sell: named('universal 10000').address, buy: named('pool-only 4000').address, amount: ONE, query: {} };
    const { warnings } = (await (await ask('quote', both, true)).json()) as { warnings: readonly { detail: string }[] };
    expect(warnings.map(({ detail }) => detail)[0]).to.include('sell side 101 bps, buy side 41 bps');
    const shares = { sell: named('shares').address, buy: ground.wrappedNative, amount: ONE, query: {} };
    expect((await (await ask('quote', shares, true)).json()) as object).not.to.have.property('warnings');
  });

  it('what is sold and taxed splits over two V2 pools, straight from the taker, and enters no pool that wants its whole input', async () => {
    const trade = { sell: named('universal 50000').address, buy: ground.wrappedNative, amount: 2_000n * ONE, query: {} };
    const swap = (await (await ask('swap', trade, true)).json()) as WireSwap;
    const firsts = swap.route.filter(({ tokenIn }) => asAddress(tokenIn) === trade.sell);
    expect(firsts.map(({ protocol }) => protocol)).to.include.members(['uniswap_v2', 'sushiswap_v2']);
    expect(swap.route.filter(({ tokenIn }) => asAddress(tokenIn) === trade.sell).map(({ protocol }) => protocol)).not.to.include('uniswap_v3');
    const { got, spent } = await execute(swap, trade.buy);
    // Taxed once: twice would fall short of the floor.
    expect([got >= BigInt(swap.buyAmount), spent]).to.deep.equal([true, trade.amount]);
  });

  it('a tax that rises between quote and execution can still revert the fill at `minBuyAmount`; what the margin covers does not', async () => {
    const token = named('pool-only 10000').address;
    const { chain, accounts, contracts } = ground;
    const swap = (await (
      await ask('swap', { sell: token, buy: ground.wrappedNative, amount: ONE, query: { slippagePct: '0.00001' } }, true)
    ).json()) as WireSwap;
    const raised = (ppm: number) =>
      chain.apart(async () => {
        await chain.write(accounts.deployer, token, contracts.TaxedToken?.abi ?? [], 'setTaxes', [ppm, ppm, 0, 0n]);
        return await chain.attempt(accounts.taker, { to: asAddress(swap.transaction.to), data: swap.transaction.data });
      });
    expect(await raised(10_100)).to.deep.include({ ok: true });
    expect(await raised(20_000)).to.deep.include({ ok: false, error: 'BelowMinimum' });
  });
});

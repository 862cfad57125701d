import { expect } from 'chai';
import { LIMITS } from '../../src/config/limits.ts';
import { type Address, asAddress } from '../../src/units/units.ts';
import { fetchPatiently } from '../support/fetch-patiently.ts';
import type { ProxiedCall } from '../support/rpc-proxy.ts';
import { contractOf, ONE } from '../support/settlement/ground.ts';
import type { TaxedSpec } from '../support/taxed-market.ts';
import { until } from '../support/until.ts';
import type { WireSwap } from './swap-check.ts';
import { openTaxedEdge, type TaxedEdge } from './taxed-edge.ts';

const taxed = (name: string, buyPpm: number, sellPpm: number, walletPpm: number): TaxedSpec => ({
  name,
  buyPpm,
  sellPpm,
  walletPpm,
  verdict: { kind: 'clean' },
});

/** What is measured is found out here: nobody tells the service. */
const SPECS: readonly TaxedSpec[] = [
  taxed('universal 1%', 10_000, 10_000, 10_000),
  taxed('universal 20%', 200_000, 200_000, 200_000),
  taxed('universal 20.01%', 200_100, 200_100, 200_100),
  taxed('pool-only 5%', 50_000, 50_000, 0),
  taxed('sell-only 5%', 0, 50_000, 0),
  taxed('plain', 0, 0, 0),
  { ...taxed('gated', 0, 0, 0), contract: 'GatedToken' },
];

/** As contracts/devnet/adversaries/GatedToken.sol counts them. */
const GATES = { Open: 0, NoSelling: 1, Paused: 5 } as const;

type Answer = WireSwap & { readonly error?: string; readonly warnings?: readonly { readonly code: string; readonly detail: string }[] };

describe('Tokens that are measured on the chain while a request waits, through HTTP', function suite() {
  this.timeout(600_000);
  let taxed: TaxedEdge;
  let ground: TaxedEdge['ground'];
  let market: TaxedEdge['market'];
  let edge: TaxedEdge['edge'];
  let proxy: TaxedEdge['proxy'];
  before(async () => {
    taxed = await openTaxedEdge(SPECS, 'measured');
    ({ ground, market, edge, proxy } = taxed);
  });
  after(() => taxed?.close());

  const token = (name: string): Address => market.tokens.find((made) => made.name === name)?.address ?? ground.wrappedNative;
  /**
   * Asks again, as callers may, where a machine that is busy with something else could not measure a token within a request's budget. To be told so sooner is a fault: where a block came meanwhile there was time for
   * another probe.
   */
  async function ask(sell: Address, buy: Address, changes: Readonly<Record<string, string>> = {}): Promise<{ readonly status: number; readonly body: Answer }> {
    const { taker, recipient } = ground.accounts;
    const amount = changes.mode === 'buy' ? { buyAmount: String(ONE) } : { sellAmount: String(ONE) };
    const query = { chainId: '31337', mode: 'sell', sellToken: sell, buyToken: buy, taker, recipient, slippagePct: '0.01', ...amount, ...changes };
    for (;;) {
      const startedAt = performance.now();
      const response = await fetchPatiently(`${edge.url}/v1/swap?${new URLSearchParams(query)}`, { headers: { 'x-api-key': edge.key(1000) } });
      const body = (await response.json()) as Answer;
      const tookAll = performance.now() - startedAt >= LIMITS.measuring.probe.timeoutMs;
      if (!(tookAll && body.error?.includes('could not be measured at block'))) return { status: response.status, body };
    }
  }
  /** The amount that the recipient got. It stays: a chain that takes blocks back is measured anew, which other tests show. */
  async function execute({ transaction }: Answer, buy: Address): Promise<bigint> {
    const before = await ground.balance(buy, ground.accounts.recipient);
    await ground.chain.mustSend(ground.accounts.taker, { to: asAddress(transaction.to), data: transaction.data, value: BigInt(transaction.value) });
    return (await ground.balance(buy, ground.accounts.recipient)) - before;
  }
  const followed = (): number => {
    const view = market.hosting.chains[0]?.view();
    return view?.phase === 'live' ? view.block.number : 0;
  };

  /** A verdict serves one block beside its own: what was measured before a change may be the next block's too, and no further one's. */
  async function nextBlock(): Promise<void> {
    const { chain, accounts } = ground;
    await chain.mustSend(accounts.stranger, { to: accounts.recipient, value: 1n });
    const head = Number(await chain.rpc.request('eth_blockNumber'));
    expect(await until(() => followed() >= head, 60_000)).to.equal(true);
  }

  it('G3: taxed tokens sell with the tax that was measured, in bps per side, and deliver at least `minBuyAmount`', async () => {
    for (const [name, sold] of [
      ['universal 1%', '101'],
      ['universal 20%', '2020'],
      ['pool-only 5%', '505'],
      ['sell-only 5%', '505'],
    ] as const) {
      const { status, body } = await ask(token(name), ground.wrappedNative);
      expect(status, `${name}: ${body.error}`).to.equal(200);
      expect(body.warnings?.[0]?.detail, name).to.include(`sell side ${sold} bps, buy side 0 bps`);
      expect((await execute(body, ground.wrappedNative)) >= BigInt(body.minBuyAmount), name).to.equal(true);
    }
    const bought = await ask(ground.wrappedNative, token('pool-only 5%'));
    expect(bought.body.warnings?.[0]?.detail).to.include('sell side 0 bps, buy side 505 bps');
    expect((await execute(bought.body, token('pool-only 5%'))) >= BigInt(bought.body.minBuyAmount)).to.equal(true);
    const plain = await ask(token('plain'), ground.wrappedNative);
    expect([plain.status, plain.body.warnings]).to.deep.equal([200, undefined]);
    const shares = await ask(token('shares'), ground.wrappedNative);
    expect([shares.status, shares.body.warnings], shares.body.error).to.deep.equal([200, undefined]);
  });

  it('G4: 20.01%, `mode=buy`, and a universal or sell-only tax on the bought side get the 404 of the token', async () => {
    const { wrappedNative: weth } = ground;
    const cases = [
      [token('universal 20.01%'), weth, {}, '20%'],
      [token('universal 1%'), weth, { mode: 'buy' }, 'mode=sell'],
      [weth, token('universal 1%'), {}, 'universal'],
      [weth, token('sell-only 5%'), {}, 'sell-only'],
      [token('shares'), weth, { mode: 'buy' }, 'rounding'],
    ] as const;
    for (const [sell, buy, changes, words] of cases) {
      const { status, body } = await ask(sell, buy, changes);
      expect(status, `${words}: ${body.error}`).to.equal(404);
      expect(body.error).to.include(words);
    }
  });

  it('G6: a honeypot and a paused token get the 404 that says so; after it is open again 200, a block later', async () => {
    const { chain, accounts, contracts, wrappedNative } = ground;
    const address = token('gated');
    const set = async (gate: number, barred: readonly Address[] = []): Promise<void> => {
      await chain.write(accounts.deployer, address, contractOf(contracts, 'GatedToken').abi, 'setGate', [gate, 0n, barred]);
      await nextBlock();
    };
    await set(GATES.NoSelling);
    for (const trade of [await ask(address, wrappedNative), await ask(wrappedNative, address)]) {
      expect(trade.status).to.equal(404);
      expect(trade.body.error).to.include('can not sell it again');
    }
    await set(GATES.Paused);
    expect((await ask(address, wrappedNative)).body.error).to.include('paused');
    await set(GATES.Open);
    const open = await ask(address, wrappedNative);
    expect([open.status, open.body.warnings], open.body.error).to.deep.equal([200, undefined]);
    expect((await execute(open.body, wrappedNative)) >= BigInt(open.body.minBuyAmount)).to.equal(true);
  });

  it('G7: the next quote after a tax was changed is that of the new tax', async () => {
    const { chain, accounts, contracts, wrappedNative } = ground;
    const address = token('pool-only 5%');
    await ask(address, wrappedNative);
    await chain.write(accounts.deployer, address, contractOf(contracts, 'TaxedToken').abi, 'setTaxes', [10_000, 10_000, 0, 0n]);
    await nextBlock();
    const { status, body } = await ask(address, wrappedNative);
    expect(status, body.error).to.equal(200);
    expect(body.warnings?.[0]?.detail).to.include('sell side 101 bps');
  });

  it('G7: so it is where a probe of a block before the change is still under way when it is asked for', async () => {
    const { chain, accounts, contracts, wrappedNative } = ground;
    const address = token('sell-only 5%');
    expect((await ask(address, wrappedNative)).body.warnings?.[0]?.detail).to.include('sell side 505 bps');
    let held = 0;
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const isProbe = ({ method, params }: ProxiedCall): boolean =>
      method === 'eth_call' && params[2] !== undefined && JSON.stringify(params[0]).includes(address.slice(2));
    proxy.setRule(async (call, forward) => {
      if (isProbe(call)) {
        held++;
        await released;
      }
      return { json: await forward() };
    });
    try {
      // It is hot, so it is measured at the next block before anybody waits.
      while (held === 0) {
        await nextBlock();
        await until(() => held > 0, 2_000);
      }
      await chain.write(accounts.deployer, address, contractOf(contracts, 'TaxedToken').abi, 'setTaxes', [0, 20_000, 0, 0n]);
      await nextBlock();
      await nextBlock();
      const before = market.asked();
      const answer = ask(address, wrappedNative);
      await until(() => market.asked() > before, 60_000);
      release();
      const { status, body } = await answer;
      expect(status, body.error).to.equal(200);
      expect(body.warnings?.[0]?.detail).to.include('sell side 202 bps');
    } finally {
      release();
      proxy.setRule(null);
    }
  });
});

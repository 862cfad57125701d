import { expect } from 'chai';
import sinon from 'sinon';
import { checkSettlement, legsNeeded, readSettlementContracts } from '../../src/building/building.ts';
import { startAnvil } from '../../src/devnet/anvil-process.ts';
import { createNodeRpc } from '../../src/devnet/node-rpc.ts';
import { hostDevnet } from '../../src/host-chains.ts';
import { loadBuilderVenues } from '../../src/venues/venues.ts';
import { testConfig } from '../support/braid.ts';
import { useDevnet } from '../support/devnet.ts';
import { startOracleChain } from '../support/oracle-chain.ts';
import { type RpcProxy, startRpcProxy } from '../support/rpc-proxy.ts';
import { until } from '../support/until.ts';

const LEGS = ['uniswap_v2', 'uniswap_v2_path', 'uniswap_v3', 'wrap'];
/** A look follows the last one after so long (src/host-chains.ts). */
const AGAIN_MS = 5000;

describe('the service checks the bytecode of the settlement contracts at start', function suite() {
  this.timeout(300_000);
  const chain = useDevnet();

  function settings() {
    const { allowanceHolder, wrappedNative, feeCollector } = chain.current();
    return { allowanceHolder, wrappedNative, feeCollector };
  }

  const nodes = (...rpcUrls: readonly string[]) => ({ rpcUrls, chainId: chain.current().chainId });

  it('takes the contracts that the devnet deployed', async () => {
    const { rpcUrl, router } = chain.current();
    expect(await checkSettlement(nodes(rpcUrl), router, settings(), LEGS)).to.deep.equal({ verdict: 'ok' });
  });

  it('refuses an address without code, other code, and a Router that was built with something else', async () => {
    const { rpcUrl, router, contract, accounts, permit2 } = chain.current();
    const wrong = async (address: typeof router, changes: Partial<ReturnType<typeof settings>> = {}) =>
      checkSettlement(nodes(rpcUrl), address, { ...settings(), ...changes }, LEGS);
    expect(await wrong(permit2)).to.have.property('verdict', 'wrong');
    expect(await wrong(contract('swapRouter'))).to.have.property('verdict', 'wrong');
    expect((await wrong(accounts[0]?.address ?? router)) as unknown).to.deep.include({ verdict: 'wrong' });
    expect(await wrong(router, { feeCollector: permit2 })).to.have.property('verdict', 'wrong');
    expect(await wrong(router, { wrappedNative: permit2 })).to.have.property('verdict', 'wrong');
    expect(await wrong(router, { allowanceHolder: router })).to.have.property('verdict', 'wrong');
  });

  it('refuses a Router without a leg that a venue of the chain needs, and names both; one with more legs is right', async () => {
    const { rpcUrl, router } = chain.current();
    const check = (legs: readonly string[]) => checkSettlement(nodes(rpcUrl), router, settings(), legs);
    const lacking = await check([...LEGS, 'sundial']);
    expect(lacking.verdict).to.equal('wrong');
    expect(lacking)
      .to.have.property('message')
      .that.matches(/leg set every \(.*uniswap_v3.*need sundial$/);
    for (const legs of [['wrap'], ['uniswap_v2', 'wrap'], []]) expect(await check(legs)).to.deep.equal({ verdict: 'ok' });
  });

  it('refuses a chain without transient storage, on which the right code reverts', async () => {
    const verdicts: string[] = [];
    for (const hardfork of ['shanghai', 'cancun']) {
      const other = await startOracleChain(hardfork);
      try {
        const rpc = createNodeRpc(other.url);
        const { router } = chain.current();
        const contracts = readSettlementContracts();
        await rpc.request('anvil_setCode', settings().allowanceHolder, contracts.allowanceHolder.runtimeCode);
        await rpc.request('anvil_setCode', router, contracts.routerFor(LEGS).runtimeCode(settings()));
        const check = await checkSettlement({ rpcUrls: [other.url], chainId: Number(await rpc.request('eth_chainId')) }, router, settings(), LEGS);
        verdicts.push(check.verdict);
        if (check.verdict !== 'ok') expect(check.message).to.contain('EIP-1153');
      } finally {
        await other.stop();
      }
    }
    expect(verdicts).to.deep.equal(['wrong', 'ok']);
  });

  it('what a chain needs follows from its deployments: the legs of their venues, and wrapping', async () => {
    const venues = await loadBuilderVenues();
    const needed = (...folders: readonly string[]) =>
      legsNeeded(
        venues,
        folders.map((venue) => ({ venue })),
      );
    expect(needed()).to.deep.equal(['wrap']);
    expect(needed('uniswap_v2', 'uniswap_v3', 'uniswap_v2')).to.deep.equal(LEGS);
    expect(needed('uniswap_v3')).to.deep.equal(['uniswap_v3', 'wrap']);
    // Every chain that can be configured can have a Router.
    const router = readSettlementContracts().routerFor(needed(...venues.keys()));
    expect(router.legs).to.include.members([...needed(...venues.keys())]);
    expect(() => readSettlementContracts().routerFor(['sundial'])).to.throw(RangeError, 'sundial');
  });

  it('does not know while no node answers, or on another chain is asked through a failing endpoint first', async () => {
    const { rpcUrl, router } = chain.current();
    expect(await checkSettlement(nodes('http://127.0.0.1:9'), router, settings(), LEGS)).to.have.property('verdict', 'unknown');
    expect(await checkSettlement(nodes('http://127.0.0.1:9', rpcUrl), router, settings(), LEGS)).to.deep.equal({ verdict: 'ok' });
  });

  it('passes over an endpoint of another chain, and a socket that nobody opens; one that opens serves too', async () => {
    const { rpcUrl, router } = chain.current();
    const other = await startAnvil({
      host: '127.0.0.1',
      port: 0,
      chainId: 2,
      accounts: 1,
      balance: 1n,
      genesisTimestamp: 1_700_000_000,
      baseFeePerGas: 10n ** 9n,
    });
    try {
      const socket = rpcUrl.replace('http:', 'ws:');
      for (const before of [other.url, other.url.replace('http:', 'ws:'), 'ws://127.0.0.1:9']) {
        expect(await checkSettlement(nodes(before, socket), router, settings(), LEGS), before).to.deep.equal({ verdict: 'ok' });
      }
      expect(await checkSettlement(nodes(other.url), router, settings(), LEGS)).to.have.property('verdict', 'unknown');
    } finally {
      await other.stop();
    }
  });

  it('a chain builds no swaps before the check has passed', async () => {
    const hosting = hostDevnet(testConfig(), chain.current());
    expect(hosting.chains[0]?.contracts.router).to.equal(null);
    await hosting.verifySettlement(() => undefined);
    expect(hosting.chains[0]?.contracts.router).to.equal(chain.current().router);
    expect(hosting.chains[0]?.contracts.allowanceHolder).to.equal(chain.current().allowanceHolder);
  });

  describe('and looks again where they are not what they should be, until the service stops', () => {
    const proxies: RpcProxy[] = [];
    afterEach(async () => {
      sinon.restore();
      await Promise.all(proxies.splice(0).map((proxy) => proxy.stop()));
    });

    /** A service that looked once, through a proxy, and found other code. */
    async function lookedOnce() {
      const proxy = await startRpcProxy(() => chain.current().rpcUrl);
      proxies.push(proxy);
      const hosting = hostDevnet(testConfig(), { ...chain.current(), rpcUrl: proxy.url, router: chain.current().permit2 });
      const stop = await hosting.verifySettlement(() => undefined);
      const asked = () => [...proxy.calls.values()].reduce((sum, calls) => sum + calls, 0);
      return { proxy, stop, asked };
    }

    it('the pause before the next look ends with the stop, and so does a request that no node answers', async () => {
      // Only what is set from here on is this clock's; what others set and clear is let through.
      const clock = sinon.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldClearNativeTimers: true });
      const [stopped, running] = [await lookedOnce(), await lookedOnce()];
      const timers = clock.countTimers();
      stopped.stop();
      expect(clock.countTimers(), 'its timer is gone').to.equal(timers - 1);
      const before = [stopped.asked(), running.asked()];
      running.proxy.setRule(async () => 'never');
      clock.tick(AGAIN_MS);
      clock.restore();
      expect(await until(() => running.proxy.inFlight.now === 1, 60_000), 'the one that runs looks again').to.equal(true);
      expect([stopped.asked(), running.asked() - 1], 'the one that stopped would have done so first').to.deep.equal(before);
      running.stop();
      expect(await until(() => running.proxy.inFlight.now === 0, 60_000), 'the request is given up').to.equal(true);
    });
  });
});

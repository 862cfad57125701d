import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import type { DevnetMaker } from '../../src/devnet/devnet.ts';
import type { Braid } from '../../src/main.ts';
import type { Address } from '../../src/units/units.ts';
import { startConfiguredBraid } from '../support/configured-braid.ts';
import { useDevnet } from '../support/devnet.ts';
import { fetchPatiently } from '../support/fetch-patiently.ts';
import { deployMakerRegistry, type MakerRegistry } from '../support/maker-registry.ts';
import { scrape } from '../support/scrape.ts';
import { connectTestChain, type TestChain } from '../support/settlement/test-chain.ts';
import { until } from '../support/until.ts';
import type { WireHop } from './replay.ts';

const PATIENCE_MS = 100_000;
/** Between two questions to the service. */
const PAUSE_MS = 200;

describe('makers that a registry on the chain lists', function suite() {
  this.timeout(400_000);
  const handle = useDevnet({ makers: true });
  let braid: Braid;
  let chain: TestChain;
  let registry: MakerRegistry;
  let canary: Server;
  let canaryHits = 0;
  let folder: string;

  const makers = (): readonly [DevnetMaker, DevnetMaker] => {
    const [harbour, meridian] = handle.current().makers;
    if (harbour === undefined || meridian === undefined) throw new Error('too few makers');
    return [harbour, meridian];
  };
  const tokenOf = (symbol: string): Address => {
    const token = handle.current().tokens.find((candidate) => candidate.symbol === symbol);
    if (token === undefined) throw new Error(`no token ${symbol}`);
    return token.address;
  };
  const account = (at: number): Address => handle.current().accounts[at]?.address ?? ('0x' as Address);
  const canaryUrl = () => `http://127.0.0.1:${(canary.address() as AddressInfo).port}`;

  before(async () => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'braid-listed-'));
    canary = createServer((_request, response) => {
      canaryHits++;
      response.end('{}');
    });
    await new Promise<void>((resolve) => canary.listen(0, '127.0.0.1', () => resolve()));
    const devnet = handle.current();
    const { wrappedNative, deployments, router, allowanceHolder, feeCollector, prices, tokens } = devnet;
    chain = connectTestChain(devnet.rpcUrl, 100_000_000_000n);
    await chain.rpc.request('anvil_autoImpersonateAccount', true);
    registry = await deployMakerRegistry(chain, account(0), tokenOf('USDC'), [...[1, 2, 3].map(account), ...makers().map(({ signer }) => signer)]);
    const [harbour, meridian] = makers();
    const maker = ({ name, origin: url, contract }: DevnetMaker) => ({ protocol: 'airswap', name, url, contract });
    braid = await startConfiguredBraid(
      folder,
      {
        feeCollector,
        freshnessBoundMs: 600_000,
        chains: [
          {
            ...{ chain: 'devnet', rpcUrls: [devnet.rpcUrl], wrappedNative, deployments, router, allowanceHolder, prices },
            wellKnownTokens: tokens.map(({ address }) => address),
            makers: [maker(harbour), { ...maker(meridian), staker: meridian.signer }],
            makerRegistry: registry.address,
          },
        ],
      },
      { SOLVER_THREADS: '2' },
    );
  });
  after(async () => {
    await braid?.stop();
    await new Promise((resolve) => canary?.close(resolve));
    rmSync(folder, { recursive: true, force: true });
  });

  async function metric(line: string): Promise<string | null> {
    const text = await scrape(braid.internalUrl);
    return (
      text
        .split('\n')
        .find((candidate) => candidate.startsWith(`${line} `))
        ?.slice(line.length + 1) ?? null
    );
  }
  const isListed = async ({ name }: DevnetMaker, wanted: '0' | '1') => (await metric(`braid_maker_listed{chain="devnet",maker="${name}"}`)) === wanted;
  const entries = (outcome: string) => metric(`braid_maker_registry_entries{chain="devnet",outcome="${outcome}"}`);

  /** Through the makers alone: whose hops there are in the route; none where there is no route. */
  async function routed(sell: string, buy: string, endpoint: 'quote' | 'swap' = 'quote'): Promise<readonly WireHop[]> {
    const amount = { chainId: '31337', mode: 'sell', sellToken: tokenOf(sell), buyToken: tokenOf(buy), sellAmount: String(10n ** 17n) };
    const query = new URLSearchParams({ ...amount, includeVenues: 'airswap', ...(endpoint === 'swap' ? { taker: account(0) } : {}) });
    await sleep(PAUSE_MS);
    const response = await fetchPatiently(`${braid.publicUrl}/v1/${endpoint}?${query}`);
    const { route = [], warnings } = (await response.json()) as { readonly route?: readonly WireHop[]; readonly warnings?: unknown };
    return warnings === undefined ? route : [];
  }

  const served = (endpoint: 'quote' | 'swap' = 'quote') => until(async () => (await routed('WETH', 'USDC', endpoint)).length > 0, PATIENCE_MS);

  /** A second and more of the polls: until somebody else was asked again and again. */
  async function whileAsked(maker: DevnetMaker): Promise<void> {
    const before = maker.calls().length;
    expect(await until(() => maker.calls().length >= before + 3, PATIENCE_MS)).to.equal(true);
  }

  it('are asked nothing before it lists them, though the configuration names their origin', async () => {
    const [harbour, meridian] = makers();
    expect(await until(async () => (await entries('served')) === '0', PATIENCE_MS)).to.equal(true);
    expect(await routed('WETH', 'USDC')).to.deep.equal([]);
    expect([await isListed(harbour, '0'), await isListed(meridian, '0')]).to.deep.equal([true, true]);
    expect([harbour.calls().length, meridian.calls().length]).to.deep.equal([0, 0]);
  });

  it('are quoted and sign from when it lists them; whoever lists another origin is never asked', async () => {
    const [harbour, meridian] = makers();
    await Promise.all([
      registry.list(account(1), canaryUrl()),
      registry.list(account(2), `${canaryUrl()}/?${harbour.origin}`),
      registry.list(account(3), harbour.origin.replace('http://', 'http://name:word@')),
      registry.list(harbour.signer, harbour.origin),
    ]);
    expect(await served()).to.equal(true);
    expect(await served('swap')).to.equal(true);
    expect(harbour.calls().some(({ method }) => method === 'getSignerSideOrderERC20')).to.equal(true);
    expect([await isListed(harbour, '1'), await isListed(meridian, '0')]).to.deep.equal([true, true]);
    expect([await entries('served'), await entries('foreign'), await entries('malformed')]).to.deep.equal(['1', '2', '1']);
    await whileAsked(harbour);
    expect([meridian.calls().length, canaryHits]).to.deep.equal([0, 0]);
  });

  it('are gone at once when it lists them no more, and asked nothing from then on', async () => {
    const [harbour, meridian] = makers();
    await registry.list(meridian.signer, meridian.origin);
    expect(await until(() => isListed(meridian, '1'), PATIENCE_MS)).to.equal(true);
    await registry.unlist(harbour.signer);
    expect(await until(() => isListed(harbour, '0'), PATIENCE_MS)).to.equal(true);
    // Only harbour prices LINK.
    expect(await routed('LINK', 'WETH')).to.deep.equal([]);
    const asked = harbour.calls().length;
    await whileAsked(meridian);
    expect(await served('swap')).to.equal(true);
    expect(harbour.calls().length).to.equal(asked);
  });

  it('are served by the staker that the configuration names, whoever else lists their origin; without a name, by nobody while two do', async () => {
    const [harbour, meridian] = makers();
    await registry.list(harbour.signer, harbour.origin);
    expect(await until(() => isListed(harbour, '1'), PATIENCE_MS)).to.equal(true);
    await Promise.all([registry.setUrl(account(1), `${meridian.origin}/elsewhere`), registry.setUrl(account(2), `${harbour.origin}/elsewhere`)]);
    expect(await until(() => isListed(harbour, '0'), PATIENCE_MS)).to.equal(true);
    expect([await isListed(meridian, '1'), await entries('contested')]).to.deep.equal([true, '2']);
    expect(await served('swap')).to.equal(true);
    await registry.unlist(account(2));
    expect(await until(() => isListed(harbour, '1'), PATIENCE_MS)).to.equal(true);
  });

  it('are those of the chain that is: what a reorg takes back is as if it had not been', async () => {
    const [, meridian] = makers();
    const before = await chain.rpc.request('evm_snapshot');
    await registry.unlist(meridian.signer);
    expect(await until(() => isListed(meridian, '0'), PATIENCE_MS)).to.equal(true);
    await chain.rpc.request('evm_revert', before);
    await chain.rpc.request('anvil_mine', '0x4');
    expect(await until(() => isListed(meridian, '1'), PATIENCE_MS)).to.equal(true);
    expect(await served()).to.equal(true);
  });

  it('no canary was asked, by anybody', () => {
    expect(canaryHits).to.equal(0);
  });
});

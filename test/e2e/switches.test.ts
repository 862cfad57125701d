import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { runKeys } from '../../src/key-admin/key-admin.ts';
import type { Braid } from '../../src/main.ts';
import { startConfiguredBraid } from '../support/configured-braid.ts';
import { useDevnet } from '../support/devnet.ts';
import { fetchPatiently } from '../support/fetch-patiently.ts';
import { scrape } from '../support/scrape.ts';
import { until } from '../support/until.ts';

type Quote = { readonly route: readonly { readonly source: string; readonly poolAddress: string }[]; readonly buyAmount: string };

describe('the kill switch, on the running service (B9, faults L9)', function suite() {
  this.timeout(300_000);
  const chain = useDevnet();
  const folder = mkdtempSync(path.join(os.tmpdir(), 'braid-switches-'));
  let braid: Braid;
  let key = '';

  before(async () => {
    const { chainId, rpcUrl, wrappedNative, deployments, router, allowanceHolder, feeCollector, tokens } = chain.current();
    const wellKnownTokens = tokens.map(({ address }) => address);
    const out: string[] = [];
    const keys = { out: (line: string) => void out.push(line), err: () => {}, keysFile: path.join(folder, 'keys.json'), now: () => new Date(), lockMs: 1000 };
    expect(await runKeys(['issue', '--rps', '500'], keys)).to.equal(0);
    key = out[0] ?? '';
    const hosted = {
      chainId,
      rpcUrls: [rpcUrl],
      wrappedNative,
      deployments,
      router,
      allowanceHolder,
      wellKnownTokens,
      switchedOff: { venues: ['SushiSwap_v2'] },
    };
    braid = await startConfiguredBraid(folder, { feeCollector, keysFile: 'keys.json', chains: [hosted] }, { SOLVER_THREADS: '2' });
  });
  after(async () => {
    await braid?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const token = (symbol: string) => chain.current().tokens.find((candidate) => candidate.symbol === symbol)?.address ?? '0x';
  const trade = () => `chainId=31337&mode=sell&sellToken=${token('USDC')}&buyToken=${token('WETH')}&sellAmount=${10n ** 11n}`;
  const ask = (route: string) => fetchPatiently(`${braid.publicUrl}${route}`, { headers: { 'x-api-key': key } });
  const quote = async (): Promise<Quote> => {
    const response = await ask(`/v1/quote?${trade()}`);
    expect(response.status).to.equal(200);
    return (await response.json()) as Quote;
  };
  const sourcesOf = ({ route }: Quote) => [...new Set(route.map(({ source }) => source))].sort();
  const listed = async (): Promise<readonly string[]> => ((await (await ask('/v1/31337/sources')).json()) as { readonly sources: readonly string[] }).sources;
  const flip = (change: object) => fetch(`${braid.internalUrl}/switches`, { method: 'POST', body: JSON.stringify({ chain: 'devnet', ...change }) });
  const metric = async () => (await scrape(braid.internalUrl)).split('\n').filter((line) => line.startsWith('braid_switched_off{'));

  it('what the configuration switches off is neither routed through nor listed, and comes back when it is switched on', async () => {
    const families = chain.current().deployments.map(({ family }) => family);
    // Variants of a family are their venue's own business.
    const plain = (await listed()).filter((label) => !label.includes(':'));
    expect(plain).to.deep.equal([...new Set(families)].filter((family) => family !== 'sushiswap_v2').sort());
    expect(sourcesOf(await quote())).to.not.include('sushiswap_v2').and.not.be.empty;
    expect(await metric()).to.include('braid_switched_off{chain="devnet",kind="venue"} 1');
    expect((await flip({ venue: 'sushiswap_v2', on: true })).status).to.equal(200);
    await until(async () => (await listed()).includes('sushiswap_v2'), 60_000);
    expect(await metric()).to.include('braid_switched_off{chain="devnet",kind="venue"} 0');
  });

  it('under load: from the answer on no route goes through a label that is off, and sources do not list it', async () => {
    expect(sourcesOf(await quote())).to.include('uniswap_v3');
    const seen: { readonly askedAt: number; readonly sources: readonly string[] }[] = [];
    let going = true;
    const load = Array.from({ length: 3 }, async () => {
      while (going) {
        const askedAt = performance.now();
        const response = await ask(`/v1/quote?${trade()}`);
        // Refused as too much at once, on a machine that does other things: no route at all.
        if (response.status !== 200) continue;
        seen.push({ askedAt, sources: sourcesOf((await response.json()) as Quote) });
      }
    });
    await until(() => seen.length > 10, 60_000);
    expect((await flip({ venue: 'uniswap_v3', on: false })).status).to.equal(200);
    const switched = performance.now();
    expect(await listed()).to.not.include('uniswap_v3');
    const before = seen.length;
    await until(() => seen.length > before + 30, 60_000);
    going = false;
    await Promise.all(load);
    const later = seen.filter(({ askedAt }) => askedAt > switched);
    expect(later.length).to.be.greaterThan(10);
    expect(later.filter(({ sources }) => sources.includes('uniswap_v3'))).to.deep.equal([]);
    expect(sourcesOf(await quote())).to.not.include('uniswap_v3').and.not.be.empty;
    await flip({ venue: 'uniswap_v3', on: true });
    await until(async () => sourcesOf(await quote()).includes('uniswap_v3'), 60_000);
  });

  it('one pool alone: the others of its label are routed through, and it is again when it is on', async () => {
    const whole = await quote();
    const pool = whole.route[0]?.poolAddress ?? '';
    const pools = ({ route }: Quote) => route.map(({ poolAddress }) => poolAddress);
    expect((await flip({ pool, on: false })).status).to.equal(200);
    expect(pools(await quote())).to.not.include(pool).and.not.be.empty;
    expect(await (await fetch(`${braid.internalUrl}/switches`)).json()).to.deep.equal({ devnet: { venues: [], pools: [pool.toLowerCase()] } });
    expect(await listed()).to.include(whole.route[0]?.source);
    await flip({ pool, on: true });
    await until(async () => pools(await quote()).includes(pool), 60_000);
  });

  it('a chain, a label or a pool that is none is refused with what would be right, and nothing is switched', async () => {
    for (const [change, part] of [
      [{ chain: 'nowhere', venue: 'uniswap_v3', on: false }, 'devnet'],
      [{ venue: 'uniswop_v3', on: false }, 'uniswop_v3'],
      [{ pool: '0x12', on: false }, 'address or id'],
      [{ venue: 'uniswap_v3' }, 'the body must be'],
      [{ venue: 'uniswap_v3', pool: `0x${'11'.repeat(20)}`, on: false }, 'the body must be'],
    ] as const) {
      const response = await flip(change);
      expect([response.status, JSON.stringify(await response.json()).includes(part)], part).to.deep.equal([400, true]);
    }
    expect(await (await fetch(`${braid.internalUrl}/switches`)).json()).to.deep.equal({ devnet: { venues: [], pools: [] } });
  });
});

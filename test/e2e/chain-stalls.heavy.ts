// Section A of the faults, under a whole service: what clients see of a chain that is not there yet, stands still, or whose node is gone.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { loadConfig } from '../../src/config/config.ts';
import { createNodeRpc } from '../../src/devnet/node-rpc.ts';
import { type Braid, startBraid } from '../../src/main.ts';
import { createLog } from '../../src/observe/observe.ts';
import { expectPlainRefusal } from '../http/support/checks.ts';
import { chainEntry } from '../support/configured-braid.ts';
import { useDevnet } from '../support/devnet.ts';
import { type RpcProxy, startRpcProxy } from '../support/rpc-proxy.ts';
import { until } from '../support/until.ts';

const BOUND_MS = 5000;
const LONG_MS = 300_000;
/** Half a second after the bound, and two seconds after the node or the next block is there, on a machine of its own. */
const FLIPS_MS = 5000;
const BACK_MS = 20_000;
/** Between two questions: who asks all the time has the processor that a start needs. */
const PAUSE_MS = 200;
/** The devnet mines while its node has this interval, and rests while it has another. */
const MINING_SECONDS = 86_400;

describe('a chain as clients see it', function suite() {
  this.timeout(4 * LONG_MS);
  const devnet = useDevnet({ bots: false });
  let proxy: RpcProxy;
  let folder: string;
  let braid: Braid;

  before(async () => {
    proxy = await startRpcProxy(() => devnet.current().rpcUrl);
    folder = mkdtempSync(path.join(os.tmpdir(), 'braid-stalls-'));
    await proxy.refuse(true);
    braid = await start();
  });
  after(async () => {
    await braid?.stop();
    await proxy?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  async function start(): Promise<Braid> {
    const file = path.join(folder, 'braid.json');
    const chains = [chainEntry(devnet.current(), 'devnet', proxy.url)];
    writeFileSync(file, JSON.stringify({ feeCollector: devnet.current().feeCollector, freshnessBoundMs: BOUND_MS, chains }));
    const loaded = loadConfig({
      env: { PORT: '0', INTERNAL_PORT: '0', SOLVER_THREADS: '2' },
      argv: ['--config', file],
      readFile: (name) => readFileSync(name, 'utf8'),
      availableParallelism: 2,
    });
    if (!loaded.ok) throw new Error(loaded.message);
    return await startBraid(loaded.config, { log: createLog({ level: 'silent' }), print: () => undefined, onDevnetLost: () => undefined });
  }

  function quote(): Promise<Response> {
    const token = (symbol: string) => devnet.current().tokens.find((one) => one.symbol === symbol)?.address ?? '';
    const trade = new URLSearchParams({ chainId: '31337', mode: 'sell', sellToken: token('USDC'), buyToken: token('WETH'), sellAmount: '1000000000' });
    return fetch(`${braid.publicUrl}/v1/quote?${trade}`);
  }

  async function health(): Promise<{ readonly status: number; readonly told: string; readonly healthy: boolean | undefined }> {
    const response = await fetch(`${braid.publicUrl}/healthz`);
    const body = (await response.json()) as { readonly status: string; readonly chains: readonly { readonly healthy: boolean }[] };
    return { status: response.status, told: body.status, healthy: body.chains[0]?.healthy };
  }
  const DEGRADED = { status: 503, told: 'degraded', healthy: false };

  /** Asks until the answer has that status; all before it has to have one of the others. A rate limit is the asker's own: a budget comes back. */
  async function untilAnswered(status: number, meanwhile: readonly number[], withinMs = LONG_MS): Promise<void> {
    const seen = new Set<number>();
    const answered = await until(async () => {
      const response = await quote();
      await response.arrayBuffer();
      if (response.status === status) return true;
      if (response.status !== 429) seen.add(response.status);
      await sleep(PAUSE_MS);
      return false;
    }, withinMs);
    expect(answered, `${status}; seen ${[...seen].join()}`).to.equal(true);
    expect(meanwhile, 'what was answered meanwhile').to.include.members([...seen]);
  }

  async function plainRefusal(status: number): Promise<void> {
    let response = await quote();
    while (response.status === 429) {
      await response.arrayBuffer();
      response = await quote();
    }
    await expectPlainRefusal(response, status);
  }

  /** Said to be degraded as soon as the bound is over, counted from now: the last block may be older. */
  async function flips(): Promise<void> {
    const began = performance.now();
    expect(await until(async () => (await health()).status === DEGRADED.status, LONG_MS)).to.equal(true);
    expect(performance.now() - began).to.be.below(BOUND_MS + FLIPS_MS);
  }

  /** Never with 500. */
  async function isBack(): Promise<void> {
    const healed = performance.now();
    await untilAnswered(200, [503]);
    expect(performance.now() - healed).to.be.below(BACK_MS);
  }

  const setInterval = (seconds: number) => createNodeRpc(devnet.current().rpcUrl).request('evm_setIntervalMining', seconds);

  it('is coming up while its node was never there: 500 with nothing but a message, and degraded; it is served as soon as it is (A26)', async () => {
    await plainRefusal(500);
    expect(await health()).to.deep.equal(DEGRADED);
    await proxy.refuse(false);
    expect(await until(() => braid.readiness().ready, LONG_MS)).to.equal(true);
    const synced = performance.now();
    // From the first block on nothing is coming up any more; on a machine that is busy it may be old by the time it is there.
    await untilAnswered(200, [503]);
    expect(performance.now() - synced).to.be.below(BACK_MS);
    // From the first epoch on there is nothing to wait for.
    expect(braid.readiness().ready).to.equal(true);
  });

  it('is served up to its freshness bound while no block is mined, then refused as stale and never with 500, and back with the next block (A7)', async () => {
    await untilAnswered(200, [503]);
    await setInterval(0);
    await flips();
    await untilAnswered(503, [200]);
    await plainRefusal(503);
    expect(await health()).to.deep.equal(DEGRADED);
    await setInterval(MINING_SECONDS);
    await isBack();
  });

  it('is the same while its node refuses connections (A1)', async () => {
    await untilAnswered(200, [503]);
    await proxy.refuse(true);
    await flips();
    await untilAnswered(503, [200]);
    await plainRefusal(503);
    expect(await health()).to.deep.equal(DEGRADED);
    await proxy.refuse(false);
    await isBack();
  });
});

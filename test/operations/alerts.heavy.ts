import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { POISON_AMOUNT } from '../../bench/load/poison-amount.ts';
import { randomTrades } from '../../bench/load/random-trades.ts';
import { type OwnTarget, startTarget } from '../../bench/load/target-process.ts';
import { devnetAsNetwork } from '../../bench/soak/devnet-as-network.ts';
import { type Devnet, startDevnet } from '../../src/devnet/devnet.ts';
import { startRpcProxy } from '../support/rpc-proxy.ts';
import { until } from '../support/until.ts';
import { freePort, needsPrograms } from './programs.ts';
import { type RunningPrometheus, startPrometheus } from './running-prometheus.ts';

const FRESHNESS_SECONDS = 10;
const KILLS = 8;
/** Longer than any alert here waits before it fires. */
const FIRES_WITHIN_MS = 480_000;

describe('faults of a running service fire the alerts that name them', function suite() {
  this.timeout(600_000);
  const undo: (() => Promise<void> | void)[] = [];
  let devnet: Devnet;
  let target: OwnTarget;
  let prometheus: RunningPrometheus;
  let proxy: Awaited<ReturnType<typeof startRpcProxy>>;

  before(async function start() {
    needsPrograms(this, 'prometheus');
    devnet = await startDevnet({ rpcPort: 0, seed: 1, bots: false });
    undo.push(() => devnet.stop());
    proxy = await startRpcProxy(() => devnet.rpcUrl);
    undo.push(() => proxy.stop());
    const folder = mkdtempSync(path.join(tmpdir(), 'braid-alerts-'));
    undo.push(() => rmSync(folder, { recursive: true, force: true }));
    const config = path.join(folder, 'config.json');
    writeFileSync(config, JSON.stringify(devnetAsNetwork(devnet, proxy.url, FRESHNESS_SECONDS)));
    target = await startTarget(['--config', config]);
    undo.push(() => target.stop());
    prometheus = await startPrometheus(await freePort(), new URL(target.internalUrl).host);
    undo.push(() => prometheus.stop());
  });
  after(async () => {
    for (let step = undo.pop(); step !== undefined; step = undo.pop()) await step();
  });

  const firing = async () => {
    const samples = await prometheus.query('ALERTS{alertstate="firing"}');
    return new Set(samples.map(({ metric }) => [metric.alertname, metric.chain, metric.endpoint].filter((part) => part !== undefined).join(' ')));
  };

  it('dying threads, requests that fail inside, an unusable key file, a node that refuses, and the chain that grows stale by it', async () => {
    const trades = randomTrades(devnet, 100).filter(({ mode }) => mode === 'sell');
    const askPoison = async (which: number) => {
      const query = new URLSearchParams({ ...trades[which], sellAmount: String(POISON_AMOUNT) });
      return (await fetch(`${target.publicUrl}/v1/quote?${query}`, { headers: { 'x-api-key': target.keys[0] ?? '' } })).status;
    };
    const scraped = () => prometheus.query('count_over_time(braid_ready[1m])').then(([sample]) => (sample?.value ?? 0) >= 3);
    expect(await until(scraped, 120_000)).to.equal(true);
    expect([...(await firing())]).to.deep.equal([]);

    // Each poisoned request kills the thread twice and is answered 500. The same one again is answered so without a run.
    const statuses: number[] = [];
    for (let i = 0; i < KILLS; i++) statuses.push(await askPoison(i));
    expect(statuses).to.include(500);
    expect(await askPoison(0)).to.equal(500);
    writeFileSync(target.keysFile, '{ this is no key file');
    await proxy.refuse(true);

    const wanted = [
      'SolverWorkersDying',
      'JobsPoisoned devnet',
      'InternalFailures devnet quote',
      'KeysReloadFailed',
      'RpcFailing devnet 0',
      'SnapshotStale devnet',
    ];
    let seen = new Set<string>();
    const all = async () => {
      seen = await firing();
      return wanted.every((name) => seen.has(name));
    };
    expect(await until(all, FIRES_WITHIN_MS), `firing: ${[...seen].join(', ')}`).to.equal(true);
    // The process itself is well: nothing sends an operator there.
    for (const name of seen) expect(name).not.to.match(/^(TargetDown|NotReady|EventLoopBlocked|IndexerRestarting|AuditMismatch|LogLinesLost)/);
  });

  it('and those of the node end when it is back', async () => {
    await proxy.refuse(false);
    const ended = async () => [...(await firing())].every((name) => !name.startsWith('SnapshotStale'));
    expect(await until(ended, 180_000)).to.equal(true);
    expect((await fetch(`${target.publicUrl}/healthz`)).status).to.equal(200);
  });
});

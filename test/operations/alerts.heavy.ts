import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import type { TradeQuery } from '../../bench/load/arrivals.ts';
import { GROW_AMOUNT, HEAP_AMOUNT, POISON_AMOUNT, SPIN_AMOUNT, UNENCODABLE_AMOUNT } from '../../bench/load/deadly-amounts.ts';
import { randomTrades } from '../../bench/load/random-trades.ts';
import { type OwnTarget, startTarget } from '../../bench/load/target-process.ts';
import { devnetAsNetwork } from '../../bench/soak/devnet-as-network.ts';
import { type Devnet, startDevnet } from '../../src/devnet/devnet.ts';
import { NATIVE_TOKEN } from '../../src/units/units.ts';
import { startRpcProxy } from '../support/rpc-proxy.ts';
import { until } from '../support/until.ts';
import { firstLineOf, queriesOf } from './dashboard-files.ts';
import { freePort, needsPrograms } from './programs.ts';
import { type RunningPrometheus, type Sample, startPrometheus } from './running-prometheus.ts';

const FRESHNESS_SECONDS = 10;
const KILLS = 8;
const SWAPS = 5;
/** Of a thread: little, so that it is full before the deadline on a busy machine too. */
const HEAP_MEGABYTES = 128;
/** More than all that the service needs beside a thread's heap. */
const MEMORY_BYTES = 1.25 * 2 ** 30;
/** More than the flood holds. */
const MOST_CONNECTIONS = 1000;
const TOO_MANY = 100;
/** Blocks; a reorg of no more than the second is an ordinary one. */
const DEEP = 12;
const SHALLOW = 8;
/** As many as it takes for the estimated wait to pass the limit of short budgets, on any machine. */
const FLOOD = 400;
/** How long a panel may take to show what was just brought about, before it is brought about again. */
const SHOWN_WITHIN_MS = 20_000;
const TRIES = 6;
/** Longer than what was is in a rate. */
const QUIET_WITHIN_MS = 60_000;
/** Longer than any alert here waits before it fires. */
const FIRES_WITHIN_MS = 480_000;

const TAKER = `0x${'a1'.repeat(20)}`;

type Fault = {
  readonly what: string;
  inject(attempt: number): Promise<void> | void;
  /** The dashboard and the panel by which one sees it, and what its samples are then. */
  readonly panel: readonly [dashboard: string, panel: string];
  shows(sample: Sample, all: readonly Sample[]): boolean;
  /** With the labels that say whom it concerns. */
  readonly alert: string;
  /** What the runbook says first, which is the right thing to do about this. */
  readonly action: RegExp;
};

describe('by the dashboards, the alerts and the first line of a runbook alone one finds what is wrong with a running service, and what to do', function suite() {
  this.timeout(900_000);
  const undo: (() => Promise<void> | void)[] = [];
  let devnet: Devnet;
  let target: OwnTarget;
  let trades: readonly TradeQuery[];
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
    target = await startTarget(['--config', config], 'ignore', { memoryBytes: MEMORY_BYTES, heapMegabytes: HEAP_MEGABYTES, connections: MOST_CONNECTIONS });
    undo.push(() => target.stop());
    prometheus = await startPrometheus(await freePort(), new URL(target.internalUrl).host);
    undo.push(() => prometheus.stop());
    for (const alert of ['ShedRatioHigh', 'ConnectionsNearLimit', 'RpcFailing', 'KeysReloadFailed']) await prometheus.hurry(alert, '10s');
    trades = randomTrades(devnet, 100).filter(({ mode }) => mode === 'sell');
  });
  after(async () => {
    for (let step = undo.pop(); step !== undefined; step = undo.pop()) await step();
  });

  const firing = async () => {
    const samples = await prometheus.query('ALERTS{alertstate="firing"}');
    return new Set(samples.map(({ metric }) => [metric.alertname, metric.chain, metric.endpoint].filter((part) => part !== undefined).join(' ')));
  };

  async function showing({ panel: [dashboard, panel], shows }: Fault): Promise<boolean> {
    const samples = await Promise.all(queriesOf(dashboard, panel).map((expr) => prometheus.query(expr)));
    return samples.flat().some((sample, _, all) => shows(sample, all));
  }

  /** Brings a fault about, again and again if need be, until its panel shows it. */
  async function bringAbout(fault: Fault): Promise<void> {
    expect(await until(async () => !(await showing(fault)), QUIET_WITHIN_MS), `${fault.what}: ${fault.panel.join(' / ')} shows it before it is there`).to.equal(
      true,
    );
    expect(firstLineOf(fault.alert.split(' ')[0] ?? ''), fault.what).to.match(fault.action);
    for (let attempt = 0; attempt < TRIES; attempt++) {
      await fault.inject(attempt);
      if (await until(() => showing(fault), SHOWN_WITHIN_MS)) return;
    }
    expect.fail(`${fault.what}: ${fault.panel.join(' / ')} does not show it`);
  }

  /** Resolves to what fires when all that is wanted has fired. */
  async function fire(wanted: readonly string[]): Promise<ReadonlySet<string>> {
    // Some end again while others are waited for.
    const seen = new Set<string>();
    let now: ReadonlySet<string> = seen;
    const all = async () => {
      now = await firing();
      for (const name of now) seen.add(name);
      return wanted.every((name) => seen.has(name));
    };
    expect(await until(all, FIRES_WITHIN_MS), `fired: ${[...seen].join(', ')}; wanted: ${wanted.join(', ')}`).to.equal(true);
    return now;
  }

  async function ask(which: number, more: Readonly<Record<string, string>>): Promise<number> {
    const query = new URLSearchParams({ ...trades[which], ...more });
    const response = await fetch(`${target.publicUrl}/v1/quote?${query}`, { headers: { 'x-api-key': target.keys[0] ?? '' } });
    await response.arrayBuffer();
    return response.status;
  }

  /** Of a solver whose routes no venue owns to. */
  async function askForNoLegs(): Promise<number> {
    const { wrappedNative, chainId } = devnet;
    const sold = trades.find(({ sellToken, buyToken }) => sellToken === NATIVE_TOKEN && buyToken?.toLowerCase() !== wrappedNative);
    const query = new URLSearchParams({ ...sold, chainId: String(chainId), sellAmount: String(UNENCODABLE_AMOUNT), taker: TAKER });
    const response = await fetch(`${target.publicUrl}/v1/swap?${query}`, { headers: { 'x-api-key': target.keys[0] ?? '' } });
    await response.arrayBuffer();
    return response.status;
  }

  /** Opens connections that send nothing, and closes them all when the service has closed one. */
  async function openConnections(count: number): Promise<void> {
    const { hostname, port } = new URL(target.publicUrl);
    const sockets = Array.from({ length: count }, () => net.connect(Number(port), hostname).on('error', () => undefined));
    await Promise.race(sockets.map((socket) => once(socket, 'close')));
    for (const socket of sockets) socket.destroy();
  }

  async function node(method: string, ...params: readonly unknown[]): Promise<unknown> {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const response = await fetch(devnet.rpcUrl, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    return ((await response.json()) as { readonly result: unknown }).result;
  }

  /** Takes back so many blocks that the service has seen, or some more. Not by `anvil_reorg`: a block that is mined meanwhile leaves that with a chain that has a gap. */
  async function reorganise(depth: number): Promise<void> {
    const before = await node('evm_snapshot');
    for (let block = 0; block < depth; block++) await node('evm_mine');
    const head = Number(await node('eth_blockNumber'));
    const published = async () => (await prometheus.query('braid_snapshot_block_number{chain="devnet"}')).some(({ value }) => value >= head);
    await until(published, SHOWN_WITHIN_MS);
    expect(await node('evm_revert', before)).to.equal(true);
  }

  const faults: readonly Fault[] = [
    {
      what: 'more is asked for than can be solved',
      inject: async () => {
        await Promise.all(Array.from({ length: FLOOD }, (_, index) => ask(index % 50, { timeLimitMs: '50', maxHops: '7' })));
      },
      panel: ['Braid: overview', 'Shed'],
      shows: ({ value }) => value > 0.05,
      alert: 'ShedRatioHigh',
      action: /^Add solver threads.*if one client floods/,
    },
    {
      what: 'swaps can not be encoded',
      inject: async () => {
        // Before anything else that is answered so. Some may be shed yet, by the flood before.
        for (let i = 0; i < SWAPS; i++) await until(async () => (await askForNoLegs()) === 500, SHOWN_WITHIN_MS);
      },
      panel: ['Braid: overview', '5xx by chain'],
      shows: ({ metric, value }) => metric.chain === 'devnet' && metric.status === '500' && value > 0,
      alert: 'InternalFailures devnet swap',
      action: /^Read the log's lines at level `error`: `internal failure` has the stack/,
    },
    {
      what: 'a thread takes all the memory that there is',
      inject: async (attempt) => void (await ask(20 + attempt, { sellAmount: String(HEAP_AMOUNT), timeLimitMs: '5000' })),
      panel: ['Braid: solver', 'Threads replaced'],
      shows: ({ metric, value }) => metric.reason === 'oom' && value > 0,
      alert: 'SolverWorkersDying',
      action: /^Find what kills them: the log/,
    },
    {
      what: 'a thread takes memory outside of its heap',
      inject: async (attempt) => void (await ask(10 + attempt, { sellAmount: String(GROW_AMOUNT), timeLimitMs: '5000' })),
      panel: ['Braid: solver', 'Threads replaced'],
      shows: ({ metric, value }) => metric.reason === 'memory' && value > 0,
      alert: 'SolverWorkersDying',
      action: /^Find what kills them: the log/,
    },
    {
      what: 'a thread runs on past its deadline',
      inject: async (attempt) => void (await ask(30 + attempt, { sellAmount: String(SPIN_AMOUNT), timeLimitMs: '300' })),
      panel: ['Braid: solver', 'Threads replaced'],
      shows: ({ metric, value }) => metric.reason === 'overrun' && value > 0,
      alert: 'SolverWorkersDying',
      action: /^Find what kills them: the log/,
    },
    {
      what: 'requests kill their thread',
      inject: async () => {
        // Of a client that has killed threads no more are run than may be risked: the others are shed.
        for (let i = 0; i < KILLS; i++) await until(async () => (await ask(i, { sellAmount: String(POISON_AMOUNT) })) === 500, SHOWN_WITHIN_MS);
      },
      panel: ['Braid: solver', 'Threads replaced'],
      shows: ({ metric, value }) => metric.reason === 'exit' && value > 0,
      alert: 'SolverWorkersDying',
      action: /^Find what kills them: the log/,
    },
    {
      what: 'one of them is sent again',
      inject: async () => {
        // The first kills twice, the second is answered without a run.
        for (let i = 0; i < 2; i++) expect(await ask(40, { sellAmount: String(POISON_AMOUNT) })).to.be.oneOf([500, 503]);
      },
      panel: ['Braid: solver', 'Jobs refused for killing threads'],
      shows: ({ value }) => value > 0,
      alert: 'JobsPoisoned devnet',
      action: /^Take one of the requests from the log/,
    },
    {
      what: 'more connections are opened than are taken',
      inject: () => openConnections(MOST_CONNECTIONS + TOO_MANY),
      panel: ['Braid: overview', 'Connections dropped'],
      shows: ({ value }) => value > 0,
      alert: 'ConnectionsNearLimit',
      action: /^Find who holds them/,
    },
    {
      what: 'the chain takes many blocks back',
      inject: () => reorganise(DEEP),
      panel: ['Braid: indexer', 'Reorgs by depth'],
      // Of all reorgs some are in no bucket up to the limit.
      shows: ({ metric, value }, all) => metric.le === '+Inf' && value > (all.find(({ metric: { le } }) => Number(le) === SHALLOW)?.value ?? 0),
      alert: 'ReorgDeep devnet',
      action: /^Check with the chain's status page or another node/,
    },
    {
      what: 'the key file can not be read',
      inject: () => writeFileSync(target.keysFile, '{ this is no key file'),
      panel: ['Braid: admission', 'Instances whose key file is not usable'],
      shows: ({ value }) => value > 0,
      alert: 'KeysReloadFailed',
      action: /^Read the log's line `key file not usable`/,
    },
    {
      what: 'the node refuses',
      inject: () => proxy.refuse(true),
      panel: ['Braid: indexer', 'Calls by outcome'],
      shows: ({ metric, value }) => metric.outcome !== 'ok' && value > 0,
      alert: 'RpcFailing devnet 0',
      action: /^Check the node whose place/,
    },
    {
      what: 'and the chain is stale by it',
      inject: () => undefined,
      panel: ['Braid: indexer', 'Freshness'],
      shows: ({ metric, value }) => metric.chain === 'devnet' && value === 1,
      alert: 'SnapshotStale devnet',
      action: /^Check the chain's node/,
    },
  ];

  it(`${faults.map(({ what }) => what).join(', ')}: each shows on its panel, fires its alert, and the runbook says first what helps`, async () => {
    const scraped = () => prometheus.query('count_over_time(braid_ready[1m])').then(([sample]) => (sample?.value ?? 0) >= 3);
    expect(await until(scraped, 120_000)).to.equal(true);
    expect([...(await firing())]).to.deep.equal([]);
    for (const fault of faults) await bringAbout(fault);
    // What came of those requests.
    const seen = await fire([...faults.map(({ alert }) => alert), 'InternalFailures devnet quote']);
    // The process itself is well: nothing sends an operator there.
    for (const name of seen) expect(name).not.to.match(/^(TargetDown|NotReady|EventLoopBlocked|IndexerRestarting|AuditMismatch|LogLinesLost)/);
  });

  it('those of the node end when it is back', async () => {
    await proxy.refuse(false);
    const ended = async () => [...(await firing())].every((name) => !name.startsWith('SnapshotStale'));
    expect(await until(ended, 180_000)).to.equal(true);
    expect((await fetch(`${target.publicUrl}/healthz`)).status).to.equal(200);
  });

  it('something computes on the main thread, half a second at a time: so too', async () => {
    const blocked: Fault = {
      what: 'something computes on the main thread',
      inject: () => target.order({ kind: 'loop-stall', on: true }),
      panel: ['Braid: overview', 'Event loop delay'],
      // The limit is drawn too.
      shows: ({ metric, value }) => metric.instance !== undefined && value > 0.4,
      alert: 'EventLoopBlocked',
      action: /below it, something computes on the main thread: take a profile/,
    };
    await prometheus.hurry('EventLoopBlocked', '10s');
    await bringAbout(blocked);
    await fire([blocked.alert]);
    // Which of the two it is, as the runbook tells them apart.
    const used = await Promise.all(queriesOf('Braid: overview', 'Processor').map((expr) => prometheus.query(expr)));
    expect(used.flat().length).to.be.at.least(1);
    target.order({ kind: 'loop-stall', on: false });
    const over = async () => ![...(await firing())].includes(blocked.alert);
    expect(await until(over, 120_000)).to.equal(true);
  });
});

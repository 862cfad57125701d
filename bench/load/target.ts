// A Braid of the harness's own in a process of its own, with everything around it that can be made to fail. Told what to do over IPC.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Worker } from 'node:worker_threads';
import { LIMITS, loadConfig } from '../../src/config/config.ts';
import { becomeReady, startBraid } from '../../src/main.ts';
import { issueKey } from '../../src/metering/metering.ts';
import { createLog } from '../../src/observe/observe.ts';
import { randomTrades } from './random-trades.ts';
import type { TargetBounds, TargetDeath, TargetOrder, TargetUp } from './target-process.ts';

const KEYS = 8;
/** No load uses up the budget of such a key. */
const ENOUGH_RPS = 1_000_000;
const TRADES = 400;
const STORM_EVERY_MS = 100;
const READY_MS = 60_000;
const BETWEEN_STALLS_MS = 300;
const STALL_MS = 500;

const { memoryBytes, heapMegabytes, connections } = JSON.parse(process.env.BRAID_BOUNDS ?? '{}') as TargetBounds;
if (memoryBytes !== undefined) process.constrainedMemory = () => memoryBytes;
if (heapMegabytes !== undefined) Object.assign(LIMITS.solving, { heapMegabytes });
if (connections !== undefined) Object.assign(LIMITS.http, { connections });

const folder = mkdtempSync(path.join(tmpdir(), 'braid-load-'));
const keys = Array.from({ length: KEYS }, (_, index) => issueKey({ rps: ENOUGH_RPS, partnerId: `load-${index}` }, new Date()));
const keysFile = path.join(folder, 'keys.json');
writeFileSync(keysFile, JSON.stringify({ keys: keys.map(({ entry }) => entry) }));

const loaded = loadConfig({
  env: { PORT: '0', INTERNAL_PORT: '0', DEVNET_PORT: '0', LOG_LEVEL: process.env.LOG_LEVEL ?? 'silent', KEYS_FILE: keysFile, ...threadsOf() },
  argv: process.argv.slice(2),
  readFile: (file) => readFileSync(file, 'utf8'),
  availableParallelism: 2,
});
if (!loaded.ok) throw new Error(loaded.message);
// Before the service's own listeners: it is told of a thread's end when it hears of it.
process.on('worker', (worker: Worker) => {
  const { threadId } = worker;
  worker.once('exit', () => {
    const diedAt = diedAtMs(threadId);
    if (diedAt !== null) process.send?.({ kind: 'death', heardAfterMs: Date.now() - diedAt } satisfies TargetDeath);
  });
});
const braid = await startBraid(loaded.config, {
  log: createLog({ level: loaded.config.logLevel }),
  print: () => undefined,
  onDevnetLost: () => process.exit(1),
  devnetBots: false,
  solverEntry: new URL('./mortal-solver.js', import.meta.url),
});
if (!(await becomeReady(braid, READY_MS))) throw new Error('the target did not become ready');

let storm: NodeJS.Timeout | null = null;
let stall: NodeJS.Timeout | null = null;
process.on('message', (order: TargetOrder) => {
  switch (order.kind) {
    case 'stop':
      void stop();
      return;
    case 'block-storm':
      void braid.devnet?.setBots(order.on);
      if (storm !== null) clearInterval(storm);
      storm = order.on ? setInterval(() => void mine(), STORM_EVERY_MS) : null;
      return;
    case 'node-stall':
      // A node that accepts connections and never answers.
      if (braid.devnet !== null) process.kill(braid.devnet.pid, order.on ? 'SIGSTOP' : 'SIGCONT');
      return;
    case 'loop-stall':
      if (stall !== null) clearInterval(stall);
      // The main thread computes half a second at once, again and again. More than once a second: whoever looks at it each second, and has to wait for an end, would else see none of it in some of their seconds.
      stall = order.on ? setInterval(() => compute(STALL_MS), STALL_MS + BETWEEN_STALLS_MS) : null;
      return;
    default:
      throw new TypeError(`unknown order ${JSON.stringify(order satisfies never)}`);
  }
});
process.on('disconnect', () => void stop());

const up: TargetUp = {
  publicUrl: braid.publicUrl,
  internalUrl: braid.internalUrl,
  keys: keys.map(({ key }) => key),
  trades: braid.devnet === null ? [] : randomTrades(braid.devnet, TRADES),
  rpcUrl: braid.devnet?.rpcUrl ?? null,
  keysFile,
};
process.send?.(up);

/** null: it ended in another way. */
function diedAtMs(threadId: number): number | null {
  const file = process.env.BRAID_DEATHS_FILE ?? '';
  if (!existsSync(file)) return null;
  const line = readFileSync(file, 'utf8')
    .split('\n')
    .find((known) => known.startsWith(`${threadId} `));
  return line === undefined ? null : Number(line.split(' ')[1]);
}

async function stop(): Promise<void> {
  if (storm !== null) clearInterval(storm);
  if (stall !== null) clearInterval(stall);
  if (braid.devnet !== null) process.kill(braid.devnet.pid, 'SIGCONT');
  await braid.stop();
  rmSync(folder, { recursive: true, force: true });
  process.exit(0);
}

function compute(forMs: number): void {
  for (const until = performance.now() + forMs; performance.now() < until; );
}

async function mine(): Promise<void> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'evm_mine', params: [] });
  await fetch(braid.devnet?.rpcUrl ?? '', { method: 'POST', headers: { 'content-type': 'application/json' }, body }).catch(() => undefined);
}

function threadsOf(): Readonly<Record<string, string>> {
  const { SOLVER_THREADS } = process.env;
  return SOLVER_THREADS === undefined ? {} : { SOLVER_THREADS };
}

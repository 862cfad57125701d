// `npm run soak -- --minutes 5`: load, faults of every kind and swaps on the chain, for so long; then whether everything held.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { integerOption } from '../../scripts/integer-option.ts';
import { startDevnet } from '../../src/devnet/devnet.ts';
import { approveAll, takerOf } from '../../test/e2e/swap-check.ts';
import { startRpcProxy } from '../../test/support/rpc-proxy.ts';
import { recordFigures } from '../history/history.ts';
import { arrivalsOf } from '../load/arrivals.ts';
import { generate } from '../load/generator.ts';
import { createProgress } from '../load/progress.ts';
import { randomTrades } from '../load/random-trades.ts';
import { reportHtml } from '../load/report-html.ts';
import { reportTable } from '../load/report-table.ts';
import { inShort } from '../load/run-scenario.ts';
import type { Fault, Scenario } from '../load/scenario.ts';
import { summarise } from '../load/summary.ts';
import { startTarget } from '../load/target-process.ts';
import { devnetAsNetwork } from './devnet-as-network.ts';
import { executeSwaps } from './executor.ts';
import { type PlannedFault, planFaults } from './fault-plan.ts';
import { type FaultGround, letHappen } from './faults.ts';
import { judgeSoak, type Soaked } from './judge.ts';
import { type Sample, sample } from './samples.ts';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '30' },
    seed: { type: 'string', default: '1' },
    rate: { type: 'string', default: '20' },
    out: { type: 'string', default: 'build/soak' },
    record: { type: 'boolean', default: false },
  },
});
const seed = integerOption('--seed', values.seed);
const [minutes, rate] = [values.minutes, values.rate].map(Number) as [number, number];
if (!(minutes >= 2 && rate > 0)) throw new Error('--minutes (at least 2) and --rate (requests a second, above 0) are numbers');
const FRESHNESS_SECONDS = 10;
const TRADES = 400;
const progress = createProgress();

const undo: (() => Promise<void> | void)[] = [];
try {
  process.exitCode = (await run()) ? 0 : 1;
} finally {
  for (let step = undo.pop(); step !== undefined; step = undo.pop()) await step();
}

async function run(): Promise<boolean> {
  const devnet = await startDevnet({ rpcPort: 0, seed, bots: false });
  undo.push(() => devnet.stop());
  const proxy = await startRpcProxy(() => devnet.rpcUrl);
  undo.push(() => proxy.stop());
  const folder = mkdtempSync(path.join(tmpdir(), 'braid-soak-'));
  undo.push(() => rmSync(folder, { recursive: true, force: true }));
  const file = path.join(folder, 'config.json');
  writeFileSync(file, JSON.stringify(devnetAsNetwork(devnet, proxy.url, FRESHNESS_SECONDS)));
  const target = await startTarget(['--config', file]);
  undo.push(() => target.stop());
  const ground: FaultGround = { devnet, proxy, target };
  const taker = takerOf({ devnet, apiKey: target.keys[1] ?? null, publicUrl: target.publicUrl });
  await approveAll(taker);
  await devnet.setBots(true);
  const soaked = await soak(ground, taker);
  return report(soaked);
}

async function soak(ground: FaultGround, taker: Parameters<typeof executeSwaps>[0]): Promise<Soaked> {
  const { devnet, target } = ground;
  const seconds = Math.round(minutes * 60);
  const faults = planFaults(seconds, seed);
  const samples: Sample[] = [];
  let over = false;
  const executing = executeSwaps(taker, seed, () => over);
  const disturbing = disturb(faults, ground, () => over);
  const onSecond = (second: number): void => {
    progress.show(faults.find(({ from, to }) => second >= from && second < to)?.kind ?? 'calm', second, seconds);
    // A scrape that fails is a sample less; whether the service lives shows in the requests.
    void sample(target.internalUrl, devnet.rpcUrl, second).then(
      (one) => samples.push(one),
      () => undefined,
    );
  };
  const results = await generate(
    { baseUrl: target.publicUrl, keys: [target.keys[0] ?? null] },
    arrivalsOf(scenarioOf(seconds, []), randomTrades(devnet, TRADES, seed), rate, seed),
    onSecond,
  );
  over = true;
  const executions = await executing;
  await disturbing;
  return { seconds, results, faults, freshness: FRESHNESS_SECONDS, executions, samples };
}

async function disturb(faults: readonly PlannedFault[], ground: FaultGround, over: () => boolean): Promise<void> {
  const startedAt = performance.now();
  for (const fault of faults) {
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, fault.from * 1000 - (performance.now() - startedAt))));
    if (over()) return;
    await letHappen(fault, ground);
  }
}

function scenarioOf(seconds: number, faults: readonly PlannedFault[]): Scenario {
  return {
    name: 'soak',
    title: `${rate} requests a second for ${seconds} s, with ${faults.length} faults`,
    clients: [{ name: 'all', share: 1, budgetsMs: [5000], maxHops: null }],
    steps: [{ seconds, from: 1, to: 1 }],
    faults: faults.map(bandOf),
    checks: [],
  };
}

/** For the charts: when something was wrong. */
function bandOf({ kind, from, to }: PlannedFault): Fault {
  if (kind === 'thread-kill') return { kind: 'kill-thread', atSecond: from, everySeconds: to - from, count: 1 };
  return { kind: kind === 'block-storm' || kind === 'reorg' ? 'block-storm' : 'node-stall', atSecond: from, seconds: to - from };
}

function report(soaked: Soaked): boolean {
  const verdicts = judgeSoak(soaked);
  const scenario = scenarioOf(soaked.seconds, soaked.faults);
  const outcome = { scenario, capacity: rate, summary: summarise(scenario, soaked.results), verdicts };
  const { asked, noRoute, notServed } = soaked.executions;
  const facts = [
    `Seed ${seed}, Node ${process.version}. Faults: ${soaked.faults.map(({ kind, from, size }) => `${kind}${size > 0 ? ` of ${size}` : ''} at ${from} s`).join(', ')}.`,
    `Beside the load ${asked} swaps were asked for (${noRoute} without a route, ${notServed} not served), every tenth of them sent to the chain.`,
  ];
  mkdirSync(values.out, { recursive: true });
  writeFileSync(
    path.join(values.out, 'report.json'),
    `${JSON.stringify({ facts, ...outcome, samples: soaked.samples, executions: soaked.executions }, null, 1)}\n`,
  );
  writeFileSync(path.join(values.out, 'report.html'), reportHtml('Braid soaked', facts, [outcome]));
  process.stdout.write(`${facts.join('\n')}\n\n${reportTable([outcome])}`);
  progress.say(`reports: ${path.join(values.out, 'report.{json,html}')}`);
  if (values.record) recordFigures('soak', inShort(outcome));
  return verdicts.every(({ ok }) => ok);
}

// `npm run bench:load`: finds the capacity of a service, takes it through the scenarios, and reports.
import { mkdirSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { recordFigures } from '../history/history.ts';
import { type Options, readArguments, USAGE } from './arguments.ts';
import { findCapacity } from './capacity.ts';
import type { LoadTarget } from './generator.ts';
import { createProgress } from './progress.ts';
import { reportHtml } from './report-html.ts';
import { reportTable, shown } from './report-table.ts';
import { canRun, inShort, type Outcome, runScenario } from './run-scenario.ts';
import type { LoadClient, Scenario } from './scenario.ts';
import { type OwnTarget, startTarget } from './target-process.ts';

const progress = createProgress();
/** Between scenarios: what one left in queues must not burden the next. */
const REST_MS = 2000;
/** Code that is still cold is slow by itself. */
const WARM_UP = { perSecond: 40, seconds: 5 } as const;

async function run(options: Options): Promise<boolean> {
  const own = options.url === null ? await startTarget(options.poolSet === null ? [] : ['--pool-set', options.poolSet]) : null;
  process.once('SIGINT', () => void own?.stop().then(() => process.exit(130)));
  try {
    const outcomes = await runAll(options, own);
    return write(options, outcomes);
  } finally {
    await own?.stop();
  }
}

async function runAll(options: Options, own: OwnTarget | null): Promise<readonly Outcome[]> {
  const { seed, secondsPerStep } = options;
  const baseUrl = options.url ?? own?.publicUrl ?? '';
  const internalUrl = options.internalUrl ?? own?.internalUrl ?? null;
  const keys = own?.keys ?? options.keys;
  const trades = options.trades.length > 0 ? options.trades : (own?.trades ?? []);
  const outcomes: Outcome[] = [];
  const capacities = new Map<string, number>();
  for (const scenario of options.scenarios) {
    if (!canRun(scenario, own)) {
      progress.say(`${scenario.name}: left out, this target can not be made to fail so`);
      continue;
    }
    const target: LoadTarget = { baseUrl, keys: scenario.clients.map((_, index) => keys[index] ?? keys.at(-1) ?? null) };
    const load = loadOf(scenario);
    const capacity = options.capacity ?? capacities.get(load) ?? (await search(scenario, target));
    capacities.set(load, capacity);
    const outcome = await runScenario(scenario, {
      target,
      internalUrl,
      own,
      trades,
      capacity,
      seed,
      onSecond: (second, of) => progress.show(scenario.name, second, of),
    });
    outcomes.push(outcome);
    const failing = outcome.verdicts.filter(({ ok }) => !ok);
    const said = failing.length === 0 ? 'all checks hold' : failing.map(({ what, wanted, measured }) => `${what}: ${measured}, wanted ${wanted}`).join('; ');
    progress.say(`${scenario.name}: ${shown(outcome.summary.goodputPerSecond)} good answers per second of ${shown(outcome.summary.offeredPerSecond)}; ${said}`);
    await rest();
  }
  return outcomes;

  async function search(scenario: Scenario, target: LoadTarget): Promise<number> {
    const clients = scenario.clients.filter(isOrdinary);
    const onStep = (perSecond: number, holds: boolean) => progress.say(`capacity: ${shown(perSecond)} per second ${holds ? 'hold' : 'do not hold'}`);
    const common = { target, trades, clients, seed };
    if (capacities.size === 0) await warmUp(scenario, target);
    const capacity = await findCapacity({ ...common, secondsPerStep, onStep });
    progress.say(`capacity for ${scenario.name}: ${shown(capacity)} requests per second`);
    await rest();
    return capacity;
  }

  async function warmUp(scenario: Scenario, target: LoadTarget): Promise<void> {
    const { perSecond, seconds } = WARM_UP;
    const warm: Scenario = {
      ...scenario,
      name: 'warm-up',
      steps: [{ seconds, from: 1, to: 1 }],
      faults: [],
      checks: [],
      clients: scenario.clients.filter(isOrdinary),
    };
    await runScenario(warm, {
      target,
      internalUrl: null,
      own: null,
      trades,
      capacity: perSecond,
      seed,
      onSecond: (second, of) => progress.show('warm-up', second, of),
    });
  }
}

/** What a capacity is told of: it is answered. */
function isOrdinary({ poison, hangsUpAfterMs }: LoadClient): boolean {
  return poison === undefined && hangsUpAfterMs === undefined;
}

function rest(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, REST_MS));
}

/** Scenarios whose requests take equally long share a capacity. */
function loadOf({ clients }: Scenario): string {
  const kinds = clients.filter(isOrdinary).map(({ share, budgetsMs, maxHops }) => ({ budgetsMs, maxHops, share }));
  const same = kinds.every(({ budgetsMs, maxHops }) => String(budgetsMs) === String(kinds[0]?.budgetsMs) && maxHops === kinds[0]?.maxHops);
  return JSON.stringify(same ? [{ ...kinds[0], share: 1 }] : kinds);
}

function write(options: Options, outcomes: readonly Outcome[]): boolean {
  const facts = [
    options.url === null
      ? `A service of the harness's own on ${options.poolSet ?? 'the devnet'}, with the generator on the same machine.`
      : `The service at ${options.url}.`,
    `Node ${process.version}, ${availableParallelism()} processors, seed ${options.seed}. Good: answered 200 or 404 within the request's budget and 250 ms.`,
  ];
  const title = 'Braid under load';
  mkdirSync(options.out, { recursive: true });
  const save = (name: string, text: string) => writeFileSync(path.join(options.out, name), text);
  save('report.json', `${JSON.stringify({ title, facts, outcomes }, null, 1)}\n`);
  save('report.md', `# ${title}\n\n${facts.join('\n\n')}\n\n${reportTable(outcomes)}`);
  save('report.html', reportHtml(title, facts, outcomes));
  process.stdout.write(reportTable(outcomes));
  if (options.record) recordFigures('load', outcomes.map(inShort));
  progress.say(`reports: ${path.join(options.out, 'report.{json,md,html}')}`);
  return outcomes.length > 0 && outcomes.every(({ verdicts }) => verdicts.every(({ ok }) => ok));
}

try {
  const options = readArguments(process.argv.slice(2));
  if (options === null) process.stdout.write(`${USAGE}\n`);
  else process.exitCode = (await run(options)) ? 0 : 1;
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n${USAGE}\n`);
  process.exitCode = 2;
}

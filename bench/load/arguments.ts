import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { integerOption } from '../../scripts/integer-option.ts';
import type { TradeQuery } from './arrivals.ts';
import type { Scenario } from './scenario.ts';
import { SCENARIOS } from './scenarios.ts';

export const USAGE = `npm run bench:load -- [options]
  --url URL          a running service; without it the harness starts one on the devnet, which it can also make fail
  --internal URL     its internal port, for what only metrics tell
  --key KEY          an API key; give it once for each client of a scenario, the last one serves the rest
  --requests FILE    trades as for npm run solve; needed with --url and --pool-set
  --chain ID         chain of those requests (default 1)
  --pool-set FILE    the harness's own service serves this instead of the devnet
  --scenarios A,B    of ${SCENARIOS.map(({ name }) => name).join(', ')}; default: all
  --scale X          of the scenarios' lengths (default 1)
  --capacity N       requests per second; found when left out, anew for each kind of load
  --step SECONDS     of one step of the search (default 5)
  --seed N           of arrivals (default 1)
  --out FOLDER       for report.json, report.md and report.html (default build/load)
  --record           appends what came of it to bench/history.jsonl
A check that does not hold makes the exit code 1.`;

export type Options = {
  readonly url: string | null;
  readonly internalUrl: string | null;
  readonly keys: readonly string[];
  readonly trades: readonly TradeQuery[];
  readonly poolSet: string | null;
  readonly scenarios: readonly Scenario[];
  readonly capacity: number | null;
  readonly secondsPerStep: number;
  readonly seed: number;
  readonly out: string;
  /** Whether what came of it goes into the history too. */
  readonly record: boolean;
};

/** Throws an Error whose message is for the user. null: help was asked for. */
export function readArguments(argv: readonly string[]): Options | null {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({
    args: [...argv],
    options: {
      url: text,
      internal: text,
      key: { type: 'string', multiple: true },
      requests: text,
      chain: text,
      'pool-set': text,
      scenarios: text,
      scale: text,
      capacity: text,
      step: text,
      seed: text,
      out: text,
      record: { type: 'boolean' },
      help: { type: 'boolean' },
    },
  });
  if (values.help) return null;
  const url = values.url?.replace(/\/$/, '') ?? null;
  if ((url !== null || values['pool-set'] !== undefined) && values.requests === undefined) throw new Error('--requests is missing: what should be asked for?');
  const trades = values.requests === undefined ? [] : readTrades(values.requests, values.chain ?? '1');
  const scale = positive('--scale', values.scale ?? '1');
  return {
    url,
    internalUrl: values.internal?.replace(/\/$/, '') ?? null,
    keys: values.key ?? [],
    trades,
    poolSet: values['pool-set'] ?? null,
    scenarios: chosen(values.scenarios).map((scenario) => scaled(scenario, scale)),
    capacity: values.capacity === undefined ? null : positive('--capacity', values.capacity),
    secondsPerStep: positive('--step', values.step ?? '5'),
    seed: integerOption('--seed', values.seed ?? '1'),
    out: values.out ?? 'build/load',
    record: values.record ?? false,
  };
}

function chosen(names: string | undefined): readonly Scenario[] {
  if (names === undefined) return SCENARIOS;
  return names.split(',').map((name) => {
    const found = SCENARIOS.find((scenario) => scenario.name === name.trim());
    if (found === undefined) throw new Error(`no scenario ${name}; there are ${SCENARIOS.map((scenario) => scenario.name).join(', ')}`);
    return found;
  });
}

/** A second at least, so that every step is there. */
function scaled(scenario: Scenario, scale: number): Scenario {
  if (scale === 1) return scenario;
  const seconds = (value: number) => Math.max(1, Math.round(value * scale));
  return {
    ...scenario,
    steps: scenario.steps.map((step) => ({ ...step, seconds: seconds(step.seconds) })),
    clients: scenario.clients.map(({ within, ...client }) =>
      within === undefined ? client : { ...client, within: [seconds(within[0]), seconds(within[0]) + seconds(within[1] - within[0])] },
    ),
    faults: scenario.faults.map((fault) =>
      fault.kind === 'kill-thread'
        ? { ...fault, atSecond: seconds(fault.atSecond), count: Math.max(1, Math.floor(fault.count * scale)) }
        : { ...fault, atSecond: seconds(fault.atSecond), seconds: seconds(fault.seconds) },
    ),
  };
}

function positive(name: string, text: string): number {
  const value = Number(text);
  if (!(value > 0 && Number.isFinite(value))) throw new Error(`${name} is '${text}'; it must be a number above 0`);
  return value;
}

const NOT_OF_A_QUERY: ReadonlySet<string> = new Set(['id', 'uid']);

/** The file of the offline solver (schemas/requests.schema.json): a list, or one under requests or orders; rows or objects. */
function readTrades(file: string, chainId: string): readonly TradeQuery[] {
  const bytes = readFileSync(file);
  const document: unknown = JSON.parse((file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8'));
  const list = Array.isArray(document) ? document : (Object(document).requests ?? Object(document).orders);
  if (!Array.isArray(list) || list.length === 0) throw new Error(`${file} holds no requests`);
  return list.map((row: unknown) => {
    if (Array.isArray(row)) {
      const [sellToken, buyToken, amount, mode] = row.map(String);
      return { chainId, mode: mode ?? '', sellToken: sellToken ?? '', buyToken: buyToken ?? '', [`${mode}Amount`]: amount ?? '' };
    }
    const members = Object.entries(Object(row)).filter(([name]) => !NOT_OF_A_QUERY.has(name));
    return { chainId, ...Object.fromEntries(members.map(([name, value]) => [name, String(value)])) };
  });
}

import { parseArgs } from 'node:util';
import { LIMITS } from '../config/limits.ts';
import { parseSafeInteger } from '../units/units.ts';

/** What the command line of the offline solver asks for. */
export type OfflineArguments = {
  readonly pools: string;
  readonly requests: string;
  /** Block deltas to apply first. */
  readonly blocks: string | null;
  /** Whether cycles that pay are traded away first. */
  readonly clearArbitrage: boolean;
  readonly json: boolean;
  /** At most so many requests are solved. */
  readonly limit: number | null;
  /** Only each n-th request is solved: 1, n + 1, 2n + 1, … */
  readonly every: number;
  /** Query parameters for the requests that do not carry them. */
  readonly defaults: Readonly<Record<string, string>>;
};

export type ParsedArguments =
  | { readonly ok: true; readonly arguments: OfflineArguments }
  | { readonly ok: false; readonly kind: 'usage' | 'help'; readonly message: string };

export const USAGE = `Usage: npm run solve -- --pools FILE --requests FILE [options]

Loads a pool set and solves each request as a solver thread would.

  --pools FILE          pool set, .json or .json.gz
  --requests FILE       requests, .json or .json.gz
  --blocks FILE         block deltas, applied before solving
  --clear-arbitrage     first let an arbitrageur trade every cycle that pays, print what it took out, and
                        report for each solve the certified bound (boundAmount) and the loss against it
  --json                one JSON line per request, then a summary line
  --max-hops N          hop depth of requests that carry none, 1 to ${LIMITS.maxHops.max}
  --gas-price-gwei X    gas price of requests that carry none
  --time-limit-ms N     time budget of requests that carry none, ${LIMITS.timeLimitMs.min} to ${LIMITS.timeLimitMs.max}
  --every N             only each N-th request
  --limit N             at most N requests
  --help                this text`;

const OPTIONS = {
  pools: { type: 'string' },
  requests: { type: 'string' },
  blocks: { type: 'string' },
  'clear-arbitrage': { type: 'boolean' },
  json: { type: 'boolean' },
  'max-hops': { type: 'string' },
  'gas-price-gwei': { type: 'string' },
  'time-limit-ms': { type: 'string' },
  every: { type: 'string' },
  limit: { type: 'string' },
  help: { type: 'boolean' },
} as const;

/** Reads the command line. Anything that is not an option of USAGE, or not in its range, is a message. */
export function parseArguments(argv: readonly string[]): ParsedArguments {
  try {
    const { values } = parseArgs({ args: [...argv], options: OPTIONS, strict: true, allowPositionals: false });
    if (values.help === true) return { ok: false, kind: 'help', message: USAGE };
    if (values.pools === undefined) throw new UsageError('--pools FILE is missing');
    if (values.requests === undefined) throw new UsageError('--requests FILE is missing');
    const defaults = {
      ...given('maxHops', integer('--max-hops', values['max-hops'], LIMITS.maxHops.min, LIMITS.maxHops.max)),
      ...given('timeLimitMs', integer('--time-limit-ms', values['time-limit-ms'], LIMITS.timeLimitMs.min, LIMITS.timeLimitMs.max)),
      ...given('gasPriceGwei', gasPrice(values['gas-price-gwei'])),
    };
    return {
      ok: true,
      arguments: {
        pools: values.pools,
        requests: values.requests,
        blocks: values.blocks ?? null,
        clearArbitrage: values['clear-arbitrage'] ?? false,
        json: values.json ?? false,
        limit: integer('--limit', values.limit, 1, LIMITS.files.requests),
        every: integer('--every', values.every, 1, LIMITS.files.requests) ?? 1,
        defaults,
      },
    };
  } catch (error) {
    // parseArgs tells an unknown or incomplete option by a TypeError with a code of its own.
    const parsing = error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS');
    if (error instanceof UsageError || parsing) return { ok: false, kind: 'usage', message: (error as Error).message };
    throw error;
  }
}

class UsageError extends Error {}

function integer(option: string, text: string | undefined, min: number, max: number): number | null {
  if (text === undefined) return null;
  const value = parseSafeInteger(text, min, max);
  if (value === null) throw new UsageError(`${option} is '${text.slice(0, 40)}'; an integer from ${min} to ${max} is expected`);
  return value;
}

function gasPrice(text: string | undefined): string | null {
  if (text === undefined) return null;
  const isPrice = text.length <= 64 && /^[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]{1,3})?$/.test(text) && Number(text) > 0;
  if (!isPrice) throw new UsageError(`--gas-price-gwei is '${text.slice(0, 40)}'; a number above 0 is expected`);
  return text;
}

function given(name: string, value: number | string | null): Readonly<Record<string, string>> {
  return value === null ? {} : { [name]: String(value) };
}

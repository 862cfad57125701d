import { seededRandom } from '../../test/support/seeded-random.ts';
import { DEADLY_AMOUNTS } from './deadly-amounts.ts';
import type { LoadClient, Scenario, Step } from './scenario.ts';

/** One request of the open model: sent at its time, whatever became of those before. */
export type Arrival = {
  readonly atMs: number;
  readonly client: number;
  readonly path: string;
  readonly budgetMs: number;
  readonly hangsUpAfterMs: number | null;
};

/** A trade without what the scenario chooses: query parameters of /v1/quote. */
export type TradeQuery = Readonly<Record<string, string>>;

/** Independent arrivals (a Poisson process whose rate follows the steps), the same for the same seed. `capacity` in requests per second. */
export function* arrivalsOf({ name, clients, steps }: Scenario, trades: readonly TradeQuery[], capacity: number, seed: number): Generator<Arrival> {
  const random = seededRandom(name, seed);
  const lengthMs = 1000 * steps.reduce((sum, { seconds }) => sum + seconds, 0);
  for (let atMs = 0; ; ) {
    const shared = capacity * rateAt(steps, atMs / 1000);
    const shares = clients.map((client) => rateOf(client, shared, atMs / 1000));
    const rate = shares.reduce((sum, share) => sum + share, 0);
    atMs += (-1000 * Math.log(1 - random.unit())) / Math.max(rate, 0.1);
    if (atMs >= lengthMs) return;
    const client = pickClient(shares, random.unit() * rate);
    const chosen = clients[client];
    const trade = trades[random.integer(0, trades.length - 1)];
    if (chosen === undefined || trade === undefined) throw new Error('a scenario needs clients and trades');
    const budgetMs = chosen.budgetsMs[random.integer(0, chosen.budgetsMs.length - 1)] ?? 5000;
    yield { atMs, client, path: pathOf(trade, chosen, budgetMs), budgetMs, hangsUpAfterMs: chosen.hangsUpAfterMs ?? null };
  }
}

/** In capacities. */
export function rateAt(steps: readonly Step[], second: number): number {
  let start = 0;
  for (const { seconds, from, to } of steps) {
    if (second < start + seconds) return from + ((to - from) * (second - start)) / seconds;
    start += seconds;
  }
  return 0;
}

/** Requests per second of one client at a time. */
function rateOf({ share, perSecond, within = [0, Number.POSITIVE_INFINITY] }: LoadClient, shared: number, second: number): number {
  const [from, to] = within;
  if (second < from || second >= to) return 0;
  return perSecond ?? share * shared;
}

function pickClient(rates: readonly number[], at: number): number {
  let sum = 0;
  for (const [index, rate] of rates.entries()) {
    sum += rate;
    if (at < sum) return index;
  }
  return 0;
}

function pathOf(trade: TradeQuery, { maxHops, poison }: LoadClient, budgetMs: number): string {
  const query = new URLSearchParams({ ...trade, timeLimitMs: String(budgetMs) });
  if (maxHops !== null) query.set('maxHops', String(maxHops));
  if (poison !== undefined) {
    query.set('mode', 'sell');
    query.set('sellAmount', String(DEADLY_AMOUNTS[poison]));
    query.delete('buyAmount');
  }
  return `/v1/quote?${query}`;
}

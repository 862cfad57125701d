// What one chain costs the other when its node is gone: a service that hosts two, the node of one refusing connections and not, in turns (L10).
// npm run bench:chains -- [--rounds N] [--seconds N, of a turn] [--rate N, requests per second of the steady chain] [--record]

import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { integerOption } from '../scripts/integer-option.ts';
import { seededRandom } from '../test/support/seeded-random.ts';
import { startTwoChains, type TwoChains } from '../test/support/two-chains.ts';
import { recordFigures } from './history/history.ts';
import type { Arrival } from './load/arrivals.ts';
import { generate, type Result } from './load/generator.ts';
import { quantiles } from './load/summary.ts';

const FRESHNESS_BOUND_MS = 5000;
const BUDGET_MS = 5000;
/** Requests for the chain that stops, for each one of the other. */
const OF_THE_OTHER = 0.25;
const WAIT_MS = 100;
/** Clients of the load, one for each chain. */
const STEADY = 0;
const STOPPING = 1;

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '20' },
    rate: { type: 'string', default: '50' },
    record: { type: 'boolean', default: false },
  },
});
const [rounds, seconds, rate] = [
  integerOption('--rounds', values.rounds, 1),
  integerOption('--seconds', values.seconds, 1),
  integerOption('--rate', values.rate, 1),
];
const two = await startTwoChains(FRESHNESS_BOUND_MS);
try {
  process.exitCode = (await measure(two)) ? 0 : 1;
} finally {
  await two.stop();
}

/** Whether nothing else happened than what has to. */
async function measure({ braid, proxy, chainIds, quoteOf, key }: TwoChains): Promise<boolean> {
  const random = seededRandom('two chains', 1);
  const target = { baseUrl: braid.publicUrl, keys: [key, key] };
  const pathOf = (client: number) => quoteOf(chainIds[client] ?? 0, BigInt(random.integer(1_000_000, 1_000_000_000)));
  const arrivals = function* (): Generator<Arrival> {
    const gapMs = 1000 / (rate * (1 + OF_THE_OTHER));
    for (let atMs = 0; atMs < 1000 * seconds; atMs += -gapMs * Math.log(1 - random.unit())) {
      const client = random.unit() * (1 + OF_THE_OTHER) < 1 ? STEADY : STOPPING;
      yield { atMs, client, path: pathOf(client), budgetMs: BUDGET_MS, hangsUpAfterMs: null };
    }
  };
  const untilSecond = async (status: number): Promise<void> => {
    for (;;) {
      const answer = await fetch(`${braid.publicUrl}${pathOf(STOPPING)}`, { headers: { 'x-api-key': key } });
      await answer.arrayBuffer();
      if (answer.status === status) return;
      await sleep(WAIT_MS);
    }
  };
  const turn = async (isStopped: boolean): Promise<readonly Result[]> => {
    await proxy.refuse(isStopped);
    await untilSecond(isStopped ? 503 : 200);
    return generate(target, arrivals(), () => undefined);
  };
  const [whole, alone]: [Result[], Result[]] = [[], []];
  // Code that is cold is slow by itself.
  await untilSecond(200);
  await generate(target, arrivals(), () => undefined);
  for (let round = 0; round < rounds; round++) {
    alone.push(...(await turn(true)));
    whole.push(...(await turn(false)));
  }
  const of = (results: readonly Result[], client: number) => results.filter((result) => result.client === client);
  const timesOf = (results: readonly Result[]) => quantiles(of(results, STEADY).map(({ ms }) => ms));
  const [both, one] = [timesOf(whole), timesOf(alone)];
  const wrong =
    [...whole, ...of(alone, STEADY)].filter(({ status }) => status !== 200).length + of(alone, STOPPING).filter(({ ending }) => ending !== 'stale').length;
  const shown = (value: number | null) => (value ?? Number.NaN).toFixed(1);
  process.stdout.write('| the other chain | answers of the steady one | p50 | p99 |\n|---|---|---|---|\n');
  process.stdout.write(`| is there | ${both.count} | ${shown(both.p50)} ms | ${shown(both.p99)} ms |\n`);
  process.stdout.write(`| its node is gone | ${one.count} | ${shown(one.p50)} ms | ${shown(one.p99)} ms |\n`);
  const ratioOf = (now: number | null, before: number | null) => (now ?? Number.NaN) / (before ?? Number.NaN);
  const ratios = { p50: ratioOf(one.p50, both.p50), p99: ratioOf(one.p99, both.p99) };
  process.stdout.write(
    `p99 with the other chain stale ÷ with both: ${ratios.p99.toFixed(2)} (wanted: at most 1.10); p50: ${ratios.p50.toFixed(2)}; answered otherwise than they have to be: ${wrong}\n`,
  );
  if (values.record) recordFigures('chains', { answers: [both.count, one.count], p99Ms: [both.p99, one.p99], ratios, wrong });
  return wrong === 0;
}

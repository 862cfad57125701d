import { scrape } from '../../test/support/scrape.ts';
import { gaugeOf } from '../load/samples.ts';

/**
 * What the service says of itself while it is soaked, and how far the chain itself is. `series`: of our own metrics; some of Node's come and go with what it has open. `poisonRefused`: requests so far that were answered 500
 * without being run, since the same job had killed two threads. `overruns`: threads so far that were ended for running past a deadline. Blocks by their numbers.
 */
export type Sample = {
  readonly second: number;
  readonly residentBytes: number;
  readonly series: number;
  readonly poisonRefused: number;
  readonly overruns: number;
  readonly block: number;
  readonly chainBlock: number;
  /** Seconds since the chain's last block, by its timestamp. */
  readonly chainAge: number;
};

export async function sample(internalUrl: string, rpcUrl: string, second: number): Promise<Sample> {
  const head = fetch(rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_getBlockByNumber', params: ['latest', false] }),
  });
  const { result } = (await (await head).json()) as { readonly result: { readonly number: string; readonly timestamp: string } };
  const text = await scrape(internalUrl);
  const lines = text.split('\n').filter((line) => line.startsWith('braid_'));
  const sum = (name: string) => lines.filter((line) => line.startsWith(name)).reduce((total, line) => total + Number(line.slice(line.lastIndexOf(' '))), 0);
  return {
    second,
    residentBytes: gaugeOf(text, 'process_resident_memory_bytes'),
    series: lines.length,
    poisonRefused: sum('braid_solver_poison_refused_total'),
    overruns: sum('braid_solver_worker_restarts_total{reason="overrun"'),
    block: sum('braid_snapshot_block_number'),
    chainBlock: Number(result.number),
    chainAge: Date.now() / 1000 - Number(result.timestamp),
  };
}

/**
 * Slope of a straight line through resident memory, as a share of its mean per ten minutes, with the standard error that its ups and downs leave it: garbage that waits for its collection moves memory by a
 * tenth within seconds. null with fewer than three samples.
 */
export function growthPerTenMinutes(samples: readonly Sample[]): { readonly slope: number; readonly error: number } | null {
  if (samples.length < 3) return null;
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const x = mean(samples.map(({ second }) => second));
  const y = mean(samples.map(({ residentBytes }) => residentBytes));
  const above = samples.reduce((sum, { second, residentBytes }) => sum + (second - x) * (residentBytes - y), 0);
  const below = samples.reduce((sum, { second }) => sum + (second - x) ** 2, 0);
  const perSecond = above / below;
  const squares = samples.reduce((sum, { second, residentBytes }) => sum + (residentBytes - y - perSecond * (second - x)) ** 2, 0);
  const scale = 600 / y;
  return { slope: perSecond * scale, error: Math.sqrt(squares / (samples.length - 2) / below) * scale };
}

/** How much more memory the last quarter of a run holds than the second one, by their medians: for runs whose collections are all that a slope would see. */
export function riseAcross(samples: readonly Sample[], seconds: number): number | null {
  const median = (from: number, to: number) => {
    const values = samples.filter(({ second }) => second >= from * seconds && second < to * seconds).map(({ residentBytes }) => residentBytes);
    return values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? null;
  };
  const [before, after] = [median(0.25, 0.5), median(0.75, 1)];
  return before === null || after === null ? null : after / before - 1;
}

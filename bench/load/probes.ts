import { quantiles } from './summary.ts';

/** What became of probes: how many were not answered 200, and the 99th percentile of how long all took, ms; null without any. */
export type Probed = { readonly asked: number; readonly others: number; readonly p99Ms: number | null };

const EVERY_MS = 100;
/** As who watches a service gives up. */
const PATIENCE_MS = 10_000;

/** Asks for each of the addresses ten times a second, as load balancers and Prometheus would, whatever else is asked. Returns what ends it and tells what came. */
export function startProbes(urls: readonly string[]): () => Promise<Probed> {
  const times: number[] = [];
  const underWay = new Set<Promise<void>>();
  let others = 0;
  const probe = async (url: string): Promise<void> => {
    const startedAt = performance.now();
    const status = await fetch(url, { signal: AbortSignal.timeout(PATIENCE_MS) }).then(
      (response) => response.arrayBuffer().then(() => response.status),
      () => null,
    );
    times.push(performance.now() - startedAt);
    if (status !== 200) others++;
  };
  const timer = setInterval(() => {
    for (const url of urls) {
      const asked = probe(url);
      underWay.add(asked);
      void asked.finally(() => underWay.delete(asked));
    }
  }, EVERY_MS);
  return async () => {
    clearInterval(timer);
    await Promise.all(underWay);
    return { asked: times.length, others, p99Ms: quantiles(times).p99 };
  };
}

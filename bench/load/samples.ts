import { scrape } from '../../test/support/scrape.ts';

/** What the service said of itself at a time, ms from the start. */
export type Sample = { readonly atMs: number; readonly queueDepth: number; readonly residentBytes: number };

const EVERY_MS = 100;

/** Reads the metrics ten times a second. Returns what ends it and tells what came; a scrape that failed is none. */
export function startSamples(internalUrl: string): () => Promise<readonly Sample[]> {
  const startedAt = performance.now();
  const samples: Sample[] = [];
  let isOver = false;
  const sampling = (async () => {
    while (!isOver) {
      const text = await scrape(internalUrl).catch(() => null);
      // By when it was told: the queue may have been empty before.
      if (text !== null)
        samples.push({
          atMs: performance.now() - startedAt,
          queueDepth: gaugeOf(text, 'braid_solver_queue_depth'),
          residentBytes: gaugeOf(text, 'process_resident_memory_bytes'),
        });
      await new Promise((resolve) => setTimeout(resolve, EVERY_MS));
    }
  })();
  return async () => {
    isOver = true;
    await sampling;
    return samples;
  };
}

/** From then to the first sample with an empty queue, ms; null where none has. */
export function emptyAfterMs(samples: readonly Sample[], fromMs: number): number | null {
  const empty = samples.find(({ atMs, queueDepth }) => atMs >= fromMs && queueDepth === 0);
  return empty === undefined ? null : empty.atMs - fromMs;
}

/** Resident memory before the first poison (the middle of what was seen), the most of it, and from the last poison's answer to when it was within a share of what it had been, ms; null where it never was. */
export function memoryOf(
  samples: readonly Sample[],
  [firstMs, lastMs]: readonly [number, number],
  share: number,
): { readonly restBytes: number; readonly mostBytes: number; readonly backAfterMs: number | null } {
  const before = samples.filter(({ atMs }) => atMs < firstMs).map(({ residentBytes }) => residentBytes);
  const restBytes = before.sort((a, b) => a - b)[Math.floor(before.length / 2)] ?? 0;
  const back = samples.find(({ atMs, residentBytes }) => atMs >= lastMs && residentBytes <= restBytes * (1 + share));
  const mostBytes = Math.max(0, ...samples.map(({ residentBytes }) => residentBytes));
  return { restBytes, mostBytes, backAfterMs: back === undefined ? null : back.atMs - lastMs };
}

/** The value of a gauge without labels, out of the text of /metrics; NaN where it is not there. */
export function gaugeOf(metrics: string, name: string): number {
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(metrics)?.[1] ?? Number.NaN);
}

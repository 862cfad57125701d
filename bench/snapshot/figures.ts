export type Spread = { readonly median: number; readonly p95: number };

export function spread(samples: readonly number[]): Spread {
  const sorted = Float64Array.from(samples).sort();
  const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] as number;
  return { median: at(0.5), p95: at(0.95) };
}

/** Milliseconds that a run takes. */
export function millisOf(run: () => void): number {
  const started = performance.now();
  run();
  return performance.now() - started;
}

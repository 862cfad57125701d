/** Nearest-rank percentiles of a sample. */
export type Spread = { readonly count: number; readonly median: number; readonly p95: number; readonly max: number; readonly mean: number };

export function spread(sample: readonly number[]): Spread | null {
  const sorted = sample.filter((value) => !Number.isNaN(value)).sort((a, b) => a - b);
  if (sorted.length === 0) return null;
  const at = (share: number): number => sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] as number;
  return { count: sorted.length, median: at(0.5), p95: at(0.95), max: at(1), mean: sorted.reduce((sum, value) => sum + value, 0) / sorted.length };
}

/** Short text: three significant digits, small values as 0. */
export function short(value: number): string {
  if (Math.abs(value) < 5e-6) return '0';
  if (Math.abs(value) >= 1000) return value.toFixed(0);
  return Number(value.toPrecision(3)).toString();
}

export function medianP95(sample: readonly number[]): string {
  const found = spread(sample);
  return found === null ? '–' : `${short(found.median)} / ${short(found.p95)}`;
}

export function medianP95Max(sample: readonly number[]): string {
  const found = spread(sample);
  return found === null ? '–' : `${short(found.median)} / ${short(found.p95)} / ${short(found.max)}`;
}

import { LIMITS } from '../../config/limits.ts';
import type { EdgeModel } from '../market/pool-models.ts';

/** What is known of a token after some hops; `edge` leads to it from the token of `previous`. */
export type PathLabel = { readonly token: number; readonly edge: EdgeModel | null; readonly previous: PathLabel | null };

export function visits(label: PathLabel, token: number): boolean {
  for (let at: PathLabel | null = label; at !== null; at = at.previous) if (at.token === token) return true;
  return false;
}

/** Orders labels of one worth by pool keys from the last hop backwards, so that neither ids nor the order of discovery matter. */
export function compareWays(a: PathLabel, b: PathLabel): number {
  for (let x: PathLabel | null = a, y: PathLabel | null = b; x !== null && y !== null; x = x.previous, y = y.previous) {
    const [left, right] = [x.edge?.pool.key ?? '', y.edge?.pool.key ?? ''];
    if (left !== right) return left < right ? -1 : 1;
  }
  return 0;
}

/** Keeps a label among those of its token, of which only the best few stay: one for each token that they came by last, so that a label whose way already visits the next token has an alternative. */
export function keepLabel<Label extends PathLabel>(label: Label, kept: Map<number, Label[]>, compare: (a: Label, b: Label) => number): void {
  const labels = kept.get(label.token);
  if (labels === undefined) {
    kept.set(label.token, [label]);
    return;
  }
  const rival = labels.findIndex((other) => other.previous?.token === label.previous?.token);
  if (rival < 0) labels.push(label);
  else if (compare(label, labels[rival] as Label) < 0) labels[rival] = label;
  labels.sort(compare);
  if (labels.length > LIMITS.routing.labelsPerToken) labels.pop();
}

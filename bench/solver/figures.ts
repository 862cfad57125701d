import {
  BRAID_AWARE,
  BRAID_DEEP,
  BRAID_DEFAULT,
  BRAID_FREE,
  REFERENCE,
  REFERENCE_UNLIMITED,
  type Row,
  SINGLE,
  SINGLE_NET,
  TINES_AWARE,
  TINES_FREE,
} from './measure.ts';
import { short } from './statistics.ts';

/** In the order of the tables. */
export const SOLVERS = [
  BRAID_FREE,
  BRAID_DEEP,
  BRAID_AWARE,
  BRAID_DEFAULT,
  SINGLE,
  SINGLE_NET,
  TINES_FREE,
  TINES_AWARE,
  REFERENCE,
  REFERENCE_UNLIMITED,
] as const;

/** What one solver made of the requests that can be filled. Losses in basis points. */
export type SolverFigures = {
  readonly asked: number;
  readonly answered: number;
  readonly lost: readonly number[];
  readonly netLost: readonly number[];
  readonly millis: readonly number[];
};

/** null where the solver was not asked. */
export function solverFigures(rows: readonly Row[], name: string): SolverFigures | null {
  const asked = rows.filter(({ answered, fillable }) => fillable && answered[name] !== undefined);
  if (asked.length === 0) return null;
  return {
    asked: asked.length,
    answered: asked.filter((row) => row.answered[name]).length,
    lost: asked.flatMap((row) => row.lost[name] ?? []),
    netLost: asked.flatMap((row) => row.netLost[name] ?? []),
    millis: asked.flatMap((row) => row.millis[name] ?? []),
  };
}

/** Upper ends, in dollars. */
const SIZES = [1e3, 1e4, 1e5, 1e6, Number.POSITIVE_INFINITY];

/** Rows by the size of the trade; sizes that nobody asked for are left out. */
export function bySize<Sized extends { readonly usd: number }>(
  rows: readonly Sized[],
): readonly { readonly name: string; readonly inside: readonly Sized[] }[] {
  return SIZES.flatMap((to, at) => {
    const from = SIZES[at - 1] ?? 0;
    const inside = rows.filter(({ usd }) => usd >= from && usd < to);
    const name = `$${short(from)}${to === Number.POSITIVE_INFINITY ? '+' : `–${short(to)}`}`;
    return inside.length === 0 ? [] : [{ name, inside }];
  });
}

import { BPS_WHOLE } from '../units/units.ts';

/** What tells whether a hop can run within the leg of the hop before it. Tokens by whatever names them: native and wrapped are two. */
export type HopInRoute = {
  /** What one leg can cover, such as a singleton or all pairs of a venue; null: the hop is a leg of its own. */
  readonly within: string | null;
  readonly pool: string;
  readonly hook: string | null;
  readonly tokenIn: string | number;
  readonly tokenOut: string | number;
  /** Share of what is left of tokenIn when the hop's turn comes. */
  readonly bps: number;
};

/**
 * Which hops of a route run as one leg, as indices, in the order in which runs are executed: a hop joins the one before it where the whole output of that is its whole input, and no other hop gives or takes that token. It then
 * runs as early as the first of its run, so that it has to give and take there what it would in its own place: no hop that it passes has its pool or its hook, or takes what it gives. Pure.
 */
export function hopRuns(hops: readonly HopInRoute[]): readonly (readonly number[])[] {
  if (hops.filter(({ within }) => within !== null).length < 2) return hops.map((_, index) => [index]);
  const hands = handsOf(hops);
  const placed = new Set<number>();
  const runs: number[][] = [];
  for (let start = 0; start < hops.length; start++) {
    if (placed.has(start)) continue;
    const run = [start];
    for (let next = nextOf(hops, hands, run); next !== null && !placed.has(next); next = nextOf(hops, hands, run)) run.push(next);
    for (const index of run) placed.add(index);
    runs.push(run);
  }
  return runs;
}

/** Of a token: how many hops give it and take it, and the first that takes it. */
type Hands = { givers: number; takers: number; taker: number };

function handsOf(hops: readonly HopInRoute[]): ReadonlyMap<string | number, Hands> {
  const hands = new Map<string | number, Hands>();
  const of = (token: string | number): Hands => {
    const known = hands.get(token) ?? { givers: 0, takers: 0, taker: -1 };
    hands.set(token, known);
    return known;
  };
  for (const [index, { tokenIn, tokenOut }] of hops.entries()) {
    of(tokenOut).givers++;
    const taken = of(tokenIn);
    if (taken.takers++ === 0) taken.taker = index;
  }
  return hands;
}

/** The hop that joins a run at its end; null where none does. */
function nextOf(hops: readonly HopInRoute[], hands: ReturnType<typeof handsOf>, run: readonly number[]): number | null {
  const start = run[0] as number;
  const [first, last] = [hops[start] as HopInRoute, hops[run.at(-1) as number] as HopInRoute];
  const between = hands.get(last.tokenOut);
  if (last.within === null || between === undefined || between.givers !== 1 || between.takers !== 1) return null;
  const next = between.taker;
  const hop = hops[next] as HopInRoute;
  if (hop.within !== last.within || hop.bps !== BPS_WHOLE || hop.tokenOut === first.tokenIn) return null;
  const passed = hops.filter((_, index) => index > start && index < next && !run.includes(index));
  return passed.some((other) => disturbs(other, hop)) ? null : next;
}

function disturbs(passed: HopInRoute, hop: HopInRoute): boolean {
  return (passed.within === hop.within && passed.pool === hop.pool) || (hop.hook !== null && passed.hook === hop.hook) || passed.tokenIn === hop.tokenOut;
}

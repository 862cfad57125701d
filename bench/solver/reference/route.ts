import type { BenchSet } from '../bench-set.ts';
import { type ExactPool, execute, type RouteLeg } from '../exact-pools.ts';
import type { Problem, Settled } from './problem.ts';
import { shapeOf } from './shape.ts';
import type { WholePath } from './single-paths.ts';

/** A route that was run by the venues' own integers. Amounts in base units, gas in gas units. */
export type ExactRoute = { readonly legs: readonly RouteLeg[]; readonly input: bigint; readonly output: bigint; readonly gas: number };

const WHOLE = 10_000;

/**
 * A choice at rest as hops in the order in which they execute: a token after all that flow into it, its hops one after the other, each with its share of what is left then in whole basis points
 * (decisions S6). What must not overfill goes first and is rounded down; the largest of the others takes what is left.
 */
export function legsOfRest({ market, sell, buy }: Problem, { choice, flows }: Settled, pools: BenchSet['pools']): readonly RouteLeg[] {
  const order = shapeOf(market, choice.edges, sell, buy)?.order ?? [];
  return order.flatMap((token) => {
    const own = flows.filter(({ edge }) => market.from[edge] === token);
    const isFull = (edge: number, input: number): boolean => choice.rooms.has(edge) || Number.isNaN(market.output(edge, input * (1 + 1 / WHOLE)));
    const sorted = own.map((flow) => ({ ...flow, full: isFull(flow.edge, flow.input) })).sort((a, b) => Number(b.full) - Number(a.full) || a.input - b.input);
    let left = sorted.reduce((sum, { input }) => sum + input, 0);
    return sorted.flatMap(({ edge, input, full }, at): RouteLeg[] => {
      const share = (input / left) * WHOLE;
      left -= input;
      const bps = at === sorted.length - 1 ? WHOLE : full ? Math.floor(share) : Math.round(share);
      if (bps === 0) return [];
      const pool = pools.get(market.poolKeys[market.pool[edge] as number] as string) as ExactPool;
      const [slotIn, slotOut] = [pool.tokens.indexOf(token), pool.tokens.indexOf(market.to[edge] as number)];
      return [{ pool, slotIn, slotOut, numerator: BigInt(Math.min(bps, WHOLE)), denominator: BigInt(WHOLE) }];
    });
  });
}

/** Runs a choice at rest for the request's own amount: all of it sold, or the least input that buys it. null where a swap is refused. */
export function runExactly(problem: Problem, settled: Settled, pools: BenchSet['pools'], amount: bigint): ExactRoute | null {
  const { mode, sell, buy } = problem;
  const run = (legs: readonly RouteLeg[], input: bigint): ExactRoute | null => {
    const ran = execute(legs, sell, buy, input);
    return ran.ok && ran.output > 0n ? { legs, input, output: ran.output, gas: ran.gas } : null;
  };
  const input = mode === 'sell' ? amount : BigInt(Math.ceil(settled.amount));
  const legs = refined(problem, settled, legsOfRest(problem, settled, pools), (tried) => run(tried, input));
  return mode === 'sell' ? run(legs, amount) : leastInput((least) => run(legs, least), amount, settled.amount);
}

/** A path without splits run whole: for what no rest is found of, as of a trade that drains the market. */
export function runPath({ market, mode, sell, buy }: Problem, path: WholePath, pools: BenchSet['pools'], amount: bigint, input: number): ExactRoute | null {
  const legs = path.edges.map((edge): RouteLeg => {
    const pool = pools.get(market.poolKeys[market.pool[edge] as number] as string) as ExactPool;
    const [slotIn, slotOut] = [pool.tokens.indexOf(market.from[edge] as number), pool.tokens.indexOf(market.to[edge] as number)];
    return { pool, slotIn, slotOut, numerator: 1n, denominator: 1n };
  });
  const run = (least: bigint): ExactRoute | null => {
    const ran = execute(legs, sell, buy, least);
    return ran.ok && ran.output > 0n ? { legs, input: least, output: ran.output, gas: ran.gas } : null;
  };
  return mode === 'sell' ? run(amount) : leastInput(run, amount, input);
}

/** Of what the floats say: where exact amounts are further off, shares that were right for the floats need not be so. */
const OFF = 1e-5;
const STEPS = [1000n, 300n, 100n, 30n, 10n, 3n, 1n];
const MOST_REFINED = 600;

/**
 * Shares moved one by one as long as that gives more net, where the floats are no guide: they know what a pool of several tokens does in all, not what each of its entries finds, and some fees
 * only at the start.
 */
function refined(problem: Problem, settled: Settled, legs: readonly RouteLeg[], run: (legs: readonly RouteLeg[]) => ExactRoute | null): readonly RouteLeg[] {
  const worth = (route: ExactRoute | null): number =>
    route === null ? Number.NEGATIVE_INFINITY : Number(route.output) - gasInOutput(problem, settled) * route.gas;
  let best = { legs, worth: worth(run(legs)) };
  const said = problem.mode === 'sell' ? settled.net : problem.amount - gasInOutput(problem, settled) * settled.gas;
  const again = new Set(legs.map(({ pool }) => pool)).size < legs.length;
  if (!again && Math.abs(best.worth - said) <= OFF * Math.abs(said)) return legs;
  let runs = 0;
  for (const step of STEPS) {
    for (let better = true; better && runs < MOST_REFINED; ) {
      better = false;
      for (const [at, { numerator }] of legs.entries()) {
        if (numerator === BigInt(WHOLE)) continue;
        for (const share of [(best.legs[at] as RouteLeg).numerator + step, (best.legs[at] as RouteLeg).numerator - step]) {
          if (share < 0n || share > BigInt(WHOLE)) continue;
          const moved = best.legs.map((leg, place) => (place === at ? { ...leg, numerator: share } : leg));
          const found = worth(run(moved));
          runs++;
          if (found > best.worth) [best, better] = [{ legs: moved, worth: found }, true];
        }
      }
    }
  }
  return best.legs;
}

/** What a unit of gas costs in the bought token: in a purchase at the route's own prices. */
function gasInOutput({ mode, perGas, buy }: Problem, { prices }: Settled): number {
  return mode === 'sell' ? perGas : perGas / (prices[buy] as number);
}

const MOST_RUNS = 300;

/** The least input whose output reaches the target: the output never falls with the input, so the input is bisected once it is bracketed. */
function leastInput(run: (input: bigint) => ExactRoute | null, target: bigint, guess: number): ExactRoute | null {
  let runs = 0;
  const reaches = (input: bigint): ExactRoute | null => {
    runs++;
    const route = run(input);
    return route !== null && route.output >= target ? route : null;
  };
  let high = BigInt(Math.ceil(guess)) + 1n;
  let found = reaches(high);
  // A hair more than the floats say; never so much more that a capped pool could refuse it without need.
  for (let step = high / 10n ** 12n + 1n; found === null; step *= 4n) {
    if (runs > MOST_RUNS || step > high) return null;
    high += step;
    found = reaches(high);
  }
  let low = 0n;
  for (let step = high / 10n ** 12n + 1n; step < high; step *= 4n) {
    const lower = reaches(high - step);
    if (lower === null) {
      low = high - step;
      break;
    }
    [found, high] = [lower, high - step];
  }
  while (high - low > 1n && runs < MOST_RUNS) {
    const middle = (low + high) / 2n;
    const route = reaches(middle);
    if (route === null) low = middle;
    else [found, high] = [route, middle];
  }
  return found;
}

/** What the request seeks, net of gas; larger is better. Base units. */
export function netOf({ mode, perGas }: Problem, { input, output, gas }: Pick<ExactRoute, 'input' | 'output' | 'gas'>): number {
  return (mode === 'sell' ? Number(output) : -Number(input)) - perGas * gas;
}

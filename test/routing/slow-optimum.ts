import { quotePool, token, type World } from './world.ts';

/** One direction of a constant-product pool. Reserves and fee as floats, by the contract's formula; `pool` by its place in the world. */
export type SlowEdge = {
  readonly pool: number;
  readonly from: number;
  readonly to: number;
  readonly reserveIn: number;
  readonly reserveOut: number;
  readonly keep: number;
};

/** What a set of edges gives at its best shares: by float, and those shares. */
export type SlowOptimum = { readonly output: number; readonly shares: ReadonlyMap<SlowEdge, number> };

const GOLDEN = (Math.sqrt(5) - 1) / 2;
const SEARCH_STEPS = 36;
const SWEEPS = 60;
const AT_REST = 1e-10;

/** Simple paths of at most so many hops from one token to another, as edges. */
export function simplePaths(edges: readonly SlowEdge[], from: number, to: number, maxHops: number): readonly (readonly SlowEdge[])[] {
  if (from === to) return [[]];
  if (maxHops === 0) return [];
  const onwards = edges.filter((edge) => edge.from === from);
  const rest = edges.filter((edge) => edge.from !== from && edge.to !== from);
  return onwards.flatMap((edge) => simplePaths(rest, edge.to, to, maxHops - 1).map((path) => [edge, ...path]));
}

/** Tokens in an order in which every edge leads onwards; null where edges have a cycle, lead both ways through a pool, or a chain of them is longer than allowed. */
export function tokenOrder(edges: readonly SlowEdge[], maxHops: number): readonly number[] | null {
  if (new Set(edges.map(({ pool }) => pool)).size < edges.length) return null;
  const order: number[] = [];
  const depth = new Map<number, number>();
  const waiting = new Set(edges.flatMap(({ from, to }) => [from, to]));
  while (waiting.size > 0) {
    const next = [...waiting].find((at) => edges.every(({ from, to }) => to !== at || !waiting.has(from)));
    if (next === undefined) return null;
    waiting.delete(next);
    order.push(next);
    depth.set(next, Math.max(0, ...edges.filter(({ to }) => to === next).map(({ from }) => (depth.get(from) ?? 0) + 1)));
  }
  return Math.max(...depth.values()) <= maxHops ? order : null;
}

/**
 * The best shares of an acyclic set of edges, by trying: at each token, for each two edges that leave it, a golden-section search for how they divide what
 * they have together, over and over until nothing moves. Knows nothing of prices, duals or gradients.
 */
export function slowOptimum(edges: readonly SlowEdge[], order: readonly number[], amount: number, buy: number): SlowOptimum {
  const leaving = order.map((at) => edges.filter(({ from }) => from === at)).filter((some) => some.length > 0);
  const shares = new Map(leaving.flatMap((some) => some.map((edge) => [edge, 1 / some.length] as const)));
  const run = (): number => {
    const balances = new Map([[leaving[0]?.[0]?.from ?? -1, amount]]);
    for (const some of leaving) {
      for (const edge of some) {
        const input = (balances.get(edge.from) ?? 0) * (shares.get(edge) ?? 0) * edge.keep;
        balances.set(edge.to, (balances.get(edge.to) ?? 0) + (edge.reserveOut * input) / (edge.reserveIn + input));
      }
    }
    return balances.get(buy) ?? 0;
  };
  let output = run();
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    const before = output;
    for (const some of leaving) {
      for (const [index, one] of some.entries()) {
        for (const other of some.slice(index + 1)) {
          const both = (shares.get(one) ?? 0) + (shares.get(other) ?? 0);
          const at = (part: number): number => {
            shares.set(one, part * both);
            shares.set(other, (1 - part) * both);
            return run();
          };
          output = at(bestPart(at));
        }
      }
    }
    if (output - before <= AT_REST * output) break;
  }
  return { output, shares };
}

/** Golden-section search for the maximum of a unimodal function on 0 … 1, its ends included. */
function bestPart(value: (part: number) => number): number {
  let [low, high] = [0, 1];
  let [left, right] = [1 - GOLDEN, GOLDEN];
  let [atLeft, atRight] = [value(left), value(right)];
  for (let step = 0; step < SEARCH_STEPS; step++) {
    if (atLeft < atRight) {
      [low, left, atLeft] = [left, right, atRight];
      right = low + GOLDEN * (high - low);
      atRight = value(right);
    } else {
      [high, right, atRight] = [right, left, atLeft];
      left = high - GOLDEN * (high - low);
      atLeft = value(left);
    }
  }
  const middle = (low + high) / 2;
  return [0, 1].reduce((best, end) => (value(end) > value(best) ? end : best), middle);
}

/** The same shares on whole base units and by the venues' own quotes, with the gas units of what carries something; null where a pool refuses. */
export function exactly(
  world: World,
  edges: readonly SlowEdge[],
  order: readonly number[],
  { shares }: SlowOptimum,
  amount: bigint,
  buy: number,
): { readonly output: bigint; readonly gas: number } | null {
  const balances = new Map([[order[0] ?? -1, amount]]);
  let gas = 0;
  for (const at of order) {
    const some = edges.filter(({ from }) => from === at);
    const whole = balances.get(at) ?? 0n;
    let left = whole;
    for (const [index, edge] of some.entries()) {
      const input = index === some.length - 1 ? left : (whole * BigInt(Math.floor((shares.get(edge) ?? 0) * 1e15))) / 10n ** 15n;
      if (input === 0n) continue;
      left -= input;
      const pool = world.pools[edge.pool];
      if (pool === undefined) return null;
      const slot = (number: number) => pool.tokens.indexOf(world.view.tokenId(token(number)));
      const quote = quotePool(pool, slot(edge.from), slot(edge.to), input);
      if (!quote.ok || quote.amountIn !== input) return null;
      gas += quote.gas;
      balances.set(edge.to, (balances.get(edge.to) ?? 0n) + quote.amountOut);
    }
  }
  return { output: balances.get(buy) ?? 0n, gas };
}

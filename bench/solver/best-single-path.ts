import type { Market } from '../../src/bound/bound.ts';

/** A route without splits, as edges of a market. Amount and gas by the float curves. */
export type SinglePath = { readonly edges: readonly number[]; readonly amount: number; readonly gas: number };

export type SinglePaths = {
  /** Best first by amount less gas: all that rounding could make the best, at most KEPT. */
  readonly paths: readonly SinglePath[];
  /** false: cut off at the bound on work, so that a better one may exist. */
  readonly complete: boolean;
};

export type SinglePathSearch = {
  /** The best routes without splits where a unit of gas costs so many base units of the buy token; 0 for the best gross. */
  best(perGas: number): SinglePaths;
};

const KEPT = 6;
/** Float is this exact, and integers lose a few units. */
const NEARLY = 1e-9;
const UNITS = 8;
/** Work of one search, in edges looked at; a swap is as much as several of them. */
const MOST_WORK = 30_000_000;
const SWAP_WORK = 10;

/**
 * All routes without splits, no token twice, by branch and bound: a way is left once the most that its amount could still become, less gas, is below the best route known. Nothing that could
 * be best is dropped, so it is the best of all of them. Written apart from the router.
 */
export function searchSinglePaths(market: Market, sell: number, buy: number, amount: number, maxHops: number): SinglePathSearch {
  const ceiling = ceilingOf(market, sell, buy, amount, maxHops);
  return { best: (perGas) => branchAndBound({ market, sell, buy, amount, maxHops, perGas, ceiling }) };
}

type Branching = {
  readonly market: Market;
  readonly sell: number;
  readonly buy: number;
  readonly amount: number;
  readonly maxHops: number;
  readonly perGas: number;
  readonly ceiling: Ceiling;
};

type Step = { readonly edge: number; readonly amount: number; readonly gas: number; readonly most: number };

function branchAndBound({ market, sell, buy, amount, maxHops, perGas, ceiling }: Branching): SinglePaths {
  let found: SinglePath[] = [];
  let least = Number.NEGATIVE_INFINITY;
  let left = MOST_WORK;
  const edges: number[] = [];
  const net = (path: SinglePath): number => path.amount - perGas * path.gas;
  const arrive = (path: SinglePath): void => {
    found.push(path);
    found.sort((a, b) => net(b) - net(a));
    const best = net(found[0] as SinglePath);
    least = best - Math.abs(best) * NEARLY - UNITS;
    found = found.slice(0, KEPT).filter((each) => net(each) >= least);
  };
  const visited = new Set([sell]);
  const pools = new Set<number>();
  const goOn = (token: number, held: number, spent: number, hopsLeft: number): void => {
    const steps: Step[] = [];
    for (const edge of ceiling.edges(hopsLeft, token)) {
      const to = market.to[edge] as number;
      const first = held * (market.firstRate[edge] as number);
      if (--left < 0 || first * ceiling.rate(hopsLeft - 1, to) - perGas * spent < least) break;
      if (visited.has(to) || pools.has(market.pool[edge] as number) || ceiling.most(hopsLeft - 1, to, first) - perGas * spent < least) continue;
      left -= SWAP_WORK;
      const output = market.output(edge, held);
      if (!(output > 0)) continue;
      const gas = spent + market.gas(edge, held);
      const most = ceiling.most(hopsLeft - 1, to, output) - perGas * gas;
      if (most >= least) steps.push({ edge, amount: output, gas, most });
    }
    steps.sort((a, b) => b.most - a.most);
    for (const step of steps) {
      if (step.most < least) break;
      const to = market.to[step.edge] as number;
      const pool = market.pool[step.edge] as number;
      edges.push(step.edge);
      if (to === buy) arrive({ edges: [...edges], amount: step.amount, gas: step.gas });
      else {
        visited.add(to);
        pools.add(pool);
        goOn(to, step.amount, step.gas, hopsLeft - 1);
        visited.delete(to);
        pools.delete(pool);
      }
      edges.pop();
    }
  };
  goOn(sell, amount, 0, maxHops);
  return { paths: found, complete: left >= 0 };
}

/** What an amount of a token can become at most within so many hops: never less than the truth, and 0 where the buy token is out of reach. */
type Ceiling = {
  most(hops: number, token: number, amount: number): number;
  /** Of an amount near zero, for one unit. */
  rate(hops: number, token: number): number;
  /** Edges of a token that lead on to the buy token, best rate first. */
  edges(hops: number, token: number): readonly number[];
};

/** Shares of the most that can arrive at a token, at which the ceiling is worked out; between them it follows from the curves being concave. */
const SHARES = [1, 0.95, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1, 0.03, 0.01];

/** Walks may pass a token twice here, and pools give what they hold where the input is more than they take: both only raise the ceiling. */
function ceilingOf(market: Market, sell: number, buy: number, amount: number, maxHops: number): Ceiling {
  const { tokenCount, edgeCount } = market;
  const most = mostArriving(market, sell, amount, maxHops);
  const [rates, tables]: [Float64Array[], Float64Array[]] = [[new Float64Array(tokenCount)], [new Float64Array(0)]];
  (rates[0] as Float64Array)[buy] = 1;
  const mostOf = (hops: number, token: number, held: number): number => {
    if (token === buy) return held;
    const [rate, table] = [rates[hops] as Float64Array, tables[hops] as Float64Array];
    let lowest = held * (rate[token] as number);
    if (hops === 0 || lowest === 0) return lowest;
    const share = held / (most[token] as number);
    const at = SHARES.findIndex((each) => each <= share);
    const base = token * SHARES.length;
    if (at >= 0) lowest = Math.min(lowest, ((table[base + at] as number) * share) / (SHARES[at] as number));
    if (at !== 0) lowest = Math.min(lowest, table[base + (at < 0 ? SHARES.length : at) - 1] as number);
    return lowest;
  };
  for (let hops = 1; hops < maxHops; hops++) {
    const rate = (rates[hops - 1] as Float64Array).slice();
    for (let edge = 0; edge < edgeCount; edge++) {
      const from = market.from[edge] as number;
      rate[from] = Math.max(
        rate[from] as number,
        (market.firstRate[edge] as number) * ((rates[hops - 1] as Float64Array)[market.to[edge] as number] as number),
      );
    }
    const table = new Float64Array(tokenCount * SHARES.length);
    for (let edge = 0; edge < edgeCount; edge++) {
      const [from, to] = [market.from[edge] as number, market.to[edge] as number];
      if (from === buy || most[from] === 0 || (rates[hops - 1] as Float64Array)[to] === 0) continue;
      SHARES.forEach((share, at) => {
        const known = from * SHARES.length + at;
        const output = given(market, edge, (most[from] as number) * share);
        table[known] = Math.max(table[known] as number, mostOf(hops - 1, to, output));
      });
    }
    rates.push(rate);
    tables.push(table);
  }
  const rateOf = (hops: number, token: number): number => (rates[hops] as Float64Array)[token] as number;
  return { most: mostOf, rate: rateOf, edges: edgesByRate(market, rateOf) };
}

function edgesByRate(market: Market, rateOf: Ceiling['rate']): Ceiling['edges'] {
  const sorted = new Map<string, readonly number[]>();
  return (hops, token) => {
    const name = `${hops} ${token}`;
    const known = sorted.get(name);
    if (known !== undefined) return known;
    const ranked = Array.from(market.leaving[token] as Int32Array, (edge) => {
      return { edge, rate: (market.firstRate[edge] as number) * rateOf(hops - 1, market.to[edge] as number) };
    });
    const made = ranked
      .filter(({ rate }) => rate > 0)
      .sort((a, b) => b.rate - a.rate)
      .map(({ edge }) => edge);
    sorted.set(name, made);
    return made;
  };
}

function mostArriving(market: Market, sell: number, amount: number, maxHops: number): Float64Array {
  const most = new Float64Array(market.tokenCount);
  most[sell] = amount;
  let frontier = new Set([sell]);
  for (let hops = 1; hops < maxHops; hops++) {
    const before = most.slice();
    const next = new Set<number>();
    for (const token of frontier) {
      for (const edge of market.leaving[token] as Int32Array) {
        const to = market.to[edge] as number;
        const output = given(market, edge, before[token] as number);
        if (!(output > (most[to] as number))) continue;
        most[to] = output;
        next.add(to);
      }
    }
    frontier = next;
  }
  return most;
}

function given(market: Market, edge: number, input: number): number {
  const output = market.output(edge, input);
  return Number.isNaN(output) ? market.held(edge) : output;
}

import { createSolver, type Plan, type SolveJob, type SolvePhase, type SolveResult } from '../../src/routing/routing.ts';
import { asAddress, asWei, type InstantMs } from '../../src/units/units.ts';
import { countAllocations } from './allocated-bytes.ts';
import { type BenchRequest, type BenchSet, pinned } from './bench-set.ts';
import { searchSinglePaths } from './best-single-path.ts';
import { type ExactPool, execute, legsOf, type RouteLeg } from './exact-pools.ts';
import { startClock, startStopwatch } from './stopwatch.ts';
import { createTines, type TinesSolver } from './tines.ts';

/** What a solver made of a request: exact output and gas units by the venues' own mathematics, and how long it took. `output` null: no answer. */
export type Outcome = {
  readonly output: bigint | null;
  /** What it sells, where that is not the request's own amount: in a purchase. */
  readonly input?: bigint;
  readonly gas: number;
  readonly millis: number;
  readonly why?: string;
};

export type BraidOutcome = Outcome & {
  readonly plan: Plan | null;
  readonly phases: Readonly<Record<SolvePhase, number>> | null;
  /** Milliseconds that running the plan's swaps exactly takes. */
  readonly resimulationMillis: number;
  /** Bytes allocated, collected again or not (allocated-bytes.ts). */
  readonly allocated: number;
};

/** `budgetMs`: until the deadline of the job; absent: longer than any solve may take. */
export type Braid = (request: BenchRequest, maxHops: number | null, gasPriceWei: bigint | null, budgetMs?: number) => BraidOutcome;

const BUDGET_MS = 5000;

export function createBraid(set: BenchSet, repeat: number): Braid {
  const { chainId, minimumGasPriceWei } = set.loaded.chain;
  // Deadlines by the same clock as times: what others do with the processors is no part of a solve.
  const clock = startClock();
  const now = () => clock() as InstantMs;
  const context = {
    chain: { chainId, minimumGasPriceWei, wrappedNative: set.loaded.wrappedNative },
    venues: set.venues,
    now,
    cancelled: () => false,
  };
  const { solve } = createSolver(context);
  return (request, maxHops, gasPriceWei, budgetMs = BUDGET_MS) => {
    let best: { millis: number; result: SolveResult; allocated: number } | null = null;
    for (let run = 0; run < repeat; run++) {
      const once = pinned(set.reader, (view) => {
        const allocated = countAllocations();
        const job = toJob(set, request, maxHops, gasPriceWei, (now() + budgetMs) as InstantMs);
        const watch = startStopwatch();
        const result = solve(job, view);
        const millis = watch();
        return { millis, result, allocated: allocated() };
      });
      if (best === null || once.millis < best.millis) best = once;
    }
    if (best === null) throw new RangeError('at least one run is needed');
    return outcomeOf(set, request, best);
  };
}

function toJob(
  set: BenchSet,
  { mode, sellToken, buyToken, amount }: BenchRequest,
  maxHops: number | null,
  gasPriceWei: bigint | null,
  deadline: InstantMs,
): SolveJob {
  return {
    chainId: set.loaded.chain.chainId,
    mode,
    sellToken: asAddress(sellToken),
    buyToken: asAddress(buyToken),
    amount: asWei(amount),
    maxHops,
    gasPriceWei,
    filter: { include: null, exclude: [], excludeRfq: false, excludeRwa: false },
    deadline,
  };
}

/** Every plan is run again by the exact mathematics: an answer that is not what its swaps give is a bug, and stops the benchmark. */
function outcomeOf(
  set: BenchSet,
  request: BenchRequest,
  { millis, result, allocated }: { millis: number; result: SolveResult; allocated: number },
): BraidOutcome {
  if (!result.ok) return { output: null, gas: 0, millis, why: result.reason, plan: null, phases: null, resimulationMillis: Number.NaN, allocated };
  const { plan } = result;
  const legs = legsOf(plan, set.pools, set.idOf);
  let resimulationMillis = Number.POSITIVE_INFINITY;
  for (let run = 0; run < 3; run++) {
    const watch = startStopwatch();
    const again = execute(legs, request.sell, request.buy, plan.sellAmount);
    resimulationMillis = Math.min(resimulationMillis, watch());
    if (!again.ok || again.output !== plan.grossAmount) {
      throw new Error(`request ${request.id}: the plan says ${plan.grossAmount}, its swaps give ${again.ok ? again.output : again.reason}`);
    }
  }
  const gas = plan.hops.reduce((sum, hop) => sum + hop.gas, 0);
  return { output: plan.grossAmount, input: plan.sellAmount, gas, millis, plan, phases: plan.facts.phases, resimulationMillis, allocated };
}

export type SinglePathOutcomes = {
  readonly gross: Outcome;
  readonly net: Outcome;
  /** Whether no route without splits can be better, by the float curves. */
  readonly complete: boolean;
};

/** The best routes without splits by a search of the benchmark's own: gross, and net of gas. `perGas` in base units of the buy token. */
export function singlePathOutcomes(set: BenchSet, request: BenchRequest, input: bigint, maxHops: number, perGas: number): SinglePathOutcomes {
  const watch = startStopwatch();
  const search = searchSinglePaths(set.market, request.sell, request.buy, Number(input), maxHops);
  const [gross, net] = [search.best(0), search.best(perGas)];
  const millis = watch();
  const outcomes = [...gross.paths, ...net.paths].flatMap(({ edges }): Outcome[] => {
    const legs = edges.map((edge) => wholeLeg(set, edge));
    const ran = execute(legs, request.sell, request.buy, input);
    return ran.ok ? [{ output: ran.output, gas: ran.gas, millis }] : [];
  });
  const none: Outcome = { output: null, gas: 0, millis };
  const bestBy = (value: (outcome: Outcome) => number): Outcome =>
    outcomes.reduce((best, outcome) => (best === none || value(outcome) > value(best) ? outcome : best), none);
  return {
    gross: bestBy(({ output }) => Number(output)),
    net: bestBy(({ output, gas }) => Number(output) - perGas * gas),
    complete: gross.complete && net.complete,
  };
}

function wholeLeg({ market, pools }: BenchSet, edge: number): RouteLeg {
  const pool = pools.get(market.poolKeys[market.pool[edge] as number] as string) as ExactPool;
  return {
    pool,
    slotIn: pool.tokens.indexOf(market.from[edge] as number),
    slotOut: pool.tokens.indexOf(market.to[edge] as number),
    numerator: 1n,
    denominator: 1n,
  };
}

export async function openTines({ pools, tokens, native, market }: BenchSet): Promise<TinesSolver> {
  const held = new Map<string, bigint>();
  for (let edge = 0; edge < market.edgeCount; edge++) {
    const key = market.poolKeys[market.pool[edge] as number] as string;
    held.set(`${key} ${market.to[edge]}`, BigInt(Math.floor(market.held(edge))));
  }
  return createTines({
    pools: pools.values(),
    token: (id) => tokens[id] ?? { address: `0x${'0'.repeat(40)}`, decimals: 18, symbol: '?' },
    native,
    held: (pool, slot) => held.get(`${pool.key} ${pool.tokens[slot]}`) ?? 0n,
  });
}

export function tinesOutcome(tines: TinesSolver, request: BenchRequest, gasPriceWei: number): Outcome {
  const { legs, millis } = tines(request.sell, request.buy, request.amount, gasPriceWei);
  if (legs === null) return { output: null, gas: 0, millis, why: 'no route' };
  const ran = execute(legs, request.sell, request.buy, request.amount);
  return ran.ok ? { output: ran.output, gas: ran.gas, millis } : { output: null, gas: 0, millis, why: ran.reason };
}

import { LIMITS } from '../config/limits.ts';
import type { SnapshotView } from '../snapshot/snapshot.ts';
import { type Address, type InstantMs, NATIVE_TOKEN } from '../units/units.ts';
import { type AttemptInput, attempt } from './attempt.ts';
import { type CertifyJob, type CertifyResult, certify } from './certify.ts';
import type { SolverContext } from './context.ts';
import { depthsToTry, factsOf, tradeUsd } from './depth.ts';
import { fewerHops } from './fewer-hops.ts';
import type { Finalist } from './finalists.ts';
import { type GasRule, gasPriceOf, gasRule } from './gas-rule.ts';
import { type PoolTest, poolTest } from './labels.ts';
import { Market } from './market.ts';
import { createNativeRates, type NativeRates } from './native-rate.ts';
import { createPace, type Pace } from './pace.ts';
import type { SolveJob, SolveResult } from './plan.ts';
import { PoolModels } from './pool-models.ts';
import { type AreaMaker, createAreaMaker } from './search-area.ts';
import { BY_AMOUNT, findSinglePaths } from './single-path.ts';
import { createLedger, type Ledger } from './solve-facts.ts';
import { BUY_WALK, SELL_WALK } from './walk.ts';
import { routePlan, wrapPlan } from './write-plan.ts';

/** What one thread does for one chain. Synchronous; keeps nothing of a snapshot but models of immutable pool states. */
export type Solver = {
  /** The best route for a job in a pinned snapshot. */
  solve(job: SolveJob, view: SnapshotView): SolveResult;
  /** Meets the neighbourhood of the wrapped native token in a pinned snapshot, as far as the time allows: most requests come by it, and the first ones then need not be late. */
  warmUp(view: SnapshotView, until: InstantMs): void;
  /** What a plan's route gives in a pinned snapshot. */
  certify(job: CertifyJob, view: SnapshotView): CertifyResult;
};

export function createSolver(context: SolverContext): Solver {
  const models = new PoolModels(context.venues);
  const market = new Market(models);
  const areaOf = createAreaMaker(market);
  const rates = createNativeRates(areaOf);
  return {
    warmUp: (view, until) => market.meet(view, view.tokenId(context.chain.wrappedNative), WARM_HOPS, () => context.now() < until),
    solve: (job, view) => solve({ context, models, areaOf, rates, job, view }),
    certify: (job, view) => certify(job, view, context.chain.wrappedNative, models),
  };
}

/** What is not within so many hops of the native token is met when it is asked for: what a thread keeps must not grow with the snapshot. */
const WARM_HOPS = 2;

type Solving = {
  readonly context: SolverContext;
  readonly models: PoolModels;
  readonly areaOf: AreaMaker;
  readonly rates: NativeRates;
  readonly job: SolveJob;
  readonly view: SnapshotView;
};

function solve(solving: Solving): SolveResult {
  const { context, job, view } = solving;
  const { wrappedNative, minimumGasPriceWei } = context.chain;
  const pace = createPace(job.deadline, context.now, context.cancelled, LIMITS.routing.effort);
  const ledger = createLedger(context.now);
  const nodeOf = (token: Address) => (token === NATIVE_TOKEN ? wrappedNative : token);
  const [sellNode, buyNode] = [nodeOf(job.sellToken), nodeOf(job.buyToken)];
  const ids = { sell: view.tokenId(sellNode), buy: view.tokenId(buyNode) };
  const facts = { sell: factsOf(view, ids.sell), buy: factsOf(view, ids.buy), native: factsOf(view, view.tokenId(wrappedNative)) };
  const gasPriceWei = gasPriceOf(job, view.block, minimumGasPriceWei);
  const measure = job.mode === 'sell' ? facts.buy : facts.sell;
  const gas: GasRule = gasRule(gasPriceWei, gasPriceWei === null ? null : solving.rates.rate(view, facts.native, measure, gasPriceWei, pace));
  const admits = poolTest(job.filter);
  const usd = tradeUsd(job, facts.sell, facts.buy, () => directQuote(solving, ids, admits, pace));
  const depths = depthsToTry(job.maxHops, usd);
  const writing = { job, wrappedNative, block: view.block, facts, gas };
  let maxHops = depths[0] as number;
  if (sellNode === buyNode) {
    if (job.sellToken === job.buyToken) return { ok: false, reason: 'no-route', maxHops, block: view.block };
    return { ok: true, plan: wrapPlan({ ...writing, maxHops, solveFacts: ledger.close(null) }) };
  }
  let found: Finalist | null = null;
  for (const depth of depths) {
    if (ids.sell < 0 || ids.buy < 0 || (depth !== depths[0] && pace.halted() !== null)) break;
    maxHops = depth;
    ledger.enter('subgraph');
    const asked = (hops: number, into: Ledger): AttemptInput => ({
      area: solving.areaOf({ view, ...ids, maxHops: hops, admits, pace }),
      mode: job.mode,
      amount: job.amount,
      gas,
      models: solving.models,
      pace,
      ledger: into,
      fitting: false,
    });
    const input = asked(depth, ledger);
    found = attempt(input);
    if (found === null) continue;
    found = fewerHops(input, found, (hops, into) => attempt(asked(hops, into)));
    break;
  }
  if (pace.halted() === 'cancelled') return { ok: false, reason: 'cancelled' };
  if (found === null) return { ok: false, reason: 'no-route', maxHops, block: view.block };
  return { ok: true, plan: routePlan({ ...writing, maxHops, solveFacts: ledger.close(pace.halted()) }, found, view) };
}

/** Float amount of the other side by the best single pool; null where there is none. */
function directQuote(solving: Solving, ids: { sell: number; buy: number }, admits: PoolTest, pace: Pace): number | null {
  if (ids.sell < 0 || ids.buy < 0 || ids.sell === ids.buy) return null;
  const { job, view } = solving;
  const area = solving.areaOf({ view, ...ids, maxHops: 1, admits, pace });
  const walk = job.mode === 'sell' ? SELL_WALK : BUY_WALK;
  return findSinglePaths(area, walk, Number(job.sizeAmount ?? job.amount), BY_AMOUNT, pace).paths[0]?.amount ?? null;
}

import { LIMITS } from '../config/limits.ts';
import type { SnapshotView } from '../snapshot/snapshot.ts';
import { type Address, type InstantMs, NATIVE_TOKEN } from '../units/units.ts';
import { type LabelKinds, labelKindsOf, momentOf } from '../venues/venues.ts';
import { type CertifyJob, type CertifyResult, certify } from './certify.ts';
import type { SolverContext } from './context.ts';
import { depthsToTry, factsOf, tradeUsd } from './depth.ts';
import type { Finalist } from './execute/finalists.ts';
import { type GasRule, gasPriceOf, gasRule } from './gas/gas-rule.ts';
import { createNativeRates, type NativeRates } from './gas/native-rate.ts';
import { ExactQuotes } from './market/exact-quotes.ts';
import { informedPools } from './market/informed-pools.ts';
import { poolTest } from './market/labels.ts';
import { Market } from './market/market.ts';
import { SortedNeighbours } from './market/neighbours.ts';
import { PoolModels } from './market/pool-models.ts';
import { ReferencePrices } from './market/reference-prices.ts';
import { createPace } from './pace.ts';
import { BY_AMOUNT, findSinglePaths } from './paths/path-search.ts';
import { walkOf } from './paths/walk.ts';
import type { SolveJob, SolveResult } from './plan.ts';
import type { Problem, Terrain } from './problem.ts';
import { search } from './search.ts';
import { createLedger } from './solve-facts.ts';
import { judgeTrade, NO_LOSSY_ENDS, type TradeJudgement } from './transfers/judge-trade.ts';
import { openPools } from './transfers/open-pools.ts';
import { searchLossy } from './transfers/search-lossy.ts';
import { TransferJudge } from './transfers/transfer-judge.ts';
import { EVERY_TOKEN_CLEAN } from './transfers/transfer-policy.ts';
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
  const prices = new ReferencePrices(market, context.chain.wrappedNative);
  const shared = { market, prices, neighbours: new SortedNeighbours(market, prices) };
  const rates = createNativeRates();
  const known = labelKindsOf([...context.venues.values()].map(({ venue }) => venue));
  const kinds = context.chain.issuance === 'none' ? { ...known, realWorld: [] } : known;
  const judge = new TransferJudge(context.chain.transfers ?? EVERY_TOKEN_CLEAN, context.chain.wrappedNative);
  return {
    warmUp: (view, until) => prices.refresh(view, () => context.now() < until),
    solve: (job, view) => solve({ context, terrain: { ...shared, view }, rates, kinds, judge, job }),
    certify: (job, view) => certify(job, view, context.chain.wrappedNative, models, judge),
  };
}

type Solving = {
  readonly context: SolverContext;
  readonly terrain: Terrain;
  readonly rates: NativeRates;
  readonly kinds: LabelKinds;
  readonly judge: TransferJudge;
  readonly job: SolveJob;
};

function solve(solving: Solving): SolveResult {
  const { context, job, terrain } = solving;
  const { view } = terrain;
  const { wrappedNative, minimumGasPriceWei } = context.chain;
  const pace = createPace(job.deadline, context.now, context.cancelled, LIMITS.routing.effort);
  const ledger = createLedger(context.now);
  const nodeOf = (token: Address) => (token === NATIVE_TOKEN ? wrappedNative : token);
  const [sellNode, buyNode] = [nodeOf(job.sellToken), nodeOf(job.buyToken)];
  const ids = { sell: view.tokenId(sellNode), buy: view.tokenId(buyNode) };
  const facts = { sell: factsOf(view, ids.sell), buy: factsOf(view, ids.buy), native: factsOf(view, view.tokenId(wrappedNative)) };
  const known = ids.sell >= 0 && ids.buy >= 0 && ids.sell !== ids.buy;
  const judged: TradeJudgement = known ? judgeTrade(solving.judge, view, ids, job.mode) : { ok: true, ends: NO_LOSSY_ENDS };
  if (!judged.ok) return { ...judged, block: view.block };
  const unmeasured = new Set<number>();
  const between = solving.judge.between(view, (token) => void (unmeasured.size < LIMITS.transfers.wantedBetween && unmeasured.add(token)));
  if (known) terrain.prices.refresh(view, () => pace.halted() === null);
  const gasPriceWei = gasPriceOf(job, view.block, minimumGasPriceWei);
  const measure = job.mode === 'sell' ? facts.buy : facts.sell;
  // The rate is every request's: what this one would have measured is not asked for by it, and no maker, who need not stand by a price, has a part in it.
  const rated = { sell: view.tokenId(wrappedNative), buy: job.mode === 'sell' ? ids.buy : ids.sell };
  const passable = {
    ...terrain,
    between: solving.judge.between(view, () => undefined),
    admits: rateTest(solving, rated),
  };
  const rate = gasPriceWei === null ? null : solving.rates.rate(passable, facts.native, measure, gasPriceWei, pace);
  const gas: GasRule = gasRule(gasPriceWei, rate);
  const filtered = poolTest(job.filter, solving.kinds);
  const open = known ? openPools(solving.judge, view, ids) : null;
  const admits: Problem['admits'] = open === null ? filtered : (pool) => open(pool) && (filtered === null || filtered(pool));
  const ends = { wrapped: view.tokenId(wrappedNative), sellsNative: job.sellToken === NATIVE_TOKEN, buysNative: job.buyToken === NATIVE_TOKEN };
  const quotes = new ExactQuotes(informedPools(terrain.market.models, job.said, view.block.hash), momentOf(view.block), pace.spend);
  const asked = { mode: job.mode, fixed: job.amount, ...(job.unsplit === undefined ? {} : { unsplit: job.unsplit }) };
  const problem = (maxHops: number): Problem => ({ ...terrain, ...ids, ...asked, ends, maxHops, admits, between, gas, quotes, pace });
  const usd = tradeUsd(job, facts.sell, facts.buy, () => (known ? directQuote(problem(1), Number(job.sizeAmount ?? job.amount)) : null));
  const depths = depthsToTry(job.maxHops, usd);
  const writing = { job, wrappedNative, block: view.block, facts, gas, lossyEnds: judged.ends };
  const unmeasuredNow = () => Array.from(unmeasured, (token) => view.token(token).address);
  let maxHops = depths[0] as number;
  if (sellNode === buyNode) {
    if (job.sellToken === job.buyToken) return { ok: false, reason: 'no-route', maxHops, block: view.block };
    return { ok: true, plan: wrapPlan({ ...writing, unmeasured: [], maxHops, solveFacts: ledger.close(null) }) };
  }
  const takesTaxedInput = (venue: string) => context.venues.get(venue)?.venue.takesTaxedInput === true;
  const sale = { amount: job.amount, ends: judged.ends, pullsOnce: job.pullsOnce === true, takesTaxedInput };
  let found: Finalist | null = null;
  for (const depth of known ? depths : []) {
    if (depth !== depths[0] && pace.halted() !== null) break;
    maxHops = depth;
    found = judged.ends === NO_LOSSY_ENDS ? search(problem(depth), ledger) : searchLossy(problem(depth), sale, ledger);
    if (found !== null) break;
  }
  if (pace.halted() === 'cancelled') return { ok: false, reason: 'cancelled' };
  if (found === null) return { ok: false, reason: 'no-route', maxHops, block: view.block, ...(unmeasured.size === 0 ? {} : { unmeasured: unmeasuredNow() }) };
  return { ok: true, plan: routePlan({ ...writing, unmeasured: unmeasuredNow(), maxHops, solveFacts: ledger.close(pace.halted()) }, found, view) };
}

/** Which pools may be steps of the native token's rate: open ones, whose prices the chain alone makes. */
function rateTest({ terrain, judge }: Solving, rated: { readonly sell: number; readonly buy: number }): NonNullable<Problem['admits']> {
  const open = rated.sell < 0 || rated.buy < 0 ? null : openPools(judge, terrain.view, rated);
  return (pool) => terrain.market.models.traits(pool).pricesEnd === undefined && (open === null || open(pool));
}

/** Float amount of the other side by the best single pool; null where there is none. */
function directQuote(problem: Problem, amount: number): number | null {
  return findSinglePaths(problem, walkOf(problem.mode), amount, BY_AMOUNT).paths[0]?.amount ?? null;
}

import { type BlockRef, EDGE_STRIDE, type SnapshotView } from '../snapshot/snapshot.ts';
import { type Address, asBps, asWei, type InstantMs, MAX_WEI, NATIVE_TOKEN, type Wei } from '../units/units.ts';
import { momentOf } from '../venues/venues.ts';
import { leastInput } from './execute/least-input.ts';
import { type ExactStep, NATIVE_ID, outputOf, type Route, resimulate, type SignedAmounts, type SplitHop, type Step } from './execute/resimulate.ts';
import { ExactQuotes } from './market/exact-quotes.ts';
import { informedPools } from './market/informed-pools.ts';
import { WRAP_LABEL } from './market/labels.ts';
import type { PoolModels } from './market/pool-models.ts';
import type { Plan, PlanHop, PoolQuote } from './plan.ts';
import { judgeTrade, NO_LOSSY_ENDS } from './transfers/judge-trade.ts';
import { openPools } from './transfers/open-pools.ts';
import { lossesOf } from './transfers/search-lossy.ts';
import type { TransferJudge } from './transfers/transfer-judge.ts';

/** A plan to be priced again on the newest snapshot, while its swap is being built. Structured-clonable. */
export type CertifyJob = {
  readonly chainId: number;
  readonly sellToken: Address;
  readonly buyToken: Address;
  readonly sellAmount: Wei;
  readonly hops: readonly PlanHop[];
  /** What was signed for hops, by their places: they take and give that. Absent: nothing was. */
  readonly signed?: ReadonlyMap<number, SignedAmounts>;
  /** What the route has to reach, where it buys; absent: it sells its input, whatever comes of it. */
  readonly target?: Wei;
  /** As of a SolveJob. */
  readonly said?: readonly PoolQuote[];
  readonly deadline: InstantMs;
};

/** The same route with the amounts of another block: in `buy` with the least input that reaches the target there. */
export type Restated = Pick<Plan, 'sellAmount' | 'grossAmount' | 'hops' | 'block' | 'lossyEnds'>;

/**
 * What the plan's route gives now. `restated`: absent where no input reaches the target. `missed`: the hops with what they take and give of the job's own input, where that misses the target; absent where `restated` is of that input.
 * 'refused': a pool of it is gone, its price has ended, or it would not fill its hop. 'withdrawn': it is not to be answered any more for what no block did.
 */
export type CertifyResult =
  | { readonly ok: true; readonly grossAmount: Wei; readonly block: BlockRef; readonly restated?: Restated; readonly missed?: readonly PlanHop[] }
  | { readonly ok: false; readonly reason: 'refused' | 'withdrawn'; readonly block: BlockRef }
  | { readonly ok: false; readonly reason: 'no-snapshot' };

/** Prices the hops of a plan exactly, by their shares, on another block than the plan's own, at its moment, and says what the plan is there. Pure. */
export function certify(job: CertifyJob, view: SnapshotView, wrappedNative: Address, models: PoolModels, judge: TransferJudge): CertifyResult {
  const { block } = view;
  const wrapped = view.tokenId(wrappedNative);
  const steps: Step[] = [];
  for (const [place, hop] of job.hops.entries()) {
    const signed = job.signed?.get(place);
    if (signed !== undefined) {
      const [tokenIn, tokenOut] = [view.tokenId(hop.tokenIn), view.tokenId(hop.tokenOut)];
      // Makers move ERC-20s alone.
      if (tokenIn < 0 || tokenOut < 0) return { ok: false, reason: 'refused', block };
      steps.push({ pool: null, signed, tokenIn, tokenOut, bps: hop.bps });
      continue;
    }
    if (hop.protocol === WRAP_LABEL) {
      steps.push({ pool: null, unwraps: hop.tokenOut === NATIVE_TOKEN, wrapped, bps: hop.bps });
      continue;
    }
    const found = findHop(hop, view, wrapped, models);
    if (found === null) return { ok: false, reason: 'refused', block };
    steps.push(found);
  }
  if (steps.every((step) => step.pool === null && !('signed' in step))) return { ok: true, grossAmount: job.sellAmount, block };
  const idOf = (token: Address) => (token === NATIVE_TOKEN ? NATIVE_ID : view.tokenId(token));
  const [sell, buy] = [idOf(job.sellToken), idOf(job.buyToken)];
  const ids = { sell: sell === NATIVE_ID ? wrapped : sell, buy: buy === NATIVE_ID ? wrapped : buy };
  // What was measured since may refuse what was planned; a verdict that has only grown old may not.
  const judged = judgeTrade(judge, view, ids, job.target === undefined ? 'sell' : 'buy', true);
  if (!judged.ok) return { ok: false, reason: 'refused', block };
  const { ends } = judged;
  const open = openPools(judge, view, ids);
  if (open !== null && steps.some(({ pool }) => pool !== null && !open(pool))) return { ok: false, reason: 'refused', block };
  const route = { steps, sell, buy, ...(ends === NO_LOSSY_ENDS ? {} : { losses: lossesOf(ends) }) };
  const quotes = new ExactQuotes(informedPools(models, job.said, block.hash), momentOf(block));
  const { sellAmount, target = 0n } = job;
  const now = amountsOf(job, route, sellAmount, quotes);
  if (now === null) return { ok: false, reason: 'refused', block };
  const isMissed = now.grossAmount < target;
  const restated = isMissed ? reaching(job, route, target, quotes) : now;
  return {
    ok: true,
    grossAmount: now.grossAmount,
    block,
    ...(isMissed ? { missed: now.hops } : {}),
    ...(restated === null ? {} : { restated: { ...restated, block, ...(ends === NO_LOSSY_ENDS ? {} : { lossyEnds: ends }) } }),
  };
}

type Amounts = Omit<Restated, 'block' | 'lossyEnds'>;

/** null where the route does not take the input whole, hop by hop. */
function amountsOf({ hops }: CertifyJob, route: Route, input: bigint, quotes: ExactQuotes): Amounts | null {
  const result = resimulate(route, input, quotes);
  if (!result.ok || result.steps.length !== hops.length || result.output === 0n || result.output > MAX_WEI) return null;
  const restated = hops.map((hop, at): PlanHop => {
    const { amountIn, amountOut } = result.steps[at] as ExactStep;
    return { ...hop, amountIn: asWei(amountIn), amountOut: asWei(amountOut) };
  });
  return { sellAmount: asWei(input), grossAmount: asWei(result.output), hops: restated };
}

function reaching(job: CertifyJob, route: Route, target: bigint, quotes: ExactQuotes): Amounts | null {
  const input = leastInput((amount) => outputOf(route, amount, quotes), target, job.sellAmount, MAX_WEI);
  return input === null ? null : amountsOf(job, route, input, quotes);
}

/** The same pool and direction in another snapshot, by the pool's key: a snapshot has no index by key, the token's edges are few. */
function findHop(hop: PlanHop, view: SnapshotView, wrapped: number, models: PoolModels): SplitHop | null {
  const nodeOf = (token: Address) => (token === NATIVE_TOKEN ? wrapped : view.tokenId(token));
  const [tokenIn, tokenOut] = [nodeOf(hop.tokenIn), nodeOf(hop.tokenOut)];
  const native = hop.tokenIn === NATIVE_TOKEN ? ({ native: 'in' } as const) : hop.tokenOut === NATIVE_TOKEN ? ({ native: 'out' } as const) : {};
  if (tokenIn < 0 || tokenOut < 0) return null;
  const edges = view.edgesFrom(tokenIn);
  for (let at = 0; at < edges.length; at += EDGE_STRIDE) {
    if (edges[at + 3] !== tokenOut) continue;
    const pool = models.poolAt(view, edges[at] as number);
    if (pool === undefined || pool.key !== hop.poolKey) continue;
    return { pool, slotIn: edges[at + 1] as number, slotOut: edges[at + 2] as number, bps: asBps(hop.bps), ...native };
  }
  return null;
}

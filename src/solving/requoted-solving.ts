import { LIMITS } from '../config/limits.ts';
import type { CertifyJob, Plan, PlanHop, PoolQuote, SolveJob } from '../routing/routing.ts';
import type { BlockRef } from '../snapshot/snapshot.ts';
import { asWei, type InstantMs, instantNow, type Wei } from '../units/units.ts';
import { type ChainAnswer, type ChainCall, NOTHING_OFF, type RequoteVenues } from '../venues/venues.ts';
import { within } from '../within.ts';
import { aroundSolving } from './around-solving.ts';
import type { Caller, CertifyOutcome, SolveOutcome, Solving } from './outcome.ts';
import { SaidQuotes } from './said-quotes.ts';

/** The indexers' side: who asks a chain's contracts. */
export type ChainAsking = {
  /** Answers in the order of the calls, all at the block. null: the node could not be asked in time, or there is none. Never rejects. */
  ask(chainId: number, blockHash: `0x${string}`, calls: readonly ChainCall[], signal: AbortSignal): Promise<readonly ChainAnswer[] | null>;
};

/** What came of asking about one hop: it gives what was estimated, more, less, or nothing for that amount; or the node did not say. */
export type RequoteFacts = {
  readonly chainId: number;
  readonly outcomes: readonly ('same' | 'more' | 'less' | 'refused' | 'unanswered')[];
  /** Of the whole asking; null where it was known already. */
  readonly millis: number | null;
};

type Certified = Extract<CertifyOutcome['result'], { readonly ok: true }>;

const BOUNDS = LIMITS.requoting;

/** How the hops of a plan stand to what their contracts said. */
type Standing = {
  /** Keys of pools that no route of this request can go through. */
  readonly out: readonly string[];
  /** What the farthest hop is off by, as a share; 0: every hop gives just what the plan says. */
  readonly off: number;
  readonly said: readonly PoolQuote[];
  /** Whether the node said what they give, whatever that is. */
  readonly answered: boolean;
};

const SETTLED: Standing = { out: [], off: 0, said: [], answered: true };

/**
 * Solving where some pools' states are estimates (requote.ts of their venues): a route through one is answered only with what the pool's contract says at the route's own block. Where it says something else, the route
 * is solved for again with that, and where it then still does, its amounts are. What is refused, not answered, or would serve twice is left out of the request. A request that meets no such pool pays nothing.
 */
export function requotedSolving(solving: Solving, venues: RequoteVenues, asking: ChainAsking, onAsked: (facts: RequoteFacts) => void): Solving {
  const known = new SaidQuotes();
  const waiting = new Map<number, number>();
  const isAsked = ({ venue }: PlanHop): boolean => venues.has(venue);

  const answersOf = async (chainId: number, block: BlockRef, hops: readonly PlanHop[], deadline: InstantMs, signal: AbortSignal) => {
    const ahead = waiting.get(chainId) ?? 0;
    if (ahead >= BOUNDS.waiting) return null;
    const limitMs = Math.ceil(Math.min(BOUNDS.timeoutMs, Math.max(BOUNDS.leastMs, (deadline - instantNow()) * BOUNDS.budgetShare)));
    waiting.set(chainId, ahead + 1);
    try {
      const calls = hops.map((hop) => facetOf(venues, hop).callOf(hop));
      return await within(limitMs, signal, (ending) => asking.ask(chainId, block.hash, calls, ending));
    } finally {
      waiting.set(chainId, (waiting.get(chainId) ?? 1) - 1);
    }
  };

  /** Asks about the hops that nobody asked about yet. */
  const standingOf = async (
    { chainId, deadline }: Pick<SolveJob, 'chainId' | 'deadline'>,
    { hops, block }: Pick<Plan, 'hops' | 'block'>,
    signal: AbortSignal,
  ): Promise<Standing> => {
    const estimated = hops.filter(isAsked);
    const twice = estimated.filter(({ poolAddress }, at) => estimated.findIndex((other) => other.poolAddress === poolAddress) < at);
    if (twice.length > 0) return { out: twice.map(({ poolKey }) => poolKey), off: 1, said: [], answered: true };
    const held = new Map(estimated.map((hop) => [hop, known.of(block.hash, hop)]));
    const unknown = estimated.filter((hop) => held.get(hop) === undefined);
    const startedAt = instantNow();
    const answers = unknown.length === 0 ? [] : await answersOf(chainId, block, unknown, deadline, signal);
    const millis = unknown.length === 0 ? null : instantNow() - startedAt;
    if (answers === null) {
      onAsked({ chainId, outcomes: unknown.map(() => 'unanswered'), millis });
      return { out: unknown.map(({ poolKey }) => poolKey), off: 1, said: [], answered: false };
    }
    for (const [at, hop] of unknown.entries()) held.set(hop, facetOf(venues, hop).amountOf(answers[at] ?? null));
    const judged = estimated.map((hop) => ({ hop, said: held.get(hop) ?? null }));
    // Those that were known before too: so much may have been asked of other blocks, of whichever chain, since then that they are forgotten.
    if (unknown.length > 0) for (const { hop, said } of judged) known.note(block.hash, hop, said);
    onAsked({ chainId, outcomes: judged.map(({ hop, said }) => outcomeOf(hop, said)), millis });
    return {
      out: judged.flatMap(({ hop, said }) => (said === null || said === 0n ? [hop.poolKey] : [])),
      off: Math.max(0, ...judged.map(({ hop, said }) => shareOff(hop, said ?? 0n))),
      said: known.ofHops(estimated),
      answered: true,
    };
  };

  /** The same route with what its contracts say; null where it comes to no end. In `buy`, where they give more, with less input first, and then the input that it has. `off`: how far the plan's hops are off. */
  const restated = async (job: SolveJob, plan: Plan, off: number, caller: Caller): Promise<Plan | null> => {
    const { chainId, sellToken, buyToken, mode, amount } = job;
    let current = plan;
    for (let round = 1; round <= BOUNDS.restatements; round++) {
      const { hops } = current;
      const target = mode === 'buy' ? { target: amount } : {};
      const sellAmount = mode === 'buy' && round === 1 ? loweredBy(current.sellAmount, 2 * off) : current.sellAmount;
      const said = known.ofHops(hops.filter(isAsked));
      const { result } = await solving.certify({ chainId, sellToken, buyToken, sellAmount, hops, ...target, said, deadline: extended(job) }, caller);
      if (!result.ok || result.restated === undefined) return null;
      current = { ...current, ...result.restated };
      const standing = await standingOf(job, current, caller.signal);
      if (standing.out.length > 0) return null;
      if (standing.off === 0) return current;
    }
    return null;
  };

  const settled = async (first: Promise<SolveOutcome>, job: SolveJob, caller: Caller): Promise<SolveOutcome> => {
    let outcome = await first;
    let said: readonly PoolQuote[] = [];
    let out: readonly string[] = [];
    let excluded: readonly string[] = [];
    let requoteMs = 0;
    for (let solves = 1, leftOut = 0; ; solves++) {
      const { result } = outcome;
      if (!result.ok || !result.plan.hops.some(isAsked)) break;
      const { plan } = result;
      const startedAt = instantNow();
      const standing = await standingOf(job, plan, caller.signal);
      // A solve takes about as long as the one before it.
      const isLate = job.deadline - instantNow() < BOUNDS.runsLeft * outcome.runMs;
      const isKept = standing.out.length === 0 && (solves >= BOUNDS.solves || standing.off <= BOUNDS.negligible || isLate);
      const kept = standing.out.length > 0 ? null : standing.off === 0 ? plan : isKept ? await restated(job, plan, standing.off, caller) : null;
      requoteMs += instantNow() - startedAt;
      if (caller.signal.aborted) return { ...outcome, result: { ok: false, reason: 'cancelled' }, requoteMs };
      if (kept !== null) {
        outcome = { ...outcome, result: { ok: true, plan: kept } };
        break;
      }
      said = [...said, ...standing.said];
      const unsettled = isKept ? plan.hops.filter(isAsked).map(({ poolKey }) => poolKey) : standing.out;
      if (unsettled.length > 0) leftOut++;
      out = [...out, ...unsettled];
      if (leftOut > BOUNDS.leftOut) excluded = [...excluded, ...plan.hops.filter(isAsked).map(({ protocol }) => protocol)];
      outcome = sumOf(outcome, await solving.solveAgain(without({ ...job, said, deadline: extended(job) }, out, excluded), caller));
    }
    return requoteMs === 0 ? outcome : { ...outcome, requoteMs };
  };

  const certify = async (job: CertifyJob, caller: Caller): Promise<CertifyOutcome> => {
    const estimated = job.hops.filter(isAsked);
    if (estimated.length === 0) return solving.certify(job, caller);
    let said = known.ofHops(estimated);
    for (let round = 1; ; round++) {
      const outcome = await solving.certify({ ...job, said, ...(round === 1 ? {} : { deadline: extended(job) }) }, caller);
      const { result } = outcome;
      if (!result.ok) return outcome;
      const standing = await standingOfResult(job, result, caller.signal);
      if (standing.out.length === 0 && standing.off === 0) return outcome;
      // That a contract gives nothing any more is its chain's doing; that nobody said in time what it gives is not.
      const isRefused = standing.out.length > 0 && standing.answered;
      if (standing.out.length > 0 || round > BOUNDS.restatements)
        return { ...outcome, result: { ok: false, reason: isRefused ? 'refused' : 'withdrawn', block: result.block } };
      said = [...said, ...standing.said];
    }
  };

  /** Whether a plan holds is told by its own input, which is asked about first; what it takes where it does not, by the other one. */
  const standingOfResult = async (job: CertifyJob, { missed, restated, block }: Certified, signal: AbortSignal): Promise<Standing> => {
    const own = missed === undefined ? SETTLED : await standingOf(job, { hops: missed, block }, signal);
    return own.off > 0 || restated === undefined ? own : await standingOf(job, restated, signal);
  };

  return aroundSolving(solving, {
    solve: (job, caller) => settled(solving.solve(job, caller), job, caller),
    solveAgain: (job, caller) => settled(solving.solveAgain(job, caller), job, caller),
    certify,
  });
}

function facetOf(venues: RequoteVenues, { venue }: PlanHop) {
  const facet = venues.get(venue);
  if (facet === undefined) throw new TypeError(`${venue} is not asked`);
  return facet;
}

/** There is always time for a route that may be answered. */
function extended({ deadline }: Pick<SolveJob, 'deadline'>): InstantMs {
  return Math.max(deadline, instantNow() + BOUNDS.graceMs) as InstantMs;
}

/** At least one unit stays. */
function loweredBy(amount: Wei, share: number): Wei {
  const less = (amount * BigInt(Math.ceil(Math.min(1, share) * PARTS))) / BigInt(PARTS);
  return less >= amount ? asWei(1n) : asWei(amount - less);
}

/** What a share of an amount is counted in. */
const PARTS = 1e12;

function without(job: SolveJob, pools: readonly string[], labels: readonly string[]): SolveJob {
  const { filter } = job;
  const off = filter.switchedOff ?? NOTHING_OFF;
  const switchedOff = { ...off, pools: [...off.pools, ...pools] };
  return { ...job, filter: { ...filter, exclude: [...filter.exclude, ...labels], ...(pools.length === 0 ? {} : { switchedOff }) } };
}

function sumOf(before: SolveOutcome, after: SolveOutcome): SolveOutcome {
  const measureMs = (before.measureMs ?? 0) + (after.measureMs ?? 0);
  return { ...after, queueMs: before.queueMs + after.queueMs, runMs: before.runMs + after.runMs, ...(measureMs === 0 ? {} : { measureMs }) };
}

function outcomeOf({ amountOut }: PlanHop, said: bigint | null): RequoteFacts['outcomes'][number] {
  if (said === null || said === 0n) return 'refused';
  if (said === amountOut) return 'same';
  return said > amountOut ? 'more' : 'less';
}

function shareOff({ amountOut }: PlanHop, said: bigint): number {
  return Math.abs(Number(said - asWei(amountOut))) / Number(amountOut);
}

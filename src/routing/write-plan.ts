import { type BlockRef, NO_LEG_FACTS, type SnapshotView, type TokenFacts } from '../snapshot/snapshot.ts';
import { type Address, asBps, asWei, BPS_WHOLE, NATIVE_TOKEN, type Wei, ZERO_ADDRESS } from '../units/units.ts';
import type { Finalist } from './execute/finalists.ts';
import { ALLOWANCE_HOLDER_GAS, type GasRule, ROUTER_GAS, UNWRAP_GAS, WRAP_GAS } from './gas/gas-rule.ts';
import { WRAP_LABEL } from './market/labels.ts';
import type { Plan, PlanHop, SolveFacts, SolveJob, TokenPrice } from './plan.ts';
import { type LossyEnds, NO_LOSSY_ENDS } from './transfers/judge-trade.ts';

/** What every plan is written from, beside its hops. */
export type Writing = {
  readonly job: SolveJob;
  readonly wrappedNative: Address;
  readonly block: BlockRef;
  readonly facts: { readonly sell: TokenFacts | null; readonly buy: TokenFacts | null; readonly native: TokenFacts | null };
  readonly gas: GasRule;
  readonly maxHops: number;
  readonly solveFacts: SolveFacts;
  readonly lossyEnds: LossyEnds;
  readonly unmeasured: readonly Address[];
};

/** The plan of native ↔ wrapped: one hop, one to one, in both modes. */
export function wrapPlan(writing: Writing): Plan {
  const { job } = writing;
  return finish(writing, [wrapHop(job.sellToken, job.buyToken, job.amount)], job.amount, job.amount);
}

/** The plan of a route through venues, with a WRAP hop wherever the form changes. */
export function routePlan(writing: Writing, found: Finalist, view: SnapshotView): Plan {
  const { wrappedNative } = writing;
  const sellAmount = asWei(found.input);
  const grossAmount = asWei(found.output);
  const hops = found.steps.map((step): PlanHop => {
    if ('signed' in step) throw new TypeError('nothing is signed before a route is found');
    if (step.pool === null) {
      const [tokenIn, tokenOut] = step.unwraps ? [wrappedNative, NATIVE_TOKEN] : [NATIVE_TOKEN, wrappedNative];
      return { ...wrapHop(tokenIn, tokenOut, asWei(step.amountIn)), bps: asBps(step.bps) };
    }
    const { pool, slotIn, slotOut, native } = step;
    return {
      poolAddress: pool.address,
      poolKey: pool.key,
      venue: pool.venue,
      protocol: pool.protocol,
      source: pool.source,
      hook: pool.hook,
      legFacts: pool.legFacts,
      slotIn,
      slotOut,
      tokenIn: native === 'in' ? NATIVE_TOKEN : view.token(pool.tokens[slotIn] as number).address,
      tokenOut: native === 'out' ? NATIVE_TOKEN : view.token(pool.tokens[slotOut] as number).address,
      amountIn: asWei(step.amountIn),
      amountOut: asWei(step.amountOut),
      bps: asBps(step.bps),
      gas: step.gas,
    };
  });
  return finish(writing, hops, sellAmount, grossAmount);
}

function wrapHop(tokenIn: Address, tokenOut: Address, amount: Wei): PlanHop {
  return {
    poolAddress: ZERO_ADDRESS,
    poolKey: '',
    venue: '',
    protocol: WRAP_LABEL,
    source: WRAP_LABEL,
    hook: null,
    legFacts: NO_LEG_FACTS,
    slotIn: 0,
    slotOut: 0,
    tokenIn,
    tokenOut,
    amountIn: amount,
    amountOut: amount,
    bps: asBps(BPS_WHOLE),
    gas: tokenIn === NATIVE_TOKEN ? WRAP_GAS : UNWRAP_GAS,
  };
}

function finish(writing: Writing, hops: readonly PlanHop[], sellAmount: Wei, grossAmount: Wei): Plan {
  const { job, facts, gas, lossyEnds, unmeasured } = writing;
  const fixedGas = ROUTER_GAS + (job.sellToken === NATIVE_TOKEN ? 0 : ALLOWANCE_HOLDER_GAS);
  return {
    hops,
    sellAmount,
    grossAmount,
    gas: hops.reduce((sum, hop) => sum + hop.gas, fixedGas),
    gasMode: gas.mode,
    gasPriceWei: gas.gasPriceWei,
    maxHops: writing.maxHops,
    block: writing.block,
    prices: { sell: priceOf(facts.sell), buy: priceOf(facts.buy), native: priceOf(facts.native) },
    facts: writing.solveFacts,
    ...(lossyEnds === NO_LOSSY_ENDS ? {} : { lossyEnds }),
    ...(unmeasured.length === 0 ? {} : { unmeasured }),
  };
}

function priceOf(facts: TokenFacts | null): TokenPrice | null {
  return facts === null || facts.usd === null || facts.decimals === null ? null : { usd: facts.usd, decimals: facts.decimals };
}

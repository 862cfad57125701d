import type { BlockRef, SnapshotView, TokenFacts } from '../snapshot/snapshot.ts';
import { type Address, asBps, asWei, BPS_WHOLE, NATIVE_TOKEN, type Wei, ZERO_ADDRESS } from '../units/units.ts';
import type { Finalist } from './execute/finalists.ts';
import { ALLOWANCE_HOLDER_GAS, type GasRule, ROUTER_GAS, UNWRAP_GAS, WRAP_GAS } from './gas/gas-rule.ts';
import { WRAP_LABEL } from './market/labels.ts';
import type { Plan, PlanHop, SolveFacts, SolveJob, TokenPrice } from './plan.ts';

/** What every plan is written from, beside its hops. */
export type Writing = {
  readonly job: SolveJob;
  readonly wrappedNative: Address;
  readonly block: BlockRef;
  readonly facts: { readonly sell: TokenFacts | null; readonly buy: TokenFacts | null; readonly native: TokenFacts | null };
  readonly gas: GasRule;
  readonly maxHops: number;
  readonly solveFacts: SolveFacts;
};

/** The plan of native ↔ wrapped: one hop, one to one, in both modes. */
export function wrapPlan(writing: Writing): Plan {
  const { job } = writing;
  return finish(writing, [wrapHop(job.sellToken, job.buyToken, job.amount)], job.amount, job.amount);
}

/** The plan of a route through venues, with a WRAP hop at each end that is native. */
export function routePlan(writing: Writing, found: Finalist, view: SnapshotView): Plan {
  const { job, wrappedNative } = writing;
  const sellAmount = asWei(found.input);
  const grossAmount = asWei(found.output);
  const hops: PlanHop[] = found.hops.map((hop) => ({
    poolAddress: hop.pool.address,
    poolKey: hop.pool.key,
    protocol: hop.pool.protocol,
    source: hop.pool.source,
    hook: hop.pool.hook,
    tokenIn: view.token(hop.pool.tokens[hop.slotIn] as number).address,
    tokenOut: view.token(hop.pool.tokens[hop.slotOut] as number).address,
    amountIn: asWei(hop.amountIn),
    amountOut: asWei(hop.amountOut),
    bps: asBps(hop.bps),
    gas: hop.gas,
  }));
  if (job.sellToken === NATIVE_TOKEN) hops.unshift(wrapHop(NATIVE_TOKEN, wrappedNative, sellAmount));
  if (job.buyToken === NATIVE_TOKEN) hops.push(wrapHop(wrappedNative, NATIVE_TOKEN, grossAmount));
  return finish(writing, hops, sellAmount, grossAmount);
}

function wrapHop(tokenIn: Address, tokenOut: Address, amount: Wei): PlanHop {
  return {
    poolAddress: ZERO_ADDRESS,
    poolKey: '',
    protocol: WRAP_LABEL,
    source: WRAP_LABEL,
    hook: null,
    tokenIn,
    tokenOut,
    amountIn: amount,
    amountOut: amount,
    bps: asBps(BPS_WHOLE),
    gas: tokenIn === NATIVE_TOKEN ? WRAP_GAS : UNWRAP_GAS,
  };
}

function finish(writing: Writing, hops: readonly PlanHop[], sellAmount: Wei, grossAmount: Wei): Plan {
  const { job, facts, gas } = writing;
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
  };
}

function priceOf(facts: TokenFacts | null): TokenPrice | null {
  return facts === null || facts.usd === null || facts.decimals === null ? null : { usd: facts.usd, decimals: facts.decimals };
}

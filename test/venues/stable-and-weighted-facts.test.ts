import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { expect } from 'chai';
import { price as balancerStable } from '../../src/venues/balancer_v2_stable/price.ts';
import type { StableState } from '../../src/venues/balancer_v2_stable/state.ts';
import { price as weighted } from '../../src/venues/balancer_v2_weighted/price.ts';
import type { WeightedState } from '../../src/venues/balancer_v2_weighted/state.ts';
import type { CurveState } from '../../src/venues/curve/curve-state.ts';
import { price as curve } from '../../src/venues/curve/price.ts';
import type { Quote } from '../../src/venues/venues.ts';
import { BALANCER, type BalancerFact, CURVE, type CurveFact } from '../fixtures/stable-and-weighted-facts.ts';
import { describeWithSharedData, sharedData } from '../pool-set/shared-data.ts';
import { MOMENT } from '../support/moment.ts';

const ONE = 10n ** 18n;

describe('facts about weighted and stable pools', () => {
  for (const fact of BALANCER) {
    it(`Balancer's mathematics give what the pool ${fact.pool} answered`, () => {
      for (const swap of fact.swaps) expect(answerOf(fact, swap), String(swap)).to.equal(swap[4]);
    });
  }

  for (const fact of CURVE) {
    it(`StableSwap gives what the pool ${fact.pool} answered${fact.sequence ? ', swap after swap' : ''}`, () => {
      let state = curveState(fact);
      for (const [slotIn, slotOut, amountIn, amountOut] of fact.swaps) {
        const quote = curve.exactIn(state, slotIn, slotOut, amountIn, MOMENT);
        expect(quote.ok && quote.amountOut, `${slotIn} ${slotOut} ${amountIn}`).to.equal(amountOut);
        if (quote.ok && fact.sequence) state = quote.next;
      }
    });
  }
});

describeWithSharedData('recorded swaps of real Curve pools', () => {
  type Pool = { readonly reserves: readonly string[]; readonly tokens: readonly Token[]; readonly extra: Readonly<Record<string, unknown>> };
  type Token = { readonly address: string; readonly decimals: number };
  type Row = {
    readonly pool: number;
    readonly kind: string;
    readonly tokenIn: string;
    readonly tokenOut: string;
    readonly amountIn: string;
    readonly amountOut: string;
  };
  type Recorded = { readonly protocol: string; readonly verified?: string; readonly pools: readonly Pool[]; readonly vectors: readonly Row[] };

  it('521 verified rows of plain and new-generation pools are equal to the wei', () => {
    const { sets } = JSON.parse(gunzipSync(readFileSync(sharedData('vectors/kyber-curve.json.gz'))).toString()) as { readonly sets: readonly Recorded[] };
    let compared = 0;
    for (const { pools, vectors } of sets.filter(({ verified }) => verified !== undefined)) {
      for (const row of vectors) {
        const pool = pools[row.pool];
        if (pool === undefined || row.kind !== 'exactIn') continue;
        const slotOf = (address: string) => pool.tokens.findIndex((token) => token.address.toLowerCase() === address.toLowerCase());
        const quote = curve.exactIn(curveState(factOf(pool)), slotOf(row.tokenIn), slotOf(row.tokenOut), BigInt(row.amountIn), MOMENT);
        expect(quote.ok && String(quote.amountOut), JSON.stringify(row)).to.equal(row.amountOut);
        compared++;
      }
    }
    expect(compared).to.equal(521);
  });

  function factOf({ reserves, tokens, extra }: Pool): CurveFact {
    const lower = Object.fromEntries(Object.entries(extra).map(([name, value]) => [name.toLowerCase(), value]));
    const multipliers = lower.ratemultipliers as readonly string[] | undefined;
    return {
      pool: '',
      sequence: false,
      swaps: [],
      balances: reserves.slice(0, -1).map(BigInt),
      rates: multipliers?.map(BigInt) ?? tokens.map(({ decimals }) => 10n ** BigInt(36 - decimals)),
      amplification: BigInt(String(lower.futurea)),
      fee: BigInt(String(lower.swapfee)),
      adminFee: BigInt(String(lower.adminfee)),
      ...(lower.offpegfeemultiplier === undefined ? {} : { offpegFeeMultiplier: BigInt(String(lower.offpegfeemultiplier)) }),
    };
  }
});

function curveState({ balances, rates, amplification, fee, adminFee, offpegFeeMultiplier }: CurveFact): CurveState {
  const scales = rates.map((numerator) => ({ numerator, denominator: ONE }));
  const form = offpegFeeMultiplier === undefined ? 'plain' : 'ng';
  return { form, balances, scales, amplification, ramp: null, fee, adminFee, offpegFeeMultiplier: offpegFeeMultiplier ?? 0n };
}

/** The frame of V3 around the mathematics that V2 has too: it scales an amount before it takes the fee, and rounds rates for the pool. */
function answerOf(fact: BalancerFact, [kind, slotIn, slotOut, given]: BalancerFact['swaps'][number]): bigint {
  const [unitIn, unitOut] = [unitOf(fact, slotIn), unitOf(fact, slotOut)];
  const scaled = kind === 'exactIn' ? (given * unitIn.down) / ONE : ceil(given * unitOut.up, ONE);
  const quote = quoteOf(fact, kind, slotIn, slotOut, scaled);
  if (!quote.ok) throw new Error(quote.reason);
  return kind === 'exactIn' ? (quote.amountOut * ONE) / unitOut.up : ceil(quote.amountIn * ONE, unitIn.down);
}

function quoteOf(fact: BalancerFact, kind: 'exactIn' | 'exactOut', slotIn: number, slotOut: number, amount: bigint): Quote<unknown> {
  const { balances, weights, amplification = 0n, swapFee } = fact;
  if (weights !== undefined) {
    const state: WeightedState = { balances, weights, swapFee, lifts: balances.map(() => 1n), powers: 'multiplied' };
    return kind === 'exactIn'
      ? weighted.exactIn(state, slotIn, slotOut, amount, MOMENT)
      : (weighted.exactOut?.(state, slotIn, slotOut, amount, MOMENT) ?? NONE);
  }
  const scales = balances.map(() => ({ numerator: 1n, denominator: 1n }));
  const state: StableState = { balances, scales, amplification, swapFee, rule: 'down' };
  return kind === 'exactIn'
    ? balancerStable.exactIn(state, slotIn, slotOut, amount, MOMENT)
    : (balancerStable.exactOut?.(state, slotIn, slotOut, amount, MOMENT) ?? NONE);
}

const NONE = { ok: false, reason: 'reverts' } as const;

function unitOf({ lifts, rates }: BalancerFact, slot: number): { readonly down: bigint; readonly up: bigint } {
  const [lift, rate] = [lifts[slot] ?? 1n, rates[slot] ?? ONE];
  return { down: lift * rate, up: lift * (rate % ONE === 0n ? rate : rate + 1n) };
}

function ceil(dividend: bigint, divisor: bigint): bigint {
  return (dividend + divisor - 1n) / divisor;
}

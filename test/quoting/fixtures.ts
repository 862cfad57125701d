import { expect } from 'chai';
import type { QuoteResponse } from '../../schemas/types.gen.ts';
import type { HostedChain } from '../../src/chains/chains.ts';
import { type AppliedFee, effectiveFee, type FeePolicy, type QuoteInput, serialise, toQuoteResponse } from '../../src/quoting/quoting.ts';
import type { Plan, PlanHop } from '../../src/routing/routing.ts';
import { asAddress, asBps, asWei, type DurationMs, type EpochSeconds } from '../../src/units/units.ts';
import type { TradeRequest } from '../../src/validation/validation.ts';
import { validatorOf } from '../schemas/schema-validators.ts';

export const COLLECTOR = asAddress('0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC');
export const HOLDER = '0x5FbDB2315678afecb367f032d93F642f64180aa3';
export const POOL = '0x88e6A0c2dDD26FEEb64F039a2c41296FcB3f5640';
export const QUOTE_ID = '0b4f6b5e-6a0e-4b0e-9d5d-2f6f5a8f1c11';

const block = { number: 24_693_611, hash: '0x01', timestamp: 1_800_000_000 as EpochSeconds, baseFeePerGas: 1n } as const;

export function hostedChain(contracts: Partial<HostedChain['contracts']> = {}): HostedChain {
  return {
    chain: { chainId: 1, name: 'ethereum', aliases: ['eth'], wrappedNative: null, minimumGasPriceWei: 1n },
    wrappedNative: asAddress('0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2'),
    contracts: { router: null, allowanceHolder: asAddress(HOLDER), permit2: asAddress('0x000000000022D473030F116dDEE9F6B43aC78BA3'), ...contracts },
    feeCollector: COLLECTOR,
    freshnessBound: 30_000 as DurationMs,
    gatedVenues: [],
    wellKnownTokens: { has: () => true },
    view: () => ({ phase: 'live', block, age: 0 as DurationMs, labels: [] }),
  };
}

export function planHop(request: TradeRequest, changes: Partial<PlanHop> = {}): PlanHop {
  return {
    poolAddress: asAddress(POOL),
    poolKey: POOL.toLowerCase(),
    venue: 'uniswap_v3',
    protocol: 'uniswap_v3',
    source: 'uniswap_v3',
    hook: null,
    legFacts: {},
    slotIn: 0,
    slotOut: 1,
    tokenIn: request.sellToken,
    tokenOut: request.buyToken,
    amountIn: asWei(1n),
    amountOut: asWei(1n),
    bps: asBps(10_000),
    gas: 100_000,
    ...changes,
  };
}

/** A plan of one hop. `gross` is what the route yields; in `buy` at least the gross target. */
export function planFor(request: TradeRequest, gross: bigint, changes: Partial<Plan> = {}): Plan {
  const sellAmount = request.mode === 'sell' ? request.amount : asWei(12_345n);
  return {
    hops: [planHop(request, { amountIn: sellAmount, amountOut: asWei(gross) })],
    sellAmount,
    grossAmount: asWei(gross),
    gas: 121_000,
    gasMode: 'guardrail',
    gasPriceWei: 12_500_000_000n,
    maxHops: 2,
    block,
    prices: { sell: null, buy: null, native: null },
    facts: {
      steps: 1,
      pathsConsidered: 1,
      columnsGenerated: 1,
      phases: { subgraph: 0, path: 0, columns: 0, gas: 0, exact: 0 },
      approxOutput: Number(gross),
      stopped: 'converged',
    },
    ...changes,
  };
}

/** The fee of a request; `policy` undefined: without a key, null: a key without a policy. */
export function feeFor(request: TradeRequest, policy?: FeePolicy | null): AppliedFee | null {
  return effectiveFee(request, policy === undefined ? null : { feePolicy: policy }, COLLECTOR);
}

const validate = validatorOf('quote-response');

/** The response, which has to exist and, as JSON text, to be valid against its schema. */
export function responseOf(input: Omit<QuoteInput, 'quoteId' | 'hosted'> & { readonly hosted?: HostedChain }): QuoteResponse {
  const result = toQuoteResponse({ hosted: hostedChain(), ...input, quoteId: QUOTE_ID });
  if (!result.ok) throw new Error(`no response: ${result.reason}`);
  const text = serialise(result.response);
  expect(validate(JSON.parse(text)), JSON.stringify(validate.errors)).to.equal(true);
  expect(text).not.to.match(/:-?[0-9.]+[eE]/);
  return result.response;
}

import type { CertifyJob, PlanHop } from '../../../src/routing/routing.ts';
import { type Address, asAddress, asBps, asWei, NATIVE_TOKEN, ZERO_ADDRESS } from '../../../src/units/units.ts';
import type { SeededRandom } from '../../support/seeded-random.ts';

export const [SOLD, BETWEEN, BOUGHT, WRAPPED] = ['11', '22', '33', '44'].map((byte) => asAddress(`0x${byte.repeat(20)}`)) as [
  Address,
  Address,
  Address,
  Address,
];

/** What signs: makers of orders, an issuer, an attester; and pools, where nobody does. */
export const SIGNING = { stall: 'order', desk: 'issuance', gate: 'attestation' } as const;
export type Signing = keyof typeof SIGNING;

/** A hop before it has amounts. `rate`: millionths of the input that it gives. */
export type MadeUpHop = { readonly key: string; readonly venue: string; readonly tokenIn: Address; readonly tokenOut: Address; readonly bps: number };
export type Rates = Map<string, bigint>;

const MILLION = 1_000_000n;

export function isSigning(venue: string): venue is Signing {
  return venue in SIGNING;
}

/** One to three hops from one token to another, some of them through what signs. */
function between(random: SeededRandom, name: string, tokenIn: Address, tokenOut: Address, offChain: boolean): readonly MadeUpHop[] {
  const count = random.pick([1, 1, 2, 3] as const);
  return Array.from({ length: count }, (_, at): MadeUpHop => {
    const venue = offChain && random.chance(0.6) ? random.pick(['stall', 'stall', 'stall', 'desk', 'gate'] as const) : 'pool';
    return { key: `${name}${at}${venue}`, venue, tokenIn, tokenOut, bps: at === count - 1 ? 10_000 : random.integer(1_500, 6_000) };
  });
}

/** A route of one or two tokens' length, maybe out of the native token. */
export function drawRoute(random: SeededRandom, native: boolean, offChain: boolean): readonly MadeUpHop[] {
  const wrap: readonly MadeUpHop[] = native ? [{ key: '', venue: '', tokenIn: NATIVE_TOKEN, tokenOut: WRAPPED, bps: 10_000 }] : [];
  const from = native ? WRAPPED : SOLD;
  const name = offChain ? 'o' : 'c';
  if (random.chance(0.6)) return [...wrap, ...between(random, `${name}a`, from, BOUGHT, offChain)];
  return [...wrap, ...between(random, `${name}b`, from, BETWEEN, offChain), ...between(random, `${name}c`, BETWEEN, BOUGHT, offChain)];
}

/** The route as the chain executes it: each hop takes its share of what is left, a signed one what was signed of it. null where it reverts. */
export function executed(
  hops: readonly MadeUpHop[],
  sold: bigint,
  rates: Rates,
  signed: CertifyJob['signed'] = new Map(),
): { hops: PlanHop[]; gross: bigint } | null {
  const held = new Map<Address, bigint>([[hops[0]?.tokenIn ?? SOLD, sold]]);
  const done: PlanHop[] = [];
  for (const [place, { key, venue, tokenIn, tokenOut, bps }] of hops.entries()) {
    const left = held.get(tokenIn) ?? 0n;
    const share = (left * BigInt(bps)) / 10_000n;
    const order = signed.get(place);
    if (share === 0n || (order !== undefined && share < order.amountIn)) return null;
    const amountIn = order?.amountIn ?? share;
    const amountOut = order?.amountOut ?? (venue === '' ? amountIn : (amountIn * (rates.get(key) ?? MILLION)) / MILLION);
    held.set(tokenIn, left - amountIn);
    held.set(tokenOut, (held.get(tokenOut) ?? 0n) + amountOut);
    done.push({
      poolAddress: venue === '' ? ZERO_ADDRESS : asAddress(`0x${'99'.repeat(20)}`),
      poolKey: key,
      venue,
      protocol: venue === '' ? 'WRAP' : venue,
      source: venue === '' ? 'WRAP' : venue,
      hook: null,
      legFacts: {},
      slotIn: 0,
      slotOut: 1,
      tokenIn,
      tokenOut,
      amountIn: asWei(amountIn),
      amountOut: asWei(amountOut),
      bps: asBps(bps),
      gas: 100_000,
    });
  }
  return { hops: done, gross: held.get(BOUGHT) ?? 0n };
}

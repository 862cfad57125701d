import type { Plan, PlanHop } from '../../routing/routing.ts';
import { type Address, asWei, BPS_WHOLE } from '../../units/units.ts';
import type { FirmHop } from '../../venues/venues.ts';

/** What was signed, by the place of its hop. */
export type Signatures = ReadonlyMap<number, Extract<FirmHop, { readonly ok: true }>>;

/** A plan whose hops know what was signed for them, with amounts as planned. */
export function withAttested(plan: Plan, signatures: Signatures): Plan {
  const hops = plan.hops.map((hop, place) => {
    const signed = signatures.get(place);
    return signed === undefined ? hop : { ...hop, legFacts: { ...hop.legFacts, ...signed.legFacts } };
  });
  return { ...plan, hops };
}

/**
 * A plan with what was signed for its hops. The others give what they were planned to, or the same part of it that less is of their planned input: no more than they really give, so that a certification on an unmoved chain always
 * passes; what they give is what it says. null where less comes to a signed hop than was signed for, since one before it gives less than was planned.
 */
export function withSigned(plan: Plan, sellToken: Address, buyToken: Address, signatures: Signatures): Plan | null {
  const sold = plan.hops.flatMap((hop, place) => (hop.tokenIn === sellToken ? [place] : []));
  // All of the sell token is what one order takes: in `buy` that may be less than was planned.
  const sellAmount = (sold.length === 1 ? signatures.get(sold[0] as number)?.amountIn : undefined) ?? plan.sellAmount;
  const held = new Map<Address, bigint>([[sellToken, sellAmount]]);
  const hops: PlanHop[] = [];
  for (const [place, hop] of plan.hops.entries()) {
    const left = held.get(hop.tokenIn) ?? 0n;
    const share = (left * BigInt(hop.bps)) / BigInt(BPS_WHOLE);
    const signed = signatures.get(place);
    if (signed !== undefined && share < signed.amountIn) return null;
    const amountIn = signed?.amountIn ?? share;
    const amountOut = signed?.amountOut ?? (amountIn >= hop.amountIn ? hop.amountOut : (hop.amountOut * amountIn) / hop.amountIn);
    held.set(hop.tokenIn, left - amountIn);
    held.set(hop.tokenOut, (held.get(hop.tokenOut) ?? 0n) + amountOut);
    const legFacts = signed === undefined ? hop.legFacts : { ...hop.legFacts, ...signed.legFacts };
    hops.push({ ...hop, amountIn: asWei(amountIn), amountOut: asWei(amountOut), legFacts });
  }
  return { ...plan, hops, sellAmount: asWei(sellAmount), grossAmount: asWei(held.get(buyToken) ?? 0n) };
}

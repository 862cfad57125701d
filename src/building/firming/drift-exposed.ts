import { type Plan, WRAP_LABEL } from '../../routing/routing.ts';
import { type Address, BPS_WHOLE } from '../../units/units.ts';
import type { SignedHop } from './firm-hops.ts';

/** What hops gave of a token, base units, and how much of that is pinned: `part` of `over`, exactly. */
type Given = { readonly amount: bigint; readonly part: bigint; readonly over: bigint };

const NOTHING: Given = { amount: 0n, part: 0n, over: 1n };

/** Family of vaults, whose shares are converted at a rate. */
const VAULTS = 'erc4626';

/**
 * Share of the gross output, in basis points, that can be another by the time of settlement (decisions S17): what is not funded from the sell token by makers' orders, vaults and changes of form alone. A token's share is the mean over
 * the hops that gave it, by amount.
 */
export function driftExposedShareBps({ hops }: Pick<Plan, 'hops'>, sellToken: Address, buyToken: Address, signed: readonly SignedHop[]): number {
  const orders = new Set(signed.filter(({ signs }) => signs === 'order').map(({ place }) => place));
  const given = new Map<Address, Given>([[sellToken, { amount: 1n, part: 1n, over: 1n }]]);
  for (const [place, { tokenIn, tokenOut, protocol, amountOut }] of hops.entries()) {
    const keeps = orders.has(place) || protocol === WRAP_LABEL || protocol === VAULTS;
    const input = (keeps ? given.get(tokenIn) : undefined) ?? NOTHING;
    const before = given.get(tokenOut) ?? NOTHING;
    // amountOut · the input's share, beside what is pinned of the token already.
    const over = input.over * (input.amount === 0n ? 1n : input.amount);
    const added = { part: before.part * over + amountOut * input.part * before.over, over: before.over * over };
    const common = greatestCommonDivisor(added.part, added.over);
    given.set(tokenOut, { amount: before.amount + amountOut, part: added.part / common, over: added.over / common });
  }
  const { amount, part, over } = given.get(buyToken) ?? NOTHING;
  return amount === 0n ? BPS_WHOLE : BPS_WHOLE - Number((BigInt(BPS_WHOLE) * part) / (over * amount));
}

function greatestCommonDivisor(one: bigint, other: bigint): bigint {
  let [a, b] = [one, other];
  while (b !== 0n) [a, b] = [b, a % b];
  return a;
}

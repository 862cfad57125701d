import { type PlanHop, WRAP_LABEL } from '../../routing/routing.ts';
import { type Address, asBps, BPS_WHOLE } from '../../units/units.ts';

const WHOLE = BigInt(BPS_WHOLE);

/**
 * Tokens of which a route holds just what was planned, whatever pools do until it is settled: the sell token, and what it becomes by changing its form alone.
 */
export function steadyTokens(hops: readonly PlanHop[], sellToken: Address): ReadonlySet<Address> {
  const steady = new Set<Address>([sellToken]);
  for (const { tokenIn, tokenOut, protocol } of hops) if (protocol === WRAP_LABEL && steady.has(tokenIn)) steady.add(tokenOut);
  for (const { tokenOut, protocol } of hops) if (protocol !== WRAP_LABEL) steady.delete(tokenOut);
  return steady.add(sellToken);
}

/**
 * The same hops with those that are signed ahead of the others of their token, where less or more of it may come than was planned: an order is for a fixed amount, and what is over is then for the pools behind it. Shares of such a
 * token are those of the new order, that of a signed hop rounded up. Amounts stay as planned: what they are in the new order is for a certification to say.
 */
export function signedFirst(hops: readonly PlanHop[], sellToken: Address, isSigned: (hop: PlanHop) => boolean): readonly PlanHop[] {
  const steady = steadyTokens(hops, sellToken);
  let ordered = hops;
  for (const token of new Set(hops.filter(isSigned).map(({ tokenIn }) => tokenIn))) {
    const ofToken = ordered.filter(({ tokenIn }) => tokenIn === token);
    const signed = ofToken.filter(isSigned);
    if (steady.has(token) || signed.every((hop, at) => hop === ofToken[at])) continue;
    const others = ofToken.filter((hop) => !isSigned(hop));
    const inTurn = withShares([...signed, ...others], isSigned);
    const first = ordered.findIndex(({ tokenIn }) => tokenIn === token);
    const turned = new Map(others.map((hop, at) => [hop, inTurn[signed.length + at] as PlanHop]));
    ordered = ordered.flatMap((hop, at) => {
      const ahead = at === first ? inTurn.slice(0, signed.length) : [];
      return hop.tokenIn !== token ? [hop] : [...ahead, ...(isSigned(hop) ? [] : [turned.get(hop) as PlanHop])];
    });
  }
  return ordered;
}

function withShares(hops: readonly PlanHop[], isSigned: (hop: PlanHop) => boolean): readonly PlanHop[] {
  let left = hops.reduce((sum, { amountIn }) => sum + amountIn, 0n);
  return hops.map((hop, at) => {
    const taken = hop.amountIn * WHOLE;
    const share = isSigned(hop) ? (taken + left - 1n) / left : (2n * taken + left) / (2n * left);
    left -= hop.amountIn;
    return { ...hop, bps: asBps(at === hops.length - 1 ? BPS_WHOLE : Number(share)) };
  });
}

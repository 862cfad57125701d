import type { TokenRefusal } from '../../routing/routing.ts';
import type { GateReason } from '../../snapshot/snapshot.ts';
import type { Address } from '../../units/units.ts';

const MAY_CHANGE = 'this was measured on chain and may change, so it should not be cached';

/** What measuring found, for whoever builds a wallet. */
const GATES: Readonly<Record<GateReason, string>> = {
  honeypot: 'whoever buys it can not sell it again (honeypot)',
  blacklist: 'it refuses transfers to or from some addresses (blacklist)',
  paused: 'its transfers are paused',
  refused: 'its contract refuses transfers',
};

/** Why a token is not traded, in words that a wallet's developer can act on. */
export function refusedTokenMessage(token: Address, refusal: TokenRefusal): string {
  switch (refusal.kind) {
    case 'gated':
      return `token ${token} can not be traded: ${GATES[refusal.reason]}; do not offer it; ${MAY_CHANGE}`;
    case 'tax-above-cap':
      return `token ${token} can not be traded: it takes ${refusal.taxPpm / 10_000}% of a transfer as a fee, more than the 20% that are routed; ${MAY_CHANGE}`;
    case 'taxed-in-buy-mode':
      return `token ${token} takes a fee on transfers, so an exact output can not be promised: use mode=sell`;
    case 'taxed-when-bought':
      return `token ${token} can not be bought: it takes a fee on transfers (${refusal.scope}) that also what is delivered, or sold again, would pay; it can be sold with mode=sell; ${MAY_CHANGE}`;
    case 'imprecise-in-buy-mode':
      return `token ${token} loses a unit or two of each transfer to rounding, since its balances are shares, so an exact output can not be promised: use mode=sell`;
    case 'unmeasurable':
      return `token ${token} can not be traded: what its transfers do can not be measured here, and only tokens of the operator's list are served unmeasured`;
    default:
      throw new TypeError(`unknown refusal ${JSON.stringify(refusal satisfies never)}`);
  }
}

/** A token that nobody could measure in time, which is no verdict about it (decisions B18). */
export function unmeasuredMessage(tokens: readonly Address[], block: number): string {
  const named = tokens.length === 1 ? `token ${tokens[0]}` : `tokens ${tokens.join(' and ')}`;
  return `what transfers of ${named} do could not be measured at block ${block}, which says nothing about the token; try again at a later block`;
}

/** No route but, it may be, one through tokens that nobody could measure in time. */
export function unmeasuredBetweenMessage(tokens: readonly Address[], block: number): string {
  const more = tokens.length > NAMED_BETWEEN ? ` and ${tokens.length - NAMED_BETWEEN} more` : '';
  const named = `${tokens.length === 1 ? 'token' : 'tokens'} ${tokens.slice(0, NAMED_BETWEEN).join(', ')}${more}`;
  return `no route for this pair and size but, it may be, one through ${named}, whose transfers could not be measured at block ${block}, which says nothing about them; try again at a later block`;
}

const NAMED_BETWEEN = 3;

import type { Address } from '../units/units.ts';

/** Where a tax on transfers is taken: on every transfer; on those to and from pools; on those to pools alone; on those from pools alone. */
export const TAX_SCOPES = ['universal', 'pool-only', 'sell-only', 'buy-only'] as const;
export type TaxScope = (typeof TAX_SCOPES)[number];

/** Why a token can not be traded: nobody can sell what they bought; some addresses are shut out; nothing moves at all; a transfer failed otherwise. */
export const GATE_REASONS = ['honeypot', 'blacklist', 'paused', 'refused'] as const;
export type GateReason = (typeof GATE_REASONS)[number];

/** What transfers of a token were found to do. */
export type TransferVerdict =
  | { readonly kind: 'clean' }
  /** Parts per million of what is sent that do not arrive, rounded up: from a pool to a trader, from a trader to a pool. */
  | { readonly kind: 'taxed'; readonly buyPpm: number; readonly sellPpm: number; readonly scope: TaxScope }
  /** A unit or two of base units are lost in rounding (balances kept as shares): no amount arrives exactly. */
  | { readonly kind: 'imprecise' }
  | { readonly kind: 'gated'; readonly reason: GateReason }
  /** The node can not measure (no state overrides), or no pool holds enough to measure with. */
  | { readonly kind: 'unmeasurable' };

/**
 * A verdict and the number of the block that it was measured at. `openAt`: marks of the only pools that it holds at, since the token refuses others. `seenAt`, in its place: of those that it was measured at, and refused
 * at none; what it does at others nobody knows. Neither: it holds at all of them.
 */
export type MeasuredVerdict = {
  readonly verdict: TransferVerdict;
  readonly block: number;
  readonly openAt?: readonly number[];
  readonly seenAt?: readonly number[];
};

/** So many pools a verdict names at most. */
export const MOST_NAMED_POOLS = 8;

/** What a verdict names a pool's contract by: the first 32 bits of its address. No two pools of a token have the same by chance, and who mines such an address opens a pool of a token of its own. */
export function poolMark(pool: Address): number {
  return Number.parseInt(pool.slice(2, 10), 16) || 1;
}

/** Whether a verdict gives no reason to refuse a token that is known otherwise: it moves plainly everywhere, or could not be measured. */
export function saysNothingAgainst({ verdict: { kind }, openAt }: Omit<MeasuredVerdict, 'block'>): boolean {
  return (kind === 'clean' && openAt === undefined) || kind === 'unmeasurable';
}

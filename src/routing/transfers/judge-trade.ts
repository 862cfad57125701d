import { LIMITS } from '../../config/limits.ts';
import type { GateReason, SnapshotView, TaxScope, TransferVerdict } from '../../snapshot/snapshot.ts';
import type { Address } from '../../units/units.ts';
import type { TransferJudge } from './transfer-judge.ts';
import { modelledPpm, NO_LOSS, type TransferLoss } from './transfer-loss.ts';

/** Why a token is not traded (interface specification, Errors). */
export type TokenRefusal =
  | { readonly kind: 'gated'; readonly reason: GateReason }
  | { readonly kind: 'tax-above-cap'; readonly taxPpm: number }
  | { readonly kind: 'taxed-in-buy-mode' }
  | { readonly kind: 'taxed-when-bought'; readonly scope: TaxScope }
  | { readonly kind: 'imprecise-in-buy-mode' }
  | { readonly kind: 'unmeasurable' };

/** An end of a trade of whose transfers less arrives than is sent. */
export type LossyEnd = {
  readonly token: Address;
  /** What the plan reckons with on its side of the trade: the seller's transfer to a pool, or a pool's to the buyer. */
  readonly loss: TransferLoss;
  /** Parts per million as measured on that side, and where they are taken; null: no tax, only what the rounding of shares takes. */
  readonly tax: { readonly measuredPpm: number; readonly scope: TaxScope; readonly block: number } | null;
};

/** null: all of what is sent arrives. */
export type LossyEnds = { readonly sell: LossyEnd | null; readonly buy: LossyEnd | null };

export const NO_LOSSY_ENDS: LossyEnds = { sell: null, buy: null };

export type TradeJudgement =
  | { readonly ok: true; readonly ends: LossyEnds }
  | { readonly ok: false; readonly reason: 'token-refused'; readonly token: Address; readonly refusal: TokenRefusal }
  /** Nobody measured these within the bound: to be measured, and asked again. */
  | { readonly ok: false; readonly reason: 'unmeasured'; readonly tokens: readonly Address[] };

type Side = 'sell' | 'buy';

/** Holds the two tokens of a request against the rules for taxed, gated and unmeasured tokens. `anyAge`: by their last verdicts, however old. */
export function judgeTrade(
  judge: TransferJudge,
  view: SnapshotView,
  ids: { readonly sell: number; readonly buy: number },
  mode: 'sell' | 'buy',
  anyAge = false,
): TradeJudgement {
  const held = { sell: judge.judge(view, ids.sell, anyAge), buy: judge.judge(view, ids.buy, anyAge) };
  for (const side of ['sell', 'buy'] as const) {
    const verdict = held[side];
    const refusal = verdict === null ? null : refusalOf(verdict, side, mode);
    if (refusal !== null) return { ok: false, reason: 'token-refused', token: view.token(ids[side]).address, refusal };
  }
  const missing = (['sell', 'buy'] as const).filter((side) => held[side] === null);
  if (missing.length > 0) return { ok: false, reason: 'unmeasured', tokens: missing.map((side) => view.token(ids[side]).address) };
  const sell = lossyEnd(view, ids.sell, held.sell, 'sell');
  const buy = lossyEnd(view, ids.buy, held.buy, 'buy');
  return { ok: true, ends: sell === null && buy === null ? NO_LOSSY_ENDS : { sell, buy } };
}

function refusalOf(verdict: TransferVerdict, side: Side, mode: 'sell' | 'buy'): TokenRefusal | null {
  switch (verdict.kind) {
    case 'clean':
      return null;
    case 'gated':
      return { kind: 'gated', reason: verdict.reason };
    case 'unmeasurable':
      return { kind: 'unmeasurable' };
    case 'imprecise':
      return mode === 'buy' ? { kind: 'imprecise-in-buy-mode' } : null;
    case 'taxed':
      return taxRefusal(verdict, side, mode);
    default:
      throw new TypeError(`a verdict of kind ${String(verdict satisfies never)}`);
  }
}

function taxRefusal({ buyPpm, sellPpm, scope }: TransferVerdict & { readonly kind: 'taxed' }, side: Side, mode: 'sell' | 'buy'): TokenRefusal | null {
  // Who buys will want to sell one day; who sells what only its buyers are taxed on loses nothing.
  const taxPpm = side === 'sell' ? sellPpm : Math.max(buyPpm, sellPpm);
  if (taxPpm > LIMITS.transfers.capPpm) return { kind: 'tax-above-cap', taxPpm };
  if (mode === 'buy') return { kind: 'taxed-in-buy-mode' };
  return side === 'buy' && (scope === 'universal' || scope === 'sell-only') ? { kind: 'taxed-when-bought', scope } : null;
}

function lossyEnd(view: SnapshotView, id: number, verdict: TransferVerdict | null, side: Side): LossyEnd | null {
  const { address: token } = view.token(id);
  if (verdict?.kind === 'imprecise') return { token, loss: { ppm: 0, units: side === 'sell' ? ROUNDED_UNITS : BOUGHT_UNITS }, tax: null };
  if (verdict?.kind !== 'taxed') return null;
  const measuredPpm = side === 'sell' ? verdict.sellPpm : verdict.buyPpm;
  const loss = measuredPpm === 0 ? NO_LOSS : { ppm: modelledPpm(measuredPpm), units: 0 };
  return { token, loss, tax: { measuredPpm, scope: verdict.scope, block: view.verdictOf(id)?.block ?? view.block.number } };
}

/** Base units that one transfer of balances kept as shares rounds away at most. */
export const ROUNDED_UNITS = 2;
/** What is bought comes to the Router and goes on to the recipient; the fee may round a unit more away. */
const BOUGHT_UNITS = 2 * ROUNDED_UNITS + 1;

import type { Address, Wei } from '../units/units.ts';
import type { Decimal } from './decimal.ts';

/** A decoded trade request: every field valid on its own and with the others. Which chain is hosted is not decided here. */
export type TradeRequest = {
  readonly endpoint: 'quote' | 'swap';
  /** EIP-155 id, within int64: kept as bigint so that no id is rounded. */
  readonly chainId: bigint;
  readonly mode: 'sell' | 'buy';
  readonly sellToken: Address;
  readonly buyToken: Address;
  /** The amount that the mode uses: input for sell, target for buy. */
  readonly amount: Wei;
  /** Tolerance in percent after clamping to [0.00001, 50], exact. In `buy` decoded but not applied. */
  readonly slippage: Decimal;
  /** After clamping to 1 … 7; null when not sent. */
  readonly maxHops: number | null;
  /** gasPriceGwei in wei, rounded half up, at least 1; null when not sent. */
  readonly gasPriceWei: bigint | null;
  readonly taker: Address | null;
  /** As sent, else the taker. */
  readonly recipient: Address | null;
  /** As sent, also without feeBps. */
  readonly feeRecipient: Address | null;
  /** What the caller asked, before any policy; null when feeBps was not sent. */
  readonly requestFee: { readonly feeBps: number; readonly feeRecipient: Address } | null;
  /** 50 … 5000. */
  readonly timeLimitMs: number;
  readonly excludeRfq: boolean;
  readonly excludeRwa: boolean;
  /** Lower-case labels; null when not sent. At most one of the two is set. */
  readonly excludeVenues: readonly string[] | null;
  readonly includeVenues: readonly string[] | null;
  readonly userAddress: Address | null;
  /** Unix seconds, within int64: kept as bigint so that no deadline is rounded. null when not sent, and on quote. */
  readonly deadline: bigint | null;
  readonly funding: 'allowanceHolder' | 'permit2';
  /** The router and the allowance holder to use instead of ours; null unless developmentMode admits the parameters. */
  readonly overrides: { readonly router: Address | null; readonly allowanceHolder: Address | null };
  /** The caller's own text of the addresses that responses repeat (decisions R14). */
  readonly echo: AddressEcho;
};

export type AddressEcho = { readonly sellToken: string; readonly buyToken: string; readonly taker: string | null; readonly recipient: string | null };

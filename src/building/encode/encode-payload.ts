import { concatHex } from 'viem';
import { type Address, type Bps, NATIVE_TOKEN, type Wei } from '../../units/units.ts';
import { encodeRoute, type Leg } from './encode-route.ts';
import { type Hex, packAmount, packInteger } from './packed.ts';

/** Who gets the output above the quoted one (decisions B14). */
export type SurplusPolicy = 'protocol' | 'taker' | 'shared';

/** What a swap is sold as, and how it is done. Amounts in base units. */
export type SwapTerms = {
  readonly mode: 'sell' | 'buy';
  /** bytes32. */
  readonly tag: Hex;
  /** Unix seconds; the block's timestamp may not exceed it. */
  readonly deadline: bigint;
  readonly sellToken: Address;
  readonly buyToken: Address;
  readonly sellAmount: Wei;
  /** Quoted output, net of the fee. buy: what the recipient gets, exactly. */
  readonly buyAmount: Wei;
  /** The floor. buy: the contract takes buyAmount. */
  readonly minBuyAmount: Wei;
  readonly taker: Address;
  readonly recipient: Address;
  readonly fee: { readonly feeBps: Bps; readonly partner: Address; readonly partnerShareBps: Bps } | null;
  readonly surplus: SurplusPolicy;
  readonly legs: readonly Leg[];
};

const SURPLUS: Readonly<Record<SurplusPolicy, number>> = { protocol: 0, taker: 1, shared: 2 };

/** Bits of the first byte (contracts/lib/Terms.sol); bits 1 and 2 are the surplus policy. */
const BUY = 1 << 0;
const HAS_RECIPIENT = 1 << 3;
const HAS_FEE = 1 << 4;
const SELLS_NATIVE = 1 << 5;
const BUYS_NATIVE = 1 << 6;

/** The payload of one swap, packed: what can be known without it is left out. Throws RangeError on terms that do not fit their places. */
export function encodePayload(terms: SwapTerms): Hex {
  const { mode, sellToken, buyToken, recipient, fee } = terms;
  const sellsNative = sellToken === NATIVE_TOKEN;
  const buysNative = buyToken === NATIVE_TOKEN;
  const ownRecipient = recipient !== terms.taker;
  const flags =
    (mode === 'buy' ? BUY : 0) |
    (SURPLUS[terms.surplus] << 1) |
    (ownRecipient ? HAS_RECIPIENT : 0) |
    (fee === null ? 0 : HAS_FEE) |
    (sellsNative ? SELLS_NATIVE : 0) |
    (buysNative ? BUYS_NATIVE : 0);
  return concatHex([
    packInteger(flags, 1),
    packInteger(BigInt(terms.tag), 32),
    packAmount(terms.deadline),
    ...(sellsNative ? [] : [sellToken]),
    ...(buysNative ? [] : [buyToken]),
    packAmount(terms.sellAmount),
    packAmount(terms.buyAmount),
    ...(mode === 'buy' ? [] : [packAmount(terms.minBuyAmount)]),
    ...(ownRecipient ? [recipient] : []),
    ...(fee === null ? [] : [fee.partner, packInteger(fee.feeBps, 2), packInteger(fee.partnerShareBps, 2)]),
    encodeRoute(sellToken, buyToken, terms.legs),
  ]);
}

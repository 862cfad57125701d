import type { operations } from './openapi.gen.ts';

type QuoteQuery = operations['quote']['parameters']['query'];
type SwapQuery = operations['swap']['parameters']['query'];

/** 20 bytes as 0x-prefixed hex, in any letter case. */
type Address = QuoteQuery['sellToken'];

/** Base units. Never a number: beyond 2^53 that would be another amount. */
type Amount = bigint | string;

/** What /v1/quote takes. Members that are undefined are not sent. */
export type QuoteParameters = {
  readonly chainId: number | bigint;
  readonly sellToken: Address;
  /** 0xeeee…ee is the chain's native token, here and in sellToken. */
  readonly buyToken: Address;
  /** Percent: 0.5 means 0.50%. */
  readonly slippagePct?: number | string | undefined;
  readonly maxHops?: number | undefined;
  readonly gasPriceGwei?: number | string | undefined;
  readonly taker?: Address | undefined;
  readonly recipient?: Address | undefined;
  readonly feeBps?: number | undefined;
  readonly feeRecipient?: Address | undefined;
  readonly timeLimitMs?: number | undefined;
  readonly excludeRfq?: boolean | undefined;
  readonly excludeRwa?: boolean | undefined;
  /** Source labels, as the sources call lists them. */
  readonly excludeVenues?: readonly string[] | undefined;
  readonly includeVenues?: readonly string[] | undefined;
} & (
  | { readonly mode: 'sell'; readonly sellAmount: Amount; readonly buyAmount?: Amount | undefined }
  | { readonly mode: 'buy'; readonly buyAmount: Amount; readonly sellAmount?: Amount | undefined }
);

/** What /v1/swap takes. */
export type SwapParameters = QuoteParameters & {
  readonly taker: Address;
  readonly userAddress?: Address | undefined;
  /** Unix seconds. */
  readonly deadline?: number | bigint | undefined;
  readonly funding?: SwapQuery['funding'] | undefined;
};

/** Parameters as the text that goes over the wire. Throws TypeError on an amount that is a number, which only a program without types can send. */
export function toQuery(parameters: SwapParameters): SwapQuery;
export function toQuery(parameters: QuoteParameters): QuoteQuery;
export function toQuery(parameters: QuoteParameters | SwapParameters): QuoteQuery | SwapQuery {
  const texts: Record<string, string> = {};
  for (const [name, value] of Object.entries(parameters)) {
    if (value === undefined) continue;
    if (typeof value === 'number' && (name === 'sellAmount' || name === 'buyAmount'))
      throw new TypeError(`${name} must be a bigint or a text: a number loses digits`);
    texts[name] = Array.isArray(value) ? value.join(',') : String(value);
  }
  // The document says what the texts stand for.
  return texts as unknown as QuoteQuery;
}

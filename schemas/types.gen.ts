// Generated from schemas/*.schema.json by `npm run generate`. Do not edit.

/**
 * A 20-byte address, in any letter case.
 */
export type Address = string;
/**
 * A token amount in base units, exact.
 */
export type Wei = string;
/**
 * Bytes as 0x-prefixed hex.
 */
export type HexData = string;
/**
 * sell: exact input. buy: exact output.
 */
export type TradeMode = 'sell' | 'buy';
/**
 * A uuid in lower-case hex.
 */
export type Uuid = string;
/**
 * A share in basis points: 10000 are the whole.
 */
export type Bps = number;
/**
 * A family label, or family:variant.
 */
export type VenueLabel = string;

/**
 * Query parameters of /v1/quote and /v1/swap as text, before decoding. Patterns are anchored and linear; lengths are checked first. Unknown names never get here. The swap-only parameters are left out on /v1/quote. x-value is what the text stands for, as the published document says it.
 */
export interface TradeQuery {
  /**
   * EIP-155 chain id. A chain that is not hosted answers 404.
   */
  chainId: string;
  /**
   * sell: exact in, fix sellAmount and maximise the output. buy: exact out, fix buyAmount and minimise the input.
   */
  mode: 'sell' | 'buy';
  /**
   * Token to sell, or the native sentinel 0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee.
   */
  sellToken: string;
  /**
   * Token to buy, or the native sentinel. Must differ from sellToken.
   */
  buyToken: string;
  /**
   * Input in base units, 1 to 2^256-1. Required when mode=sell.
   */
  sellAmount?: string;
  /**
   * Target output in base units, 1 to 2^256-1. Required when mode=buy.
   */
  buyAmount?: string;
  /**
   * Tolerance in percent (0.5 means 0.50%), clamped to [0.00001, 50]. Default 0.5. Sets minBuyAmount in sell; ignored in buy.
   */
  slippagePct?: string;
  /**
   * Hop depth, clamped to [1, 7]. Default by size in USD: 2 below 25,000; 3 from 25,000; 4 from 250,000; 6 from 10,000,000; when no route is found, one deeper, up to 4. An explicit value is never deepened.
   */
  maxHops?: string;
  /**
   * Gas price in gwei that values gas while solving and in gasUsd. Default: the head's base fee, at least the chain's minimum gas price.
   */
  gasPriceGwei?: string;
  /**
   * Wallet that holds and sends the input. Required on /v1/swap.
   */
  taker?: string;
  /**
   * Wallet that receives the output. Default: the taker.
   */
  recipient?: string;
  /**
   * Integrator's volume fee in basis points of the buy token, 0 to 1500. Requires feeRecipient. Ignored when the API key carries a fee policy.
   */
  feeBps?: string;
  /**
   * Receives the integrator's part of the fee (85%). Required when feeBps is sent.
   */
  feeRecipient?: string;
  /**
   * Time budget in milliseconds from arrival, 50 to 5000. Default 5000. Below 300, venues priced off-chain are left out.
   */
  timeLimitMs?: string;
  /**
   * true: no venue priced by an off-chain quote (RFQ makers, attested hooks). Default false.
   */
  excludeRfq?: string;
  /**
   * true: no real-world-asset venue. Default false.
   */
  excludeRwa?: string;
  /**
   * Comma-separated source labels to leave out, in any letter case; may repeat. A family label stands for its variants too. Unknown labels are ignored. Not together with includeVenues.
   */
  excludeVenues?: string;
  /**
   * Comma-separated source labels to route through exclusively; may repeat. Not together with excludeVenues.
   */
  includeVenues?: string;
  /**
   * Swap only. The end user on whose behalf the swap is requested. Default: the taker.
   */
  userAddress?: string;
  /**
   * Swap only. Transaction deadline in unix seconds. Default about now + 20 minutes; capped at the earliest maker expiry.
   */
  deadline?: string;
  /**
   * Swap only. How the taker authorises the pull of the sell token. Default allowanceHolder. Native sells ignore it.
   */
  funding?: 'allowanceHolder' | 'permit2';
}
/**
 * One hop of a route, in execution order.
 */
export interface RouteHop {
  /**
   * Pool contract; the singleton of singleton-style venues; the zero address for WRAP.
   */
  poolAddress: Address;
  /**
   * Protocol family label; WRAP for the synthetic native-wrap hop.
   */
  protocol: VenueLabel;
  /**
   * Venue label of the leg: equals protocol, or family:variant for hooked pools.
   */
  source: VenueLabel;
  /**
   * Hook of a hooked pool, else null.
   */
  hook: Address | null;
  /**
   * Hop input token.
   */
  tokenIn: Address;
  /**
   * Hop output token.
   */
  tokenOut: Address;
  /**
   * Exact planned input.
   */
  amountIn: Wei;
  /**
   * Exact planned output.
   */
  amountOut: Wei;
  /**
   * Share of what is left of tokenIn when the hop's turn comes; 10000 takes all. Not a share of the trade.
   */
  bps: Bps;
}
/**
 * The volume fee, in base units of the buy token.
 */
export interface FeeBreakdown {
  /**
   * Total fee in basis points of the gross output.
   */
  feeBps: Bps;
  /**
   * Always the buy token.
   */
  feeToken: Address;
  /**
   * Total fee.
   */
  feeAmount: Wei;
  /**
   * The partner's part.
   */
  partnerAmount: Wei;
  /**
   * The protocol's part.
   */
  protocolAmount: Wei;
  /**
   * The partner's share of the fee.
   */
  partnerShareBps: Bps;
  /**
   * Receives the partner part.
   */
  partner: Address;
}
/**
 * An advisory. The response stays executable.
 */
export interface SwapWarning {
  /**
   * What degraded.
   */
  code: 'RFQ_FIRMUP_FAILED' | 'HOOK_ATTESTATION_UNAVAILABLE' | 'STALE_STATE_RESOLVED' | 'FEE_ON_TRANSFER' | 'HIGH_PRICE_IMPACT';
  /**
   * Human-readable reason.
   */
  detail: string;
}
/**
 * Body of /v1/quote; also the top level of /v1/swap.
 */
export interface QuoteResponse {
  /**
   * Unique per response. Its 16 bytes are the high bytes of the tag in the on-chain Swap event.
   */
  quoteId: Uuid;
  /**
   * EIP-155 chain id.
   */
  chainId: number;
  /**
   * Echo of the mode.
   */
  mode: TradeMode;
  /**
   * Echo, in the caller's own letters.
   */
  sellToken: Address;
  /**
   * Echo, in the caller's own letters.
   */
  buyToken: Address;
  /**
   * sell: the request, leading zeros dropped. buy: the solved input.
   */
  sellAmount: Wei;
  /**
   * Exact output, net of any fee, gross of gas. buy: exactly the target.
   */
  buyAmount: Wei;
  /**
   * The floor enforced on-chain. sell: buyAmount after slippagePct, rounded down. buy: equal to buyAmount.
   */
  minBuyAmount: Wei;
  /**
   * Tolerance applied, in percent, after clamping. 0 in buy.
   */
  slippagePct: {readonly jsonNumber: string};
  /**
   * USD value of sellAmount, 12 significant digits. Null when unpriced.
   */
  amountInUsd: number | null;
  /**
   * USD value of buyAmount, 12 significant digits. Null when unpriced.
   */
  amountOutUsd: number | null;
  /**
   * amountOutUsd / amountInUsd: 1 means no value lost. Null when either is unpriced.
   */
  priceImpact: number | null;
  /**
   * Estimated gas units of the plan; not a gas limit.
   */
  gas: number;
  /**
   * Gas price that valued gas, in wei. May exceed 2^53: parse as a big integer. Null when unknown.
   */
  gasPriceWei: bigint | null;
  /**
   * USD value of gas times gasPriceWei, 12 significant digits. Null when unpriced.
   */
  gasUsd: number | null;
  /**
   * blind: no gas price was known. guardrail, prune: gas-aware solving.
   */
  gasMode: 'blind' | 'guardrail' | 'prune';
  /**
   * Hop depth actually used.
   */
  maxHops: number;
  /**
   * Block whose state the solve was pinned to.
   */
  blockNumber: number;
  /**
   * Omitted when no fee applies.
   */
  fee?: FeeBreakdown;
  /**
   * Echo. Null when not sent.
   */
  taker: Address | null;
  /**
   * Output recipient; the taker by default. Null when neither was sent.
   */
  recipient: Address | null;
  /**
   * Contract that the taker must approve for sellToken. Null for native sells.
   */
  allowanceTarget: Address | null;
  /**
   * Every hop of every split, in execution order.
   *
   * @minItems 1
   */
  route: RouteHop[];
  /**
   * Quote-level advisories. Omitted when empty.
   *
   * @minItems 1
   */
  warnings?: SwapWarning[];
}
/**
 * The executable transaction. No gas limit: estimate it before sending, and add a fifth, since a pool's first swap in a block needs more gas than a later one.
 */
export interface Transaction {
  /**
   * The taker.
   */
  from: Address | null;
  /**
   * The router, or the allowance holder for ERC-20 sells funded through it.
   */
  to: Address;
  /**
   * Calldata.
   */
  data: HexData;
  /**
   * Native value to attach: sellAmount for native sells, else 0.
   */
  value: Wei;
}
/**
 * What the taker signs with funding=permit2.
 */
export interface Permit2Approval {
  type: 'Permit2';
  /**
   * EIP-712 digest of eip712.
   */
  hash: HexData;
  /**
   * Typed data for eth_signTypedData_v4.
   */
  eip712: {
    types: {
      [k: string]: unknown;
    };
    domain: {
      [k: string]: unknown;
    };
    message: {
      [k: string]: unknown;
    };
    primaryType: string;
  };
  /**
   * Byte offset into the 0x-decoded transaction.data where the signature goes.
   */
  signatureOffset: number;
  /**
   * Signature bytes.
   */
  signatureLength: 65;
}
/**
 * Body of /v1/swap: the members of QuoteResponse at the top level, and the transaction.
 */
export interface SwapResponse {
  /**
   * Unique per response. Its 16 bytes are the high bytes of the tag in the on-chain Swap event.
   */
  quoteId: Uuid;
  /**
   * EIP-155 chain id.
   */
  chainId: number;
  /**
   * Echo of the mode.
   */
  mode: TradeMode;
  /**
   * Echo, in the caller's own letters.
   */
  sellToken: Address;
  /**
   * Echo, in the caller's own letters.
   */
  buyToken: Address;
  /**
   * sell: the request, leading zeros dropped. buy: the solved input.
   */
  sellAmount: Wei;
  /**
   * Exact output, net of any fee, gross of gas. buy: exactly the target.
   */
  buyAmount: Wei;
  /**
   * The floor enforced on-chain. sell: buyAmount after slippagePct, rounded down. buy: equal to buyAmount.
   */
  minBuyAmount: Wei;
  /**
   * Tolerance applied, in percent, after clamping. 0 in buy.
   */
  slippagePct: {readonly jsonNumber: string};
  /**
   * USD value of sellAmount, 12 significant digits. Null when unpriced.
   */
  amountInUsd: number | null;
  /**
   * USD value of buyAmount, 12 significant digits. Null when unpriced.
   */
  amountOutUsd: number | null;
  /**
   * amountOutUsd / amountInUsd: 1 means no value lost. Null when either is unpriced.
   */
  priceImpact: number | null;
  /**
   * Estimated gas units of the plan; not a gas limit.
   */
  gas: number;
  /**
   * Gas price that valued gas, in wei. May exceed 2^53: parse as a big integer. Null when unknown.
   */
  gasPriceWei: bigint | null;
  /**
   * USD value of gas times gasPriceWei, 12 significant digits. Null when unpriced.
   */
  gasUsd: number | null;
  /**
   * blind: no gas price was known. guardrail, prune: gas-aware solving.
   */
  gasMode: 'blind' | 'guardrail' | 'prune';
  /**
   * Hop depth actually used.
   */
  maxHops: number;
  /**
   * Block whose state the solve was pinned to.
   */
  blockNumber: number;
  /**
   * Omitted when no fee applies.
   */
  fee?: FeeBreakdown;
  /**
   * Echo. Null when not sent.
   */
  taker: Address | null;
  /**
   * Output recipient; the taker by default. Null when neither was sent.
   */
  recipient: Address | null;
  /**
   * Contract that the taker must approve for sellToken. Null for native sells.
   */
  allowanceTarget: Address | null;
  /**
   * Every hop of every split, in execution order.
   *
   * @minItems 1
   */
  route: RouteHop[];
  /**
   * The executable transaction.
   */
  transaction: Transaction;
  /**
   * Effective deadline in unix seconds, as encoded in the calldata. May exceed 2^53.
   */
  deadline: bigint;
  /**
   * Last second at which the makers' orders of the route hold, in unix seconds: 2^63-1 where they hold for longer than can be said. May exceed 2^53. Omitted without a firm RFQ leg.
   */
  rfqExpiry?: bigint;
  /**
   * Share of the gross output that can drift until settlement. Only on sell with firm RFQ legs.
   */
  driftExposedShareBps?: Bps;
  /**
   * Omitted unless funding=permit2.
   */
  permit2?: Permit2Approval;
  /**
   * Degradations hit while building this swap, taxed tokens included. Omitted when empty.
   *
   * @minItems 1
   */
  warnings?: SwapWarning[];
}
/**
 * Body of every JSON refusal. Branch on the status, never on the text.
 */
export interface ErrorBody {
  /**
   * Human-readable message. Must not be parsed.
   */
  error: string;
  /**
   * Present only on admission-control refusals.
   */
  code?: 'rate_limited' | 'overloaded';
  /**
   * Present alongside code; equals the Retry-After header.
   */
  retryAfterSeconds?: number;
}
/**
 * Liveness of the service and of each hosted chain.
 */
export interface HealthResponse {
  /**
   * degraded when a hosted chain has fallen behind or is still coming up.
   */
  status: 'ok' | 'degraded';
  /**
   * One entry per hosted chain.
   */
  chains: ChainHealth[];
}
export interface ChainHealth {
  /**
   * Canonical chain name.
   */
  chain: string;
  healthy: boolean;
  /**
   * Not contractual.
   */
  [k: string]: string | number | boolean | null;
}
/**
 * The venue labels routable on a chain.
 */
export interface SourcesResponse {
  /**
   * EIP-155 chain id.
   */
  chainId: number;
  /**
   * Canonical chain name.
   */
  chain: string;
  /**
   * Unique, sorted by code unit.
   */
  sources: VenueLabel[];
}
/**
 * The configuration file. Environment variables win over it.
 */
export interface ConfigFile {
  /**
   * Address that the public listener binds. Default 127.0.0.1.
   */
  host?: string;
  /**
   * Public port. Default 8080; 0 picks a free one.
   */
  port?: number;
  /**
   * Internal port, on loopback. Default 9090; 0 picks a free one.
   */
  internalPort?: number;
  /**
   * How old a committed head may be before requests for its chain answer 503, in milliseconds. Default: what the catalogue says of the chain, 60000 for Ethereum and 30000 for the others.
   */
  freshnessBoundMs?: number;
  /**
   * Admits the routerAddress and allowanceHolderAddress parameters. Default false.
   */
  developmentMode?: boolean;
  /**
   * Trusted proxies in front: how many hops, or their addresses as CIDR blocks. Default none.
   */
  trustProxy?: number | string[];
  /**
   * Path of the key file, relative to this file.
   */
  keysFile?: string;
  /**
   * Directory, relative to this file, in which what is known of each chain is kept, so that a restart goes on from there, and in which blocks contracts were made. It is made where it is not there. Default: nothing is kept, and each start reads its chains anew.
   */
  checkpointDirectory?: string;
  /**
   * Receives the protocol's part of fees.
   */
  feeCollector?: Address;
  /**
   * Solver threads. Default: available processors less one, at least one.
   */
  solverThreads?: number;
  /**
   * The chains to host.
   *
   * @minItems 1
   * @maxItems 64
   */
  chains: ChainEntry[];
}
export interface ChainEntry {
  /**
   * Name or alias of the chain in the catalogue, for example base. In the place of chainId.
   */
  chain?: string;
  /**
   * EIP-155 chain id. Of a chain that the catalogue does not know, wrappedNative and deployments have to be there too.
   */
  chainId?: number;
  /**
   * Nodes, in order of preference. In a URL ${NAME} stands for a variable of the environment, ${file:PATH} for what a file holds, relative to this one: keys belong there.
   *
   * @minItems 1
   * @maxItems 16
   */
  rpcUrls: string[];
  /**
   * The wrapped native token, where the catalogue does not know it.
   */
  wrappedNative?: Address;
  /**
   * Floor of the gas price. Default: the catalogue.
   */
  minimumGasPriceWei?: Wei;
  /**
   * Overrides freshnessBoundMs for this chain.
   */
  freshnessBoundMs?: number;
  /**
   * Families of the catalogue to index, for example uniswap_v3. Default: all that it knows of the chain, and none where deployments lists some.
   *
   * @maxItems 64
   */
  venues?: string[];
  /**
   * Further deployments to index, for example vaults, or factories that the catalogue does not know.
   *
   * @maxItems 1024
   */
  deployments?: DeploymentEntry[];
  prices?: PricesEntry;
  /**
   * The service's router.
   */
  router?: Address;
  /**
   * The service's allowance holder.
   */
  allowanceHolder?: Address;
  /**
   * Source labels that are routed through only for API keys that name them, for example a partner's own deployment. A family label stands for its variants. Default none.
   *
   * @maxItems 256
   */
  gatedVenues?: string[];
  /**
   * File with a token list (tokenlists.org), relative to this file. Where the node gives no ranges of logs, pools are found by the pairs of its tokens of this chain, at most 1,000. Default: Uniswap's default list.
   */
  tokenList?: string;
  /**
   * Tokens whose transfers are trusted to be plain between measurements that are further apart than a block, and where the node can not measure. The wrapped native token is always one. Default: the catalogue's dollar tokens.
   *
   * @maxItems 1024
   */
  wellKnownTokens?: Address[];
  minimumLiquidity?: MinimumLiquidityEntry;
  /**
   * For how many blocks after its own a measured verdict about a token's transfers serves; an older one is measured anew before an answer relies on it. Default: one. Where blocks come faster than a token can be measured, those of two seconds are a good choice: 8 on Arbitrum, 3 on Sonic, 2 on BNB Smart Chain.
   */
  verdictBlocks?: number;
  /**
   * Which tokens a route may lead through, between the two of a request: those of wellKnownTokens, or also those that were measured clean. Measuring shows what a token does at some of its pools now; one that is made to deceive can still stop swaps through it, at no loss but their gas. Default: listed.
   */
  routeThrough?: 'listed' | 'measured';
  switchedOff?: SwitchedOffEntry;
  /**
   * Makers that are asked for prices and for signed orders. Nobody else is asked, and no other address than these. Default none.
   *
   * @maxItems 64
   */
  makers?: MakerEntry[];
  /**
   * Who is asked for the attestations without which hooks let nobody swap. Pools of a hook that nobody attests are not routed. Default none.
   *
   * @maxItems 8
   */
  attesters?: AttesterEntry[];
  /**
   * Issuers of real-world assets, which are asked for quotes and for attestations, and whose assets only keys with the approval trade. Nobody else is asked, and no other address than these. Default none.
   *
   * @maxItems 16
   */
  issuers?: IssuerEntry[];
  /**
   * AirSwap's registry on the chain, by which makers are found that have no signer here, or a staker. Nobody is asked whose origin is not among makers. Default none.
   */
  makerRegistry?: string;
}
export interface DeploymentEntry {
  /**
   * Folder in src/venues.
   */
  venue: string;
  /**
   * Family label of its pools.
   */
  family: string;
  /**
   * Factory contract.
   */
  factory: Address;
  /**
   * First block whose logs can matter. Default: the one in which the contract was made, which is looked for once.
   */
  fromBlock?: number;
}
/**
 * What USD prices start from. Default: what the catalogue knows of the chain.
 */
export interface PricesEntry {
  /**
   * Price feeds of tokens, in the place of the catalogue's. Of several for one token the first that can be used counts.
   *
   * @maxItems 256
   */
  feeds?: PriceFeedEntry[];
  /**
   * Tokens that are a dollar as long as pools to tokens with a feed do not say otherwise, in the place of the catalogue's.
   *
   * @maxItems 256
   */
  stablecoins?: Address[];
  /**
   * A pool prices a token where it takes at least so much to move its price by 2%. Default 1000.
   */
  minimumDepthUsd?: number;
}
export interface PriceFeedEntry {
  /**
   * The token; for the native token its wrapped form.
   */
  token: Address;
  /**
   * Contract with the face of Chainlink's AggregatorV3, in USD for a whole token.
   */
  feed: Address;
  /**
   * Contract that says whether the rollup's sequencer works (Chainlink's L2 sequencer uptime feed). While it says no, and of what was answered before it said yes again, nothing is used. Default none.
   */
  sequencer?: Address;
  /**
   * An answer older than this by the block's time is not used: the feed's own heartbeat and some more.
   */
  maximumAgeSeconds: number;
  /**
   * An answer below is not used.
   */
  minimumUsd: number;
  /**
   * An answer above is not used.
   */
  maximumUsd: number;
}
/**
 * Pools that hold less are followed by their logs, counted and not solved with; each comes in with the change that makes it large enough. What counts is how much of one of these tokens swaps can put into a pool, or take out of it, before its price has halved: of a constant product about two fifths of its reserve. One token that is enough is enough; pools that trade none of them are not judged. Default: no pool is too small.
 */
export interface MinimumLiquidityEntry {
  /**
   * US dollars of a well-known token that has a price; a token is not judged by it while it never had one.
   */
  usd?: number;
  /**
   * Whole tokens, by the token's address: for these in the place of usd, without a price.
   */
  tokens?: {
    [k: string]: number;
  };
}
/**
 * What is not routed through and not listed, until it is switched on at run time. Default nothing.
 */
export interface SwitchedOffEntry {
  /**
   * Source labels. A family label stands for its variants.
   *
   * @maxItems 1024
   */
  venues?: string[];
  /**
   * Pools: their addresses, or the ids by which their singletons know them.
   *
   * @maxItems 1024
   */
  pools?: string[];
}
export interface MakerEntry {
  /**
   * By which they quote and sign: a venue that prices off the chain.
   */
  protocol: 'airswap';
  /**
   * Label of metrics and logs; unique on the chain.
   */
  name: string;
  /**
   * Where they answer, http or https. Redirects are not followed. Of a maker that the registry lists, without a path: the registry has that.
   */
  url: string;
  /**
   * The contract that settles their orders.
   */
  contract: string;
  /**
   * The wallet whose orders are taken: no other one's is. A maker without it is served while makerRegistry lists its origin, and signs with the wallet that listed it.
   */
  signer?: string;
  /**
   * Whose entry in makerRegistry counts for this maker, which is then served only while that is there. Without it, and without a signer: that of whoever lists the origin, where that is one alone.
   */
  staker?: string;
  /**
   * Whether the maker only screens the wallet that swaps, and meters nobody: it is then told the taker, and never the userAddress of a request. Default false.
   */
  screens?: boolean;
}
export interface AttesterEntry {
  /**
   * By which they are asked: that of a hook.
   */
  protocol: 'angstrom';
  /**
   * Label of metrics and logs; unique on the chain, makers included.
   */
  name: string;
  /**
   * Where they answer, the path included, http or https. Redirects are not followed.
   */
  url: string;
  /**
   * The hook that is shown what they sign.
   */
  hook: string;
  /**
   * What they know the service by, sent as x-api-key: ${NAME} of the environment, or ${file:PATH}.
   */
  apiKey?: string;
}
export interface IssuerEntry {
  /**
   * By which they quote and attest: a venue of real-world assets.
   */
  protocol: 'ondo';
  /**
   * Label of metrics and logs; unique among the chain's makers and issuers.
   */
  name: string;
  /**
   * Where they answer, http or https. Redirects are not followed.
   */
  url: string;
  /**
   * Sent with every request as x-api-key. `${NAME}` stands for a variable of the environment, or for the text of a file. Default none.
   */
  apiKey?: string;
  /**
   * The contract that mints and redeems. The Router has to be registered there as a user of whoever has the key.
   */
  contract: string;
  /**
   * The account whose attestations are taken: no other one's is.
   */
  signer: string;
  /**
   * The issuer's dollar token, for which assets are minted and redeemed; of 18 decimals, as the assets are.
   */
  dollar: string;
  /**
   * What the issuer calls the chain. Default the chain's name and id, for example ethereum-1.
   */
  chain?: string;
  /**
   * What it issues. Each counts as a well-known token.
   *
   * @minItems 1
   * @maxItems 64
   */
  assets: AssetEntry[];
}
export interface AssetEntry {
  /**
   * What the issuer calls it.
   */
  symbol: string;
  token: string;
  /**
   * Sizes that are asked for, in whole assets, the smallest first: how far and how finely its price is known. Default 1, 10, 100 and 1000.
   *
   * @minItems 1
   * @maxItems 16
   */
  sizes?: string[];
}
/**
 * Registered API keys. Holds digests, never secrets.
 */
export interface KeyFile {
  /**
   * @maxItems 100000
   */
  keys: KeyEntry[];
}
export interface KeyEntry {
  /**
   * The 8 characters after braid_live_.
   */
  id: string;
  /**
   * SHA-256 of the secret part, lower-case hex.
   */
  secretHash: string;
  /**
   * Sustained requests per second.
   */
  rps: number;
  feePolicy?: KeyFeePolicy;
  /**
   * Attribution: its hash is in the on-chain tag.
   */
  partnerId: string;
  /**
   * Where output above the quoted amount goes.
   */
  surplus: 'protocol' | 'taker' | 'shared';
  /**
   * Source labels of gated venues that the key may use.
   *
   * @maxItems 256
   */
  gatedVenues: string[];
  /**
   * When the key was issued, RFC 3339 in UTC.
   */
  created: string;
  /**
   * When it was revoked; null while it is valid.
   */
  revoked: string | null;
}
/**
 * Replaces the anonymous fee and any fee in the request. 0 bps: no fee. Absent: the fee of the request, or none.
 */
export interface KeyFeePolicy {
  feeBps: number;
  /**
   * Receives the partner part.
   */
  partner: Address;
  /**
   * The partner's share of the fee.
   */
  partnerShareBps: Bps;
}
/**
 * A list of tokens, as tokenlists.org describes such lists: of each token its chain and address are read, and nothing else.
 */
export interface TokenList {
  /**
   * Tokens of any chains.
   *
   * @maxItems 100000
   */
  tokens: ListedToken[];
}
export interface ListedToken {
  /**
   * EIP-155 chain id.
   */
  chainId: number;
  /**
   * The token.
   */
  address: Address;
}

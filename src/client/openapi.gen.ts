// Generated from schemas/openapi.json by `npm run client`. Do not edit.
// SHA-256 of the document: c2e77adc4c28e6545c12911d52cd71dedbde6ec9c3dbbbe2a98a5ba53e808de5

export interface paths {
    readonly "/v1/quote": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Price a trade
         * @description Finds the best route at the current block and returns exact integer amounts. Nothing is reserved or stored: to execute, ask /v1/swap straight away, which solves anew.
         */
        readonly get: operations["quote"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/swap": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Price a trade and return an executable transaction
         * @description Prices as /v1/quote, certifies the route on the newest block and encodes it. The transaction reverts where it would deliver less than minBuyAmount, and after its deadline. Estimate its gas right before sending: that is the last check.
         */
        readonly get: operations["swap"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/{chain}/sources": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * List the venue labels routable on a chain
         * @description The labels that excludeVenues and includeVenues take. The list grows: read it, do not keep it in a program.
         */
        readonly get: operations["sources"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/healthz": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Report liveness
         * @description Takes no key and costs nothing of a budget. A degraded service answers 503 with the same body, which says which chain is behind.
         */
        readonly get: operations["healthz"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /**
         * Address
         * @description A 20-byte address, in any letter case.
         */
        readonly Address: `0x${string}`;
        /**
         * Wei
         * @description A token amount in base units, exact.
         */
        readonly Wei: string;
        /**
         * HexData
         * @description Bytes as 0x-prefixed hex.
         */
        readonly HexData: `0x${string}`;
        /**
         * TradeMode
         * @description sell: exact input. buy: exact output.
         * @enum {string}
         */
        readonly TradeMode: "sell" | "buy";
        /**
         * Uuid
         * @description A uuid in lower-case hex.
         */
        readonly Uuid: string;
        /**
         * Bps
         * @description A share in basis points: 10000 are the whole.
         */
        readonly Bps: number;
        /**
         * VenueLabel
         * @description A family label, or family:variant.
         */
        readonly VenueLabel: string;
        /**
         * RouteHop
         * @description One hop of a route, in execution order.
         */
        readonly RouteHop: {
            /** @description Pool contract; the singleton of singleton-style venues; the zero address for WRAP. */
            readonly poolAddress: components["schemas"]["Address"];
            /** @description Protocol family label; WRAP for the synthetic native-wrap hop. */
            readonly protocol: components["schemas"]["VenueLabel"];
            /** @description Venue label of the leg: equals protocol, or family:variant for hooked pools. */
            readonly source: components["schemas"]["VenueLabel"];
            /** @description Hook of a hooked pool, else null. */
            readonly hook: components["schemas"]["Address"] | null;
            /** @description Hop input token. */
            readonly tokenIn: components["schemas"]["Address"];
            /** @description Hop output token. */
            readonly tokenOut: components["schemas"]["Address"];
            /** @description Exact planned input. */
            readonly amountIn: components["schemas"]["Wei"];
            /** @description Exact planned output. */
            readonly amountOut: components["schemas"]["Wei"];
            /** @description Share of what is left of tokenIn when the hop's turn comes; 10000 takes all. Not a share of the trade. */
            readonly bps: components["schemas"]["Bps"];
        };
        /**
         * FeeBreakdown
         * @description The volume fee, in base units of the buy token.
         */
        readonly FeeBreakdown: {
            /** @description Total fee in basis points of the gross output. */
            readonly feeBps: components["schemas"]["Bps"];
            /** @description Always the buy token. */
            readonly feeToken: components["schemas"]["Address"];
            /** @description Total fee. */
            readonly feeAmount: components["schemas"]["Wei"];
            /** @description The partner's part. */
            readonly partnerAmount: components["schemas"]["Wei"];
            /** @description The protocol's part. */
            readonly protocolAmount: components["schemas"]["Wei"];
            /** @description The partner's share of the fee. */
            readonly partnerShareBps: components["schemas"]["Bps"];
            /** @description Receives the partner part. */
            readonly partner: components["schemas"]["Address"];
        };
        /**
         * SwapWarning
         * @description An advisory. The response stays executable.
         */
        readonly SwapWarning: {
            /**
             * @description What degraded.
             * @enum {string}
             */
            readonly code: "RFQ_FIRMUP_FAILED" | "HOOK_ATTESTATION_UNAVAILABLE" | "STALE_STATE_RESOLVED" | "FEE_ON_TRANSFER" | "HIGH_PRICE_IMPACT";
            /** @description Human-readable reason. */
            readonly detail: string;
        };
        /**
         * QuoteResponse
         * @description Body of /v1/quote; also the top level of /v1/swap.
         */
        readonly QuoteResponse: {
            /** @description Unique per response. Its 16 bytes are the high bytes of the tag in the on-chain Swap event. */
            readonly quoteId: components["schemas"]["Uuid"];
            /**
             * Format: int64
             * @description EIP-155 chain id.
             */
            readonly chainId: number;
            /** @description Echo of the mode. */
            readonly mode: components["schemas"]["TradeMode"];
            /** @description Echo, in the caller's own letters. */
            readonly sellToken: components["schemas"]["Address"];
            /** @description Echo, in the caller's own letters. */
            readonly buyToken: components["schemas"]["Address"];
            /** @description sell: the request, leading zeros dropped. buy: the solved input. */
            readonly sellAmount: components["schemas"]["Wei"];
            /** @description Exact output, net of any fee, gross of gas. buy: exactly the target. */
            readonly buyAmount: components["schemas"]["Wei"];
            /** @description The floor enforced on-chain. sell: buyAmount after slippagePct, rounded down. buy: equal to buyAmount. */
            readonly minBuyAmount: components["schemas"]["Wei"];
            /** @description Tolerance applied, in percent, after clamping. 0 in buy. */
            readonly slippagePct: number;
            /** @description USD value of sellAmount, 12 significant digits. Null when unpriced. */
            readonly amountInUsd: number | null;
            /** @description USD value of buyAmount, 12 significant digits. Null when unpriced. */
            readonly amountOutUsd: number | null;
            /** @description amountOutUsd / amountInUsd: 1 means no value lost. Null when either is unpriced. */
            readonly priceImpact: number | null;
            /**
             * Format: int64
             * @description Estimated gas units of the plan; not a gas limit.
             */
            readonly gas: number;
            /** @description Gas price that valued gas, in wei. May exceed 2^53: parse as a big integer. Null when unknown. */
            readonly gasPriceWei: bigint | null;
            /** @description USD value of gas times gasPriceWei, 12 significant digits. Null when unpriced. */
            readonly gasUsd: number | null;
            /**
             * @description blind: no gas price was known. guardrail, prune: gas-aware solving.
             * @enum {string}
             */
            readonly gasMode: "blind" | "guardrail" | "prune";
            /** @description Hop depth actually used. */
            readonly maxHops: number;
            /**
             * Format: int64
             * @description Block whose state the solve was pinned to.
             */
            readonly blockNumber: number;
            /** @description Omitted when no fee applies. */
            readonly fee?: components["schemas"]["FeeBreakdown"];
            /** @description Echo. Null when not sent. */
            readonly taker: components["schemas"]["Address"] | null;
            /** @description Output recipient; the taker by default. Null when neither was sent. */
            readonly recipient: components["schemas"]["Address"] | null;
            /** @description Contract that the taker must approve for sellToken. Null for native sells. */
            readonly allowanceTarget: components["schemas"]["Address"] | null;
            /** @description Every hop of every split, in execution order. */
            readonly route: readonly components["schemas"]["RouteHop"][];
            /** @description Quote-level advisories. Omitted when empty. */
            readonly warnings?: readonly components["schemas"]["SwapWarning"][];
        };
        /**
         * Transaction
         * @description The executable transaction. No gas limit: estimate it before sending, and add a fifth, since a pool's first swap in a block needs more gas than a later one.
         */
        readonly Transaction: {
            /** @description The taker. */
            readonly from: components["schemas"]["Address"] | null;
            /** @description The router, or the allowance holder for ERC-20 sells funded through it. */
            readonly to: components["schemas"]["Address"];
            /** @description Calldata. */
            readonly data: components["schemas"]["HexData"];
            /** @description Native value to attach: sellAmount for native sells, else 0. */
            readonly value: components["schemas"]["Wei"];
        };
        /**
         * Permit2Approval
         * @description What the taker signs with funding=permit2.
         */
        readonly Permit2Approval: {
            /** @constant */
            readonly type: "Permit2";
            /** @description EIP-712 digest of eip712. */
            readonly hash: components["schemas"]["HexData"];
            /** @description Typed data for eth_signTypedData_v4. */
            readonly eip712: {
                readonly types: {
                    readonly [key: string]: unknown;
                };
                readonly domain: {
                    readonly [key: string]: unknown;
                };
                readonly message: {
                    readonly [key: string]: unknown;
                };
                readonly primaryType: string;
            };
            /** @description Byte offset into the 0x-decoded transaction.data where the signature goes. */
            readonly signatureOffset: number;
            /**
             * @description Signature bytes.
             * @constant
             */
            readonly signatureLength: 65;
        };
        /**
         * SwapResponse
         * @description Body of /v1/swap: the members of QuoteResponse at the top level, and the transaction.
         */
        readonly SwapResponse: {
            /** @description Unique per response. Its 16 bytes are the high bytes of the tag in the on-chain Swap event. */
            readonly quoteId: components["schemas"]["Uuid"];
            /**
             * Format: int64
             * @description EIP-155 chain id.
             */
            readonly chainId: number;
            /** @description Echo of the mode. */
            readonly mode: components["schemas"]["TradeMode"];
            /** @description Echo, in the caller's own letters. */
            readonly sellToken: components["schemas"]["Address"];
            /** @description Echo, in the caller's own letters. */
            readonly buyToken: components["schemas"]["Address"];
            /** @description sell: the request, leading zeros dropped. buy: the solved input. */
            readonly sellAmount: components["schemas"]["Wei"];
            /** @description Exact output, net of any fee, gross of gas. buy: exactly the target. */
            readonly buyAmount: components["schemas"]["Wei"];
            /** @description The floor enforced on-chain. sell: buyAmount after slippagePct, rounded down. buy: equal to buyAmount. */
            readonly minBuyAmount: components["schemas"]["Wei"];
            /** @description Tolerance applied, in percent, after clamping. 0 in buy. */
            readonly slippagePct: number;
            /** @description USD value of sellAmount, 12 significant digits. Null when unpriced. */
            readonly amountInUsd: number | null;
            /** @description USD value of buyAmount, 12 significant digits. Null when unpriced. */
            readonly amountOutUsd: number | null;
            /** @description amountOutUsd / amountInUsd: 1 means no value lost. Null when either is unpriced. */
            readonly priceImpact: number | null;
            /**
             * Format: int64
             * @description Estimated gas units of the plan; not a gas limit.
             */
            readonly gas: number;
            /** @description Gas price that valued gas, in wei. May exceed 2^53: parse as a big integer. Null when unknown. */
            readonly gasPriceWei: bigint | null;
            /** @description USD value of gas times gasPriceWei, 12 significant digits. Null when unpriced. */
            readonly gasUsd: number | null;
            /**
             * @description blind: no gas price was known. guardrail, prune: gas-aware solving.
             * @enum {string}
             */
            readonly gasMode: "blind" | "guardrail" | "prune";
            /** @description Hop depth actually used. */
            readonly maxHops: number;
            /**
             * Format: int64
             * @description Block whose state the solve was pinned to.
             */
            readonly blockNumber: number;
            /** @description Omitted when no fee applies. */
            readonly fee?: components["schemas"]["FeeBreakdown"];
            /** @description Echo. Null when not sent. */
            readonly taker: components["schemas"]["Address"] | null;
            /** @description Output recipient; the taker by default. Null when neither was sent. */
            readonly recipient: components["schemas"]["Address"] | null;
            /** @description Contract that the taker must approve for sellToken. Null for native sells. */
            readonly allowanceTarget: components["schemas"]["Address"] | null;
            /** @description Every hop of every split, in execution order. */
            readonly route: readonly components["schemas"]["RouteHop"][];
            /** @description The executable transaction. */
            readonly transaction: components["schemas"]["Transaction"];
            /**
             * Format: int64
             * @description Effective deadline in unix seconds, as encoded in the calldata. May exceed 2^53.
             */
            readonly deadline: bigint;
            /**
             * Format: int64
             * @description Last second at which the makers' orders of the route hold, in unix seconds: 2^63-1 where they hold for longer than can be said. May exceed 2^53. Omitted without a firm RFQ leg.
             */
            readonly rfqExpiry?: bigint;
            /** @description Share of the gross output that can drift until settlement. Only on sell with firm RFQ legs. */
            readonly driftExposedShareBps?: components["schemas"]["Bps"];
            /** @description Omitted unless funding=permit2. */
            readonly permit2?: components["schemas"]["Permit2Approval"];
            /** @description Degradations hit while building this swap, taxed tokens included. Omitted when empty. */
            readonly warnings?: readonly components["schemas"]["SwapWarning"][];
        };
        /**
         * ErrorBody
         * @description Body of every JSON refusal. Branch on the status, never on the text.
         */
        readonly ErrorBody: {
            /** @description Human-readable message. Must not be parsed. */
            readonly error: string;
            /**
             * @description Present only on admission-control refusals.
             * @enum {string}
             */
            readonly code?: "rate_limited" | "overloaded";
            /** @description Present alongside code; equals the Retry-After header. */
            readonly retryAfterSeconds?: number;
        };
        /**
         * HealthResponse
         * @description Liveness of the service and of each hosted chain.
         */
        readonly HealthResponse: {
            /**
             * @description degraded when a hosted chain has fallen behind or is still coming up.
             * @enum {string}
             */
            readonly status: "ok" | "degraded";
            /** @description One entry per hosted chain. */
            readonly chains: readonly ({
                /** @description Canonical chain name. */
                readonly chain: string;
                readonly healthy: boolean;
            } & {
                readonly [key: string]: string | number | boolean | null;
            })[];
        };
        /**
         * SourcesResponse
         * @description The venue labels routable on a chain.
         */
        readonly SourcesResponse: {
            /**
             * Format: int64
             * @description EIP-155 chain id.
             */
            readonly chainId: number;
            /** @description Canonical chain name. */
            readonly chain: string;
            /** @description Unique, sorted by code unit. */
            readonly sources: readonly components["schemas"]["VenueLabel"][];
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: {
        /** @description Sustained requests per second of the caller. */
        readonly "X-RateLimit-Limit": number;
        /** @description Whole tokens left in the burst allowance. */
        readonly "X-RateLimit-Remaining": number;
        /** @description Seconds to wait; equals retryAfterSeconds. */
        readonly "Retry-After": number;
        /** @description Names the request in the service's log: the caller's own id when it is well formed, else a new one. */
        readonly "x-request-id": string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    readonly quote: {
        readonly parameters: {
            readonly query: {
                /** @description EIP-155 chain id. A chain that is not hosted answers 404. */
                readonly chainId: number;
                /** @description sell: exact in, fix sellAmount and maximise the output. buy: exact out, fix buyAmount and minimise the input. */
                readonly mode: "sell" | "buy";
                /** @description Token to sell, or the native sentinel 0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee. */
                readonly sellToken: `0x${string}`;
                /** @description Token to buy, or the native sentinel. Must differ from sellToken. */
                readonly buyToken: `0x${string}`;
                /** @description Input in base units, 1 to 2^256-1. Required when mode=sell. */
                readonly sellAmount?: string;
                /** @description Target output in base units, 1 to 2^256-1. Required when mode=buy. */
                readonly buyAmount?: string;
                /** @description Tolerance in percent (0.5 means 0.50%), clamped to [0.00001, 50]. Default 0.5. Sets minBuyAmount in sell; ignored in buy. */
                readonly slippagePct?: number;
                /** @description Hop depth, clamped to [1, 7]. Default by size in USD: 2 below 25,000; 3 from 25,000; 4 from 250,000; 6 from 10,000,000; when no route is found, one deeper, up to 4. An explicit value is never deepened. */
                readonly maxHops?: number;
                /** @description Gas price in gwei that values gas while solving and in gasUsd. Default: the head's base fee, at least the chain's minimum gas price. */
                readonly gasPriceGwei?: number;
                /** @description Wallet that holds and sends the input. Required on /v1/swap. */
                readonly taker?: `0x${string}`;
                /** @description Wallet that receives the output. Default: the taker. */
                readonly recipient?: `0x${string}`;
                /** @description Integrator's volume fee in basis points of the buy token, 0 to 1500. Requires feeRecipient. Ignored when the API key carries a fee policy. */
                readonly feeBps?: number;
                /** @description Receives the integrator's part of the fee (85%). Required when feeBps is sent. */
                readonly feeRecipient?: `0x${string}`;
                /** @description Time budget in milliseconds from arrival, 50 to 5000. Default 5000. Below 300, venues priced off-chain are left out. */
                readonly timeLimitMs?: number;
                /** @description true: no venue priced by an off-chain quote (RFQ makers, attested hooks). Default false. */
                readonly excludeRfq?: boolean;
                /** @description true: no real-world-asset venue. Default false. */
                readonly excludeRwa?: boolean;
                /** @description Comma-separated source labels to leave out, in any letter case; may repeat. A family label stands for its variants too. Unknown labels are ignored. Not together with includeVenues. */
                readonly excludeVenues?: string;
                /** @description Comma-separated source labels to route through exclusively; may repeat. Not together with excludeVenues. */
                readonly includeVenues?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The priced route. */
            readonly 200: {
                headers: {
                    readonly "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    readonly "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    readonly "x-request-id": components["headers"]["x-request-id"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["QuoteResponse"];
                };
            };
            /** @description A parameter is missing, malformed or inconsistent with another. */
            readonly 400: {
                headers: {
                    readonly "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    readonly "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    readonly "x-request-id": components["headers"]["x-request-id"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The chain is not hosted, no route exists for the pair and size, or a token can not be traded. */
            readonly 404: {
                headers: {
                    readonly "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    readonly "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    readonly "x-request-id": components["headers"]["x-request-id"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The caller used up its request budget. */
            readonly 429: {
                headers: {
                    readonly "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    readonly "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    readonly "x-request-id": components["headers"]["x-request-id"];
                    readonly "Retry-After": components["headers"]["Retry-After"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The request could not be served. Retryable. */
            readonly 500: {
                headers: {
                    readonly "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    readonly "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    readonly "x-request-id": components["headers"]["x-request-id"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Without code: the chain's state is stale. With code overloaded: refused rather than queued. */
            readonly 503: {
                headers: {
                    readonly "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    readonly "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    readonly "x-request-id": components["headers"]["x-request-id"];
                    readonly "Retry-After": components["headers"]["Retry-After"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    readonly swap: {
        readonly parameters: {
            readonly query: {
                /** @description EIP-155 chain id. A chain that is not hosted answers 404. */
                readonly chainId: number;
                /** @description sell: exact in, fix sellAmount and maximise the output. buy: exact out, fix buyAmount and minimise the input. */
                readonly mode: "sell" | "buy";
                /** @description Token to sell, or the native sentinel 0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee. */
                readonly sellToken: `0x${string}`;
                /** @description Token to buy, or the native sentinel. Must differ from sellToken. */
                readonly buyToken: `0x${string}`;
                /** @description Input in base units, 1 to 2^256-1. Required when mode=sell. */
                readonly sellAmount?: string;
                /** @description Target output in base units, 1 to 2^256-1. Required when mode=buy. */
                readonly buyAmount?: string;
                /** @description Tolerance in percent (0.5 means 0.50%), clamped to [0.00001, 50]. Default 0.5. Sets minBuyAmount in sell; ignored in buy. */
                readonly slippagePct?: number;
                /** @description Hop depth, clamped to [1, 7]. Default by size in USD: 2 below 25,000; 3 from 25,000; 4 from 250,000; 6 from 10,000,000; when no route is found, one deeper, up to 4. An explicit value is never deepened. */
                readonly maxHops?: number;
                /** @description Gas price in gwei that values gas while solving and in gasUsd. Default: the head's base fee, at least the chain's minimum gas price. */
                readonly gasPriceGwei?: number;
                /** @description Wallet that holds and sends the input. Required on /v1/swap. */
                readonly taker: `0x${string}`;
                /** @description Wallet that receives the output. Default: the taker. */
                readonly recipient?: `0x${string}`;
                /** @description Integrator's volume fee in basis points of the buy token, 0 to 1500. Requires feeRecipient. Ignored when the API key carries a fee policy. */
                readonly feeBps?: number;
                /** @description Receives the integrator's part of the fee (85%). Required when feeBps is sent. */
                readonly feeRecipient?: `0x${string}`;
                /** @description Time budget in milliseconds from arrival, 50 to 5000. Default 5000. Below 300, venues priced off-chain are left out. */
                readonly timeLimitMs?: number;
                /** @description true: no venue priced by an off-chain quote (RFQ makers, attested hooks). Default false. */
                readonly excludeRfq?: boolean;
                /** @description true: no real-world-asset venue. Default false. */
                readonly excludeRwa?: boolean;
                /** @description Comma-separated source labels to leave out, in any letter case; may repeat. A family label stands for its variants too. Unknown labels are ignored. Not together with includeVenues. */
                readonly excludeVenues?: string;
                /** @description Comma-separated source labels to route through exclusively; may repeat. Not together with excludeVenues. */
                readonly includeVenues?: string;
                /** @description Swap only. The end user on whose behalf the swap is requested. Default: the taker. */
                readonly userAddress?: `0x${string}`;
                /** @description Swap only. Transaction deadline in unix seconds. Default about now + 20 minutes; capped at the earliest maker expiry. */
                readonly deadline?: number;
                /** @description Swap only. How the taker authorises the pull of the sell token. Default allowanceHolder. Native sells ignore it. */
                readonly funding?: "allowanceHolder" | "permit2";
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The priced route. */
            readonly 200: {
                headers: {
                    readonly "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    readonly "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    readonly "x-request-id": components["headers"]["x-request-id"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["SwapResponse"];
                };
            };
            /** @description A parameter is missing, malformed or inconsistent with another. */
            readonly 400: {
                headers: {
                    readonly "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    readonly "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    readonly "x-request-id": components["headers"]["x-request-id"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The chain is not hosted, no route exists for the pair and size, or a token can not be traded. */
            readonly 404: {
                headers: {
                    readonly "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    readonly "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    readonly "x-request-id": components["headers"]["x-request-id"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The caller used up its request budget. */
            readonly 429: {
                headers: {
                    readonly "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    readonly "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    readonly "x-request-id": components["headers"]["x-request-id"];
                    readonly "Retry-After": components["headers"]["Retry-After"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The request could not be served. Retryable. */
            readonly 500: {
                headers: {
                    readonly "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    readonly "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    readonly "x-request-id": components["headers"]["x-request-id"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Without code: the chain's state is stale. With code overloaded: refused rather than queued. */
            readonly 503: {
                headers: {
                    readonly "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    readonly "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    readonly "x-request-id": components["headers"]["x-request-id"];
                    readonly "Retry-After": components["headers"]["Retry-After"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    readonly sources: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description A canonical chain name or an alias, in any letter case, or a numeric chain id. */
                readonly chain: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The labels. */
            readonly 200: {
                headers: {
                    readonly "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    readonly "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    readonly "x-request-id": components["headers"]["x-request-id"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["SourcesResponse"];
                };
            };
            /** @description The chain is not hosted. */
            readonly 404: {
                headers: {
                    readonly "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    readonly "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    readonly "x-request-id": components["headers"]["x-request-id"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "text/plain": string;
                };
            };
            /** @description The caller used up its request budget. */
            readonly 429: {
                headers: {
                    readonly "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    readonly "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    readonly "x-request-id": components["headers"]["x-request-id"];
                    readonly "Retry-After": components["headers"]["Retry-After"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    readonly healthz: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Serving. */
            readonly 200: {
                headers: {
                    readonly "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    readonly "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    readonly "x-request-id": components["headers"]["x-request-id"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["HealthResponse"];
                };
            };
            /** @description A hosted chain's view has fallen behind, or is still coming up. */
            readonly 503: {
                headers: {
                    readonly "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    readonly "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    readonly "x-request-id": components["headers"]["x-request-id"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["HealthResponse"];
                };
            };
        };
    };
}

/** Members of answers that are integers of any size: read as bigint. */
export const BIG_INTEGERS = ["deadline","gasPriceWei","rfqExpiry"] as const;

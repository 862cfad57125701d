import { ABOVE_CAP, APPROVED_ALONE, ATTESTED, by, FIRMED, KEYS_AND_EXCLUSIONS, notOurs, REMEASURED, type Shown } from './shown.ts';

/** Sentences of the interface specification with must, never, always or only (of a table row, after its first cell), with the tests that show them. */
export const SENTENCES: Readonly<Record<string, Shown>> = {
  'It is the only document.': notOurs('about the document itself'),
  'Token amounts on the wire are decimal strings of base units (wei), never floats.': by(
    'Token amounts on the wire are decimal strings of base units (wei), never floats',
  ),
  'Some stablecoins have 18 decimals on some chains, so 6 must not be assumed.': by(
    'USD value of the input and of the output at the prices of the file (complaint 8): ',
  ),
  'A caller that intends to execute must call `/v1/swap` directly.': by(
    'Quotes are stateless: there is no quote-id handshake, and a `quoteId` is unique per response',
    'A `/v1/swap` call re-solves at its own block: it takes no quote, and `userAddress`, `deadline`, `funding` change no price',
  ),
  'Prices must not be cached.': by('Prices must not be cached: `Cache-Control: no-store` and no `ETag` on every answer, and nothing makes a 304 (S12)'),
  'The only on-chain guarantee is `minBuyAmount`.': by('a pool that pays nothing back is caught by the floor, whatever it returns (invariant 10)'),
  'It is not a request parameter and is never part of the fee breakdown.': by('Surplus is not a request parameter and is never part of the fee breakdown'),
  'buyAmount: It is net of any fee and gross of gas (gas is never deducted).': by(
    'buyAmount is output from exact integer re-simulation, net of any fee and gross of gas (gas is never deducted): what the hops into the buy token give, less the fee',
  ),
  'slippagePct: Always `0` in `buy`.': by('slippagePct: Percent (0.5 means 0.50%). Default 0.5. Sets `minBuyAmount` in `sell` only (S4)'),
  'gas: Always present.': by('gas: estimated total plan gas units, Always present, a positive integer'),
  'gasPriceWei: May exceed 2^53, so it must be parsed as a big integer.': by('gasPriceWei May exceed 2^53: as an exact JSON integer (S3)'),
  'allowanceTarget: Contract the taker must approve for `sellToken` before executing.': by(
    'allowanceTarget: Contract the taker must approve; the allowance holder on a quote (S16), null for native-token sells, never the router (complaint 20)',
    '6 random trades, each twice, sell and buy, native on either side, with fees and recipients; the gas is near what is said',
  ),
  'warnings: The only quote-level code is `FEE_ON_TRANSFER`.': by('warnings: Omitted when empty; The only quote-level code is `FEE_ON_TRANSFER`'),
  'feeToken: Always the buy token.': by('feeToken: Always the buy token, in both modes and as the caller wrote it; feeAmount is in it'),
  'deadline: Callers that delay submission must read it.': by(
    'deadline: the request `deadline`, an exact JSON integer also beyond 2^53, and encoded in the calldata (S3)',
  ),
  'driftExposedShareBps: Present only on `mode=sell` responses whose route kept firm RFQ legs.': by(
    'All QuoteResponse fields at the top level (not nested), plus `transaction` and `deadline`; `permit2`, `rfqExpiry`, `driftExposedShareBps` and `warnings` omitted (S1)',
  ),
  'hash: It must equal the hash of `eip712` computed by the client.': by(
    'hash: It must equal the hash of `eip712` computed by the client',
    'the hash that is sent is the one that viem and ethers compute of the typed data as JSON, ',
  ),
  'RFQ_FIRMUP_FAILED: The returned route is an on-chain-only re-solve without those venues.': by(...FIRMED),
  'HOOK_ATTESTATION_UNAVAILABLE: The returned route is an on-chain-only re-solve.': ATTESTED,
  'HIGH_PRICE_IMPACT: Emitted only when both sides are priced.': by('Emitted only when both sides are priced'),
  'error: Must not be parsed.': by('`error`: Human-readable message: it names what was wrong, with what was sent, and never HTML or a stack'),
  'code: Present only on admission-control refusals:': by(
    'Only admission-control refusals carry a stable `code`: 400, 404 and 405 have exactly one member and no Retry-After (S21)',
  ),
  'buyToken: Must differ from `sellToken`.': by('D5 sellToken==buyToken by case; sentinel==sentinel in mixed case: 400'),
  'slippagePct: Sets `minBuyAmount` in `sell` only.': by('slippagePct: Percent (0.5 means 0.50%). Default 0.5. Sets `minBuyAmount` in `sell` only (S4)'),
  'maxHops: An explicit value is honored verbatim and never escalated.': by(
    'maxHops: An explicit value is honored verbatim',
    'maxHops: An explicit value is never escalated: one hop where two are needed is 404',
    'an explicit value is never escalated',
  ),
  'gasPriceGwei: It affects route selection, never execution.': by(
    'No `gasLimit` is returned: `transaction` has exactly from, to, data, value (S22); gasPriceGwei affects route selection, never execution',
  ),
  'timeLimitMs: Enforcement is best-effort: direct routes are always considered and deeper sampling stops at the deadline.': by(
    'timeLimitMs: direct routes are always considered: unloaded, `timeLimitMs=50` is never 503 (B5)',
    'leave the direct routes, however late it is',
    'do not deepen a search whose time is over',
  ),
  'excludeRwa: Such venues are routable only for an API key that carries the approval.': by(APPROVED_ALONE, KEYS_AND_EXCLUSIONS),
  'userAddress: no, swap only': by(
    'D26 deadline past, 0, \u22121, abc: swap-only, so ignored on /v1/quote, malformed values included (R18)',
    'a userAddress that is none',
  ),
  'userAddress: Makers that only screen keep `taker`.': by(
    'userAddress is sent to makers that meter users, and to no other one: makers that only screen keep the taker, by their own record',
    'is asked for the user behind the taker of makers that meter users; makers that only screen are told the taker (',
  ),
  'userAddress: It never gates settlement.': by('userAddress: It never gates settlement'),
  'deadline: no, swap only': by(
    'D26 deadline past, 0, \u22121, abc: swap-only, so ignored on /v1/quote, malformed values included (R18)',
    'a deadline that is no integer (D26)',
  ),
  'funding: no, swap only': by('D26 deadline past, 0, \u22121, abc: swap-only, so ignored on /v1/quote, malformed values included (R18)', 'an unknown funding'),
  'funding: Applies to ERC-20 sells only.': by(
    'Native sell: to the router, value `sellAmount`, approval none; funding ignored: Applies to ERC-20 sells only (S15)',
  ),
  'Excluding only a variant leaves the plain family routable.': by('Excluding only a variant leaves the plain family routable'),
  'It is never excludable and is always admitted under an include list.': by(
    'The synthetic hop with `source` `WRAP` is not a venue. It is never excludable and is always admitted under an include list (B4)',
  ),
  'This is the only place venue labels are enumerated.': by(
    'This is the only place venue labels are enumerated, and callers read them here: each one listed is understood by includeVenues',
  ),
  'Only `status`, and `chain` and `healthy` of each chain entry, are contractual.': by(
    '200 while serving: HealthResponse with `status` `ok`; Only `status`, and `chain` and `healthy` of each chain entry, are contractual',
  ),
  'access to gated venues that price only for approved parties (for example tokenized real-world assets);': by(
    'without the approval it is never routed through: no key, a key for other venues, a key that nobody has',
    'a key that names the venue routes through it, and gets more for it',
  ),
  'Clients branch on the status code, never on the message text.': by(
    '`error`: Human-readable message: it names what was wrong, with what was sent, and never HTML or a stack',
  ),
  'Only admission-control refusals carry a stable `code`.': by(
    'Only admission-control refusals carry a stable `code`: 400, 404 and 405 have exactly one member and no Retry-After (S21)',
  ),
  '400: `taker` missing on swap; both `excludeVenues` and `includeVenues` sent; a `routerAddress` or `allowanceHolderAddress` override (development-only, rejected in production).':
    by(
      '`taker` missing on swap',
      'both `excludeVenues` and `includeVenues` sent',
      'a `routerAddress` override',
      'an `allowanceHolderAddress` override',
      'outside of it either is refused, by quote and by swap, whatever it names',
    ),
  '400: `error` only.': by('Only admission-control refusals carry a stable `code`: 400, 404 and 405 have exactly one member and no Retry-After (S21)'),
  '404: Or a token fails the on-chain transfer-integrity measurement, with a token-specific message: a transfer-gated token (honeypot or blacklist); a token whose measured tax exceeds the routable cap of 20%; any fee-on-transfer token in `mode=buy`; a universal-scope or sell-only taxed token on the bought side.':
    by(
      'a transfer-gated token (honeypot or blacklist), on either side, says what gates it',
      ABOVE_CAP,
      'any fee-on-transfer token in `mode=buy`, and one that rounds what it moves; both sell',
      'a universal-scope or sell-only taxed token on the bought side; the others, and all of them where they are sold, are served with the warning',
    ),
  '404: Verdicts are re-measured on-chain and may change, so they must not be cached.': by(REMEASURED),
  '404: `error` only.': by('404 Chain unknown or not hosted, or no route exists for the pair and size: `error` only'),
  '429: Header `Retry-After` in seconds, integer, minimum 1, never 0.': by(
    '429 The caller identity exceeded its request budget: `error`, `code` = `rate_limited`, `retryAfterSeconds`; header `Retry-After` in seconds, integer, minimum 1, never 0; after that long it is served (complaint 9)',
  ),
  '500: `error` only.': by('a chain still coming up after a restart: 500, and /healthz is degraded with that chain unhealthy'),
  '503, `code` absent: A cached quote must not be used instead.': by(
    "a hosted chain's committed head is older than the serving freshness bound: degraded, and back when it catches up",
  ),
  '503, `code` absent: `error` only.': by("a hosted chain's committed head is older than the serving freshness bound: degraded, and back when it catches up"),
};

import { ABOVE_CAP, ATTESTED, by, FIRMED, LEFT_ALONE, NO_ISSUER, notOurs, SHAPES, type Shown, TAXED } from './shown.ts';

const STALE = "a hosted chain's committed head is older than the serving freshness bound: degraded, and back when it catches up";
const RESOLVED = 'Chain state committed while the swap was being built left the first plan under its floor: re-solved, certified, STALE_STATE_RESOLVED';
const D4 = 'D4 address 39/41 hex, no `0x`, `0X`, space: 400; wrong checksum case, ALL-UPPER hex: valid, echoed as sent (R14)';
const D9 = 'D9 timeLimitMs 49/50/299/300/5000/5001/50.5/`5e2`/`0x64`/``: only integers 50\u20135000 pass';
const D15 = 'D15 feeBps \u22121/1501/1.5: 400; feeBps without feeRecipient: 400; feeRecipient alone: ok';
const D28 = 'D28 chainId `1.0`,`1e0`,`0x1`,`01`,`99999999999999999999`: 400/404; routerAddress / allowanceHolderAddress: 400';
const SPLIT = 'feeBps: A request-supplied fee splits 85% to `feeRecipient` and 15% to the protocol; `buyAmount` and `minBuyAmount` are returned net (S5)';
const WEI = 'D1 wei: ``, ` `, `+1`, `-1`, `1e18`, `0x10`, `1.0`, `1_0`, `\uFF11`, `1%0A`, `null`: 400';
const SLIPPAGE = 'slippagePct: Percent (0.5 means 0.50%). Default 0.5. Sets `minBuyAmount` in `sell` only (S4)';
const MISSING = 'the amount required by the mode is missing: 400; the other one is ignored, but must be well-formed (R9)';
const RECIPIENT = 'taker, recipient: echoed; recipient defaults to `taker`, null on taker-less quotes';
const OFF_CHAIN = 'excludeRfq, excludeRwa, and a `timeLimitMs` below 300 leave on-chain venues routable';
const REQUEST_429 =
  '429 The caller identity exceeded its request budget: `error`, `code` = `rate_limited`, `retryAfterSeconds`; header `Retry-After` in seconds, integer, minimum 1, never 0; after that long it is served (complaint 9)';
const ANONYMOUS =
  '3. Without a key the caller is served at the anonymous rate of 3 requests per second; the anonymous fee is 10 bps (0.10%) on the buy token, reported in the `fee` block of every response';
const IMPACT = "The route gives up more than 15% of the trade's USD value (`amountOutUsd` below `amountInUsd` times 0.85), on swap alone (B16)";
const KEYED = '4. With a registered key: the rate budget provisioned for that key, in place of the per-IP budget';
const DEFAULT_DEADLINE = 'deadline: Default about now + 20 minutes';
const JUST_EITHER_SIDE =
  'HIGH_PRICE_IMPACT: of two amounts that differ by one base unit the one that gives up more than 15% is warned of, the other is not (B16)';
const DELIVERS = '6 random trades, each twice, sell and buy, native on either side, with fees and recipients; the gas is near what is said';
const TAG = '10. one Swap event per settlement, with the tag and what really moved (K21, invariant 15)';
const DEPTHS = 'default hop depth by size (complaints 8 and 21): ';
/** Rows of the tables of rules and numbered rules of the interface specification, with the tests that show them. */
export const RULES: Readonly<Record<string, Shown>> = {
  'Execution semantics 1': by('a pool that pays nothing back is caught by the floor, whatever it returns (invariant 10)', DELIVERS),
  'Execution semantics 2': by(
    ...SHAPES,
    '8. buy: the recipient gets exactly buyAmount, the fee is that of the gross target, the rest goes to the protocol whatever the policy (K20)',
  ),
  'Execution semantics 3': by(
    ...SHAPES,
    '7. gross, fee, split of the fee, net, surplus by the policy in calldata: every part to the wei, and they sum (K14)',
    'Surplus is not a request parameter and is never part of the fee breakdown',
  ),
  'Execution semantics 4': by(TAG),
  'Execution semantics 5': by('9. after the deadline the call reverts before it moves anything; at the deadline it does not (K13)'),
  'Execution semantics 6': by(
    'No `gasLimit` is returned: `transaction` has exactly from, to, data, value (S22); gasPriceGwei affects route selection, never execution',
    'all pass eth_estimateGas right after the response, or revert only for the floor',
  ),
  'SwapWarning: RFQ_FIRMUP_FAILED': by(...FIRMED),
  'SwapWarning: HOOK_ATTESTATION_UNAVAILABLE': ATTESTED,
  'SwapWarning: STALE_STATE_RESOLVED': by(RESOLVED),
  'SwapWarning: FEE_ON_TRANSFER': TAXED,
  'SwapWarning: HIGH_PRICE_IMPACT': by(IMPACT, JUST_EITHER_SIDE),
  'States: ok': by(STALE),
  'States: degraded': by(STALE),
  'Build sequence 1': by(DELIVERS),
  'Build sequence 2': by(...FIRMED),
  'Build sequence 3': by(...FIRMED),
  'Build sequence 4': by(RESOLVED),
  'Build sequence 5': by('what it writes reads back as it was, by a reader that follows the contract (codec round trip)'),
  'Parameter: chainId': by(D28),
  'Parameter: mode': by(
    'mode: `sell` is exact-in: fix `sellAmount`, maximize output',
    'mode: `buy` is exact-out: fix `buyAmount`, minimize input; it equals exactly the requested target (complaint 2)',
    'D17 `a[]=1`, `a[b]=1`, `sellToken[$ne]=`, `sellToken.x`: unknown names ignored; required missing: 400',
  ),
  'Parameter: sellToken': by(D4, 'The native token of a chain is the sentinel address, valid as `sellToken` and as `buyToken`, in any case (complaint 5)'),
  'Parameter: buyToken': by('D5 sellToken==buyToken by case; sentinel==sentinel in mixed case: 400'),
  'Parameter: sellAmount': by(WEI, MISSING),
  'Parameter: buyAmount': by(WEI, MISSING),
  'Parameter: slippagePct': by(
    SLIPPAGE,
    'D10 slippagePct `NaN`,`Infinity`,`-Infinity`,`abc`,``: 400; `-1`,`0`,`1e-9`,`50.1`,`1e6`: clamp, echo the clamp (`1e400` is a number by R7); in buy it is ignored and 0 (complaint 19)',
  ),
  'Parameter: maxHops': by(
    'D12 maxHops 0/8/\u22121: clamp, echo the clamp; 2.5, `1e400`, ``: 400',
    'maxHops: An explicit value is honored verbatim',
    DEPTHS,
    'from 2: what is 2, 3 or 4 hops away is found at just that depth, what is 5 away is not',
  ),
  'Parameter: gasPriceGwei': by(
    'D13 gasPriceGwei 0, \u22121, `Infinity`: 400',
    'gasPriceGwei: used for `gasUsd`: twice the price is twice the value; it is no part of the transaction',
    "gasPriceGwei: When omitted, the chain's live feed is used (head base fee floored at the chain's minimum gas price)",
    'the gas price is the head’s base fee, but at least the chain’s minimum; a price that is sent is taken to the wei',
    'is blind without a gas price: a split is kept for any gain',
  ),
  'Parameter: taker': by(RECIPIENT, '`taker` missing on swap'),
  'Parameter: recipient': by(RECIPIENT),
  'Parameter: feeBps': by(
    D15,
    SPLIT,
    'feeBps: Ignored when the API key carries a server-side fee policy, but still no fee without a feeRecipient (R12)',
    'feeBps: In `buy` the routing target is grossed up so the recipient still gets exactly the requested amount after the fee (S5)',
  ),
  'Parameter: feeRecipient': by(D15),
  'Parameter: timeLimitMs': by(D9, 'timeLimitMs: direct routes are always considered: unloaded, `timeLimitMs=50` is never 503 (B5)', OFF_CHAIN),
  'Parameter: excludeRfq': by('D8 bool `yes`, empty, `on`, `2`: 400 (`TRUE`, `1`, `True` are accepted)', OFF_CHAIN),
  'Parameter: excludeRwa': by('D8 bool `yes`, empty, `on`, `2`: 400 (`TRUE`, `1`, `True` are accepted)', OFF_CHAIN, NO_ISSUER),
  'Parameter: excludeVenues': by('excludeVenues: Routes through everything except these', 'both `excludeVenues` and `includeVenues` sent'),
  'Parameter: includeVenues': by('includeVenues: Routes exclusively through these', 'both `excludeVenues` and `includeVenues` sent'),
  'Parameter: userAddress': by('userAddress: It never gates settlement', 'a userAddress that is none', 'the zero address as userAddress (R11)'),
  'Parameter: deadline': by(DEFAULT_DEADLINE, 'deadline: the request `deadline`, an exact JSON integer also beyond 2^53, and encoded in the calldata (S3)'),
  'Parameter: funding': by(
    'an unknown funding',
    'Native sell: to the router, value `sellAmount`, approval none; funding ignored: Applies to ERC-20 sells only (S15)',
  ),
  'Label: A family label also matches all its `family:variant` labels.': by(
    'Excluding the family excludes the variants',
    'Excluding only a variant leaves the plain family routable',
    'Including the family admits its variants',
  ),
  'Label: The synthetic hop with `source` `WRAP` is not a venue.': by(
    'The synthetic hop with `source` `WRAP` is not a venue. It is never excludable and is always admitted under an include list (B4)',
  ),
  'Label: A venue the engine has temporarily throttled (a maker that reported itself busy) is dropped from routing regardless of these parameters.':
    by(LEFT_ALONE),
  'Funding: Native sell': by(...SHAPES, 'Native sell: to the router, value `sellAmount`, approval none; funding ignored: Applies to ERC-20 sells only (S15)'),
  'Funding: ERC-20, `allowanceHolder`': by(
    ...SHAPES,
    'ERC-20, `allowanceHolder`: to the allowance holder, value `"0"`, `allowanceTarget` never the router (complaint 20)',
  ),
  'Funding: ERC-20, `permit2`': by(
    ...SHAPES,
    'ERC-20, `permit2`: to the router, value `"0"`, One-time approval to canonical Permit2',
    '4 random swaps whose taker signs a permit and writes its 65 bytes into the calldata',
  ),
  'Authentication 1': by('1. Authentication is optional on every route. Every route works without credentials'),
  'Authentication 2': by(KEYED),
  'Authentication 3': by(ANONYMOUS),
  'Authentication 4': by(
    KEYED,
    '4. a negotiated fee policy that replaces the anonymous fee and overrides any fee in the request; for most keys, no fee',
    'what a key decides about a swap',
    'a key that names the venue routes through it, and gets more for it',
  ),
  'Authentication 5': by(
    '5. An unrecognised key is treated exactly like no key; rotating key values does not widen a budget (faults E5, E6)',
    'Rotating key values does not widen a budget: ',
  ),
  'Authentication 6': by(
    '6. Rate-limit identity is the API key when a registered one is sent, otherwise the client IP: an empty anonymous bucket does not touch a key\u2019s',
  ),
  'Authentication 7': by(
    '7. A key is a secret: no answer repeats it',
    'a key is in no log line, no metric and no error; neither are addresses of callers (faults E9)',
  ),
  'Authentication 8': by('8. `/healthz` takes no key'),
  'Events 1': by(TAG),
  'Events 2': by('The tag\u2019s high 16 bytes are the `quoteId` of the response that produced the transaction: it is in the calldata (Events 2, B6)', TAG),
  'Events 3': by(
    DELIVERS,
    'Required fields and their types, in both modes: the schema that interface and code share; optional fields are null when unknown (S1)',
  ),
  'Events 4': notOurs('not shown by the specification'),
  'Events 5': notOurs('not shown by the specification'),
  'Errors: 400': by('400 Missing or inconsistent parameters: '),
  'Errors: 404': by('404 Chain unknown or not hosted, or no route exists for the pair and size: `error` only'),
  'Errors: 429': by(REQUEST_429),
  'Errors: 500': by(
    'a chain still coming up after a restart: 500, and /healthz is degraded with that chain unhealthy',
    'a failure of our own is a JSON 500 that tells nothing; the log tells',
  ),
  'Errors: 503, `code` absent': by(STALE),
  'Errors: 503, `code` = `overloaded`': by('a load-shed 503 gives the token back, and X-RateLimit-Remaining shows it', 'room in the solver before the solve'),
  'Limits: Anonymous rate': by(ANONYMOUS, 'The anonymous reservoir is 4 whole tokens of 4.5; refilling continuously at the sustained rate'),
  'Limits: Keyed rate': by(KEYED),
  'Limits: Burst reservoir': by(
    'Burst reservoir: min(rps x 1.5, rps + 20) tokens: keys of 2, 10 and 50 have 3, 15 and 70, then their rate and no more',
    'burst reservoir is min(rps x 1.5, rps + 20) tokens',
  ),
  'Limits: Rate headers': by(
    'Rate headers: `X-RateLimit-Limit` and `X-RateLimit-Remaining` on every response, including successes: 200, 204, 400, 404, 405 (complaint 9)',
    REQUEST_429,
  ),
  'Limits: `timeLimitMs`': by(D9, '`feeBps`: 0 to 1500 (15% cap); `timeLimitMs`: 50 to 5000 ms: the ends are in, what is next to them is out'),
  'Limits: RFQ-venue cutoff': by('below 300 ms leaves out every venue priced off-chain, at 300 none'),
  'Limits: RFQ firm-up cap': by(...FIRMED),
  'Limits: `slippagePct`': by(SLIPPAGE),
  'Limits: `maxHops`': by(
    DEPTHS,
    'decide how deep is searched by default: 2 hops below 25,000 USD, 3 from there, 4 from 250,000 and 6 from 10,000,000, of what the request fixes (R17)',
    'from 3 to 4; 4 and 6 never escalate',
  ),
  'Limits: `feeBps`': by('`feeBps`: 0 to 1500 (15% cap); `timeLimitMs`: 50 to 5000 ms: the ends are in, what is next to them is out'),
  'Limits: Request-fee split': by(SPLIT),
  'Limits: Anonymous fee': by(ANONYMOUS),
  'Limits: Taxed-token routable cap': by(ABOVE_CAP, 'the cap is 20%: strictly above it is refused; a part per million above 20% is how measuring rounds'),
  'Limits: High-price-impact threshold': by(IMPACT, JUST_EITHER_SIDE),
  'Limits: Default deadline': by(DEFAULT_DEADLINE),
  'Limits: Permit2 signature length': by('type constant `Permit2`, signatureLength constant 65; the signature bytes of `data` are zero at signatureOffset'),
  'Versioning 1': by('is OpenAPI 3.1 of interface version 1.0.0 with the paths that are served, GET only'),
  'Versioning 2': by('2. Trade and sources routes carry the path prefix `/v1`. `/healthz` is unversioned'),
  'Versioning 3': by('The internal introspection routes are not available on the public host: '),
  'Versioning 4': by('This is the only place venue labels are enumerated, and callers read them here: each one listed is understood by includeVenues'),
  'Versioning 5': notOurs('not shown by the specification'),
};

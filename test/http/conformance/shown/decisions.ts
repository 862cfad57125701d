import {
  APPROVED_ALONE,
  ATTESTED,
  ATTESTED_AMOUNTS,
  by,
  FIRMED,
  KEYS_AND_EXCLUSIONS,
  LEFT_ALONE,
  REMEASURED,
  SETTLES,
  SHAPES,
  type Shown,
  TAX_WARNING,
} from './shown.ts';

const ALWAYS = 'Required fields and their types, in both modes: the schema that interface and code share; optional fields are null when unknown (S1)';
const SWAP_FIELDS =
  'All QuoteResponse fields at the top level (not nested), plus `transaction` and `deadline`; `permit2`, `rfqExpiry`, `driftExposedShareBps` and `warnings` omitted (S1)';
const BUILD = 'Chain state committed while the swap was being built left the first plan under its floor: re-solved, certified, STALE_STATE_RESOLVED';
const [SIMULATED] = FIRMED;
const SETTLED = 'an order that a maker signs is settled at its amounts, to the wei, sold and bought, and caps the deadline';
/** Decisions on the reading of the specification, with the tests that show them. */
export const DECISIONS: Readonly<Record<string, Shown>> = {
  R1: by(
    'rate budget before parsing',
    'rate budget before an unknown path',
    'parse and validate (400) \u2192 chain hosted (404) (R1)',
    'chain hosted before chain up',
    'chain up before room in the solver',
    'chain fresh before room in the solver',
    'room in the solver before the solve',
  ),
  R2: by(
    '400 and 404 cost one token (R2)',
    'a load-shed 503 gives the token back, and X-RateLimit-Remaining shows it',
    'refused bytes cost the caller a token: garbage is no free flood (R2)',
  ),
  R3: by(
    'D16 repeated scalar: 400; repeated include/excludeVenues: union (R3)',
    'A repeated query parameter uses the unindexed form: `name[]=` and `name[0]=` are unknown names (R3)',
    'Mutually exclusive: both lists sent is 400 even if every label is unknown; an empty one counts as not sent (R3)',
  ),
  R4: by(
    'a routerAddress override (R4)',
    ' is admitted where developmentMode is on, and refused where it is not set',
    'in developmentMode the transaction goes to the contracts that the request names, and settles through them',
    'outside of it either is refused, by quote and by swap, whatever it names',
    'D17 `a[]=1`, `a[b]=1`, `sellToken[$ne]=`, `sellToken.x`: unknown names ignored; required missing: 400',
  ),
  R5: by('D8 bool `yes`, empty, `on`, `2`: 400 (`TRUE`, `1`, `True` are accepted)'),
  R6: by('D2 wei `0`: 400; 2^256\u22121: 200/404; 2^256: 400; leading zeros are normalised in the echo (R6)'),
  R7: by(
    'D10 slippagePct `NaN`,`Infinity`,`-Infinity`,`abc`,``: 400; `-1`,`0`,`1e-9`,`50.1`,`1e6`: clamp, echo the clamp (`1e400` is a number by R7); in buy it is ignored and 0 (complaint 19)',
    'D14 gasPriceGwei `1e-9`, `0.0000000001`, `123456789.123456789`, `1e15`: gasPriceWei exact raw JSON integer beyond 2^53',
  ),
  R8: by('D12 maxHops 0/8/\u22121: clamp, echo the clamp; 2.5, `1e400`, ``: 400', 'a deadline that has passed (R8, D26)', 'a deadline beyond int64 (R8)'),
  R9: by('the amount required by the mode is missing: 400; the other one is ignored, but must be well-formed (R9)'),
  R10: by(
    'D5 sellToken==buyToken by case; sentinel==sentinel in mixed case: 400',
    'D6 sentinel\u2194wrapped: not an error: one synthetic `WRAP` hop, zero pool address, 1:1 before fee, never through a pool (R10, complaint 6)',
  ),
  R11: by(
    'R11 the zero address as a token, taker, recipient or feeRecipient: 400; as a userAddress only on swap',
    'a `recipient` or `feeRecipient` that is the router or the allowance holder: 400 (R11)',
  ),
  R12: by(
    'feeBps: Ignored when the API key carries a server-side fee policy, but still no fee without a feeRecipient (R12)',
    'feeBps: 0 is no request fee: with a key nothing, without one the anonymous fee (R12)',
  ),
  R13: by(
    'the anonymous fee: `partnerAmount` "0", `partnerShareBps` 0, `protocolAmount` all of it (R13), rounded down (S5)',
    'R13 the anonymous fee goes to the fee collector of the chain, all of it',
  ),
  R14: by(
    'taker: Echoed as the transaction\u2019s `from`; wrong checksum case, ALL-UPPER hex valid also through /v1/swap (D4, R14)',
    "repeats the caller's text wherever the address occurs, and checksums the others",
  ),
  R15: by(
    'any other method on a known path is 405 with `Allow` (R15, faults C15)',
    'HEAD on `/healthz` and sources as GET without a body; on the trade routes 405 (R15)',
    'OPTIONS answers CORS: GET/HEAD/OPTIONS, `x-api-key` allowed (R15, S13)',
    'a body on a GET is ignored',
  ),
  R16: by('R16 a query above 8 KiB or 64 pairs is 400', 'headers above 16 KiB are refused by the server (431), also far above'),
  R17: by(
    'from 2: what is 2, 3 or 4 hops away is found at just that depth, what is 5 away is not',
    'from 3 to 4; 4 and 6 never escalate',
    'the size is that of the other side by the best direct quote',
    'if still unpriced, depth 3',
    'decide how deep is searched by default: 2 hops below 25,000 USD, 3 from there, 4 from 250,000 and 6 from 10,000,000, of what the request fixes (R17)',
  ),
  R18: by('D26 deadline past, 0, \u22121, abc: swap-only, so ignored on /v1/quote, malformed values included (R18)'),
  R19: by(
    'the canonical name, in any case, and the numeric chain id are the same chain (R19)',
    'a canonical chain name, a common alias or a numeric chain id: ',
  ),
  S1: by(ALWAYS, SWAP_FIELDS),
  S2: by(TAX_WARNING),
  S3: by(
    'gasPriceWei May exceed 2^53: as an exact JSON integer (S3)',
    'deadline: the request `deadline`, an exact JSON integer also beyond 2^53, and encoded in the calldata (S3)',
  ),
  S4: by('slippagePct: Percent (0.5 means 0.50%). Default 0.5. Sets `minBuyAmount` in `sell` only (S4)'),
  S5: by(
    'feeBps: A request-supplied fee splits 85% to `feeRecipient` and 15% to the protocol; `buyAmount` and `minBuyAmount` are returned net (S5)',
    'feeBps: In `buy` the routing target is grossed up so the recipient still gets exactly the requested amount after the fee (S5)',
  ),
  S6: by('bps: share of the source token\u2019s balance at that point, in the listed order, exact; hops in topological order (S6, S7, S8)'),
  S7: by('bps: share of the source token\u2019s balance at that point, in the listed order, exact; hops in topological order (S6, S7, S8)'),
  S8: by(
    'bps: share of the source token\u2019s balance at that point, in the listed order, exact; hops in topological order (S6, S7, S8)',
    'A native sell under an include list still starts with its `WRAP` hop',
  ),
  S9: by(
    'gasMode is one of `blind`, `guardrail`, `prune`, and not `blind` where a gas price is sent (S9)',
    'prunes where gas can be valued: what earns more than its gas stays, what does not goes',
    'guards where a price is missing: a split stays only for 2 bps',
    'of gas: its units at the gas price, by the price of the native token, and gas prunes (S9)',
  ),
  S10: by(
    'USD value of the input and of the output at the prices of the file (complaint 8): ',
    'value what is reported, net of fee, to 12 significant digits, with the decimals of each token',
    'of every token with decimals: within 0.5% of what it is worth, either side, in both modes, and their quotient is the impact (S10)',
  ),
  S11: by(BUILD, 'blockNumber: the block at which the state snapshot was pinned: it never goes back'),
  S12: by('Prices must not be cached: `Cache-Control: no-store` and no `ETag` on every answer, and nothing makes a 304 (S12)'),
  S13: by('Any origin may call: rate headers and `Retry-After` are exposed (S13)', 'OPTIONS answers CORS: GET/HEAD/OPTIONS, `x-api-key` allowed (R15, S13)'),
  S14: by("the caller's when it is harmless", 'else a new uuid', 'a request id is logged as it is echoed (S14)'),
  S15: by('Native sell: to the router, value `sellAmount`, approval none; funding ignored: Applies to ERC-20 sells only (S15)'),
  S16: by(
    'allowanceTarget: Contract the taker must approve; the allowance holder on a quote (S16), null for native-token sells, never the router (complaint 20)',
  ),
  S17: by(
    'is 0 where orders, vaults and changes of form fund all of it, and 10000 where none does',
    'is the mean over what gave a token, by amount, rounded up',
    SETTLED,
  ),
  S18: by(SIMULATED, SETTLED, ATTESTED_AMOUNTS),
  S19: by(SETTLES, ATTESTED_AMOUNTS),
  S20: by(
    'source: hook null means that it equals `protocol`; else it is `family:variant` (S20); every source is one that the sources endpoint lists',
    'without a list all are routable, and each hop shows its family, its variant and its hook (S20)',
  ),
  S21: by(
    'Only admission-control refusals carry a stable `code`: 400, 404 and 405 have exactly one member and no Retry-After (S21)',
    'a job whose budget ended in the queue: 503 overloaded, token given back (B5)',
  ),
  S22: by('No `gasLimit` is returned: `transaction` has exactly from, to, data, value (S22); gasPriceGwei affects route selection, never execution'),
  B1: by('takes no key: it carries the rate headers of the IP\u2019s bucket, costs nothing, never answers 429 (B1)'),
  B2: by('404 for a chain not hosted (plain-text body, not JSON): `__proto__`, `constructor`, `toString`, `1e0`, `0x1`, `01` (D22, B2)'),
  B3: by('a chain still coming up after a restart: 500, and /healthz is degraded with that chain unhealthy'),
  B4: by('The synthetic hop with `source` `WRAP` is not a venue. It is never excludable and is always admitted under an include list (B4)'),
  B5: by(
    'timeLimitMs: direct routes are always considered: unloaded, `timeLimitMs=50` is never 503 (B5)',
    'a job whose budget ended in the queue: 503 overloaded, token given back (B5)',
  ),
  B6: by(
    'The tag\u2019s high 16 bytes are the `quoteId` of the response that produced the transaction: it is in the calldata (Events 2, B6)',
    'the tag: the uuid, then the partner (B6)',
  ),
  B7: by('The permit nonce is unordered, derived from `quoteId` and single-use (B7). The permit deadline equals the swap deadline'),
  B8: by(
    'E1 rotating X-Forwarded-For through 1,000 values with proxy trust off: still one 3 rps bucket',
    'E2 trust proxy = N hops: the right-most untrusted hop is the client, whatever the caller prepends',
    'behind a trusted network, IPv6 clients are metered by /64',
  ),
  B9: by(
    'sources: Sorted venue labels: unique, sorted by code unit, `WRAP` never listed, family or `family:variant` (B9)',
    'answers 200 while the chain is coming up, stale or overloaded; never shed (decisions B9)',
    'gatedVenues: routed through with the key that names the venue, never without, and listed for everybody (B9)',
  ),
  B10: ATTESTED,
  B11: by('are held against what was asked: another amount is none, and what is worse by more than the request allows neither (B11)', SIMULATED),
  B12: by('B12: requests in flight per client are bounded; over the bound 503 overloaded, token given back, trade routes only'),
  B13: by(LEFT_ALONE),
  B14: by(
    ...SHAPES,
    '7. gross, fee, split of the fee, net, surplus by the policy in calldata: every part to the wei, and they sum (K14)',
    '7. shared surplus: half each, the odd wei to the recipient',
  ),
  B15: by(TAX_WARNING, 'never lie between, though the way over them is the best one; well-known ones do, and so do measured ones'),
  B16: by(
    "The route gives up more than 15% of the trade's USD value (`amountOutUsd` below `amountInUsd` times 0.85), on swap alone (B16)",
    'HIGH_PRICE_IMPACT: of two amounts that differ by one base unit the one that gives up more than 15% is warned of, the other is not (B16)',
  ),
  B17: by('each maker is a family of its own: protocol = source, no hook, listed at its own contract (B17, S19)'),
  B18: by(
    REMEASURED,
    '404 that says the token could not be measured at this block and may be tried again, where the node could not be asked or did not answer in time; no verdict about the token',
  ),
  B19: by(APPROVED_ALONE, KEYS_AND_EXCLUSIONS, 'real-world assets are gated whatever the configuration says: only what the filter opens is open (B19)'),
  B20: by(BUILD, SIMULATED),
  B21: by(
    "what the partner refuses is the collector's, what the collector refuses the taker's; the recipient and the event do not change",
    'a token that bars the partner or the collector, with a revert or with false, still trades',
  ),
  B22: { notYet: 'snapshots orphaned by a reorg deeper than the journal' },
};

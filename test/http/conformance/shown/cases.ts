import { ATTESTED, by, FIRMED, KEYS_AND_EXCLUSIONS, LEFT_ALONE, NO_ISSUER, notYet, SETTLES, type Shown } from './shown.ts';

const WEI = 'D1 wei: ``, ` `, `+1`, `-1`, `1e18`, `0x10`, `1.0`, `1_0`, `\uFF11`, `1%0A`, `null`: 400';
const WEI_RANGE = 'D2 wei `0`: 400; 2^256\u22121: 200/404; 2^256: 400; leading zeros are normalised in the echo (R6)';
const D10 =
  'D10 slippagePct `NaN`,`Infinity`,`-Infinity`,`abc`,``: 400; `-1`,`0`,`1e-9`,`50.1`,`1e6`: clamp, echo the clamp (`1e400` is a number by R7); in buy it is ignored and 0 (complaint 19)';
const SAME_TOKEN = 'D5 sellToken==buyToken by case; sentinel==sentinel in mixed case: 400';
const WRAPPED = 'D6 sentinel\u2194wrapped: not an error: one synthetic `WRAP` hop, zero pool address, 1:1 before fee, never through a pool (R10, complaint 6)';
const EXACT = 'amounts of 9007199254740993 and 2^200+1 base units are echoed exactly, and no body holds an exponent (complaints 3 and 4)';
const USD = 'USD value of the input and of the output at the prices of the file (complaint 8): ';
const DEPTH = 'default hop depth by size (complaints 8 and 21): ';
/** Of a maker of the devnet, one by one, whatever it may do. */
const REFUSED_ORDERS = 'an order is not taken where the maker does this: ';
const [SIMULATED, RANDOM_SWAPS] = FIRMED;
const TOGETHER = ': one re-solve without any off-chain venue, one warning, and an answer though nobody answers';
const NO_REDIRECT = 'follows no redirect, of whatever kind: a canary is never asked';
const CAPS_DEADLINE = 'an order that a maker signs is settled at its amounts, to the wei, sold and bought, and caps the deadline';
/** Rows of the catalogues of faults and complaints that concern the edge, and whoever signs, with the tests that show them. */
export const FAULTS: Readonly<Record<string, Shown>> = {
  D1: by(WEI),
  D2: by(WEI_RANGE),
  D4: by(
    'D4 address 39/41 hex, no `0x`, `0X`, space: 400; wrong checksum case, ALL-UPPER hex: valid, echoed as sent (R14)',
    'taker: Echoed as the transaction\u2019s `from`; wrong checksum case, ALL-UPPER hex valid also through /v1/swap (D4, R14)',
  ),
  D5: by(SAME_TOKEN),
  D6: by(WRAPPED),
  D8: by('D8 bool `yes`, empty, `on`, `2`: 400 (`TRUE`, `1`, `True` are accepted)'),
  D9: by('D9 timeLimitMs 49/50/299/300/5000/5001/50.5/`5e2`/`0x64`/``: only integers 50\u20135000 pass'),
  D10: by(D10),
  D11: by(
    'Required fields and their types, in both modes: the schema that interface and code share; optional fields are null when unknown (S1)',
    'is answered as the fields of the interface say, or has no route',
    'refuses NaN, the infinities and what JSON has no word for, at any depth',
  ),
  D12: by('D12 maxHops 0/8/\u22121: clamp, echo the clamp; 2.5, `1e400`, ``: 400'),
  D13: by('D13 gasPriceGwei 0, \u22121, `Infinity`: 400'),
  D14: by('D14 gasPriceGwei `1e-9`, `0.0000000001`, `123456789.123456789`, `1e15`: gasPriceWei exact raw JSON integer beyond 2^53'),
  D15: by('D15 feeBps \u22121/1501/1.5: 400; feeBps without feeRecipient: 400; feeRecipient alone: ok'),
  D16: by('D16 repeated scalar: 400; repeated include/excludeVenues: union (R3)'),
  D17: by('D17 `a[]=1`, `a[b]=1`, `sellToken[$ne]=`, `sellToken.x`: unknown names ignored; required missing: 400'),
  D18: by(
    'D18 names `__proto__`,`constructor`,`toString`,`hasOwnProperty`,`__defineGetter__`: ignored',
    'a prototype is never touched by names that callers send (D18)',
  ),
  D20: by('D20 `%`, `%zz`, overlong UTF-8, `%00`, `%0d%0a`, `%252e`, `+` as space: 400 or literal; no header injection'),
  D22: by(
    '404 for a chain not hosted (plain-text body, not JSON): `__proto__`, `constructor`, `toString`, `1e0`, `0x1`, `01` (D22, B2)',
    'a canonical chain name, a common alias or a numeric chain id: ',
  ),
  D24: by(
    'D24 labels: case-insensitive, comma-separated, spaces around them do not count, empty ones are dropped',
    'D24 labels are compared by ASCII: a KELVIN SIGN is no k, and other spaces than those of ASCII are part of a name',
    'D24 Unknown names are ignored: `:x`, `x:`, a variant that is not there, 300 labels; a list without entries counts as not sent (R3)',
    'Excluding only a variant leaves the plain family routable',
  ),
  D26: by('a deadline that has passed (R8, D26)', 'a deadline of 0 (D26)', 'a deadline of \u22121 (D26)', 'a deadline that is no integer (D26)'),
  D28: by('D28 chainId `1.0`,`1e0`,`0x1`,`01`,`99999999999999999999`: 400/404; routerAddress / allowanceHolderAddress: 400'),
  D31: by('D31 generated malformed requests: 0 \xD7 5xx, 0 HTML'),
  E1: by('E1 rotating X-Forwarded-For through 1,000 values with proxy trust off: still one 3 rps bucket'),
  E2: by(
    'E2 trust proxy = N hops: the right-most untrusted hop is the client, whatever the caller prepends',
    'trust of everybody',
    'trust of every network',
    'trustProxy: the right-most entry that is no trusted proxy is the client; IPv4-mapped addresses are unwrapped (B8, faults E2)',
  ),
  E5: by('Rotating key values does not widen a budget: '),
  E6: by(
    '5. An unrecognised key is treated exactly like no key; rotating key values does not widen a budget (faults E5, E6)',
    'E6 what is nearly a key is none: cut, longer, other case, joined, with a space, with another middle',
    'a key sent twice is two keys in one text, which nobody has',
  ),
  E8: by('issued \u2192 its rate within a second; revoked \u2192 anonymous within a second; no request of another key is lost meanwhile (faults E8)'),
  E9: by(
    'a key is in no log line, no metric and no error; neither are addresses of callers (faults E9)',
    'keys, their secrets and digests, and users\u2019 addresses, are in no log line at any level, no metric, no answer (faults E9)',
  ),
  E10: by('burst reservoir is min(rps x 1.5, rps + 20) tokens', 'agrees with an independent rational model on 10,000 random sequences'),
  E13: notYet('a store of budgets shared between replicas'),
  F1: by(TOGETHER, SIMULATED, 'ends at its deadline, however the answer dawdles'),
  F3: by(RANDOM_SWAPS, REFUSED_ORDERS, 'tells what is no text, half an answer, a connection that is reset or refused, and no HTTP at all'),
  F4: by(LEFT_ALONE, 'leaves who is busy alone at once, for as long as it asks'),
  F5: by(
    RANDOM_SWAPS,
    REFUSED_ORDERS,
    'reads no more than it may, said or unsaid, and leaves the rest',
    'decompresses nothing: a bomb stays packed',
    'is none where an object gives a name twice, at whatever depth, in whatever spelling and beside whatever lists',
  ),
  F7: by(RANDOM_SWAPS, REFUSED_ORDERS, 'carries nobody\u2019s signature where it is no point of the curve, whatever is written there'),
  F9: by(CAPS_DEADLINE, REFUSED_ORDERS, 'holds as long as it was asked for at least, also where the deadline of the swap is sooner'),
  F10: by(
    SETTLES,
    REFUSED_ORDERS,
    'an order that is better, or holds for ever, is taken as it is signed; one that was given before is not',
    'are held against what was asked: another amount is none, and what is worse by more than the request allows neither (B11)',
  ),
  F12: by(
    ' rounds an order that its maker has no balance or no allowance for is in no answer: RFQ_FIRMUP_FAILED, and a route without it that eth_estimateGas takes and that executes',
  ),
  F13: by('F13 makers that redirect to another port, for orders and for prices: it is never asked', NO_REDIRECT),
  F15: by(TOGETHER, SIMULATED),
  F17: ATTESTED,
  F19: by(
    'no maker is asked for anything with excludeRfq, nor below 300 ms: the route is one of the chain',
    'no attester is asked for anything with excludeRfq, nor below 300 ms: the route is one of the chain',
    NO_ISSUER,
  ),
  F20: by(KEYS_AND_EXCLUSIONS, NO_ISSUER),
  F22: by(
    'userAddress is sent to makers that meter users, and to no other one: makers that only screen keep the taker, by their own record',
    'sign exactly what is asked for, in both modes, for the user behind the taker',
  ),
};
export const COMPLAINTS: Readonly<Record<string, Shown>> = {
  3: by(EXACT, 'gasPriceWei May exceed 2^53: as an exact JSON integer (S3)'),
  4: by(EXACT, '2.5e24 base units quote fine: of 24 decimals that is two and a half tokens (complaint 4)'),
  5: by(
    'Addresses are 0x-prefixed 20-byte hex, case-insensitive: checksummed, lower and upper hex give the same route (complaint 5)',
    'The native token of a chain is the sentinel address, valid as `sellToken` and as `buyToken`, in any case (complaint 5)',
    SAME_TOKEN,
  ),
  6: by(WRAPPED),
  7: by(WEI_RANGE, 'no route exists for the pair and size: 404, and dust whose output is 0 is 404, never 200 with "0" (complaint 7)'),
  8: by(USD, DEPTH),
  9: by(
    'Rate headers: `X-RateLimit-Limit` and `X-RateLimit-Remaining` on every response, including successes: 200, 204, 400, 404, 405 (complaint 9)',
    '429 The caller identity exceeded its request budget: `error`, `code` = `rate_limited`, `retryAfterSeconds`; header `Retry-After` in seconds, integer, minimum 1, never 0; after that long it is served (complaint 9)',
    'a load-shed 503 gives the token back, and X-RateLimit-Remaining shows it',
  ),
  19: by(D10),
  20: by(
    'ERC-20, `allowanceHolder`: to the allowance holder, value `"0"`, `allowanceTarget` never the router (complaint 20)',
    'allowanceTarget: Contract the taker must approve; the allowance holder on a quote (S16), null for native-token sells, never the router (complaint 20)',
  ),
  21: by(DEPTH, 'output is monotone in input across the depth thresholds: '),
};

import type { TradeQuery } from '../../schemas/types.gen.ts';
import { LIMITS } from '../config/limits.ts';
import { type Address, asAddress, asciiLowerCase, asciiTrim, asWei, decodeInteger, isAddress, MAX_WEI, type Wei, ZERO_ADDRESS } from '../units/units.ts';
import { clampDecimal, type Decimal, decodeDecimal } from './decimal.ts';
import { parseQuery } from './query.ts';
import { checkQuery, missing, wrong } from './trade-query.ts';
import type { TradeRequest } from './trade-request.ts';

export type ParsedTradeRequest = { readonly ok: true; readonly request: TradeRequest } | { readonly ok: false; readonly message: string };

const MAX_INT64 = (1n << 63n) - 1n;

/** Raw query → decoded request (decisions R3 to R11, R16, R18). The message of a refusal is the first problem in a fixed order. Never throws. */
export function parseTradeRequest(endpoint: 'quote' | 'swap', rawQuery: string, options: { readonly developmentMode: boolean }): ParsedTradeRequest {
  const parsed = parseQuery(rawQuery);
  if (!parsed.ok) return parsed;
  const checked = checkQuery(endpoint, parsed.pairs, options.developmentMode);
  if (!checked.ok) return checked;
  const problems: string[] = [];
  const request = decode(endpoint, checked.query, checked.overrides, (message) => problems.push(message));
  const [message] = problems;
  return message === undefined ? { ok: true, request } : { ok: false, message };
}

/** Notes a problem. Decoding goes on with a stand-in, and the request is dropped at the end. */
type Report = (message: string) => void;

function decode(endpoint: 'quote' | 'swap', query: TradeQuery, overrides: ReadonlyMap<string, string>, report: Report): TradeRequest {
  const mode = query.mode === 'buy' ? 'buy' : 'sell';
  const integer = integerOf(query, report);
  const address = addressOf(query, report);
  const chainId = integer('chainId', 0n, MAX_INT64) ?? 0n;
  const amount = decodeAmount(query, mode, report);
  const slippage = decodeSlippage(query);
  const gasPriceWei = decodeGasPrice(query, report);
  const feeBps = integer('feeBps', 0n, BigInt(LIMITS.feeBps.max));
  const timeLimitMs = integer('timeLimitMs', BigInt(LIMITS.timeLimitMs.min), BigInt(LIMITS.timeLimitMs.max));
  const deadline = integer('deadline', 0n, MAX_INT64);
  const sellToken = address('sellToken') ?? ZERO_ADDRESS;
  const buyToken = address('buyToken') ?? ZERO_ADDRESS;
  const taker = address('taker');
  const recipient = address('recipient');
  const feeRecipient = address('feeRecipient');
  const userAddress = address('userAddress');
  if (sellToken === buyToken) report(`sellToken and buyToken are both ${sellToken}; expected two different tokens`);
  if (endpoint === 'swap' && taker === null) report(missing('taker'));
  if (feeBps !== null && feeRecipient === null) report(`feeBps is sent without feeRecipient; expected both or neither`);
  const excludeVenues = decodeLabels(query.excludeVenues);
  const includeVenues = decodeLabels(query.includeVenues);
  if (excludeVenues !== null && includeVenues !== null) report('excludeVenues and includeVenues are both sent; expected at most one of them');
  return {
    endpoint,
    chainId,
    mode,
    sellToken,
    buyToken,
    amount,
    slippage,
    maxHops: decodeMaxHops(query),
    gasPriceWei,
    taker,
    recipient: recipient ?? taker,
    feeRecipient,
    requestFee: feeBps === null || feeRecipient === null ? null : { feeBps: Number(feeBps), feeRecipient },
    timeLimitMs: timeLimitMs === null ? LIMITS.timeLimitMs.default : Number(timeLimitMs),
    excludeRfq: decodeBoolean(query.excludeRfq),
    excludeRwa: decodeBoolean(query.excludeRwa),
    excludeVenues,
    includeVenues,
    userAddress,
    deadline,
    funding: query.funding === 'permit2' ? 'permit2' : 'allowanceHolder',
    overrides: { router: decodeOverride('routerAddress', overrides, report), allowanceHolder: decodeOverride('allowanceHolderAddress', overrides, report) },
    echo: { sellToken: query.sellToken, buyToken: query.buyToken, taker: query.taker ?? null, recipient: query.recipient ?? query.taker ?? null },
  };
}

function integerOf(query: TradeQuery, report: Report) {
  return (name: keyof TradeQuery, least: bigint, most: bigint): bigint | null => {
    const text = query[name];
    if (text === undefined) return null;
    const value = decodeInteger(text);
    if (value < least || value > most) report(wrong(name, text));
    return value;
  };
}

function addressOf(query: TradeQuery, report: Report) {
  return (name: keyof TradeQuery): Address | null => {
    const text = query[name];
    if (text === undefined) return null;
    const value = asAddress(text);
    if (value === ZERO_ADDRESS) report(`${name} is the zero address; expected an address that somebody holds`);
    return value;
  };
}

/** The amount that the mode uses. The other one is ignored but has to be an amount (decisions R6, R9). */
function decodeAmount(query: TradeQuery, mode: 'sell' | 'buy', report: Report): Wei {
  const integer = integerOf(query, report);
  const sellAmount = integer('sellAmount', 1n, MAX_WEI);
  const buyAmount = integer('buyAmount', 1n, MAX_WEI);
  const used = mode === 'sell' ? sellAmount : buyAmount;
  if (used === null) report(missing(mode === 'sell' ? 'sellAmount' : 'buyAmount'));
  return asWei(used === null || used > MAX_WEI ? 0n : used);
}

const SLIPPAGE: { readonly [name in 'least' | 'most' | 'default']: Decimal } = {
  least: { numerator: 1n, scale: 5 },
  most: { numerator: 50n, scale: 0 },
  default: { numerator: 5n, scale: 1 },
};

function decodeSlippage(query: TradeQuery): Decimal {
  const value = query.slippagePct === undefined ? null : decodeDecimal(query.slippagePct);
  return clampDecimal(value ?? SLIPPAGE.default, SLIPPAGE.least, SLIPPAGE.most);
}

const MAX_GAS_PRICE_WEI = 10n ** 30n;
const WEI_PER_GWEI = 10n ** 9n;

/** Gwei in wei, rounded half up, at least 1. */
function decodeGasPrice(query: TradeQuery, report: Report): bigint | null {
  if (query.gasPriceGwei === undefined) return null;
  const gwei = decodeDecimal(query.gasPriceGwei) ?? { numerator: 0n, scale: 0 };
  const unit = 10n ** BigInt(gwei.scale);
  const wei = (2n * gwei.numerator * WEI_PER_GWEI + unit) / (2n * unit);
  if (gwei.numerator <= 0n || wei > MAX_GAS_PRICE_WEI) report(wrong('gasPriceGwei', query.gasPriceGwei));
  return wei < 1n ? 1n : wei;
}

function decodeMaxHops(query: TradeQuery): number | null {
  if (query.maxHops === undefined) return null;
  const value = decodeInteger(query.maxHops);
  if (value < BigInt(LIMITS.maxHops.min)) return LIMITS.maxHops.min;
  return value > BigInt(LIMITS.maxHops.max) ? LIMITS.maxHops.max : Number(value);
}

function decodeBoolean(text: string | undefined): boolean {
  return text !== undefined && (text === '1' || asciiLowerCase(text) === 'true');
}

/** Lower-case labels without blanks and repeats; null when none is left, which counts as not sent. */
function decodeLabels(text: string | undefined): readonly string[] | null {
  const labels = (text ?? '').split(',').map((label) => asciiLowerCase(asciiTrim(label)));
  const unique = [...new Set(labels.filter((label) => label !== ''))];
  return unique.length > 0 ? unique : null;
}

function decodeOverride(name: string, overrides: ReadonlyMap<string, string>, report: Report): Address | null {
  const text = overrides.get(name);
  if (text === undefined) return null;
  if (isAddress(text) && asAddress(text) !== ZERO_ADDRESS) return asAddress(text);
  report(wrong(name, text));
  return null;
}

import { type Address, asAddress, isAddress } from '../../units/units.ts';
import type { OutsideAnswer } from '../outside.ts';
import { readJson } from '../read-json.ts';
import type { Attestation, Side } from './attestation.ts';
import { SIDE_NUMBERS } from './typed-quote.ts';

/** What an issuer says to a request. 'refused': it would not, for its market is closed, for its limits, or for another reason of its own. 'garbled': it is none of the interface's answers. */
export type IssuerAnswer =
  | { readonly ok: true; readonly says: ReadonlyMap<string, unknown> }
  | { readonly ok: false; readonly reason: 'busy' | 'refused' | 'unreachable' | 'garbled' | 'crowded'; readonly retryAfterMs: number | null };

export function readAnswer(answer: OutsideAnswer): IssuerAnswer {
  if (!answer.ok) return { ok: false, reason: answer.reason, retryAfterMs: answer.reason === 'busy' ? answer.retryAfterMs : null };
  const body = readJson(answer.text);
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return { ok: false, reason: 'garbled', retryAfterMs: null };
  return { ok: true, says: new Map(Object.entries(body)) };
}

/** What was asked for, which an answer has to repeat. */
export type Asked = { readonly chainId: number; readonly symbol: string; readonly asset: Address; readonly side: Side };

/** Members that both kinds of quotes have. Base units; price with 18 decimals. */
export type QuotedAmount = { readonly price: bigint; readonly quantity: bigint };

/** No amount or price above this is handled: products of two of them are numbers of the contract still. */
const MOST = (1n << 128n) - 1n;
const MAX_WORD = (1n << 256n) - 1n;
/** Half of the order of the curve: contracts refuse the other one of two signatures that are the same. */
const HALF_ORDER = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n;

/** null: the answer is none, or of something else than was asked for. */
export function readQuoted(says: ReadonlyMap<string, unknown>, { chainId, symbol, asset, side }: Asked): QuotedAmount | null {
  const [price, quantity] = [readUint(says.get('price'), MOST), readUint(says.get('tokenAmount'), MOST)];
  if (price === null || quantity === null || price === 0n || quantity === 0n) return null;
  if (readAddress(says.get('assetAddress')) !== asset) return null;
  if (!SIDE_TEXTS[side].has(said(says.get('side')) ?? '')) return null;
  for (const [name, wanted] of [
    ['chainId', String(chainId)],
    ['symbol', symbol.toLowerCase()],
  ] as const) {
    const value = says.get(name);
    if (value !== undefined && said(value) !== wanted) return null;
  }
  return { price, quantity };
}

/** null: it is no attestation, or of something else than was asked for. */
export function readAttestation(says: ReadonlyMap<string, unknown>, asked: Asked): Attestation | null {
  const quoted = readQuoted(says, asked);
  const [attestationId, expiration] = [readUint(says.get('attestationId'), MAX_WORD), readUint(says.get('expiration'), MAX_WORD)];
  const [userId, additionalData] = [readWord(says.get('userId')), readAdditional(says.get('additionalData'))];
  const signature = readSignature(says.get('signature'));
  if (quoted === null || attestationId === null || expiration === null || userId === null || additionalData === null || signature === null) return null;
  return { attestationId, userId, side: asked.side, asset: asked.asset, ...quoted, expiration, additionalData, signature };
}

const SIDE_TEXTS: Readonly<Record<Side, ReadonlySet<string>>> = {
  buy: new Set([String(SIDE_NUMBERS.buy), 'buy']),
  sell: new Set([String(SIDE_NUMBERS.sell), 'sell']),
};

const UINT = /^[0-9]{1,78}$/;
const WORD = /^0x[0-9a-fA-F]{64}$/;
const SIGNATURE = /^0x[0-9a-fA-F]{130}$/;
/** 65 bytes. */
const BASE64 = /^[A-Za-z0-9+/]{87}=$/;
const ZERO_WORD: `0x${string}` = `0x${'0'.repeat(64)}`;

/** Decimal text, or a number that a double holds exactly. */
function readUint(value: unknown, most: bigint): bigint | null {
  if (typeof value === 'number') return Number.isSafeInteger(value) && value >= 0 && BigInt(value) <= most ? BigInt(value) : null;
  if (typeof value !== 'string' || !UINT.test(value)) return null;
  const read = BigInt(value);
  return read > most ? null : read;
}

function readAddress(value: unknown): Address | null {
  return typeof value === 'string' && isAddress(value) ? asAddress(value) : null;
}

function readWord(value: unknown): `0x${string}` | null {
  return typeof value === 'string' && WORD.test(value) ? (value.toLowerCase() as `0x${string}`) : null;
}

/** Nothing where there is none: the contract has a word of zeros then. */
function readAdditional(value: unknown): `0x${string}` | null {
  return value === undefined || value === null || value === '' || value === '0x' ? ZERO_WORD : readWord(value);
}

/** r, s, v, with v as contracts have it. null: it is none, or one that contracts refuse. */
function readSignature(value: unknown): `0x${string}` | null {
  if (typeof value !== 'string') return null;
  const bytes = SIGNATURE.test(value) ? Buffer.from(value.slice(2), 'hex') : BASE64.test(value) ? Buffer.from(value, 'base64') : null;
  if (bytes === null || bytes.length !== 65) return null;
  const last = bytes[64] ?? 0;
  const v = last < 2 ? last + 27 : last;
  if (v !== 27 && v !== 28) return null;
  if (BigInt(`0x${bytes.toString('hex', 32, 64)}`) > HALF_ORDER) return null;
  return `0x${bytes.toString('hex', 0, 64)}${v.toString(16)}`;
}

/** What an issuer wrote where a word or a number belongs, lower-case; null where it wrote anything else, whose text would be for its sender to make. */
function said(value: unknown): string | null {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' ? value.slice(0, 80).toLowerCase() : null;
}

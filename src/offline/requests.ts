import parameters from '../../schemas/trade-query.schema.json' with { type: 'json' };
import { LIMITS } from '../config/limits.ts';
import { isObject, readJsonFile } from '../pool-set/pool-set.ts';
import { parseTradeRequest, type TradeRequest } from '../validation/validation.ts';

/** One row of a requests file: decoded, or why it can not be. */
export type OfflineRequest =
  | { readonly id: string; readonly ok: true; readonly request: TradeRequest }
  | { readonly id: string; readonly ok: false; readonly message: string };

export type RequestsResult = { readonly ok: true; readonly requests: readonly OfflineRequest[] } | { readonly ok: false; readonly message: string };

export type Selection = {
  readonly every: number;
  readonly limit: number | null;
  readonly chainId: number;
  readonly defaults: Readonly<Record<string, string>>;
};

const NAMES = Object.keys(parameters.properties);
const AMOUNTS = ['sellAmount', 'buyAmount'];
const ROW = ['sellToken', 'buyToken', 'amount', 'mode'];

/** Reads a requests file (design/pool-set) and decodes the selected rows. A row that is no trade request is kept, with the message that the service would give. */
export async function readRequests(path: string, selection: Selection): Promise<RequestsResult> {
  const file = await readJsonFile(path);
  if (!file.ok) return file;
  const rows = rowsOf(file.value);
  if (rows === null) return { ok: false, message: `${path} holds no requests: $ must be a list, or an object with the list under 'requests' or 'orders'` };
  if (rows.length > LIMITS.files.requests) return { ok: false, message: `${path} holds ${rows.length} requests; at most ${LIMITS.files.requests} are read` };
  const { every, limit } = selection;
  const selected = rows.map((row, index) => ({ row, index })).filter(({ index }) => index % every === 0);
  return { ok: true, requests: selected.slice(0, limit ?? selected.length).map(({ row, index }) => decodeRow(row, index, selection)) };
}

function rowsOf(value: unknown): readonly unknown[] | null {
  if (Array.isArray(value)) return value;
  if (!isObject(value)) return null;
  const rows = value.requests ?? value.orders;
  return Array.isArray(rows) ? rows : null;
}

/** Decodes one row by the same rules as the query of /v1/quote, so that a row means what the request would. */
export function decodeRow(row: unknown, index: number, { chainId, defaults }: Pick<Selection, 'chainId' | 'defaults'>): OfflineRequest {
  const fields = Array.isArray(row) ? tupleFields(row) : row;
  const id = idOf(fields, index);
  if (!isObject(fields)) return { id, ok: false, message: `an object, or [${ROW.join(', ')}], is expected` };
  if (AMOUNTS.some((name) => typeof fields[name] === 'number'))
    return { id, ok: false, message: 'an amount is a JSON number, which may be rounded; a decimal string is expected' };
  const unused = fields.mode === 'buy' ? 'sellAmount' : 'buyAmount';
  const sent = { chainId: String(chainId), ...defaults, ...fields };
  const query = NAMES.filter((name) => name !== unused && Object.hasOwn(sent, name)).map((name) => pairsOf(name, sent[name as keyof typeof sent]));
  const parsed = parseTradeRequest('quote', query.filter((pair) => pair !== '').join('&'), { developmentMode: false });
  if (!parsed.ok) return { id, ok: false, message: parsed.message };
  if (parsed.request.chainId !== BigInt(chainId))
    return { id, ok: false, message: `chainId is ${parsed.request.chainId}; the pool set is of chain ${chainId}` };
  return { id, ok: true, request: parsed.request };
}

function tupleFields(row: readonly unknown[]): unknown {
  if (row.length !== ROW.length) return null;
  const [sellToken, buyToken, amount, mode] = row;
  return { sellToken, buyToken, mode, [mode === 'buy' ? 'buyAmount' : 'sellAmount']: amount };
}

function idOf(fields: unknown, index: number): string {
  const id = isObject(fields) ? (fields.id ?? fields.uid) : undefined;
  return typeof id === 'string' || typeof id === 'number' ? String(id).slice(0, 200) : String(index);
}

/** A member as query text; null and absent members are not sent, what has no text form is refused by the parameter's own rule. */
function pairsOf(name: string, value: unknown): string {
  if (value === null || value === undefined) return '';
  const values = Array.isArray(value) ? value : [value];
  return values.map((item) => `${name}=${encodeURIComponent(wellFormed(typeof item === 'object' ? JSON.stringify(item) : String(item)))}`).join('&');
}

/** JSON may escape half a surrogate pair, which no URL can carry. */
function wellFormed(text: string): string {
  return text.replaceAll(/\p{Surrogate}/gu, '\ufffd');
}

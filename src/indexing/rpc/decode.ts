import { garbage } from './rpc-error.ts';

const QUANTITY = /^0x(0|[1-9a-f][0-9a-f]*)$/i;
/** Looked for rather than matched as a whole: to repeat a group over millions of digits takes seconds, and more stack than there is, which is no RpcError. */
const NO_DIGIT = /[^0-9a-fA-F]/;

/** A JSON-RPC quantity that fits a safe integer. Throws garbage. */
export function decodeQuantity(value: unknown): number {
  if (typeof value !== 'string' || value.length > 16 || !QUANTITY.test(value)) throw garbage('not a quantity');
  const number = Number(value);
  if (!Number.isSafeInteger(number)) throw garbage('quantity above 2^53');
  return number;
}

/** A JSON-RPC quantity of up to 256 bits. Throws garbage. */
export function decodeBigQuantity(value: unknown): bigint {
  if (typeof value !== 'string' || value.length > 66 || !QUANTITY.test(value)) throw garbage('not a quantity');
  return BigInt(value);
}

/** Hex data of any length, or of exactly `bytes`, in lower case. Throws garbage. */
export function decodeHex(value: unknown, bytes?: number): `0x${string}` {
  if (typeof value !== 'string' || !value.startsWith('0x') || value.length % 2 !== 0 || NO_DIGIT.test(value.slice(2))) throw garbage('not hex data');
  if (bytes !== undefined && value.length !== 2 + 2 * bytes) throw garbage(`not ${bytes} bytes`);
  return value.toLowerCase() as `0x${string}`;
}

/** A JSON object. Throws garbage on anything else, null included. */
export function decodeObject(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw garbage('not an object');
  return value as Record<string, unknown>;
}

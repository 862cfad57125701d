import { parseInteger } from '../../units/units.ts';
import { asObject } from './json-rpc.ts';
import { readAddress } from './read-pricing.ts';
import type { SignedOrder } from './signed-order.ts';

/** An order as a maker sent it, and what it says beside: members that, where they are there, have to be those that were asked for. */
export type SentOrder = { readonly order: SignedOrder; readonly says: ReadonlyMap<string, unknown> };

const WORD = /^0x[0-9a-fA-F]{64}$/;
const MAX_WORD = (1n << 256n) - 1n;

/** null: it is no order. */
export function readOrder(result: unknown): SentOrder | null {
  const says = asObject(result);
  if (says === null) return null;
  const [nonce, expiry] = [readUint(says.get('nonce')), readUint(says.get('expiry'))];
  const [signerAmount, senderAmount] = [readUint(says.get('signerAmount')), readUint(says.get('senderAmount'))];
  const [signerWallet, signerToken, senderToken] = ['signerWallet', 'signerToken', 'senderToken'].map((name) => readAddress(says.get(name)));
  const [v, r, s] = [readUint(says.get('v')), readWord(says.get('r')), readWord(says.get('s'))];
  if (nonce === null || expiry === null || signerAmount === null || senderAmount === null) return null;
  if (!signerWallet || !signerToken || !senderToken || v === null || r === null || s === null) return null;
  // Some sign with 0 and 1, which the contract does not know.
  const recovery = v < 2n ? v + 27n : v;
  if (recovery !== 27n && recovery !== 28n) return null;
  return { order: { nonce, expiry, signerWallet, signerToken, signerAmount, senderToken, senderAmount, v: Number(recovery), r, s }, says };
}

/** Decimal text, or a number that a double holds exactly. */
function readUint(value: unknown): bigint | null {
  if (typeof value === 'number') return Number.isSafeInteger(value) && value >= 0 ? BigInt(value) : null;
  return typeof value === 'string' ? parseInteger(value, 0n, MAX_WORD) : null;
}

function readWord(value: unknown): `0x${string}` | null {
  return typeof value === 'string' && WORD.test(value) ? (value.toLowerCase() as `0x${string}`) : null;
}

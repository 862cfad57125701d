import { createHash, randomInt, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';

// An API key: braid_live_<8 id>_<32 secret>_<6 checksum>, in base 62. The checksum (CRC-32 of all before it, as other issuers do) lets a typing error and
// a scanner for leaked secrets be told from a key without asking the file.

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const KEY = /^braid_live_([0-9A-Za-z]{8})_([0-9A-Za-z]{32})_([0-9A-Za-z]{6})$/;
const KEY_LENGTH = 'braid_live_'.length + 8 + 1 + 32 + 1 + 6;

export type ApiKeyParts = { readonly id: string; readonly secret: string };

/** The parts of a well-formed key whose checksum holds, else null. */
export function parseApiKey(text: string): ApiKeyParts | null {
  if (text.length !== KEY_LENGTH) return null;
  const [, id, secret, checksum] = KEY.exec(text) ?? [];
  if (id === undefined || secret === undefined || checksum !== checksumOf(id, secret)) return null;
  return { id, secret };
}

export function formatApiKey({ id, secret }: ApiKeyParts): string {
  return `braid_live_${id}_${secret}_${checksumOf(id, secret)}`;
}

/** SHA-256 of a secret, lower-case hex: what the key file stores. The secret has 190 random bits, so a plain hash is enough. */
export function digestOfSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

/** Compares a secret with a stored digest in constant time. */
export function secretMatches(secret: string, digest: Buffer): boolean {
  return timingSafeEqual(createHash('sha256').update(secret).digest(), digest);
}

/** Random text in the keys' alphabet. `pick(n)` gives an unbiased integer below n. */
export function randomText(length: number, pick: (below: number) => number = randomInt): string {
  return Array.from({ length }, () => ALPHABET[pick(ALPHABET.length)]).join('');
}

function checksumOf(id: string, secret: string): string {
  let rest = crc32(`braid_live_${id}_${secret}`);
  let text = '';
  for (let i = 0; i < 6; i++) {
    text = ALPHABET[rest % 62] + text;
    rest = Math.floor(rest / 62);
  }
  return text;
}

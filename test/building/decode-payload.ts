import type { Leg, SwapTerms } from '../../src/building/building.ts';
import { type Address, asAddress, asBps, asWei, NATIVE_TOKEN } from '../../src/units/units.ts';

const POLICIES = ['protocol', 'taker', 'shared'] as const;
/** Name, whether a pool comes first, and how many bytes come then, by the kinds of contracts/legs/. */
const LEGS: ReadonlyMap<number, readonly [leg: string, pooled: boolean, bytes: number]> = new Map([
  [1, ['uniswap_v2', true, 3]],
  [2, ['uniswap_v3', true, 1]],
  [3, ['wrap', false, 0]],
  [4, ['uniswap_v4', true, 26]],
  [9, ['uniswap_v4_path', true, 1 + 26]],
  [10, ['uniswap_v2_path', true, 3 + 1]],
  [12, ['airswap', true, 20]],
  [13, ['uniswap_v4_attested', true, 26 + 8 + 1]],
  [14, ['ondo', true, 1]],
]);
/** Of legs that end with amounts, each its length and its bytes: how many there are, and how many bytes come after them. */
const AMOUNTS: ReadonlyMap<string, readonly [count: number, bytesAfter: number]> = new Map([
  ['airswap', [4, 1 + 32 + 32]],
  ['ondo', [4, 32 + 32 + 65]],
]);
/** Of legs that are paths: where in their data the number of tokens between stands, and how long a further pool is with the token before it. */
const PATHS: ReadonlyMap<string, readonly [countAt: number, furtherBytes: number]> = new Map([
  ['uniswap_v4_path', [0, 20 + 26]],
  ['uniswap_v2_path', [3, 20 + 20 + 3]],
  // The same with attestations in the place of pools.
  ['uniswap_v4_attested', [26 + 8, 85]],
]);

/** Reads a payload as contracts/lib/Terms.sol and contracts/Router.sol do. Throws on anything that they refuse by its form. */
export function decodePayload(payload: `0x${string}`, taker: Address): SwapTerms {
  const bytes = Buffer.from(payload.slice(2), 'hex');
  let at = 0;
  const take = (count: number): string => {
    if (at + count > bytes.length) throw new Error('the payload ends too early');
    at += count;
    return bytes.subarray(at - count, at).toString('hex');
  };
  const integer = (count: number): number => Number.parseInt(take(count), 16);
  const amount = (): bigint => {
    const count = integer(1);
    return count === 0 ? 0n : BigInt(`0x${take(count)}`);
  };
  const account = (): Address => asAddress(`0x${take(20)}`);

  const flags = integer(1);
  const has = (bit: number): boolean => (flags & (1 << bit)) !== 0;
  const surplus = POLICIES[(flags >> 1) & 3];
  if (surplus === undefined || flags > 127) throw new Error('flags');
  const tag: `0x${string}` = `0x${take(32)}`;
  const deadline = amount();
  const sellToken = has(5) ? NATIVE_TOKEN : account();
  const buyToken = has(6) ? NATIVE_TOKEN : account();
  const sellAmount = asWei(amount());
  const buyAmount = asWei(amount());
  const minBuyAmount = has(0) ? buyAmount : asWei(amount());
  const recipient = has(3) ? account() : taker;
  const fee = has(4) ? { partner: account(), feeBps: asBps(integer(2)), partnerShareBps: asBps(integer(2)) } : null;
  const tokens = [sellToken, buyToken];
  for (let left = integer(1); left > 0; left--) tokens.push(account());
  const legs: Leg[] = [];
  while (at < bytes.length) {
    const kind = LEGS.get(integer(1));
    const bps = asBps(integer(2));
    const [tokenIn, tokenOut] = [tokens[integer(1)], tokens[integer(1)]];
    if (kind === undefined || tokenIn === undefined || tokenOut === undefined) throw new Error('a hop');
    const [leg, pooled, count] = kind;
    const pool = pooled ? account() : null;
    const [countAt, furtherBytes] = PATHS.get(leg) ?? [0, 0];
    const further = furtherBytes * (bytes[at + countAt] ?? 0);
    let data = take(count + further);
    const [amounts, bytesAfter] = AMOUNTS.get(leg) ?? [0, 0];
    for (let left = amounts; left > 0; left--) data += take(1 + (bytes[at] ?? 0));
    legs.push({ leg, bps, tokenIn, tokenOut, pool, data: `0x${data}${take(bytesAfter)}` });
  }
  return { mode: has(0) ? 'buy' : 'sell', tag, deadline, sellToken, buyToken, sellAmount, buyAmount, minBuyAmount, taker, recipient, fee, surplus, legs };
}

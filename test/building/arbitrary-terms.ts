import fc from 'fast-check';
import { numberToHex } from 'viem';
import type { Leg, SwapTerms } from '../../src/building/building.ts';
import { type Address, asAddress, asBps, asWei, MAX_WEI, NATIVE_TOKEN } from '../../src/units/units.ts';
import { encode } from '../../src/venues/airswap/encode.ts';
import { orderFacts } from '../../src/venues/airswap/signed-order.ts';
import { attestationFacts } from '../../src/venues/ondo/attestation.ts';
import { encode as encodeIssuance } from '../../src/venues/ondo/encode.ts';
import { attestationFacts as blockFacts } from '../../src/venues/uniswap_v4/attestations.ts';
import { encode as uniswapV4 } from '../../src/venues/uniswap_v4/encode.ts';

const address = fc.uint8Array({ minLength: 20, maxLength: 20 }).map((bytes) => asAddress(`0x${Buffer.from(bytes).toString('hex')}`));
const amount = fc.oneof(fc.bigInt({ min: 0n, max: 300n }), fc.bigInt({ min: 0n, max: MAX_WEI }), fc.constant(MAX_WEI)).map(asWei);
const bps = fc.integer({ min: 0, max: 10_000 }).map(asBps);
const token = fc.oneof({ weight: 4, arbitrary: address }, { weight: 1, arbitrary: fc.constant(NATIVE_TOKEN) });

/** An order of AirSwap's as its venue writes it, of these bytes; each of its amounts has as many as a digit of `sizes` says. */
function orderOf(bytes: Uint8Array, sizes: number): `0x${string}` {
  const word = (at: number, size: number) => BigInt(`0x0${Buffer.from(bytes.subarray(at, at + size)).toString('hex')}`);
  const amountAt = (at: number) => word(at, (sizes >> (at % 20)) % 33);
  const hex = (at: number): `0x${string}` => numberToHex(word(at, 32), { size: 32 });
  const signerWallet = asAddress(`0x${Buffer.from(bytes.subarray(0, 20)).toString('hex')}`);
  const amounts = { nonce: amountAt(1), expiry: amountAt(2), signerAmount: amountAt(3), senderAmount: amountAt(4) };
  const facts = orderFacts({ signerWallet, ...amounts, signerToken: NATIVE_TOKEN, senderToken: NATIVE_TOKEN, v: 27 + (sizes % 2), r: hex(5), s: hex(6) });
  return encode.legData({ tokenIn: NATIVE_TOKEN, tokenOut: NATIVE_TOKEN, legFacts: facts } as Parameters<typeof encode.legData>[0]);
}

/** The same of what an issuer attests. */
function attestationOf(bytes: Uint8Array, sizes: number): `0x${string}` {
  const word = (at: number, size: number) => BigInt(`0x0${Buffer.from(bytes.subarray(at, at + size)).toString('hex')}`);
  const amountAt = (at: number) => word(at, (sizes >> (at % 20)) % 33);
  const hex = (at: number, size: number): `0x${string}` => numberToHex(word(at, Math.min(size, 32)), { size });
  const amounts = { attestationId: amountAt(1), price: amountAt(2), quantity: amountAt(3), expiration: amountAt(4) };
  const words = { userId: hex(5, 32), additionalData: hex(6, 32), signature: hex(7, 65) };
  const legFacts = attestationFacts({ side: sizes % 2 === 0 ? 'buy' : 'sell', asset: NATIVE_TOKEN, ...amounts, ...words });
  return encodeIssuance.legData({ tokenIn: NATIVE_TOKEN, tokenOut: NATIVE_TOKEN, legFacts } as Parameters<typeof encode.legData>[0]);
}

/** A pool with attestations of some blocks in a row, as its venue writes them. */
function attestedOf(bytes: Uint8Array, blockNumber: number): `0x${string}` {
  const byteAt = (at: number) => bytes[at % bytes.length] ?? 0;
  const unlockDataOf = (at: number) => `0x${Buffer.from(Array.from({ length: 85 }, (_, place) => byteAt(7 * at + place))).toString('hex')}` as const;
  const attestations = Array.from({ length: 1 + (byteAt(0) % 5) }, (_, at) => ({ blockNumber: blockNumber + at, unlockData: unlockDataOf(at) }));
  const legFacts = { fee: 0x800000, tickSpacing: 1 + byteAt(1), variant: 'angstrom', ...blockFacts(attestations) };
  const hop = { legFacts, hook: asAddress(`0x${Buffer.from(Array.from({ length: 20 }, (_, at) => byteAt(at))).toString('hex')}`) };
  return uniswapV4.signed?.legData(hop as unknown as Parameters<typeof uniswapV4.legData>[0]) ?? '0x';
}

const leg = (tokens: readonly Address[]): fc.Arbitrary<Leg> =>
  fc
    .record({
      kind: fc.integer({ min: 0, max: 8 }),
      path: fc.integer({ min: 1, max: 6 }).chain((between) => fc.uint8Array({ minLength: 26 + 46 * between, maxLength: 26 + 46 * between })),
      bps,
      tokenIn: fc.constantFrom(...tokens),
      tokenOut: fc.constantFrom(...tokens),
      pairs: fc.integer({ min: 1, max: 6 }).chain((between) => fc.uint8Array({ minLength: 3 + 43 * between, maxLength: 3 + 43 * between })),
      pool: address,
      data: fc.integer({ min: 0, max: 0xffffff }),
    })
    .map(({ kind, data, pool, path, pairs, ...rest }): Leg => {
      if (kind === 0) return { ...rest, leg: 'wrap', pool: null, data: '0x' };
      const hex = Buffer.from(path).toString('hex');
      if (kind === 3) return { ...rest, leg: 'uniswap_v4', pool, data: `0x${hex.slice(0, 2 * 26)}` };
      if (kind === 4) {
        const between = ((path.length - 26) / 46).toString(16).padStart(2, '0');
        return { ...rest, leg: 'uniswap_v4_path', pool, data: `0x${between}${hex}` };
      }
      if (kind === 5) {
        const between = ((pairs.length - 3) / 43).toString(16).padStart(2, '0');
        const further = Buffer.from(pairs).toString('hex');
        return { ...rest, leg: 'uniswap_v2_path', pool, data: `0x${further.slice(0, 6)}${between}${further.slice(6)}` };
      }
      if (kind === 7) return { ...rest, leg: 'ondo', pool, data: attestationOf(path, data) };
      if (kind === 8) return { ...rest, leg: 'uniswap_v4_attested', pool, data: attestedOf(pairs, data) };
      if (kind === 6) return { ...rest, leg: 'airswap', pool, data: orderOf(path, data) };
      const digits = kind === 1 ? 6 : 2;
      return { ...rest, leg: kind === 1 ? 'uniswap_v2' : 'uniswap_v3', pool, data: `0x${(data % 16 ** digits).toString(16).padStart(digits, '0')}` };
    });

/** Terms of any swap that the encoder takes, with legs that need not make a route. */
export const arbitraryTerms: fc.Arbitrary<SwapTerms> = fc.uniqueArray(token, { minLength: 2, maxLength: 9 }).chain((tokens) =>
  fc.record({
    mode: fc.constantFrom('sell', 'buy'),
    tag: fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes): `0x${string}` => `0x${Buffer.from(bytes).toString('hex')}`),
    deadline: fc.bigInt({ min: 0n, max: 2n ** 63n - 1n }),
    sellToken: fc.constant(tokens[0] ?? NATIVE_TOKEN),
    buyToken: fc.constant(tokens[1] ?? NATIVE_TOKEN),
    sellAmount: amount,
    buyAmount: amount,
    minBuyAmount: amount,
    taker: fc.constant(asAddress(`0x${'11'.repeat(20)}`)),
    recipient: fc.oneof(address, fc.constant(asAddress(`0x${'11'.repeat(20)}`))),
    fee: fc.option(fc.record({ feeBps: bps, partner: address, partnerShareBps: bps })),
    surplus: fc.constantFrom('protocol', 'taker', 'shared'),
    legs: fc.array(leg(tokens), { maxLength: 12 }),
  }),
);

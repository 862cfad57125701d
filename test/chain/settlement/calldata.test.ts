import { expect } from 'chai';
import { concatHex, encodeFunctionData, type Hex, padHex, size, sliceHex, toHex } from 'viem';
import { encodePayload, encodeSwapCall, encodeTakerCall, ROUTER_ABI, type SwapTerms } from '../../../src/building/building.ts';
import { asWei, NATIVE_TOKEN } from '../../../src/units/units.ts';
import { type Ground, hop, ONE, takerCall, termsOf, useGround, wrap } from '../../support/settlement/ground.ts';
import { changes, execData, settle } from '../../support/settlement/swaps.ts';

describe('settlement: calldata that is cut, bent or padded never skips a check (K11, 1inch 2025)', function suite() {
  this.timeout(120_000);
  const here = useGround();

  /** A split of three hops that has to deliver everything it quotes. */
  async function strictTerms(ground: Ground, native: boolean): Promise<SwapTerms> {
    const { a, b, weth } = ground.tokens;
    const { partner } = ground.accounts;
    const start = native ? weth : a;
    const legs = [...(native ? [wrap(NATIVE_TOKEN, weth)] : []), hop(ground, 'v2', start, b, 4_000), hop(ground, 'v3', start, b)];
    const fee = { feeBps: 30, partner, partnerShareBps: 8_500 } as SwapTerms['fee'];
    const open = termsOf(ground, { ...(native ? { sellToken: NATIVE_TOKEN } : {}), fee, legs });
    let delivered = 0n;
    await ground.chain.apart(async () => {
      delivered = (await settle(ground, open)).buyAmount;
    });
    return { ...open, buyAmount: asWei(delivered), minBuyAmount: asWei(delivered) };
  }

  for (const native of [true, false]) {
    const title = native ? 'of the router' : 'of the allowance holder';

    it(`calldata ${title} cut at any byte reverts`, async () => {
      const ground = here.current();
      const terms = await strictTerms(ground, native);
      const call = takerCall(ground, terms);
      const data = call.data ?? '0x';
      expect((await ground.chain.attempt(terms.taker, call)).ok).to.equal(true);
      // ABI encoding pads its last word: cutting zeros off it leaves the same call.
      const padding = (data.match(/(?:00)*$/)?.[0].length ?? 0) / 2;
      for (let length = 0; length < size(data); length++) {
        const cut = { ...call, data: length === 0 ? ('0x' as Hex) : sliceHex(data, 0, length) };
        const { ok } = await ground.chain.attempt(terms.taker, cut);
        if (length < size(data) - padding) expect(ok, `cut to ${length} of ${size(data)} bytes`).to.equal(false);
      }
    });

    it(`a payload ${title} cut at any byte, well wrapped, reverts; so does one with bytes appended`, async () => {
      const ground = here.current();
      const terms = await strictTerms(ground, native);
      const payload = encodePayload(terms);
      const wrapped = (bytes: Hex) =>
        native
          ? { to: ground.router, data: encodeRaw(bytes), value: terms.sellAmount }
          : { to: ground.allowanceHolder, data: execData(ground.router, terms.sellToken, terms.sellAmount, bytes) };
      expect((await ground.chain.attempt(terms.taker, wrapped(payload))).ok).to.equal(true);
      for (let length = 0; length < size(payload); length++) {
        const { ok } = await ground.chain.attempt(terms.taker, wrapped(length === 0 ? '0x' : sliceHex(payload, 0, length)));
        expect(ok, `cut to ${length} of ${size(payload)} bytes`).to.equal(false);
      }
      for (const tail of ['0x00', '0x01', '0xff', padHex('0x', { size: 5 }), padHex('0x01', { size: 32 })] as const) {
        expect((await ground.chain.attempt(terms.taker, wrapped(concatHex([payload, tail])))).ok, tail).to.equal(false);
      }
    });
  }

  it('offsets and lengths past the end, huge or negative revert; garbage after the call changes nothing', async () => {
    const ground = here.current();
    const terms = await strictTerms(ground, true);
    const data = encodeSwapCall(terms);
    const payload = sliceHex(data, 4 + 64);
    const bent = (offset: bigint, length: bigint): Hex => concatHex([sliceHex(data, 0, 4), toHex(offset, { size: 32 }), toHex(length, { size: 32 }), payload]);
    const bytes = BigInt(size(encodePayload(terms)));
    const send = (raw: Hex) => ground.chain.attempt(terms.taker, { to: ground.router, data: raw, value: terms.sellAmount });
    expect((await send(bent(32n, bytes))).ok).to.equal(true);
    for (const offset of [2n ** 256n - 1n, 2n ** 255n, 2n ** 64n, 2n ** 256n - 32n, 0n, 64n, BigInt(size(data))])
      expect((await send(bent(offset, bytes))).ok, `offset ${offset}`).to.equal(false);
    for (const length of [2n ** 256n - 1n, 2n ** 64n, bytes + 64n, 0n, 1n]) expect((await send(bent(32n, length))).ok, `length ${length}`).to.equal(false);
    expect((await send(concatHex([data, padHex('0xdeadbeef', { size: 320 })]))).ok).to.equal(true);
  });

  it('a bit flipped anywhere moves at most what was granted, from nobody but the taker', async () => {
    const ground = here.current();
    const terms = await strictTerms(ground, false);
    const { to, data } = encodeTakerCall(terms, ground);
    const { taker, victim, stranger } = ground.accounts;
    let through = 0;
    // Every byte of the payload, one bit each, in turn.
    for (let at = 4 + 4 * 32; at < size(data); at += 2) {
      const byte = Number.parseInt(data.slice(2 + 2 * at, 4 + 2 * at), 16) ^ (1 << (at % 8));
      const flipped = `${data.slice(0, 2 + 2 * at)}${byte.toString(16).padStart(2, '0')}${data.slice(4 + 2 * at)}` as Hex;
      if (!(await ground.chain.attempt(taker, { to, data: flipped })).ok) continue;
      through++;
      await ground.chain.apart(async () => {
        const moved = await changes(ground, { taker, victim, stranger }, () => ground.chain.mustSend(taker, { to, data: flipped }));
        expect(Object.keys(moved).filter((name) => !name.startsWith('taker') && (moved[name] ?? 0n) < 0n)).to.deep.equal([]);
        expect(-(moved['taker.a'] ?? 0n) <= ONE).to.equal(true);
      });
    }
    // A flipped tag, recipient or partner is another valid swap of the same taker.
    expect(through).to.be.greaterThan(0);
  });
});

/** swap(bytes) around any bytes. */
function encodeRaw(payload: Hex): Hex {
  return encodeFunctionData({ abi: ROUTER_ABI, functionName: 'swap', args: [payload] });
}

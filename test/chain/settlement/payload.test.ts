import { expect } from 'chai';
import { concatHex, type Hex, size, sliceHex } from 'viem';
import { encodePayload, type SwapTerms } from '../../../src/building/building.ts';
import { asBps, asWei, NATIVE_TOKEN } from '../../../src/units/units.ts';
import { type Ground, hop, ONE, takerCall, termsOf, useGround, wrap } from '../../support/settlement/ground.ts';
import { changes, execData, expectError, settle } from '../../support/settlement/swaps.ts';
import type { Call } from '../../support/settlement/test-chain.ts';

const AT_ONCE = 32;
const WORD = 32;
/** Words that an attacker writes where an offset or a length is expected. */
const WILD: readonly bigint[] = [0n, 1n, 31n, 32n, 64n, 2n ** 32n, 2n ** 64n - 1n, 2n ** 64n, 2n ** 255n, 2n ** 256n - 32n, 2n ** 256n - 1n];

describe('payloads that are not what the encoder writes (K11, 1inch Fusion 2025)', function () {
  this.timeout(300_000);
  const here = useGround();

  /** Terms with every optional part, and a floor just met. */
  async function richTerms(ground: Ground, native: boolean): Promise<SwapTerms> {
    const { a, b, weth } = ground.tokens;
    const fee = { feeBps: asBps(30), partner: ground.accounts.partner, partnerShareBps: asBps(8500) };
    const legs = [hop(ground, 'v2', weth, b, 4000), hop(ground, 'v3', weth, b)];
    const terms = native
      ? termsOf(ground, { sellToken: NATIVE_TOKEN, fee, legs: [wrap(NATIVE_TOKEN, weth), ...legs] })
      : termsOf(ground, { fee, legs: [hop(ground, 'v3', a, weth), ...legs] });
    const { buyAmount } = await ground.chain.apart(() => settle(ground, terms));
    return { ...terms, buyAmount: asWei(buyAmount), minBuyAmount: asWei(buyAmount) };
  }

  /** What came of each call: the name of its error, or 'ok'. */
  async function outcomes(ground: Ground, calls: readonly Call[]): Promise<readonly string[]> {
    const found: string[] = [];
    for (let start = 0; start < calls.length; start += AT_ONCE) {
      const endings = await Promise.all(calls.slice(start, start + AT_ONCE).map((call) => ground.chain.attempt(ground.accounts.taker, call)));
      found.push(...endings.map((ending) => (ending.ok ? 'ok' : ending.error)));
    }
    return found;
  }

  it('a payload cut at every byte reverts: the floor and the deadline are never skipped', async () => {
    const ground = here.current();
    const terms = await richTerms(ground, false);
    const payload = encodePayload(terms);
    const cuts = Array.from({ length: size(payload) }, (_, bytes) => (bytes === 0 ? '0x' : sliceHex(payload, 0, bytes)));
    const calls = cuts.map((cut) => ({ to: ground.allowanceHolder, data: execData(ground.router, terms.sellToken, terms.sellAmount, cut) }));
    const found = await outcomes(ground, calls);
    expect(found).to.not.include('ok');
    // Where whole hops are cut off, the floor refuses what the others bring; everywhere else the cut itself is seen.
    expect(found.filter((error) => error !== 'PayloadMalformed').sort()).to.deep.equal(['BelowMinimum', 'BelowMinimum', 'BelowMinimum']);
  });

  it('calldata cut at every byte reverts, on both entry points', async () => {
    const ground = here.current();
    for (const native of [false, true]) {
      const call = takerCall(ground, await richTerms(ground, native));
      const data = call.data ?? '0x';
      const padding = (data.match(/(00)*$/)?.[0].length ?? 0) / 2;
      const calls = Array.from({ length: size(data) - padding }, (_, bytes) => ({ ...call, data: bytes === 0 ? ('0x' as Hex) : sliceHex(data, 0, bytes) }));
      expect(await outcomes(ground, calls)).to.not.include('ok');
      expect(await outcomes(ground, [call])).to.deep.equal(['ok']);
    }
  });

  it('bytes after the end of the payload revert; after the end of the calldata they change nothing', async () => {
    const ground = here.current();
    const terms = await richTerms(ground, false);
    const payload = encodePayload(terms);
    for (const more of ['0x00', '0xff', `0x${'00'.repeat(5)}`, `0x${'01'.repeat(40)}`] as const) {
      const data = execData(ground.router, terms.sellToken, terms.sellAmount, concatHex([payload, more]));
      const ending = await ground.chain.attempt(terms.taker, { to: ground.allowanceHolder, data });
      expect(ending.ok ? 'went through' : ending.error).to.be.oneOf(['PayloadMalformed', 'LegUnknown', 'NothingToSpend', 'HopMalformed']);
    }
    const { recipient, taker } = ground.accounts;
    const call = takerCall(ground, terms);
    const plain = await ground.chain.apart(() => changes(ground, { recipient, taker }, () => ground.chain.mustSend(taker, call)));
    const trailing = { ...call, data: concatHex([call.data ?? '0x', `0x${'fe'.repeat(77)}`]) };
    expect(await changes(ground, { recipient, taker }, () => ground.chain.mustSend(taker, trailing))).to.deep.equal(plain);
  });

  it('offsets and lengths that point elsewhere revert', async () => {
    const ground = here.current();
    for (const native of [false, true]) {
      const call = takerCall(ground, await richTerms(ground, native));
      const data = call.data ?? '0x';
      // The words of the ABI: of exec its offset is the fourth and its length the fifth; of swap they are the first and the second.
      const [offsetAt, lengthAt] = native ? [4, 4 + WORD] : [4 + 3 * WORD, 4 + 4 * WORD];
      const own = [offsetAt, lengthAt].map((at) => BigInt(sliceHex(data, at, at + WORD)));
      const bent = [offsetAt, lengthAt].flatMap((at, i) => WILD.filter((word) => word !== own[i]).map((word) => ({ ...call, data: withWord(data, at, word) })));
      expect(await outcomes(ground, bent)).to.not.include('ok');
    }
  });

  it('dirty upper bits of an address revert (invariant 4)', async () => {
    const ground = here.current();
    const call = takerCall(ground, await richTerms(ground, false));
    const data = call.data ?? '0x';
    const dirty = [4, 4 + WORD].flatMap((at) =>
      [0, 11].map((byte) => ({ ...call, data: concatHex([sliceHex(data, 0, at + byte), '0x80', sliceHex(data, at + byte + 1)]) })),
    );
    expect(await outcomes(ground, dirty)).to.deep.equal(['0x', '0x', '0x', '0x']);
  });

  it('an amount longer than 32 bytes reverts; leading zeros of an amount change nothing', async () => {
    const ground = here.current();
    const { a, b } = ground.tokens;
    const terms = termsOf(ground, { legs: [hop(ground, 'v2', a, b)] });
    const payload = encodePayload(terms);
    // After the flags, the tag, the deadline (5) and two tokens: the length of sellAmount, 8 bytes for 10^18.
    const at = 1 + 32 + 5 + 40;
    expect(sliceHex(payload, at, at + 1)).to.equal('0x08');
    const withAmount = (length: number, bytes: Hex): Call => ({
      to: ground.allowanceHolder,
      data: execData(
        ground.router,
        a,
        ONE,
        concatHex([sliceHex(payload, 0, at), `0x${length.toString(16).padStart(2, '0')}`, bytes, sliceHex(payload, at + 9)]),
      ),
    });
    const amount = sliceHex(payload, at + 1, at + 9);
    expectError(await ground.chain.attempt(terms.taker, withAmount(33, concatHex([`0x${'00'.repeat(25)}`, amount]))), 'PayloadMalformed');
    const plain = await ground.chain.apart(async () => (await settle(ground, terms)).buyAmount);
    const { recipient } = ground.accounts;
    const moved = await changes(ground, { recipient }, () => ground.chain.mustSend(terms.taker, withAmount(32, concatHex([`0x${'00'.repeat(24)}`, amount]))));
    expect(moved).to.deep.equal({ 'recipient.b': plain });
  });

  it('hops that name tokens past the table, or a share above the whole, revert', async () => {
    const ground = here.current();
    const { a, b } = ground.tokens;
    const terms = termsOf(ground, { legs: [hop(ground, 'v2', a, b)] });
    const payload = encodePayload(terms);
    // The only hop is the tail: head (5), pair (20), fee (3).
    const at = size(payload) - 28;
    for (const head of [
      '0x0127100002',
      '0x0127100201',
      '0x01271000ff',
      '0x012710ff01',
      '0x0127100000',
      '0x0127100101',
      '0x0127100100',
      '0x0127110001',
      '0x01ffff0001',
    ] as const) {
      const bent = concatHex([sliceHex(payload, 0, at), head, sliceHex(payload, at + 5)]);
      expectError(await ground.chain.attempt(terms.taker, { to: ground.allowanceHolder, data: execData(ground.router, a, ONE, bent) }), 'HopMalformed');
    }
  });
});

function withWord(data: Hex, at: number, word: bigint): Hex {
  return concatHex([sliceHex(data, 0, at), `0x${word.toString(16).padStart(2 * WORD, '0')}`, sliceHex(data, at + WORD)]);
}

import { expect } from 'chai';
import { encodeFunctionData, erc20Abi, numberToHex } from 'viem';
import type { Leg } from '../../../src/building/building.ts';
import { asAddress, asWei } from '../../../src/units/units.ts';
import { type Ground, hop, ONE, pairPath, termsOf, through, useGround } from '../../support/settlement/ground.ts';
import { createPuppet, type PuppetStep } from '../../support/settlement/puppet.ts';
import { callbackData, changes, mint, refuse, setToken, settle } from '../../support/settlement/swaps.ts';

const V3_SWAP = 'swap(address,bool,int256,uint160,bytes)';
const NOBODY = asAddress(`0x${'0'.repeat(40)}`);
const UINT112_MAX = 2n ** 112n - 1n;
/** Code that answers whatever it is called with by three words: 10^18, 10^18, 0, as a pair its reserves. A swap with it brings nothing. */
const HOLDS_ONE_OF_EACH = '0x670de0b6b3a76400005f52670de0b6b3a764000060205260605ff3';
/** Code that answers nothing to whatever it is called with, and code that answers one word. */
const [NOTHING, ONE_WORD] = ['0x00', '0x60015f5260205ff3'];
/** All of a transfer vanishes. */
const ALL_BPS = 10_000;

/** One more, one less, and nothing at all, where a leg compares. */
describe('legs at the edges of what they take', function () {
  this.timeout(300_000);
  const here = useGround();

  /** A contract that has 1 of the token bought, and gives it to the recipient when it is called by that name, before `steps`. */
  async function fakePool(ground: Ground, signature: string, steps: readonly PuppetStep[] = []) {
    const { b } = ground.tokens;
    const pool = await createPuppet(ground);
    await mint(ground, b, pool.address, ONE);
    const giving = { to: b, data: encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [ground.accounts.recipient, ONE] }), bubbles: true };
    await pool.teach(signature, { steps: [giving, ...steps] });
    return pool;
  }

  it('a pair whose fee is all of the input, or more, is named; all but a millionth is traded', async () => {
    const ground = here.current();
    const { a, b } = ground.tokens;
    const withFee = (ppm: number): Leg => ({ ...hop(ground, 'v2', a, b), data: numberToHex(ppm, { size: 3 }) });
    for (const ppm of [1_000_000, 1_000_001, 2 ** 23 - 1]) {
      expect(await refuse(ground, termsOf(ground, { legs: [withFee(ppm)] }), 'PairFeeUnfit')).to.deep.equal([BigInt(ppm)]);
    }
    expect((await settle(ground, termsOf(ground, { legs: [withFee(999_999)] }))).buyAmount > 0n).to.equal(true);
  });

  it('a pair that nothing reached, or more than a pair can hold, is named; the most is traded', async () => {
    const ground = here.current();
    const { a, b } = ground.tokens;
    await setToken(ground, a, 0, ALL_BPS, NOBODY);
    const taxed = await refuse(ground, termsOf(ground, { legs: [hop(ground, 'v2', a, b, 10_000, true)] }), 'PairInputUnfit');
    expect(taxed[1]).to.equal(0n);
    await setToken(ground, a, 0, 0, NOBODY);

    const pair = asAddress(`0x${'9a'.repeat(20)}`);
    await ground.chain.rpc.request('anvil_setCode', pair, HOLDS_ONE_OF_EACH);
    await mint(ground, a, ground.accounts.taker, 2n * UINT112_MAX);
    const selling = (amount: bigint) => termsOf(ground, { sellAmount: asWei(amount), legs: [through('v2', pair, a, b)] });
    expect((await refuse(ground, selling(UINT112_MAX + 1n), 'PairInputUnfit'))[1]).to.equal(UINT112_MAX + 1n);
    const moved = await changes(ground, { pair }, () => settle(ground, selling(UINT112_MAX)));
    expect(moved).to.deep.equal({ 'pair.a': UINT112_MAX });
  });

  it('a pair that answers with less than two numbers when it is asked for its books is named, alone and in a row', async () => {
    const ground = here.current();
    const { a, b, c } = ground.tokens;
    const pair = asAddress(`0x${'9b'.repeat(20)}`);
    for (const code of [NOTHING, ONE_WORD]) {
      await ground.chain.rpc.request('anvil_setCode', pair, code);
      for (const legs of [
        [through('v2', pair, a, b)],
        [pairPath(ground, [a, c, b], 10_000, [pair])],
        [pairPath(ground, [a, c, b], 10_000, [undefined, pair])],
      ]) {
        expect((await refuse(ground, termsOf(ground, { legs }), 'AnswerTooShort'))[0], code).to.match(new RegExp(pair, 'i'));
      }
    }
  });

  it('a V3 pool that asks for nothing is paid nothing, not even a transfer of nothing; the delta that it asks by may follow a zero', async () => {
    const ground = here.current();
    const { a, b } = ground.tokens;
    const idle = await fakePool(ground, V3_SWAP, [{ to: ground.router, data: callbackData('uniswapV3SwapCallback', 0n, 0n), bubbles: true }]);
    // Any transfer of the token sold would be refused.
    const refusing = await createPuppet(ground);
    await refusing.teach('onTransfer(address,address,uint256)', { refuses: true });
    await setToken(ground, a, 0, 0, refusing.address);
    const free = await changes(ground, { pool: idle.address }, () => settle(ground, termsOf(ground, { legs: [through('v3', idle.address, a, b)] })));
    expect(free).to.deep.equal({ 'pool.b': -ONE });
    await setToken(ground, a, 0, 0, NOBODY);

    const second = await fakePool(ground, V3_SWAP, [{ to: ground.router, data: callbackData('uniswapV3SwapCallback', 0n, ONE), bubbles: true }]);
    const paid = await changes(ground, { pool: second.address }, () => settle(ground, termsOf(ground, { legs: [through('v3', second.address, a, b)] })));
    expect(paid).to.deep.equal({ 'pool.a': ONE, 'pool.b': -ONE });
  });

  it('more than a signed amount can say, which a V3 pool would take for an output that is wanted, is named before anything moves', async () => {
    const ground = here.current();
    const { a, b } = ground.tokens;
    const selling = (amount: bigint) => termsOf(ground, { sellAmount: asWei(amount), legs: [hop(ground, 'v3', a, b)] });
    for (const amount of [2n ** 255n, 2n ** 256n - 1n]) expect((await refuse(ground, selling(amount), 'PoolInputUnfit'))[1]).to.equal(amount);
    await refuse(ground, selling(2n ** 255n - 1n), 'VenueReverted');
  });
});

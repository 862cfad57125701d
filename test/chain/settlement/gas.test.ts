import { expect } from 'chai';
import { encodeFunctionData, erc20Abi, type Hex, parseAbi, size } from 'viem';
import { encodeRoute, type Leg, readSettlementContracts, type SwapTerms } from '../../../src/building/building.ts';
import { SWAP_ROUTER_ABI } from '../../../src/devnet/kinds/concentrated.ts';
import { type Address, asAddress, asBps, asWei, NATIVE_TOKEN } from '../../../src/units/units.ts';
import { UNISWAP_V2_JOINED_HOP_SAVES } from '../../../src/venues/uniswap_v2/venue.ts';
import { UNISWAP_V4_JOINED_HOP_SAVES } from '../../../src/venues/uniswap_v4/venue.ts';
import { layAirSwap } from '../../support/settlement/airswap.ts';
import { holdSnapshot, type Measured, measureGas, waitTenSeconds } from '../../support/settlement/gas-snapshot.ts';
import { type Ground, hop, LATE, MAX, ONE, pairPath, TAG, takerCall, termsOf, useGround, wrap } from '../../support/settlement/ground.ts';
import { layIssuer } from '../../support/settlement/ondo.ts';
import { approvePermit2, permittedCall, useNonceWord } from '../../support/settlement/permit2.ts';
import type { Call } from '../../support/settlement/test-chain.ts';
import { layV4 } from '../../support/settlement/v4.ts';

/** EIP-170. */
const MAX_CODE_BYTES = 24_576;
/** What design/goals allows over Uniswap's own router, custody of the output included. */
const MOST_OVER_SWAP_ROUTER = 1.29;
/** The same where the last pool pays the recipient, or the native token is at one end. */
const MOST_OVER_WHERE_DIRECT = 1.15;
/** The same for swaps that Permit2 funds, where its nonce word was used before; a fresh one, which every quote has, costs this much more (an SSTORE from zero). */
const MOST_BY_PERMIT2 = { custody: 1.36, direct: 1.22 } as const;
const FRESH_NONCE_WORD_GAS = 17_100;
/** How much more than plans count a joined hop may save: a token between saves its transfers, native only the payments. */
const MOST_UNCOUNTED = 15_000;
const MOST_UNCOUNTED_OF_PAIRS = 3000;
const FLOOR = asWei((9n * ONE) / 10n);
const QUOTED = asWei((99n * ONE) / 100n);

const V2_ABI = parseAbi([
  'function swapExactTokensForTokens(uint256 amountIn, uint256 amountOutMin, address[] path, address to, uint256 deadline)',
  'function swapExactETHForTokens(uint256 amountOutMin, address[] path, address to, uint256 deadline) payable',
  'function swapExactTokensForETH(uint256 amountIn, uint256 amountOutMin, address[] path, address to, uint256 deadline)',
]);
const UNWRAP_ABI = parseAbi(['function multicall(bytes[] data) payable', 'function unwrapWETH9(uint256 amountMinimum, address recipient) payable']);

/**
 * Gas and bytes in git, so that a change that costs shows in review. `npm run gas` writes the file anew. Tokens: one that returns nothing, as USDT, and
 * wrapped native; the recipient holds some of what it gets; one hop stays within its tick.
 */
describe('gas and calldata of the settlement contracts', function () {
  this.timeout(300_000);
  const here = useGround();
  const found: {
    code: Record<string, number>;
    swaps: Record<string, Measured>;
    hops: Record<string, { gas: number; bytes: number }>;
    reference: Record<string, Measured>;
  } = {
    code: {},
    swaps: {},
    hops: {},
    reference: {},
  };

  function sellN(ground: Ground, legs: readonly Leg[], more: Partial<SwapTerms> = {}): Call {
    const { n, weth } = ground.tokens;
    return takerCall(ground, termsOf(ground, { sellToken: n, buyToken: weth, buyAmount: QUOTED, minBuyAmount: FLOOR, surplus: 'protocol', legs, ...more }));
  }

  /** Every pool has traded before. */
  async function warm(ground: Ground): Promise<void> {
    const { n, weth, a } = ground.tokens;
    for (const venue of ['v2', 'v3'] as const) {
      for (const [from, to] of [
        [n, weth],
        [weth, n],
        [n, a],
        [a, weth],
      ] as const) {
        await waitTenSeconds(ground.chain);
        await ground.chain.mustSend(
          ground.accounts.taker,
          takerCall(ground, termsOf(ground, { sellToken: from, buyToken: to, legs: [hop(ground, venue, from, to)] })),
        );
      }
    }
  }

  it('one swap by each leg, native and fee', async () => {
    const ground = here.current();
    const { n, weth } = ground.tokens;
    await warm(ground);
    const noSurplus = { buyAmount: asWei(ONE) };
    const fee = { feeBps: asBps(10), partner: ground.accounts.partner, partnerShareBps: asBps(8500) };
    const v3 = [hop(ground, 'v3', n, weth)];
    found.swaps['uniswap_v3, surplus to the protocol'] = await measureGas(ground, sellN(ground, v3));
    found.swaps['uniswap_v3, fee to partner and protocol'] = await measureGas(ground, sellN(ground, v3, { ...noSurplus, fee }));
    found.swaps['uniswap_v3, buy'] = await measureGas(ground, sellN(ground, v3, { mode: 'buy', buyAmount: FLOOR }));
    found.swaps.wrap = await measureGas(ground, sellN(ground, [wrap(NATIVE_TOKEN, weth)], { ...noSurplus, sellToken: NATIVE_TOKEN, buyToken: weth }));
    found.swaps.unwrap = await measureGas(ground, sellN(ground, [wrap(weth, NATIVE_TOKEN)], { ...noSurplus, sellToken: weth, buyToken: NATIVE_TOKEN }));
    found.swaps['wrap, uniswap_v3'] = await measureGas(
      ground,
      sellN(ground, [wrap(NATIVE_TOKEN, weth), hop(ground, 'v3', weth, n)], { ...noSurplus, sellToken: NATIVE_TOKEN, buyToken: n }),
    );
  });

  it('one swap by the leg of Uniswap V4, of ERC-20s and with native token at either end', async () => {
    const plain = here.current();
    const v4 = await layV4(plain);
    const ground = { ...plain, router: v4.router };
    const { a, b } = ground.tokens;
    for (const [one, other] of [
      [a, b],
      [NATIVE_TOKEN, b],
    ] as const) {
      await v4.makePool(one, other);
      for (const [from, to] of [
        [one, other],
        [other, one],
      ] as const) {
        const sellToken = { sellToken: from, buyToken: to };
        await ground.chain.mustSend(ground.accounts.taker, takerCall(ground, termsOf(ground, { ...sellToken, legs: [v4.hop(from, to)] })));
      }
    }
    const direct = { buyAmount: asWei(ONE), surplus: 'taker' } as const;
    for (const [name, sellToken, buyToken] of [
      ['uniswap_v4, direct', a, b],
      ['uniswap_v4, native sold, direct', NATIVE_TOKEN, b],
      ['uniswap_v4, native bought', b, NATIVE_TOKEN],
    ] as const) {
      found.swaps[name] = await measureGas(ground, sellN(ground, [v4.hop(sellToken, buyToken)], { ...direct, sellToken, buyToken }));
    }
  });

  it('one swap by the leg of AirSwap’s orders, with custody and direct', async () => {
    const { ground, sign, leg } = await layAirSwap(here.current());
    const { n, a } = ground.tokens;
    const order = { senderToken: n, signerToken: a, senderAmount: ONE, signerAmount: ONE };
    // Whatever is written for the first time was written before.
    await ground.chain.mustSend(ground.accounts.taker, sellN(ground, [leg(await sign(order))], { buyToken: a }));
    for (const [name, surplus] of [
      ['airswap', 'protocol'],
      ['airswap, direct', 'taker'],
    ] as const) {
      found.swaps[name] = await measureGas(ground, sellN(ground, [leg(await sign(order))], { buyToken: a, buyAmount: asWei(ONE), surplus }));
    }
  });

  it('one swap by the leg of what an issuer attests, minted and redeemed, with custody and direct', async () => {
    const { ground, asset, attest, leg } = await layIssuer(here.current());
    const { a } = ground.tokens;
    for (const [side, sellToken, buyToken] of [
      ['buy', a, asset],
      ['sell', asset, a],
    ] as const) {
      const swapOf = async (surplus: 'protocol' | 'taker') =>
        sellN(ground, [leg(await attest({ side, price: ONE }))], { sellToken, buyToken, buyAmount: asWei(ONE), surplus });
      // Whatever is written for the first time was written before.
      await ground.chain.mustSend(ground.accounts.taker, await swapOf('taker'));
      found.swaps[`ondo, ${side}`] = await measureGas(ground, await swapOf('protocol'));
      found.swaps[`ondo, ${side}, direct`] = await measureGas(ground, await swapOf('taker'));
    }
  });

  it('two Uniswap V4 pools in a row, by one unlocking and by two, with a token and with native between', async () => {
    const plain = here.current();
    const v4 = await layV4(plain);
    const ground = { ...plain, router: v4.router };
    const { a, b, c } = ground.tokens;
    for (const [one, other] of [
      [a, b],
      [b, c],
      [a, NATIVE_TOKEN],
      [NATIVE_TOKEN, c],
    ] as const) {
      await v4.makePool(one, other);
    }
    const ways = [
      ['a token', b],
      ['native', NATIVE_TOKEN],
    ] as const;
    for (const [, between] of ways) {
      for (const [from, to] of [
        [a, c],
        [c, a],
      ] as const) {
        const legs = [v4.hop(from, between), v4.hop(between, to)];
        await ground.chain.mustSend(ground.accounts.taker, takerCall(ground, termsOf(ground, { sellToken: from, buyToken: to, legs })));
      }
    }
    const direct = { buyAmount: asWei(ONE), surplus: 'taker', sellToken: a, buyToken: c } as const;
    for (const [name, between] of ways) {
      const joined = await measureGas(ground, sellN(ground, [v4.path([a, between, c])], direct));
      const apart = await measureGas(ground, sellN(ground, [v4.hop(a, between), v4.hop(between, c)], direct));
      found.swaps[`uniswap_v4 twice by way of ${name}, one unlocking`] = joined;
      found.swaps[`uniswap_v4 twice by way of ${name}, two unlockings`] = apart;
      // What plans count, on the safe side.
      expect(apart.gas - joined.gas).to.be.within(UNISWAP_V4_JOINED_HOP_SAVES, UNISWAP_V4_JOINED_HOP_SAVES + MOST_UNCOUNTED);
    }
  });

  it('Uniswap V2 pairs in a row, by one leg and by one each, with custody and direct', async () => {
    const ground = here.current();
    const { n, a, b, weth } = ground.tokens;
    await warm(ground);
    for (const [from, to] of [
      [a, b],
      [b, weth],
    ] as const) {
      await ground.chain.mustSend(
        ground.accounts.taker,
        takerCall(ground, termsOf(ground, { sellToken: from, buyToken: to, legs: [hop(ground, 'v2', from, to)] })),
      );
    }
    const low = { minBuyAmount: asWei(ONE / 10n), buyAmount: asWei(ONE) };
    for (const tokens of [
      [n, a, weth],
      [n, a, b, weth],
    ]) {
      for (const surplus of ['taker', 'protocol'] as const) {
        const hops = tokens.slice(1).map((token, index) => hop(ground, 'v2', tokens[index] ?? n, token));
        const joined = await measureGas(ground, sellN(ground, [pairPath(ground, tokens)], { ...low, surplus }));
        const apart = await measureGas(ground, sellN(ground, hops, { ...low, surplus }));
        const name = `${hops.length} pairs of uniswap_v2${surplus === 'taker' ? ', direct' : ''}`;
        found.swaps[`${name}, one leg`] = joined;
        found.swaps[`${name}, a leg each`] = apart;
        // What plans count, on the safe side.
        const each = (apart.gas - joined.gas) / (hops.length - 1);
        expect(each, name).to.be.within(UNISWAP_V2_JOINED_HOP_SAVES, UNISWAP_V2_JOINED_HOP_SAVES + MOST_UNCOUNTED_OF_PAIRS);
      }
    }
  });

  it('what a further hop adds', async () => {
    const ground = here.current();
    const { n, weth, b } = ground.tokens;
    await warm(ground);
    // A second hop from what the router holds, and half of the input through a second pool.
    const low = { minBuyAmount: asWei(ONE / 10n), buyAmount: asWei(ONE) };
    for (const venue of ['v2', 'v3'] as const) {
      const first = hop(ground, 'v2', b, weth);
      const base = { ...low, sellToken: b } as const;
      const alone = await measureGas(ground, sellN(ground, [first], base));
      const more = await measureGas(ground, sellN(ground, [first, hop(ground, venue, weth, n)], { ...base, buyToken: n }));
      const bytes = size(encodeRoute(b, weth, [hop(ground, venue, b, weth)])) - 1;
      found.hops[venue === 'v2' ? 'uniswap_v2' : 'uniswap_v3'] = { gas: more.gas - alone.gas, bytes };
    }
    const v3 = hop(ground, 'v3', n, weth);
    const alone = await measureGas(ground, sellN(ground, [v3], low));
    const more = await measureGas(ground, sellN(ground, [v3, wrap(weth, NATIVE_TOKEN)], { ...low, buyToken: NATIVE_TOKEN }));
    found.hops.unwrap = { gas: more.gas - alone.gas, bytes: size(encodeRoute(weth, NATIVE_TOKEN, [wrap(weth, NATIVE_TOKEN)])) - 1 };
  });

  describe("against Uniswap's own routers on the same pools (design/goals)", () => {
    const noSurplus = { buyAmount: asWei(ONE) };
    const direct = { ...noSurplus, surplus: 'taker' } as const;

    /** Prints and keeps both, and gives how much more ours costs. */
    async function compare(ground: Ground, name: string, reference: string, own: Call, ours: Call): Promise<number> {
      const [theirs, here] = [await measureGas(ground, own), await measureGas(ground, ours)];
      found.reference[reference] = theirs;
      found.swaps[name] = here;
      console.log(
        `      ${name}: ${here.gas} against ${theirs.gas}, ${((100 * here.gas) / theirs.gas - 100).toFixed(1)}% more; ${here.calldataBytes} against ${theirs.calldataBytes} bytes of calldata`,
      );
      return here.gas / theirs.gas;
    }

    function exactInputSingle(tokenIn: Address, tokenOut: Address, recipient: Address): Hex {
      const params = {
        tokenIn,
        tokenOut,
        fee: 3000,
        recipient,
        deadline: BigInt(LATE),
        amountIn: ONE,
        amountOutMinimum: FLOOR,
        sqrtPriceLimitX96: 0n,
      };
      return encodeFunctionData({ abi: SWAP_ROUTER_ABI, functionName: 'exactInputSingle', args: [params] });
    }

    /** The taker may use Uniswap's routers. */
    async function ready(ground: Ground): Promise<void> {
      await warm(ground);
      for (const spender of [ground.v2Router, ground.v3SwapRouter]) {
        await ground.chain.write(ground.accounts.taker, ground.tokens.n, erc20Abi, 'approve', [spender, MAX]);
      }
    }

    it('one V3 hop through the allowance holder: at most 29% more with custody of the output, at most 15% more where the pool pays the recipient', async () => {
      const ground = here.current();
      const { n, weth } = ground.tokens;
      await ready(ground);
      const own = { to: ground.v3SwapRouter, data: exactInputSingle(n, weth, ground.accounts.recipient) };
      const legs = [hop(ground, 'v3', n, weth)];
      const custody = await compare(ground, 'uniswap_v3', 'SwapRouter exactInputSingle', own, sellN(ground, legs, noSurplus));
      expect(custody).to.be.at.most(MOST_OVER_SWAP_ROUTER);
      const paid = await compare(ground, 'uniswap_v3, direct', 'SwapRouter exactInputSingle', own, sellN(ground, legs, direct));
      expect(paid).to.be.at.most(MOST_OVER_WHERE_DIRECT);
    });

    it('one V2 hop through the allowance holder', async () => {
      const ground = here.current();
      const { n, weth } = ground.tokens;
      await ready(ground);
      const { recipient } = ground.accounts;
      const data = encodeFunctionData({ abi: V2_ABI, functionName: 'swapExactTokensForTokens', args: [ONE, FLOOR, [n, weth], recipient, BigInt(LATE)] });
      const legs = [hop(ground, 'v2', n, weth)];
      const name = 'UniswapV2Router02 swapExactTokensForTokens';
      const custody = await compare(ground, 'uniswap_v2', name, { to: ground.v2Router, data }, sellN(ground, legs, noSurplus));
      expect(custody).to.be.at.most(MOST_OVER_SWAP_ROUTER);
      await compare(ground, 'uniswap_v2, direct', name, { to: ground.v2Router, data }, sellN(ground, legs, direct));
    });

    it('one V3 hop by Permit2, its nonce word used before or fresh: at most 36% more with custody of the output, at most 22% more where the pool pays the recipient, where it was used', async () => {
      const ground = here.current();
      const { n, weth } = ground.tokens;
      const { taker, recipient } = ground.accounts;
      await ready(ground);
      await approvePermit2(ground, taker);
      const own = { to: ground.v3SwapRouter, data: exactInputSingle(n, weth, recipient) };
      const base = { sellToken: n, buyToken: weth, minBuyAmount: FLOOR, legs: [hop(ground, 'v3', n, weth)] } as const;
      for (const [name, way] of [
        ['custody', { ...noSurplus, surplus: 'protocol' }],
        ['direct', direct],
      ] as const) {
        const call = await permittedCall(ground, termsOf(ground, { ...base, ...way }));
        const fresh = await compare(ground, `uniswap_v3, permit2, ${name}, fresh nonce word`, 'SwapRouter exactInputSingle', own, call);
        const used = await ground.chain.apart(async () => {
          await useNonceWord(ground, taker, TAG);
          return compare(ground, `uniswap_v3, permit2, ${name}`, 'SwapRouter exactInputSingle', own, call);
        });
        expect(used).to.be.at.most(MOST_BY_PERMIT2[name]);
        const [dear, cheap] = [`uniswap_v3, permit2, ${name}, fresh nonce word`, `uniswap_v3, permit2, ${name}`].map((key) => found.swaps[key]?.gas ?? 0);
        expect((dear ?? 0) - (cheap ?? 0)).to.equal(FRESH_NONCE_WORD_GAS);
        expect(fresh).to.be.greaterThan(used);
      }
    });

    it('native sold: at most 15% more by V2 and by V3 where the pool pays the recipient', async () => {
      const ground = here.current();
      const { n, weth } = ground.tokens;
      await ready(ground);
      const { recipient } = ground.accounts;
      const native = { ...direct, sellToken: NATIVE_TOKEN, buyToken: n };
      const v2 = encodeFunctionData({ abi: V2_ABI, functionName: 'swapExactETHForTokens', args: [FLOOR, [weth, n], recipient, BigInt(LATE)] });
      const v2Call = { to: ground.v2Router, data: v2, value: ONE };
      const v2Legs = [wrap(NATIVE_TOKEN, weth), hop(ground, 'v2', weth, n)];
      const byV2 = await compare(ground, 'wrap, uniswap_v2, direct', 'UniswapV2Router02 swapExactETHForTokens', v2Call, sellN(ground, v2Legs, native));
      expect(byV2).to.be.at.most(MOST_OVER_WHERE_DIRECT);
      const v3Call = { to: ground.v3SwapRouter, data: exactInputSingle(weth, n, recipient), value: ONE };
      const v3Legs = [wrap(NATIVE_TOKEN, weth), hop(ground, 'v3', weth, n)];
      const byV3 = await compare(ground, 'wrap, uniswap_v3, direct', 'SwapRouter exactInputSingle, native', v3Call, sellN(ground, v3Legs, native));
      expect(byV3).to.be.at.most(MOST_OVER_WHERE_DIRECT);
    });

    it('native bought', async () => {
      const ground = here.current();
      const { n, weth } = ground.tokens;
      await ready(ground);
      const { recipient } = ground.accounts;
      const native = { ...direct, buyToken: NATIVE_TOKEN };
      const v2 = encodeFunctionData({ abi: V2_ABI, functionName: 'swapExactTokensForETH', args: [ONE, FLOOR, [n, weth], recipient, BigInt(LATE)] });
      const v2Legs = [hop(ground, 'v2', n, weth), wrap(weth, NATIVE_TOKEN)];
      const v2Name = 'UniswapV2Router02 swapExactTokensForETH';
      const byV2 = await compare(ground, 'uniswap_v2, unwrap', v2Name, { to: ground.v2Router, data: v2 }, sellN(ground, v2Legs, native));
      const unwrapping = encodeFunctionData({ abi: UNWRAP_ABI, functionName: 'unwrapWETH9', args: [FLOOR, recipient] });
      const calls = [exactInputSingle(n, weth, asAddress(`0x${'0'.repeat(40)}`)), unwrapping];
      const v3 = encodeFunctionData({ abi: UNWRAP_ABI, functionName: 'multicall', args: [calls] });
      const v3Legs = [hop(ground, 'v3', n, weth), wrap(weth, NATIVE_TOKEN)];
      const v3Name = 'SwapRouter exactInputSingle, unwrapWETH9';
      const byV3 = await compare(ground, 'uniswap_v3, unwrap', v3Name, { to: ground.v3SwapRouter, data: v3 }, sellN(ground, v3Legs, native));
      for (const more of [byV2, byV3]) expect(more).to.be.at.most(MOST_OVER_WHERE_DIRECT);
    });
  });

  // After the others: mocha runs the tests of a suite before the suites within it.
  describe('the snapshot', () => {
    it('every router has at most 24,576 bytes', () => {
      const { allowanceHolder, routers } = readSettlementContracts();
      const zero = here.current().router;
      const settings = { allowanceHolder: zero, wrappedNative: zero, feeCollector: zero };
      found.code = { AllowanceHolder: size(allowanceHolder.runtimeCode) };
      for (const router of routers) {
        found.code[`Router of ${router.legSet}`] = size(router.runtimeCode(settings));
        expect(found.code[`Router of ${router.legSet}`]).to.be.at.most(MAX_CODE_BYTES);
      }
    });

    it('everything is as in contracts/gas-snapshot.json', () => {
      holdSnapshot(found);
    });
  });
});

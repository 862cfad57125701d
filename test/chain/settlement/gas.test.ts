import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { encodeFunctionData, erc20Abi, size } from 'viem';
import { encodeRoute, type Leg, readSettlementContracts, type SwapTerms } from '../../../src/building/building.ts';
import { SWAP_ROUTER_ABI } from '../../../src/devnet/abi.ts';
import { asBps, asWei, NATIVE_TOKEN } from '../../../src/units/units.ts';
import { type Ground, hop, LATE, MAX, ONE, takerCall, termsOf, useGround, wrap } from '../../support/settlement/ground.ts';
import type { Call } from '../../support/settlement/test-chain.ts';
import { ROOT } from '../../support/source-files.ts';

const SNAPSHOT = join(ROOT, 'contracts', 'gas-snapshot.json');
/** EIP-170. */
const MAX_CODE_BYTES = 24_576;
/** What design/goals allows over Uniswap's own router, custody of the output included. */
const MOST_OVER_SWAP_ROUTER = 1.29;
const FLOOR = asWei((9n * ONE) / 10n);
const QUOTED = asWei((99n * ONE) / 100n);

type Measured = { readonly gas: number; readonly calldataBytes: number };

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

  /** Gas of a transaction in a block of its own, ten seconds after the last: oracles write what they write in life. */
  async function measure(ground: Ground, call: Call): Promise<Measured> {
    return ground.chain.apart(async () => {
      const head = (await ground.chain.rpc.request('eth_getBlockByNumber', 'latest', false)) as { readonly timestamp: string };
      await ground.chain.rpc.request('evm_setNextBlockTimestamp', Number(head.timestamp) + 10);
      const receipt = await ground.chain.send(ground.accounts.taker, call);
      if (!receipt.ok) throw new Error('a measured transaction reverted');
      return { gas: receipt.gasUsed, calldataBytes: size(call.data ?? '0x') };
    });
  }

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
        const head = (await ground.chain.rpc.request('eth_getBlockByNumber', 'latest', false)) as { readonly timestamp: string };
        await ground.chain.rpc.request('evm_setNextBlockTimestamp', Number(head.timestamp) + 10);
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
    found.swaps.uniswap_v2 = await measure(ground, sellN(ground, [hop(ground, 'v2', n, weth)], noSurplus));
    found.swaps.uniswap_v3 = await measure(ground, sellN(ground, v3, noSurplus));
    found.swaps['uniswap_v3, surplus to the protocol'] = await measure(ground, sellN(ground, v3));
    found.swaps['uniswap_v3, fee to partner and protocol'] = await measure(ground, sellN(ground, v3, { ...noSurplus, fee }));
    found.swaps['uniswap_v3, buy'] = await measure(ground, sellN(ground, v3, { mode: 'buy', buyAmount: FLOOR }));
    found.swaps.wrap = await measure(ground, sellN(ground, [wrap(NATIVE_TOKEN, weth)], { ...noSurplus, sellToken: NATIVE_TOKEN, buyToken: weth }));
    found.swaps.unwrap = await measure(ground, sellN(ground, [wrap(weth, NATIVE_TOKEN)], { ...noSurplus, sellToken: weth, buyToken: NATIVE_TOKEN }));
    found.swaps['wrap, uniswap_v3'] = await measure(
      ground,
      sellN(ground, [wrap(NATIVE_TOKEN, weth), hop(ground, 'v3', weth, n)], { ...noSurplus, sellToken: NATIVE_TOKEN, buyToken: n }),
    );
    found.swaps['uniswap_v3, unwrap'] = await measure(
      ground,
      sellN(ground, [hop(ground, 'v3', n, weth), wrap(weth, NATIVE_TOKEN)], { ...noSurplus, buyToken: NATIVE_TOKEN }),
    );
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
      const alone = await measure(ground, sellN(ground, [first], base));
      const more = await measure(ground, sellN(ground, [first, hop(ground, venue, weth, n)], { ...base, buyToken: n }));
      const bytes = size(encodeRoute(b, weth, [hop(ground, venue, b, weth)])) - 1;
      found.hops[venue === 'v2' ? 'uniswap_v2' : 'uniswap_v3'] = { gas: more.gas - alone.gas, bytes };
    }
    const v3 = hop(ground, 'v3', n, weth);
    const alone = await measure(ground, sellN(ground, [v3], low));
    const more = await measure(ground, sellN(ground, [v3, wrap(weth, NATIVE_TOKEN)], { ...low, buyToken: NATIVE_TOKEN }));
    found.hops.unwrap = { gas: more.gas - alone.gas, bytes: size(encodeRoute(weth, NATIVE_TOKEN, [wrap(weth, NATIVE_TOKEN)])) - 1 };
  });

  it("one V3 hop costs at most 29% more than by the venue's own router, custody included (design/goals)", async () => {
    const ground = here.current();
    const { n, weth } = ground.tokens;
    await warm(ground);
    await ground.chain.write(ground.accounts.taker, n, erc20Abi, 'approve', [ground.v3SwapRouter, MAX]);
    const params = {
      tokenIn: n,
      tokenOut: weth,
      fee: 3000,
      recipient: ground.accounts.recipient,
      deadline: BigInt(LATE),
      amountIn: ONE,
      amountOutMinimum: FLOOR,
      sqrtPriceLimitX96: 0n,
    };
    const call = { to: ground.v3SwapRouter, data: encodeFunctionData({ abi: SWAP_ROUTER_ABI, functionName: 'exactInputSingle', args: [params] }) };
    const own = await measure(ground, call);
    const ours = await measure(ground, sellN(ground, [hop(ground, 'v3', n, weth)], { buyAmount: asWei(ONE) }));
    found.reference['SwapRouter exactInputSingle'] = own;
    console.log(
      `      ${ours.gas} against ${own.gas}: ${((100 * ours.gas) / own.gas - 100).toFixed(1)}% more; ${ours.calldataBytes} against ${own.calldataBytes} bytes of calldata`,
    );
    expect(ours.gas / own.gas).to.be.at.most(MOST_OVER_SWAP_ROUTER);
  });

  it('the router has at most 24,576 bytes', () => {
    const contracts = readSettlementContracts();
    const zero = here.current().router;
    found.code = {
      AllowanceHolder: size(contracts.allowanceHolder.runtimeCode),
      Router: size(contracts.router.runtimeCode({ allowanceHolder: zero, wrappedNative: zero, feeCollector: zero })),
    };
    expect(found.code.Router).to.be.at.most(MAX_CODE_BYTES);
  });

  it('everything is as in contracts/gas-snapshot.json', () => {
    if (process.env.BRAID_UPDATE_GAS === '1') writeFileSync(SNAPSHOT, `${JSON.stringify(found, null, 2)}\n`);
    const kept: unknown = existsSync(SNAPSHOT) ? JSON.parse(readFileSync(SNAPSHOT, 'utf8')) : {};
    expect(found, 'run npm run gas to write it anew, and say in the change why').to.deep.equal(kept);
  });
});

import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { encodeFunctionData, parseAbi, size } from 'viem';
import { encodeRoute, readSettlementContracts, type SwapTerms } from '../../../src/building/building.ts';
import { NATIVE_TOKEN } from '../../../src/units/units.ts';
import { type Ground, hop, ONE, takerCall, termsOf, useGround, wrap } from '../../support/settlement/ground.ts';
import { ROOT } from '../../support/source-files.ts';

const FILE = path.join(ROOT, 'contracts/gas-snapshot.json');
const MOST_CODE_BYTES = 24_576;
const SWAP_ROUTER = parseAbi([
  'struct Single { address tokenIn; address tokenOut; uint24 fee; address recipient; uint256 deadline; uint256 amountIn; uint256 amountOutMinimum; uint160 sqrtPriceLimitX96; }',
  'function exactInputSingle(Single params) payable returns (uint256)',
  'function approve(address, uint256)',
  'function fee() view returns (uint24)',
]);

/** What is measured: a whole transaction each. */
function cases(ground: Ground): Readonly<Record<string, SwapTerms>> {
  const { a, b, c, n, weth } = ground.tokens;
  const one = (legs: SwapTerms['legs'], changes: Partial<SwapTerms> = {}) => termsOf(ground, { ...changes, legs });
  const fee = { feeBps: 30, partner: ground.accounts.partner, partnerShareBps: 8_500 } as SwapTerms['fee'];
  return {
    'uniswap_v2 hop': one([hop(ground, 'v2', a, b)]),
    'uniswap_v3 hop': one([hop(ground, 'v3', a, b)]),
    'uniswap_v3 hop, fee with two receivers': one([hop(ground, 'v3', a, b)], { fee }),
    'uniswap_v3 hop, token that returns nothing': one([hop(ground, 'v3', n, b)], { sellToken: n }),
    'two uniswap_v3 hops in a row': one([hop(ground, 'v3', a, c), hop(ground, 'v3', c, b)]),
    'split over uniswap_v2 and uniswap_v3': one([hop(ground, 'v2', a, b, 5_000), hop(ground, 'v3', a, b)]),
    'wrap, native sold': one([wrap(NATIVE_TOKEN, weth)], { sellToken: NATIVE_TOKEN, buyToken: weth }),
    'unwrap, native bought': one([wrap(weth, NATIVE_TOKEN)], { sellToken: weth, buyToken: NATIVE_TOKEN }),
    'wrap and uniswap_v3 hop': one([wrap(NATIVE_TOKEN, weth), hop(ground, 'v3', weth, b)], { sellToken: NATIVE_TOKEN }),
  };
}

/**
 * Pools write their price history once a second: the next block is set well after the last, as in life, so that it costs the same on every run. (The first swap ever of a pool costs more still; so each is made
 * once before it is measured.)
 */
async function later(ground: Ground): Promise<void> {
  const head = (await ground.chain.rpc.request('eth_getBlockByNumber', 'latest', false)) as { readonly timestamp: string };
  await ground.chain.rpc.request('evm_setNextBlockTimestamp', Number(head.timestamp) + 1_000);
}

describe('gas and calldata of settlement (contracts/gas-snapshot.json; BRAID_UPDATE_GAS=1 writes it)', () => {
  const here = useGround();

  it('is what the snapshot file says: a change that costs gas shows in review', async () => {
    const ground = here.current();
    const swaps: Record<string, { gas: number; calldataBytes: number }> = {};
    for (const terms of Object.values(cases(ground))) {
      await later(ground);
      await ground.chain.mustSend(terms.taker, takerCall(ground, terms));
    }
    for (const [name, terms] of Object.entries(cases(ground))) {
      const call = takerCall(ground, terms);
      await ground.chain.apart(async () => {
        await later(ground);
        swaps[name] = { gas: (await ground.chain.mustSend(terms.taker, call)).gasUsed, calldataBytes: size(call.data ?? '0x') };
      });
    }
    const { a, b, weth } = ground.tokens;
    const head = size(encodeRoute(a, b, []));
    const legBytes = {
      uniswap_v2: size(encodeRoute(a, b, [hop(ground, 'v2', a, b)])) - head,
      uniswap_v3: size(encodeRoute(a, b, [hop(ground, 'v3', a, b)])) - head,
      wrap: size(encodeRoute(NATIVE_TOKEN, weth, [wrap(NATIVE_TOKEN, weth)])) - head,
    };
    const contracts = readSettlementContracts();
    const codeBytes = {
      AllowanceHolder: size(contracts.allowanceHolder.runtimeCode),
      Router: size(contracts.router.runtimeCode({ allowanceHolder: ground.allowanceHolder, wrappedNative: weth, feeCollector: ground.accounts.collector })),
    };
    expect(codeBytes.Router).to.be.at.most(MOST_CODE_BYTES);
    const measured = { codeBytes, legBytes, swaps };
    if (process.env.BRAID_UPDATE_GAS === '1') writeFileSync(FILE, `${JSON.stringify(measured, null, 2)}\n`);
    expect(measured).to.deep.equal(JSON.parse(readFileSync(FILE, 'utf8')));
  });

  it('one V3 hop through the allowance holder costs at most 29% more than through Uniswap’s own router on the same pool', async () => {
    const ground = here.current();
    const { a, b } = ground.tokens;
    const { taker } = ground.accounts;
    const fee = Number(await ground.chain.read(ground.pool('v3', a, b), SWAP_ROUTER, 'fee'));
    await ground.chain.write(taker, a, SWAP_ROUTER, 'approve', [ground.v3SwapRouter, 2n ** 256n - 1n]);
    const params = {
      tokenIn: a,
      tokenOut: b,
      fee,
      recipient: ground.accounts.recipient,
      deadline: 2n ** 40n,
      amountIn: ONE,
      amountOutMinimum: 1n,
      sqrtPriceLimitX96: 0n,
    };
    const theirs = { to: ground.v3SwapRouter, data: encodeFunctionData({ abi: SWAP_ROUTER, functionName: 'exactInputSingle', args: [params] }) };
    const gas = { ours: 0, theirs: 0 };
    await ground.chain.apart(async () => {
      await later(ground);
      gas.theirs = (await ground.chain.mustSend(taker, theirs)).gasUsed;
    });
    await ground.chain.apart(async () => {
      await later(ground);
      gas.ours = (await ground.chain.mustSend(taker, takerCall(ground, termsOf(ground, { legs: [hop(ground, 'v3', a, b)] })))).gasUsed;
    });
    process.stdout.write(`      ours ${gas.ours}, Uniswap's ${gas.theirs}: ${((gas.ours / gas.theirs - 1) * 100).toFixed(1)}% more\n`);
    expect(gas.ours / gas.theirs).to.be.at.most(1.29);
  });
});

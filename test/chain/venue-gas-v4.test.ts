import { expect } from 'chai';
import { type Abi, createPublicClient, createTestClient, createWalletClient, encodeFunctionData, type Hex, http } from 'viem';
import { mnemonicToAccount } from 'viem/accounts';
import { foundry } from 'viem/chains';
import { compileSolidity } from '../../scripts/solidity.ts';
import { keyOf, LIQUIDITY_ROUTER_ABI, MANAGER_ABI, SWAP_ROUTER_ABI, type V4Key } from '../../src/devnet/kinds/v4-key.ts';
import { type Address, asAddress, ZERO_ADDRESS } from '../../src/units/units.ts';
import { sqrtRatioAtTick } from '../../src/venues/concentrated/tick-math.ts';
import { DYNAMIC_FEE } from '../../src/venues/uniswap_v4/hook-permissions.ts';
import { HOOK_MODELS } from '../../src/venues/uniswap_v4/known-hooks.ts';
import { UNISWAP_V4_GAS } from '../../src/venues/uniswap_v4/venue.ts';
import { foundryArtifact } from '../support/artifacts.ts';
import { type OracleChain, startOracleChain } from '../support/oracle-chain.ts';
import { compiledHooks, hookAddress } from '../support/v4-hooks.ts';

/** How far the model may be from what is measured, relative to it. */
const TOLERANCE = 0.1;
/** Of a hook, which is little beside the swap. */
const HOOK_TOLERANCE = 0.15;
const SPACING = 60;
const RANGES = 6;
const WORD_TICKS = 256 * SPACING;
const ZERO_SALT: Hex = `0x${'0'.repeat(64)}`;
const PLENTY = 10n ** 35n;
const OF_AN_ADDRESS: Abi = [{ type: 'constructor', stateMutability: 'nonpayable', inputs: [{ type: 'address', name: 'one' }] }];

/** The gas model of a hop against the manager's own gas: pools have traded over all their ticks in both directions, as pools in life have. */
describe('Uniswap V4 gas against the real PoolManager', function () {
  this.timeout(300_000);
  let chain: OracleChain;
  let places: Readonly<Record<'manager' | 'liquidity' | 'swaps', Address>>;
  let tokens: readonly [Address, Address];
  let send: (to: Address, data: Hex) => Promise<number>;

  before(async () => {
    chain = await startOracleChain();
    const transport = http(chain.url);
    const reader = createPublicClient({ chain: foundry, transport, pollingInterval: 20 });
    const account = mnemonicToAccount('test test test test test test test test test test test junk');
    const wallet = createWalletClient({ chain: foundry, transport, account });
    const tester = createTestClient({ mode: 'anvil', chain: foundry, transport });
    send = async (to, data) => {
      const { status, gasUsed } = await reader.waitForTransactionReceipt({ hash: await wallet.sendTransaction({ to, data, gas: 30_000_000n }) });
      if (status !== 'success') throw new Error('a transaction reverted');
      return Number(gasUsed);
    };
    const { PlainToken } = await compileSolidity('contracts/devnet/oracle');
    if (PlainToken === undefined) throw new Error('no token');
    const place = async (artifact: string, owner: string) => asAddress(await chain.deploy(OF_AN_ADDRESS, foundryArtifact(artifact), [owner]));
    const manager = await place('PoolManager.sol/PoolManager.default.json', account.address);
    const liquidity = await place('PoolModifyLiquidityTestNoChecks.sol/PoolModifyLiquidityTestNoChecks.json', manager);
    const swaps = await place('PoolSwapTest.sol/PoolSwapTest.default.json', manager);
    places = { manager, liquidity, swaps };
    const [one, other] = [await chain.deploy(PlainToken.abi, PlainToken.bytecode, []), await chain.deploy(PlainToken.abi, PlainToken.bytecode, [])];
    tokens = [asAddress(one), asAddress(other)];
    for (const token of tokens) {
      await chain.send(token, PlainToken.abi, 'mint', [account.address, 10n ** 40n]);
      for (const spender of [liquidity, swaps]) await chain.send(token, PlainToken.abi, 'approve', [spender, 2n ** 255n]);
    }
    const hooks = await compiledHooks();
    for (const [variant, name] of [
      ['dynamic_fee', 'DynamicFeeHook'],
      ['output_fee', 'OutputFeeHook'],
    ] as const) {
      await tester.setCode({ address: hookAddress(variant), bytecode: hooks[name]?.deployedBytecode ?? '0x' });
    }
  });
  after(() => chain?.stop());

  const swap = (key: V4Key, zeroForOne: boolean, sqrtPriceLimitX96: bigint) => {
    const args = [key, { zeroForOne, amountSpecified: -PLENTY, sqrtPriceLimitX96 }, { takeClaims: false, settleUsingBurn: false }, '0x'] as const;
    return send(places.swaps, encodeFunctionData({ abi: SWAP_ROUTER_ABI, functionName: 'swap', args }));
  };

  /** A pool over the whole range with some ranges within it, that has traded over them. */
  async function open(fee: number, hooks: Address, ranges: number): Promise<V4Key> {
    const key = keyOf(...tokens, fee, SPACING, hooks);
    await send(places.manager, encodeFunctionData({ abi: MANAGER_ABI, functionName: 'initialize', args: [key, 2n ** 96n] }));
    const edge = Math.floor(887_272 / SPACING) * SPACING;
    for (let range = 0; range <= ranges; range++) {
      const reach = range === 0 ? edge : 2 * range * SPACING;
      const params = { tickLower: -reach, tickUpper: reach, liquidityDelta: 10n ** 21n, salt: ZERO_SALT };
      await send(places.liquidity, encodeFunctionData({ abi: LIQUIDITY_ROUTER_ABI, functionName: 'modifyLiquidity', args: [key, params, '0x'] }));
    }
    const far = sqrtRatioAtTick(2 * (ranges + 1) * SPACING);
    const near = sqrtRatioAtTick(-2 * (ranges + 1) * SPACING);
    for (const [down, limit] of [
      [true, near],
      [false, far],
      [true, near],
      [false, far],
      [true, near],
      // From below, so that the tick is that of the price: as every later swap leaves it.
      [false, 2n ** 96n],
    ] as const) {
      await swap(key, down, limit);
    }
    return key;
  }

  /** Gas of a swap from the middle down to a tick, and back again. */
  async function gasDownTo(key: V4Key, tick: number): Promise<number> {
    const used = await swap(key, true, sqrtRatioAtTick(tick));
    await swap(key, false, 2n ** 96n);
    return used;
  }

  const expectNear = (model: number, measured: number, tolerance: number, what: string) =>
    expect(model, what).to.be.within(measured * (1 - tolerance), measured * (1 + tolerance));

  it('a tick crossed, and a word of the bitmap walked out of', async () => {
    const key = await open(3000, ZERO_ADDRESS, RANGES);
    const ticks = ((await gasDownTo(key, -(2 * RANGES - 1) * SPACING)) - (await gasDownTo(key, -3 * SPACING))) / (RANGES - 2);
    expectNear(UNISWAP_V4_GAS.tickCrossed, ticks, TOLERANCE, 'tick');
    const wide = await open(3001, ZERO_ADDRESS, 0);
    const words = ((await gasDownTo(wide, -(5 * WORD_TICKS + SPACING))) - (await gasDownTo(wide, -(WORD_TICKS + SPACING)))) / 4;
    expectNear(UNISWAP_V4_GAS.wordWalked, words, TOLERANCE, 'word');
    console.log(`      tick ${ticks}, word ${words}`);
  });

  it('what known hooks add to a swap', async () => {
    const plain = await open(3002, ZERO_ADDRESS, 0);
    const without = await gasDownTo(plain, -SPACING);
    for (const [variant, fee] of [
      ['dynamic_fee', DYNAMIC_FEE],
      ['output_fee', 3003],
    ] as const) {
      const added = (await gasDownTo(await open(fee, hookAddress(variant), 0), -SPACING)) - without;
      console.log(`      ${variant} ${added}`);
      expectNear(HOOK_MODELS.get(variant)?.gas ?? 0, added, HOOK_TOLERANCE, variant);
    }
  });
});

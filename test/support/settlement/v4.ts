import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type Abi, concatHex, encodeAbiParameters, encodeFunctionData, erc20Abi, type Hex, maxUint256, numberToHex, parseAbi } from 'viem';
import { type Leg, readSettlementContracts } from '../../../src/building/building.ts';
import { type Address, asBps, NATIVE_TOKEN, ZERO_ADDRESS } from '../../../src/units/units.ts';
import { contractOf, type Ground } from './ground.ts';
import type { Call } from './test-chain.ts';

const PLACES = {
  manager: '@uniswap/v4-periphery/foundry-out/PoolManager.sol/PoolManager.default.json',
  liquidity: '@uniswap/v4-periphery/foundry-out/PoolModifyLiquidityTestNoChecks.sol/PoolModifyLiquidityTestNoChecks.json',
  swapper: '@uniswap/v4-periphery/foundry-out/PoolSwapTest.sol/PoolSwapTest.default.json',
} as const;
const KEY = '(address currency0, address currency1, uint24 fee, int24 tickSpacing, address hooks)';
export const MANAGER_ABI = parseAbi([
  `function initialize(${KEY} key, uint160 sqrtPriceX96) returns (int24)`,
  'function unlock(bytes data) returns (bytes)',
  'function take(address currency, address to, uint256 amount)',
  'function sync(address currency)',
  'function settle() payable returns (uint256)',
  'function settleFor(address recipient) payable returns (uint256)',
  `function swap(${KEY} key, (bool zeroForOne, int256 amountSpecified, uint160 sqrtPriceLimitX96) params, bytes hookData) returns (int256)`,
]);
const LIQUIDITY_ABI = parseAbi([
  `function modifyLiquidity(${KEY} key, (int24 tickLower, int24 tickUpper, int256 liquidityDelta, bytes32 salt) params, bytes hookData) payable returns (int256)`,
]);
const SWAPPER_ABI = parseAbi([
  `function swap(${KEY} key, (bool zeroForOne, int256 amountSpecified, uint160 sqrtPriceLimitX96) params, (bool takeClaims, bool settleUsingBurn) settings, bytes hookData) payable returns (int256)`,
]);
const LOWEST_LIMIT = 4_295_128_740n;
const HIGHEST_LIMIT = 1_461_446_703_485_210_103_287_273_052_203_988_822_378_723_970_341n;

export const FEE = 3000;
export const TICK_SPACING = 60;
const LIQUIDITY = 10n ** 24n;
/** Pools end at this tick and at its negative. */
const RANGE = 6000;

/** Uniswap V4 on a ground: the real PoolManager, its authors' own test routers, and a Router that has the leg. */
export type V4Ground = {
  readonly manager: Address;
  readonly router: Address;
  /** Makes a pool at price 1 and fills it. The native token by its sentinel. */
  makePool(one: Address, other: Address, hooks?: Address, fee?: number): Promise<void>;
  /** The same with only one of the tokens in it, which can then be bought: the test router wants an answer from a token that it pays. */
  makePoolOf(held: Address, other: Address): Promise<void>;
  hop(tokenIn: Address, tokenOut: Address, bps?: number, hooks?: Address): Leg;
  /** Pools in a row within one unlocking. `tokens`: from the first to the last; `pools`: those between them, where they are not plain. */
  path(tokens: readonly Address[], bps?: number, pools?: readonly (PoolKind | undefined)[]): Leg;
  /** The manager's own swap of an exact input, for whoever stands in an unlocking: what it comes to is owed and due to the caller. */
  swapCall(tokenIn: Address, tokenOut: Address, amountIn: bigint): Call;
  /** What the manager's own account of a swap says that it takes and gives, of an exact input. Nothing is changed. */
  quote(tokenIn: Address, tokenOut: Address, amountIn: bigint, hooks?: Address, fee?: number): Promise<{ readonly taken: bigint; readonly given: bigint }>;
};

/** Of a pool's key what the tokens do not tell. */
export type PoolKind = { readonly hooks: Address; readonly fee?: number };

export async function layV4(ground: Ground): Promise<V4Ground> {
  const { chain, accounts, allowanceHolder, wrappedNative } = ground;
  const { deployer, collector } = accounts;
  const deploy = (code: Hex, argument: Address) => chain.deploy(deployer, concatHex([code, encodeAbiParameters([{ type: 'address' }], [argument])]));
  const manager = await deploy(creationCodeOf('manager'), deployer);
  const liquidity = await deploy(creationCodeOf('liquidity'), manager);
  const swapper = await deploy(creationCodeOf('swapper'), manager);
  const routerCode = readSettlementContracts().routerFor(['uniswap_v2', 'uniswap_v2_path', 'uniswap_v3', 'uniswap_v4', 'uniswap_v4_path', 'wrap']);
  chain.know(routerCode.abi);
  const router = await chain.deploy(deployer, routerCode.creationCode({ allowanceHolder, wrappedNative, feeCollector: collector }));
  const trick = contractOf(ground.contracts, 'TrickToken').abi;
  for (const token of Object.values(ground.tokens)) {
    if (token !== ground.tokens.weth) await chain.write(deployer, token, trick, 'mint', [[deployer], 100n * LIQUIDITY]);
    for (const spender of [liquidity, swapper]) await chain.write(deployer, token, erc20Abi, 'approve', [spender, maxUint256]);
  }
  const fill = async (key: PoolKey, tickLower: number, tickUpper: number) => {
    await chain.write(deployer, manager, MANAGER_ABI as Abi, 'initialize', [key, 2n ** 96n]);
    const params = { tickLower, tickUpper, liquidityDelta: LIQUIDITY, salt: `0x${'0'.repeat(64)}` };
    const value = key.currency0 === ZERO_ADDRESS ? LIQUIDITY : 0n;
    await chain.write(deployer, liquidity, LIQUIDITY_ABI as Abi, 'modifyLiquidity', [key, params, '0x'], value);
  };
  return {
    manager,
    router,
    makePool: (one, other, hooks = ZERO_ADDRESS, fee = FEE) => fill(keyOf(one, other, hooks, fee), -RANGE, RANGE),
    makePoolOf(held, other) {
      const key = keyOf(held, other, ZERO_ADDRESS);
      return key.currency0 === held ? fill(key, 0, RANGE) : fill(key, -RANGE, 0);
    },
    hop(tokenIn, tokenOut, bps = 10_000, hooks = ZERO_ADDRESS) {
      const data = concatHex([numberToHex(FEE, { size: 3 }), numberToHex(TICK_SPACING, { size: 3 }), hooks]);
      return { leg: 'uniswap_v4', bps: asBps(bps), tokenIn, tokenOut, pool: manager, data };
    },
    path(tokens, bps = 10_000, pools = []) {
      const [tokenIn = ZERO_ADDRESS, ...after] = tokens;
      const parts = after.flatMap((_, index) => {
        const { hooks, fee = FEE } = pools[index] ?? { hooks: ZERO_ADDRESS };
        const pool = concatHex([numberToHex(fee, { size: 3 }), numberToHex(TICK_SPACING, { size: 3 }), hooks]);
        return index === 0 ? [pool] : [currencyOf(after[index - 1] ?? ZERO_ADDRESS), pool];
      });
      const data = concatHex([numberToHex(after.length - 1, { size: 1 }), ...parts]);
      return { leg: 'uniswap_v4_path', bps: asBps(bps), tokenIn, tokenOut: after.at(-1) ?? ZERO_ADDRESS, pool: manager, data };
    },
    swapCall(tokenIn, tokenOut, amountIn) {
      const args = [keyOf(tokenIn, tokenOut, ZERO_ADDRESS), paramsOf(tokenIn, tokenOut, amountIn), '0x'] as const;
      return { to: manager, data: encodeFunctionData({ abi: MANAGER_ABI, functionName: 'swap', args }) };
    },
    async quote(tokenIn, tokenOut, amountIn, hooks = ZERO_ADDRESS, fee = FEE) {
      const params = paramsOf(tokenIn, tokenOut, amountIn);
      const settings = { takeClaims: false, settleUsingBurn: false };
      const data = encodeFunctionData({ abi: SWAPPER_ABI, functionName: 'swap', args: [keyOf(tokenIn, tokenOut, hooks, fee), params, settings, '0x'] });
      const ending = await chain.attempt(deployer, { to: swapper, data, value: tokenIn === NATIVE_TOKEN ? amountIn : 0n });
      if (!ending.ok) throw new Error(`the manager reverts with ${ending.error}`);
      const delta = BigInt.asIntN(256, BigInt(ending.data));
      const [amount0, amount1] = [delta >> 128n, BigInt.asIntN(128, delta)];
      return params.zeroForOne ? { taken: -amount0, given: amount1 } : { taken: -amount1, given: amount0 };
    },
  };
}

type PoolKey = {
  readonly currency0: Address;
  readonly currency1: Address;
  readonly fee: number;
  readonly tickSpacing: number;
  readonly hooks: Address;
};

function keyOf(one: Address, other: Address, hooks: Address, fee = FEE): PoolKey {
  const [currency0 = ZERO_ADDRESS, currency1 = ZERO_ADDRESS] = [currencyOf(one), currencyOf(other)].sort();
  return { currency0, currency1, fee, tickSpacing: TICK_SPACING, hooks };
}

function paramsOf(tokenIn: Address, tokenOut: Address, amountIn: bigint) {
  const zeroForOne = currencyOf(tokenIn) < currencyOf(tokenOut);
  return { zeroForOne, amountSpecified: -amountIn, sqrtPriceLimitX96: zeroForOne ? LOWEST_LIMIT : HIGHEST_LIMIT };
}

function currencyOf(token: Address): Address {
  return token === NATIVE_TOKEN ? ZERO_ADDRESS : token;
}

function creationCodeOf(name: keyof typeof PLACES): Hex {
  const artifact: unknown = JSON.parse(readFileSync(createRequire(import.meta.url).resolve(PLACES[name]), 'utf8'));
  return (artifact as { readonly bytecode: { readonly object: Hex } }).bytecode.object;
}

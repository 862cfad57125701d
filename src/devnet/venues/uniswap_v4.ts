import { decodeFunctionResult, encodeFunctionData, type Hex, numberToHex } from 'viem';
import { type Address, NATIVE_TOKEN, ZERO_ADDRESS } from '../../units/units.ts';
import { attestingNodes } from '../accounts.ts';
import { creationCode } from '../artifacts.ts';
import { deployWith } from '../deploy-with.ts';
import type { BotTransaction, DevnetVenue, Ground, PlacedVenue, PoolPlace, Provision } from '../devnet-venue.ts';
import { deployAtSalt } from '../kinds/mined-address.ts';
import {
  ATTESTED_HOOK_ABI,
  DYNAMIC_FEE_HOOK_ABI,
  idOf,
  keyOf,
  LIQUIDITY_ROUTER_ABI,
  MANAGER_ABI,
  positionSlotOf,
  readSlot0,
  SWAP_ROUTER_ABI,
  slotOf,
  type V4Key,
} from '../kinds/v4-key.ts';
import { approxLimit, approxLiquidity } from '../kinds/v4-liquidity.ts';
import { approxTablePrice, type PlacedPool, type PoolReading, type SortedPool } from '../placed-pool.ts';
import type { PoolRow } from '../pool-spec.ts';
import { approxSqrtPriceX96, positionsFor, ticksOf } from '../positions.ts';
import { approxBaseUnits } from '../token-table.ts';
import type { TransactionScript } from '../transaction-script.ts';

const PERIPHERY = '@uniswap/v4-periphery/foundry-out';
const PLACES = {
  manager: `${PERIPHERY}/PoolManager.sol/PoolManager.default.json`,
  quoter: `${PERIPHERY}/V4Quoter.sol/V4Quoter.json`,
  liquidity: `${PERIPHERY}/PoolModifyLiquidityTestNoChecks.sol/PoolModifyLiquidityTestNoChecks.json`,
  swaps: `${PERIPHERY}/PoolSwapTest.sol/PoolSwapTest.default.json`,
} as const;
/** Mined: the low bits of the addresses say what the manager asks the hooks for. */
const SALTS = { AttestedHook: 74_943, DynamicFeeHook: 16_975, OutputFeeHook: 15_569, PassiveHook: 4121, HostileHook: 17_482 } as const;
type HookName = keyof typeof SALTS;
type Hooks = Readonly<Record<HookName, Address>>;

const DYNAMIC_FEE = 0x800000;
/** Of an input of either currency, in the form that the manager keeps. */
const PROTOCOL_FEE = 300 + (500 << 12);

type Kind = { readonly native?: true; readonly hook?: HookName; readonly dynamic?: true; readonly protocolFee?: true };
/** The test routers want an answer of a token that they pay, so none of these is USDT. A pair has each fee once: by both its kind is known. */
const ROWS: readonly (readonly [PoolRow, Kind])[] = [
  [['WETH/USDC', 500, 9_000_000, 'layered'], { native: true }],
  [['WETH/DAI', 3000, 2_000_000, 'layered'], { native: true, protocolFee: true }],
  [['WBTC/WETH', 3000, 3_000_000, 'ladder'], { native: true }],
  [['LINK/WETH', 3000, 1_500_000, 'gaps'], { native: true, hook: 'OutputFeeHook' }],
  [['WETH/USDC', 3000, 4_000_000, 'full'], {}],
  [['USDC/DAI', 100, 5_000_000, 'stable'], {}],
  [['WBTC/USDC', 500, 2_000_000, 'layered'], { protocolFee: true }],
  [['UNI/USDC', 3000, 400_000, 'narrow'], { hook: 'PassiveHook' }],
  [['AAVE/USDC', 2500, 700_000, 'full'], { hook: 'DynamicFeeHook', dynamic: true }],
  [['AAVE/WETH', 3000, 900_000, 'layered'], { hook: 'OutputFeeHook' }],
  [['LINK/USDC', 500, 2_500_000, 'layered'], { hook: 'AttestedHook', dynamic: true }],
];
const TICK_SPACINGS: Readonly<Record<number, number>> = { 100: 1, 500: 10, 2500: 50, 3000: 60 };

/** Millionths: of an input for liquidity providers, and of what a swap does not specify for the hook. */
const ATTESTED_FEES = { unlocked: 300, protocol: 60 } as const;

const HOSTILE_USD = 200_000;
/** How much better than the table the hostile pool seems. */
const HOSTILE_SKEW = 1.5;
const PROVIDED_USD = 20_000;
const PROVIDED_SPACINGS = 40;
const NO_DATA = '0x';

/** Uniswap V4: the real manager, pools of ERC-20 and of native token, and hooks of ours. */
export const devnetVenue: DevnetVenue = {
  title: 'Uniswap V4',
  folders: ['uniswap_v4'],
  sources: Object.keys(SALTS).map((name) => `contracts/devnet/hooks/${name}.sol`),
  pools: (lay) => ROWS.map(([row]) => lay(...row)),
  place,
};

function place({ script, deployer, compiled }: Ground): PlacedVenue {
  const manager = deployWith(script, 'V4 pool manager', creationCode(PLACES.manager), deployer);
  const [quoter, liquidity, swaps] = (['quoter', 'liquidity', 'swaps'] as const).map((name) =>
    deployWith(script, `V4 ${name}`, creationCode(PLACES[name]), manager),
  ) as [Address, Address, Address];
  const placeHook = (name: HookName) => deployAtSalt(script, name, compiled(name), SALTS[name]);
  const hooks = Object.fromEntries((Object.keys(SALTS) as HookName[]).map((name) => [name, placeHook(name)])) as Hooks;
  script.call('nodes that attest', hooks.AttestedHook, encodeFunctionData({ abi: ATTESTED_HOOK_ABI, functionName: 'open', args: [attestingNodes()] }));
  script.call('protocol fees', manager, encodeFunctionData({ abi: MANAGER_ABI, functionName: 'setProtocolFeeController', args: [deployer] }));
  const placed: Placed = { manager, liquidity, swaps, hooks };
  return {
    contracts: { poolManager: manager, v4Quoter: quoter, v4Liquidity: liquidity, v4Swaps: swaps, ...hookContracts(hooks) },
    deployments: [{ venue: 'uniswap_v4', family: 'uniswap_v4', factory: manager }],
    spenders: { trade: [swaps], provide: [liquidity] },
    make: (chain, pool) => makePool(chain, pool, placed),
    whereIs(pool) {
      const found = { ...asCurrencies(pool), address: manager, key: idOf(v4KeyOf(pool, hooks)) };
      return { to: manager, data: wordAt(slotOf(found.key)), decode: (): PoolPlace => found };
    },
    readNow: (pool) => ({ to: manager, data: wordAt(slotOf(pool.key as Hex)), decode: (answer) => readingOf(answer) }),
    // In no block anything that the bots know lets them into an attested pool.
    swap: (pool, reading, wanted) => (kindOf(pool).hook === 'AttestedHook' ? [] : [swapTo(pool, reading, wanted, placed)]),
    changeLiquidity: (pool, _reading, provision) => changePosition(pool, provision, placed),
  };
}

type Placed = { readonly manager: Address; readonly liquidity: Address; readonly swaps: Address; readonly hooks: Hooks };

function hookContracts({ AttestedHook, DynamicFeeHook, OutputFeeHook, PassiveHook, HostileHook }: Hooks): Readonly<Record<string, Address>> {
  return { attestedHook: AttestedHook, dynamicFeeHook: DynamicFeeHook, outputFeeHook: OutputFeeHook, passiveHook: PassiveHook, hostileHook: HostileHook };
}

function kindOf({ symbols, feePpm }: SortedPool): Kind {
  return ROWS.find(([[pair, fee]]) => pair === symbols.join('/') && fee === feePpm)?.[1] ?? {};
}

/** The pool with its tokens in the manager's order: the native token, which comes first, by its sentinel. What it is priced between keeps the wrapped form, by which the table knows it. */
function asCurrencies(pool: SortedPool): Pick<SortedPool, 'tokens' | 'token0' | 'token1'> {
  const wrapped = pool.tokens.find(({ kind }) => kind === 'wrapped');
  const other = pool.tokens.find(({ kind }) => kind !== 'wrapped');
  if (!kindOf(pool).native || wrapped === undefined || other === undefined) return pool;
  return { tokens: [{ ...wrapped, address: NATIVE_TOKEN }, other], token0: wrapped, token1: other };
}

function v4KeyOf(pool: SortedPool, hooks: Hooks, hook = kindOf(pool).hook): V4Key {
  const { tokens } = asCurrencies(pool);
  const fee = hook === 'DynamicFeeHook' || hook === 'AttestedHook' ? DYNAMIC_FEE : pool.feePpm;
  return keyOf(tokens[0].address, tokens[1].address, fee, spacingOf(pool), hook === undefined ? ZERO_ADDRESS : hooks[hook]);
}

function spacingOf({ feePpm }: SortedPool): number {
  return TICK_SPACINGS[feePpm] ?? 1;
}

function makePool(script: TransactionScript, pool: SortedPool, placed: Placed): void {
  const { manager, hooks } = placed;
  const kind = kindOf(pool);
  const key = v4KeyOf(pool, hooks);
  layPool(script, pool, key, placed, pool.skew, pool.liquidityUsd);
  if (kind.protocolFee)
    script.call('protocol fee', manager, encodeFunctionData({ abi: MANAGER_ABI, functionName: 'setProtocolFee', args: [key, PROTOCOL_FEE] }));
  if (kind.hook === 'DynamicFeeHook') {
    const data = encodeFunctionData({ abi: DYNAMIC_FEE_HOOK_ABI, functionName: 'impose', args: [idOf(key), pool.feePpm, 2 * pool.feePpm] });
    script.call('dynamic fee', hooks.DynamicFeeHook, data);
  }
  if (kind.hook === 'AttestedHook') {
    const { unlocked, protocol } = ATTESTED_FEES;
    const data = encodeFunctionData({ abi: ATTESTED_HOOK_ABI, functionName: 'configurePool', args: [key.currency0, key.currency1, unlocked, protocol] });
    script.call('fees in blocks that are attested', hooks.AttestedHook, data);
  }
  // Beside the first plain pool one with the best price of all, which nobody can trade at.
  if (!kind.native && kind.hook === undefined && pool.symbols.includes('WETH')) {
    layPool(script, pool, v4KeyOf(pool, hooks, 'HostileHook'), placed, HOSTILE_SKEW, HOSTILE_USD);
  }
}

function layPool(script: TransactionScript, pool: SortedPool, key: V4Key, { manager, liquidity: router }: Placed, skew: number, usd: number): void {
  const { token0, token1 } = asCurrencies(pool);
  const label = `V4 ${pool.symbols.join('/')} ${pool.feePpm}`;
  const price = approxTablePrice(token0, token1) * skew;
  const sqrtPriceX96 = approxSqrtPriceX96(price);
  script.call(`${label} create`, manager, encodeFunctionData({ abi: MANAGER_ABI, functionName: 'initialize', args: [key, sqrtPriceX96] }));
  for (const { tickLower, tickUpper, share } of positionsFor(pool.shape, ticksOf(price), spacingOf(pool))) {
    const amounts = [token0, token1].map((token) => approxBaseUnits(token, (usd / 2) * share)) as [bigint, bigint];
    const { liquidity, mostOf0 } = approxLiquidity(sqrtPriceX96, tickLower, tickUpper, ...amounts);
    script.call(
      `${label} ${tickLower}…${tickUpper}`,
      router,
      modify(key, tickLower, tickUpper, liquidity, ZERO_SALT),
      key.currency0 === ZERO_ADDRESS ? mostOf0 : 0n,
    );
  }
}

const ZERO_SALT = numberToHex(0, { size: 32 });

function modify(key: V4Key, tickLower: number, tickUpper: number, liquidityDelta: bigint, salt: Hex): Hex {
  const params = { tickLower, tickUpper, liquidityDelta, salt };
  return encodeFunctionData({ abi: LIQUIDITY_ROUTER_ABI, functionName: 'modifyLiquidity', args: [key, params, NO_DATA] });
}

function wordAt(slot: Hex): Hex {
  return encodeFunctionData({ abi: MANAGER_ABI, functionName: 'extsload', args: [slot] });
}

function readingOf(answer: Hex): PoolReading | undefined {
  const { sqrtPriceX96, tick } = readSlot0(decodeFunctionResult({ abi: MANAGER_ABI, functionName: 'extsload', data: answer }));
  return sqrtPriceX96 === 0n ? undefined : { price: (Number(sqrtPriceX96) / 2 ** 96) ** 2, tick, reserves: null };
}

type Wanted = Parameters<PlacedVenue['swap']>[2];

/** The price limit stops the swap at the target, whatever liquidity is on the way. */
function swapTo(pool: PlacedPool, { price }: PoolReading, { target, largest, trader }: Wanted, { swaps, hooks }: Placed): BotTransaction {
  const zeroForOne = target < price;
  const key = v4KeyOf(pool, hooks);
  const params = { zeroForOne, amountSpecified: -largest, sqrtPriceLimitX96: approxLimit(target) };
  const settings = { takeClaims: false, settleUsingBurn: false };
  const data = encodeFunctionData({ abi: SWAP_ROUTER_ABI, functionName: 'swap', args: [key, params, settings, NO_DATA] });
  return { from: trader, to: swaps, data, value: zeroForOne && key.currency0 === ZERO_ADDRESS ? largest : 0n };
}

/** One position around the table's price: put in where it is not there, else taken out. */
async function changePosition(pool: PlacedPool, { rpc, provider }: Provision, placed: Placed): Promise<readonly BotTransaction[]> {
  const { manager, liquidity: router, hooks } = placed;
  const [spacing, key] = [spacingOf(pool), v4KeyOf(pool, hooks)];
  const middle = Math.floor(ticksOf(approxTablePrice(pool.token0, pool.token1)) / spacing);
  const [tickLower, tickUpper] = [(middle - PROVIDED_SPACINGS) * spacing, (middle + PROVIDED_SPACINGS) * spacing];
  const salt: Hex = `0x${provider.slice(2).padStart(64, '0')}`;
  const read = async (slot: Hex): Promise<Hex> => (await rpc.request('eth_call', { to: manager, data: wordAt(slot) }, 'latest')) as Hex;
  const held = BigInt.asUintN(128, BigInt(await read(positionSlotOf(idOf(key), router, tickLower, tickUpper, salt))));
  if (held > 0n) return [{ from: provider, to: router, data: modify(key, tickLower, tickUpper, -held, salt) }];
  const { sqrtPriceX96 } = readSlot0(await read(slotOf(idOf(key))));
  const amounts = [pool.token0, pool.token1].map((token) => approxBaseUnits(token, PROVIDED_USD / 2)) as [bigint, bigint];
  const { liquidity, mostOf0 } = approxLiquidity(sqrtPriceX96, tickLower, tickUpper, ...amounts);
  const value = key.currency0 === ZERO_ADDRESS ? mostOf0 : 0n;
  return [{ from: provider, to: router, data: modify(key, tickLower, tickUpper, liquidity, salt), value }];
}

import { encodeAbiParameters, type Hex, keccak256, parseAbi } from 'viem';
import { type Address, NATIVE_TOKEN, ZERO_ADDRESS } from '../../units/units.ts';

/** What the manager knows a pool by. */
export type V4Key = {
  readonly currency0: Address;
  readonly currency1: Address;
  readonly fee: number;
  readonly tickSpacing: number;
  readonly hooks: Address;
};

const KEY = '(address currency0, address currency1, uint24 fee, int24 tickSpacing, address hooks)';
export const MANAGER_ABI = parseAbi([
  `function initialize(${KEY} key, uint160 sqrtPriceX96) returns (int24 tick)`,
  'function setProtocolFeeController(address controller)',
  `function setProtocolFee(${KEY} key, uint24 fee)`,
  'function extsload(bytes32 slot) view returns (bytes32 word)',
]);
export const LIQUIDITY_ROUTER_ABI = parseAbi([
  `function modifyLiquidity(${KEY} key, (int24 tickLower, int24 tickUpper, int256 liquidityDelta, bytes32 salt) params, bytes hookData) payable returns (int256 delta)`,
]);
export const SWAP_ROUTER_ABI = parseAbi([
  `function swap(${KEY} key, (bool zeroForOne, int256 amountSpecified, uint160 sqrtPriceLimitX96) params, (bool takeClaims, bool settleUsingBurn) settings, bytes hookData) payable returns (int256 delta)`,
]);
export const DYNAMIC_FEE_HOOK_ABI = parseAbi([
  'function impose(bytes32 id, uint24 zeroForOne, uint24 oneForZero)',
  'function leave(bytes32 id)',
  `function store(address manager, ${KEY} key, uint24 fee)`,
  'function feesOf(bytes32 id) view returns (uint24 zeroForOne, uint24 oneForZero, bool imposed)',
]);

export const ATTESTED_HOOK_ABI = parseAbi([
  'function open(address[] nodes)',
  'function configurePool(address asset0, address asset1, uint24 unlocked, uint24 protocol)',
  'function extsload(uint256 slot) view returns (uint256 word)',
]);

/** Where the native token goes by its sentinel. */
export function keyOf(one: Address, other: Address, fee: number, tickSpacing: number, hooks: Address): V4Key {
  const [currency0, currency1] = [one, other].map((token) => (token === NATIVE_TOKEN ? ZERO_ADDRESS : token)).sort() as [Address, Address];
  return { currency0, currency1, fee, tickSpacing, hooks };
}

export function idOf({ currency0, currency1, fee, tickSpacing, hooks }: V4Key): Hex {
  const types = ['address', 'address', 'uint24', 'int24', 'address'].map((type) => ({ type }));
  return keccak256(encodeAbiParameters(types, [currency0, currency1, fee, tickSpacing, hooks]));
}

/** Where the manager keeps the price and the tick of a pool (v4-core StateLibrary.sol). */
export function slotOf(id: Hex): Hex {
  return keccak256(encodeAbiParameters([{ type: 'bytes32' }, { type: 'uint256' }], [id, 6n]));
}

/** Price and tick of what lies there. */
export function readSlot0(word: Hex): { readonly sqrtPriceX96: bigint; readonly tick: number } {
  const bits = BigInt(word);
  return { sqrtPriceX96: BigInt.asUintN(160, bits), tick: Number(BigInt.asIntN(24, bits >> 160n)) };
}

/** Where a pool keeps the liquidity of a position. */
export function positionSlotOf(id: Hex, owner: Address, tickLower: number, tickUpper: number, salt: Hex): Hex {
  const packed = `${owner.slice(2)}${word24(tickLower)}${word24(tickUpper)}${salt.slice(2)}`;
  const positions = BigInt(slotOf(id)) + 6n;
  return keccak256(encodeAbiParameters([{ type: 'bytes32' }, { type: 'uint256' }], [keccak256(`0x${packed}`), positions]));
}

function word24(value: number): string {
  return BigInt.asUintN(24, BigInt(value)).toString(16).padStart(6, '0');
}

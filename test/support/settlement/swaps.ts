import { expect } from 'chai';
import { decodeEventLog, encodeFunctionData, type Hex, parseAbi } from 'viem';
import { ROUTER_ABI, type SwapTerms } from '../../../src/building/building.ts';
import { type Address, NATIVE_TOKEN } from '../../../src/units/units.ts';
import { contractOf, type Ground, takerCall } from './ground.ts';
import type { Ending, Receipt } from './test-chain.ts';

export const VENUE_ABI = parseAbi([
  'function swap(address recipient, bool zeroForOne, int256 amountSpecified, uint160 sqrtPriceLimitX96, bytes data) returns (int256, int256)',
  'function uniswapV3SwapCallback(int256 amount0Delta, int256 amount1Delta, bytes data)',
  'function pancakeV3SwapCallback(int256 amount0Delta, int256 amount1Delta, bytes data)',
]);
export const EXECUTOR_ABI = parseAbi(['function executeFrom(address owner, bytes payload) returns (bytes4)']);
export const HOLDER_ABI = parseAbi([
  'function exec(address target, address token, uint256 amount, bytes payload)',
  'function transferFrom(address token, address owner, address to, uint256 amount)',
]);

export type SwapEvent = {
  readonly tag: Hex;
  readonly taker: Address;
  readonly recipient: Address;
  readonly sellToken: Address;
  readonly buyToken: Address;
  readonly sellAmount: bigint;
  readonly buyAmount: bigint;
  readonly feeAmount: bigint;
};

/** Every Swap event of the router in a receipt. Addresses in lower case. */
export function swapEvents({ router }: { readonly router: Address }, receipt: Receipt): readonly SwapEvent[] {
  return receipt.logs
    .filter((log) => log.address === router)
    .map(({ topics, data }) => {
      const { args } = decodeEventLog({ abi: ROUTER_ABI, eventName: 'Swap', topics, data });
      const lower = (text: string): Address => text.toLowerCase() as Address;
      const { taker, recipient, sellToken, buyToken } = args;
      return { ...args, taker: lower(taker), recipient: lower(recipient), sellToken: lower(sellToken), buyToken: lower(buyToken) };
    });
}

/** Sends a swap that has to go through and gives its only event. */
export async function settle(ground: Ground, terms: SwapTerms): Promise<SwapEvent> {
  const [event, ...more] = swapEvents(ground, await ground.chain.mustSend(terms.taker, takerCall(ground, terms)));
  if (event === undefined || more.length > 0) throw new Error(`${more.length} Swap events more than one`);
  return event;
}

/** Asserts that a swap reverts with the named error. */
export async function refuse(ground: Ground, terms: SwapTerms, error: string): Promise<readonly unknown[]> {
  return expectError(await ground.chain.attempt(terms.taker, takerCall(ground, terms)), error);
}

export function expectError(ending: Ending, error: string): readonly unknown[] {
  expect(ending.ok ? 'went through' : ending.error).to.equal(error);
  return ending.ok ? [] : ending.args;
}

/** What `run` changes in the balances of the given accounts, in every token of the ground and native. Unchanged ones are left out. */
export async function changes(
  ground: Ground,
  accounts: Readonly<Record<string, Address>>,
  run: () => Promise<unknown>,
): Promise<Readonly<Record<string, bigint>>> {
  const tokens = { ...ground.tokens, native: NATIVE_TOKEN };
  const places = Object.entries(accounts).flatMap(([name, account]) =>
    Object.entries(tokens).map(([symbol, token]) => ({ name: `${name}.${symbol}`, account, token })),
  );
  const read = () => ground.chain.balances(places);
  const before = await read();
  await run();
  const after = await read();
  return Object.fromEntries(places.map(({ name }, i) => [name, (after[i] ?? 0n) - (before[i] ?? 0n)] as const).filter(([, change]) => change !== 0n));
}

/** Gives somebody a TrickToken, base units. */
export async function mint({ chain, accounts, contracts }: Ground, token: Address, to: Address, amount: bigint): Promise<void> {
  await chain.write(accounts.deployer, token, contractOf(contracts, 'TrickToken').abi, 'mint', [[to], amount]);
}

/** Sets how a TrickToken misbehaves (contracts/devnet/adversaries/TrickToken.sol). */
export async function setToken(ground: Ground, token: Address, temper: number, taxBps: number, hook: Address): Promise<void> {
  await ground.chain.write(ground.accounts.deployer, token, contractOf(ground.contracts, 'TrickToken').abi, 'set', [temper, taxBps, hook]);
}

export function executeFromData(owner: Address, payload: Hex): Hex {
  return encodeFunctionData({ abi: EXECUTOR_ABI, functionName: 'executeFrom', args: [owner, payload] });
}

export function execData(target: Address, token: Address, amount: bigint, payload: Hex): Hex {
  return encodeFunctionData({ abi: HOLDER_ABI, functionName: 'exec', args: [target, token, amount, payload] });
}

export function pullData(token: Address, owner: Address, to: Address, amount: bigint): Hex {
  return encodeFunctionData({ abi: HOLDER_ABI, functionName: 'transferFrom', args: [token, owner, to, amount] });
}

export function callbackData(name: 'uniswapV3SwapCallback' | 'pancakeV3SwapCallback', delta0: bigint, delta1: bigint): Hex {
  return encodeFunctionData({ abi: VENUE_ABI, functionName: name, args: [delta0, delta1, '0x'] });
}

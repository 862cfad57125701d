import { concatHex, encodeFunctionData, erc20Abi, type Hex, numberToHex, parseAbi, toFunctionSelector } from 'viem';
import { type Address, asAddress } from '../../../src/units/units.ts';
import { contractOf, type Ground, ONE } from './ground.ts';
import { createPuppet, type Puppet, type PuppetStep } from './puppet.ts';
import { expectError } from './swaps.ts';
import { MANAGER_ABI, type V4Ground } from './v4.ts';

const UNLOCK = 'unlock(bytes)';
const SWAP = 'swap((address,address,uint24,int24,address),(bool,int256,uint160),bytes)';
const CALLBACK_ABI = parseAbi(['function unlockCallback(bytes data) returns (bytes)']);

export const BEFORE_SWAP = 'beforeSwap(address,(address,address,uint24,int24,address),(bool,int256,uint160),bytes)';
/** Addresses by whose low bits the manager knows that they are asked before a swap, and may also change what it comes to. */
export const ASKED_BEFORE = asAddress(`0x${'ab'.repeat(18)}0080`);
export const CHANGES_BEFORE = asAddress(`0x${'cd'.repeat(18)}0088`);

/** What a hook answers before a swap: what it makes of the specified and of the unspecified amount, 0 where nothing, and no fee. */
export function beforeSwapAnswer(specified = 0n, unspecified = 0n): Hex {
  const half = (amount: bigint) => numberToHex(BigInt.asUintN(128, amount), { size: 16 });
  const selector = toFunctionSelector(BEFORE_SWAP);
  return concatHex([selector, `0x${'0'.repeat(56)}`, half(specified), half(unspecified), numberToHex(0, { size: 32 })]);
}

/** The manager's call back to the router, whoever makes it. */
export function unlockCallback(ground: Ground, data: Hex): PuppetStep {
  return { to: ground.router, data: encodeFunctionData({ abi: CALLBACK_ABI, functionName: 'unlockCallback', args: [data] }) };
}

/** The call back with what a leg tells itself is refused to strangers, to the manager outside of a hop, and in an unlocking that no hop made (K2). */
export async function expectCallbackRefused(ground: Ground, { manager }: V4Ground, order: Hex): Promise<void> {
  const { stranger, victim } = ground.accounts;
  const call = unlockCallback(ground, order);
  for (const caller of [stranger, victim, manager]) expectError(await ground.chain.attempt(caller, call), 'UnexpectedCallback');
  // The manager calls back whoever unlocked it, never the router for somebody else; and if it did:
  const unlocking = encodeFunctionData({ abi: MANAGER_ABI, functionName: 'unlock', args: [order] });
  expectError(await ground.chain.attempt(ground.router, { to: manager, data: unlocking }), 'UnexpectedCallback');
}

/** A manager of our own making: says of each swap that it changes the accounts by `delta` of the lower and the higher token, and pays 1 of a token to the recipient when it is unlocked, before `steps`. */
export async function createFakeManager(
  ground: Ground,
  paid: Address,
  [delta0, delta1]: readonly [bigint, bigint],
  steps: readonly PuppetStep[],
): Promise<Puppet> {
  const { recipient, deployer } = ground.accounts;
  const manager = await createPuppet(ground);
  await ground.chain.write(deployer, paid, contractOf(ground.contracts, 'TrickToken').abi, 'mint', [[manager.address], 10n * ONE]);
  const giving = { to: paid, data: encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [recipient, ONE] }), bubbles: true };
  await manager.teach(UNLOCK, { steps: [giving, ...steps] });
  await manager.teach(SWAP, { answer: numberToHex((BigInt.asUintN(128, delta0) << 128n) | BigInt.asUintN(128, delta1), { size: 32 }) });
  return manager;
}

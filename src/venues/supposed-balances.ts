import { concatHex, encodeFunctionData, type Hex, keccak256, numberToHex, parseAbi, stringToBytes } from 'viem';
import type { Address } from '../units/units.ts';
import type { ChainCall, SupposedStorage } from './track.ts';

/** What a holder is supposed to have, base units: more than is asked for. Where a contract keeps balances in less than 104 bits it does not fit, and its slot counts as unknown. */
export const SUPPOSED_BALANCE = 10n ** 31n;

const TOKEN = parseAbi(['function balanceOf(address account) view returns (uint256)']);
/** Vyper's key comes behind the mapping's number. */
const FROM_VYPER = 32;
/** OpenZeppelin's by its name (ERC-7201). */
const NAMED_PLACE = (BigInt(hashed([BigInt(keccak256(stringToBytes('openzeppelin.storage.ERC20'))) - 1n])) >> 8n) << 8n;
const SOLADY_SEED = 0x87a211a2;

/** An account that is supposed to hold tokens while calls are answered, whatever it holds. */
export type SupposedHolder = {
  /** Asks what is held where each slot that may be the one holds another number. */
  whereHeld(token: Address): ChainCall;
  /** The slot that the answer tells; null where it is none of those that are known. */
  slotHeld(held: bigint | null): Hex | null;
};

/** That whoever has the slot of a token holds enough of it. */
export function supposedAt(token: Address, slot: Hex): SupposedStorage {
  return { contract: token, slots: { [slot]: numberToHex(SUPPOSED_BALANCE, { size: 32 }) } };
}

/** Looks where contracts keep what an account holds: the first so many mappings of Solidity, those of Vyper, OpenZeppelin's named one, and Solady's. */
export function supposeHolder(holder: Address, mappings: number): SupposedHolder {
  const slots: readonly Hex[] = [
    ...numbers(mappings).map((number) => hashed([holder, number])),
    ...numbers(FROM_VYPER).map((number) => hashed([number, holder])),
    hashed([holder, NAMED_PLACE]),
    keccak256(concatHex([holder, numberToHex(SOLADY_SEED, { size: 12 })])),
  ];
  const words = Object.fromEntries(slots.map((slot, at) => [slot, numberToHex(SUPPOSED_BALANCE + BigInt(at), { size: 32 })]));
  const data = encodeFunctionData({ abi: TOKEN, functionName: 'balanceOf', args: [holder] });
  return {
    whereHeld: (token) => ({ to: token, data, answerBytes: 32, supposing: { contract: token, slots: words } }),
    slotHeld: (held) => (held === null ? null : (slots[Number(held - SUPPOSED_BALANCE)] ?? null)),
  };
}

function numbers(count: number): readonly bigint[] {
  return Array.from({ length: count }, (_, number) => BigInt(number));
}

/** Of words one behind the other: an address is one too. */
function hashed(words: readonly (bigint | Address)[]): Hex {
  return keccak256(`0x${words.map((word) => BigInt(word).toString(16).padStart(64, '0')).join('')}`);
}

import { concatHex, encodeAbiParameters, encodeFunctionData, type Hex, keccak256, numberToHex, parseAbi, stringToBytes } from 'viem';
import { type Address, asAddress } from '../../units/units.ts';
import type { ChainCall, SupposedStorage } from '../track.ts';

/** Somebody who has nothing to do with any vault: what it may deposit, or redeem once it is supposed to hold shares, anybody may. */
export const ANYBODY = asAddress('0x0000000000000000000000000000000000004626');

/** Shares that are supposed: as many as are asked for at most. Where a contract keeps balances in less than 104 bits they do not fit, and its slot counts as unknown. */
export const SUPPOSED_SHARES = 10n ** 31n;

const TOKEN = parseAbi(['function balanceOf(address account) view returns (uint256)']);
const FROM_SOLIDITY = 128n;
/** Vyper's key comes behind the mapping's number. */
const FROM_VYPER = 32n;

/** Where contracts keep what an account holds: mappings of Solidity and Vyper by their number, OpenZeppelin's by its name (ERC-7201), and Solady's. */
const SLOTS: readonly Hex[] = [
  ...numbers(FROM_SOLIDITY).map((number) => hashed([ANYBODY, number])),
  ...numbers(FROM_VYPER).map((number) => hashed([number, ANYBODY])),
  hashed([ANYBODY, (BigInt(hashed([BigInt(keccak256(stringToBytes('openzeppelin.storage.ERC20'))) - 1n])) >> 8n) << 8n]),
  keccak256(concatHex([ANYBODY, numberToHex(0x87a211a2, { size: 12 })])),
];

/** Asks what is held where each slot that may be the one holds another number. */
export function whereHeld(vault: Address): ChainCall {
  const slots = Object.fromEntries(SLOTS.map((slot, at) => [slot, numberToHex(SUPPOSED_SHARES + BigInt(at), { size: 32 })]));
  const data = encodeFunctionData({ abi: TOKEN, functionName: 'balanceOf', args: [ANYBODY] });
  return { to: vault, data, answerBytes: 32, supposing: { contract: vault, slots } };
}

/** The slot that the answer tells; null where it is none of those that are known. */
export function slotHeld(held: bigint | null): Hex | null {
  return held === null ? null : (SLOTS[Number(held - SUPPOSED_SHARES)] ?? null);
}

export function supposedAt(vault: Address, slot: Hex): SupposedStorage {
  return { contract: vault, slots: { [slot]: numberToHex(SUPPOSED_SHARES, { size: 32 }) } };
}

function numbers(count: bigint): readonly bigint[] {
  return Array.from({ length: Number(count) }, (_, number) => BigInt(number));
}

/** Of words one behind the other: an address is one too. */
function hashed(words: readonly (bigint | Address)[]): Hex {
  return keccak256(
    encodeAbiParameters(
      words.map(() => ({ type: 'uint256' })),
      words.map(BigInt),
    ),
  );
}

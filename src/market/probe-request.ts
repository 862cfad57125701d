import { encodeFunctionData, parseAbi } from 'viem';
import { LIMITS } from '../config/limits.ts';
import { type Address, asAddress } from '../units/units.ts';
import type { ProbeCode } from './probe-code.ts';
import type { NodeCall, StateOverrides } from './probe-node.ts';

type Hex = `0x${string}`;

/** As contracts/probe/TransferProbe.sol has it. */
export const PROBE_ABI = parseAbi([
  'struct Setting { address token; address holder; bytes32 secret; address operator; bytes32 salt; }',
  'struct Move { uint256 ending; uint256 asked; uint256 debited; uint256 credited; uint256 lost; }',
  'struct Trial { uint8 manner; bool told; uint256 amount; Move[4] moves; }',
  'function probe(Setting setting, uint256[] sizesPpm, uint256 least, uint256[2] gases) payable returns (bytes32 mark, uint256 gasGiven, bool complete, uint256 held, Trial[] trials)',
]);

/** What is measured with: a token, and a pool that holds some of it. */
export type ProbeSubject = {
  readonly token: Address;
  readonly holder: Address;
  /** The holder's own code. */
  readonly holderCode: Hex;
  /** Wei per gas of the block that is measured at; null where its chain has none. */
  readonly baseFeePerGas: bigint | null;
};

export type ProbeRequest = { readonly call: NodeCall; readonly overrides: StateOverrides };

const BOUNDS = LIMITS.measuring.probe;

/**
 * The call that measures a token at one of its pools. All that a token might know a measurement by is drawn anew each time: the sender, what it owns, the accounts that trade, the
 * amounts, the gas. `random` gives so many bytes, which nobody can foresee.
 */
export function probeRequest(subject: ProbeSubject, code: ProbeCode, random: (bytes: number) => Uint8Array): ProbeRequest {
  const { token, holder, holderCode, baseFeePerGas } = subject;
  const dice = diceOf(random);
  const [sender, operator, original] = [dice.address(), dice.address(), dice.address()];
  const secret = dice.word();
  const setting = { token, holder, secret, operator, salt: dice.word() };
  const sizesPpm = BOUNDS.sizesPpm.map((size) => dice.about(size));
  const gases = [
    dice.between(BOUNDS.gasOfCall.least, BOUNDS.gasOfCall.most),
    dice.between(BOUNDS.thriftyGasOfCall.least, BOUNDS.thriftyGasOfCall.most),
  ] as const;
  const data = encodeFunctionData({ abi: PROBE_ABI, functionName: 'probe', args: [setting, sizesPpm, dice.about(BOUNDS.leastAmount), gases] });
  const gasPrice = baseFeePerGas === null ? null : dice.about(baseFeePerGas + baseFeePerGas / 4n) + 1n;
  const owned = dice.between(BOUNDS.ownedWei.least, BOUNDS.ownedWei.most) + BOUNDS.gas * (gasPrice ?? 0n);
  return {
    call: { from: sender, to: sender, data, gas: quantity(BOUNDS.gas), ...(gasPrice === null ? {} : { gasPrice: quantity(gasPrice) }) },
    overrides: {
      [sender]: { code: code.probe, balance: quantity(owned) },
      [operator]: { code: code.probe },
      [original]: { code: holderCode },
      [holder]: { code: code.puppet(secret, original) },
    },
  };
}

type Dice = {
  word(): Hex;
  address(): Address;
  between(least: bigint, most: bigint): bigint;
  /** Up to a tenth less or more. */
  about(value: bigint): bigint;
};

function diceOf(random: (bytes: number) => Uint8Array): Dice {
  const hex = (bytes: number): Hex => `0x${Buffer.from(random(bytes)).toString('hex')}`;
  const between = (least: bigint, most: bigint): bigint => least + (BigInt(hex(16)) % (most - least + 1n));
  return {
    word: () => hex(32),
    address: () => asAddress(hex(20)),
    between,
    about: (value) => between(value - value / 10n, value + value / 10n),
  };
}

function quantity(value: bigint): Hex {
  return `0x${value.toString(16)}`;
}

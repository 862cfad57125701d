import { encodeFunctionData, parseAbi } from 'viem';
import { LIMITS } from '../config/limits.ts';
import { type Address, asAddress } from '../units/units.ts';
import type { ProbeCode } from './probe-code.ts';
import type { NodeCall, StateOverrides } from './probe-node.ts';

type Hex = `0x${string}`;

/** As contracts/probe/TransferProbe.sol has it. */
export const PROBE_ABI = parseAbi([
  'struct Setting { address token; address holder; bytes32 secret; address operator; address signer; address router; bytes32 salt; }',
  'struct Move { uint256 ending; uint256 asked; uint256 debited; uint256 credited; uint256 lost; }',
  'struct Trial { uint8 manner; bool told; uint256 amount; Move[4] moves; }',
  'function probe(Setting setting, uint256[] sizesPpm, uint256 least, uint256[2] gases) payable returns (bytes32 mark, uint256 gasGiven, bool complete, uint256 held, Trial[] trials)',
  'function borrow(Setting setting, uint256[] sizesPpm, uint256 least, uint256 gasOfCall) payable returns (bytes32 mark, uint256 gasGiven, bool complete, uint256 held, Trial[] trials)',
]);

/** The contracts that swaps of a chain are settled by: what holds a token on its way, and what takes it by an allowance. null: not known. */
export type SettlementAccounts = { readonly router: Address | null; readonly allowanceHolder: Address | null; readonly permit2: Address | null };

/** What is measured with: a token, and a pool that holds some of it. */
export type ProbeSubject = {
  readonly token: Address;
  readonly holder: Address;
  /** The holder's own code. */
  readonly holderCode: Hex;
  /** Wei per gas of the block that is measured at; null where its chain has none. */
  readonly baseFeePerGas: bigint | null;
  readonly settlement: SettlementAccounts;
};

export type ProbeRequest = { readonly call: NodeCall; readonly overrides: StateOverrides };

const BOUNDS = LIMITS.measuring.probe;

/** The calls that measure a token at one pool: one with a puppet in the pool's place, and one with what the pool lends, whose code is its own then. */
export type ProbeRequests = { readonly probe: ProbeRequest; readonly borrow: ProbeRequest };

/**
 * All that a token might know a measurement by is drawn anew each time: the sender, what it owns, the accounts that trade, the amounts, the gas. But for the Router and what takes an allowance, which are where they are in life, since tokens shut them out by name. `random` gives so many bytes, which nobody
 * can foresee.
 */
export function probeRequests(subject: ProbeSubject, code: ProbeCode, random: (bytes: number) => Uint8Array): ProbeRequests {
  const { token, holder, holderCode, baseFeePerGas, settlement } = subject;
  const dice = diceOf(random);
  const draw = () => {
    const setting = {
      ...{ token, holder, secret: dice.word(), salt: dice.word() },
      operator: settlement.allowanceHolder ?? dice.address(),
      signer: settlement.permit2 ?? dice.address(),
      router: settlement.router ?? dice.address(),
    };
    const gas = dice.between(BOUNDS.gasOfCall.least, BOUNDS.gasOfCall.most);
    return { setting, gas, sizesPpm: BOUNDS.sizesPpm.map((size) => dice.about(size)), least: dice.about(BOUNDS.leastAmount) };
  };
  const requestOf = (data: Hex, others: StateOverrides): ProbeRequest => {
    const sender = dice.address();
    const gasPrice = baseFeePerGas === null ? null : dice.about(baseFeePerGas + baseFeePerGas / 4n) + 1n;
    const owned = dice.between(BOUNDS.ownedWei.least, BOUNDS.ownedWei.most) + BOUNDS.gas * (gasPrice ?? 0n);
    return {
      call: { from: sender, to: sender, data, gas: quantity(BOUNDS.gas), ...(gasPrice === null ? {} : { gasPrice: quantity(gasPrice) }) },
      overrides: { [sender]: { code: code.probe, balance: quantity(owned) }, ...others },
    };
  };
  const first = draw();
  const second = draw();
  const gases = [first.gas, dice.between(BOUNDS.thriftyGasOfCall.least, BOUNDS.thriftyGasOfCall.most)] as const;
  const original = dice.address();
  const { secret, operator, signer, router } = first.setting;
  return {
    probe: requestOf(encodeFunctionData({ abi: PROBE_ABI, functionName: 'probe', args: [first.setting, first.sizesPpm, first.least, gases] }), {
      [operator]: { code: code.probe },
      [signer]: { code: code.probe },
      [router]: { code: code.probe },
      [original]: { code: holderCode },
      [holder]: { code: code.puppet(secret, original) },
    }),
    borrow: requestOf(encodeFunctionData({ abi: PROBE_ABI, functionName: 'borrow', args: [second.setting, second.sizesPpm, second.least, second.gas] }), {}),
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

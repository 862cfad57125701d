import { encodeFunctionData, parseAbi } from 'viem';
import { LIMITS } from '../config/limits.ts';
import { type Address, asAddress } from '../units/units.ts';
import { type Dice, diceOf } from './dice.ts';
import type { ProbeCode } from './probe-code.ts';
import type { NodeCall, StateOverrides } from './probe-node.ts';

type Hex = `0x${string}`;

/** As contracts/probe/TransferProbe.sol has it. */
export const PROBE_ABI = parseAbi([
  'struct Setting { address token; address holder; bytes32 secret; address operator; address signer; address router; bytes32 salt; }',
  'struct Move { uint256 ending; uint256 asked; uint256 debited; uint256 credited; uint256 lost; }',
  'struct Trial { uint8 manner; uint8 place; bool told; uint256 amount; Move[4] moves; }',
  'struct Lender { address at; bytes32 secret; address token; }',
  'struct Means { Lender lender; uint256 owned; uint256[2] gases; }',
  'function open(address token, address pool, uint256 amount, uint256 gasOfCall, Lender lender) returns (Move move)',
  'function close(address token, address pool, address bank, uint256 part, uint256 gasOfCall) returns (Move move)',
  'function note(address token, address pool)',
  'function probe(Setting setting, uint256[] sizes, uint256 least, uint256[2] gases, uint256 reach) payable returns (bytes32 mark, uint256 gasGiven, bool complete, uint256 held, Trial[] trials, address other, bool funded)',
  'function swap(Setting setting, uint256[] sizes, uint256 least, Means means, uint256 reach) payable returns (bytes32 mark, uint256 gasGiven, bool complete, uint256 held, Trial[] trials, address other, bool funded)',
]);

/** The contracts that swaps of a chain are settled by: what holds a token on its way, and what takes it by an allowance. null: not known. */
export type SettlementAccounts = { readonly router: Address | null; readonly allowanceHolder: Address | null; readonly permit2: Address | null };

/** What is measured with: a token, and a pool that holds some of it. */
export type ProbeSubject = {
  readonly token: Address;
  readonly holder: Address;
  /** The holder's own code. */
  readonly holderCode: Hex;
  /** Wei per gas that is paid for the request. */
  readonly gasPriceWei: bigint;
  readonly settlement: SettlementAccounts;
  /** Base units that are more than people trade: what else a pool has of the token is no measure of sizes. null: not known. */
  readonly reach: bigint | null;
};

export type ProbeRequest = { readonly call: NodeCall; readonly overrides: StateOverrides };

const BOUNDS = LIMITS.measuring.probe;

/** A holder of what a token is traded against, and its code. */
export type Lender = { readonly at: Address; readonly code: Hex };

/** What true swaps are paid with; null: there are none, since nobody knows what that token does, and it would be held against the one that is measured. `lender`: null where there is none, or none is needed. */
export type Paying = { readonly with: Address | null; readonly lender: Lender | null };

/**
 * The call that measures a token at one pool with a puppet in the pool's place. All that a token might know a measurement by is drawn anew each time: the sender, what it owns, the accounts that trade, the amounts, the gas. But for the Router and what takes an allowance, which are where they are in life, since
 * tokens shut them out by name. `random` gives so many bytes, which nobody can foresee.
 */
export function probeRequest(subject: ProbeSubject, code: ProbeCode, random: (bytes: number) => Uint8Array): ProbeRequest {
  const dice = diceOf(random);
  const { setting, gases, sizes, least, reach } = drawn(subject, dice);
  const original = dice.address();
  const owned = drawOwned(dice);
  const data = encodeFunctionData({ abi: PROBE_ABI, functionName: 'probe', args: [setting, sizes, least, gases, reach] });
  return requestOf(data, owned, subject.gasPriceWei, code, dice, {
    ...settling(setting, code),
    [original]: { code: subject.holderCode },
    [setting.holder]: { code: code.puppet(setting.secret, original) },
  });
}

/** The call that measures it by true swaps of the pool, whose code is its own then: they are paid with what the sender wraps, or with what a puppet in the place of `lender` gives. */
export function swapRequest(subject: ProbeSubject, paying: Paying, code: ProbeCode, random: (bytes: number) => Uint8Array): ProbeRequest {
  const dice = diceOf(random);
  const { setting, gases, sizes, least, reach } = drawn(subject, dice);
  const original = dice.address();
  const owned = drawOwned(dice);
  const { lender } = paying;
  const lends = { at: lender?.at ?? NOBODY, secret: dice.word(), token: paying.with ?? NOBODY };
  const data = encodeFunctionData({ abi: PROBE_ABI, functionName: 'swap', args: [setting, sizes, least, { lender: lends, owned, gases }, reach] });
  return requestOf(data, owned + BOUNDS.wrappedWei, subject.gasPriceWei, code, dice, {
    ...settling(setting, code),
    ...(lender === null ? {} : { [original]: { code: lender.code }, [lender.at]: { code: code.puppet(lends.secret, original) } }),
  });
}

type Setting = { readonly [name in 'token' | 'holder' | 'operator' | 'signer' | 'router']: Address } & { readonly [name in 'secret' | 'salt']: Hex };
export const NOBODY = asAddress('0x0000000000000000000000000000000000000000');

function drawn({ token, holder, settlement, reach }: ProbeSubject, dice: Dice) {
  const setting: Setting = {
    ...{ token, holder, secret: dice.word(), salt: dice.word() },
    operator: settlement.allowanceHolder ?? dice.address(),
    signer: settlement.permit2 ?? dice.address(),
    router: settlement.router ?? dice.address(),
  };
  const { gasOfCall, thriftyGasOfCall } = BOUNDS;
  const gases = [dice.between(gasOfCall.least, gasOfCall.most), dice.between(thriftyGasOfCall.least, thriftyGasOfCall.most)] as const;
  return { setting, gases, sizes: drawSizes(dice), reach: reach ?? 2n ** 256n - 1n, least: dice.between(BOUNDS.leastAmount, 2n * BOUNDS.leastAmount) };
}

/** Wei that the sender has when a token looks: of any size with the same chance by its logarithm, since most accounts have little. */
export function drawOwned(dice: Dice): bigint {
  const { most, halvings } = BOUNDS.ownedWei;
  const upTo = most >> dice.between(0n, halvings - 1n);
  return dice.between(upTo / 2n, upTo);
}

function settling({ operator, signer, router }: Setting, code: ProbeCode): StateOverrides {
  return { [operator]: { code: code.probe }, [signer]: { code: code.probe }, [router]: { code: code.probe } };
}

function requestOf(data: Hex, owned: bigint, price: bigint, code: ProbeCode, dice: Dice, others: StateOverrides): ProbeRequest {
  const sender = dice.address();
  const balance = owned + BOUNDS.gas * price;
  return {
    call: { from: sender, to: sender, data, gas: quantity(BOUNDS.gas), gasPrice: quantity(price) },
    overrides: { [sender]: { code: code.probe, balance: quantity(balance) }, ...others },
  };
}

/** What is bought, in parts of what the pool has, in 2^128: the largest, and below it any size with the same chance by its logarithm, one of each third, so that no size is one that measurements alone have. */
function drawSizes(dice: Dice): readonly bigint[] {
  const { leastPpm, mostPpm, below } = BOUNDS.sizes;
  const drawn = Array.from({ length: below }, (_, at) => leastPpm * (mostPpm / leastPpm) ** ((at + dice.unit()) / below));
  return [...drawn, mostPpm * (0.9 + 0.2 * dice.unit())].map((ppm) => (BigInt(Math.floor(ppm * 2 ** 30)) << 98n) / 1_000_000n + dice.between(0n, 1n << 76n));
}

/** Hex, as JSON-RPC has quantities. */
export function quantity(value: bigint): Hex {
  return `0x${value.toString(16)}`;
}

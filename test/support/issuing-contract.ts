import {
  type AbiParameterToPrimitiveType,
  decodeFunctionData,
  encodeFunctionResult,
  type Hex,
  hexToBigInt,
  numberToHex,
  size,
  sliceHex,
  toFunctionSelector,
} from 'viem';
import type { Address } from '../../src/units/units.ts';
import { TRIAL_ABI } from '../../src/venues/ondo/trial-code.ts';
import { SUPPOSED_BALANCE } from '../../src/venues/supposed-balances.ts';
import type { ChainAnswer, ChainCall } from '../../src/venues/venues.ts';

const ONE = 10n ** 18n;

/** What a trial says, as contracts/probe/IssuanceTrial.sol has it. */
export type TrialOutcome = {
  readonly funded: boolean;
  readonly served: boolean;
  readonly refusal: AbiParameterToPrimitiveType<{ readonly type: 'bytes4' }>;
  readonly taken: bigint;
  readonly given: bigint;
};

/** The contract of an issuer as far as a firm-up asks it, made up: it serves what is for its user, at what was attested. */
export type IssuingContract = {
  readonly dollar: Address;
  readonly userId: Hex;
  /** How the trial comes out otherwise. */
  readonly trial?: (outcome: TrialOutcome) => TrialOutcome | null;
  /** What a token says that the Router holds; null: it reverts. Absent: what is supposed at the first place. */
  readonly held?: bigint | null;
};

/** The selector of an error without parameters. */
export const refusalOf = (error: string): Hex => toFunctionSelector(error);

export function readIssuingContract({ dollar, userId, trial = (outcome) => outcome, held = SUPPOSED_BALANCE }: IssuingContract, call: ChainCall): ChainAnswer {
  if (call.data === toFunctionSelector('usdon()')) return numberToHex(BigInt(dollar), { size: 32 });
  if (call.standIn === undefined) return held === null ? null : numberToHex(held, { size: 32 });
  const { args } = decodeFunctionData({ abi: TRIAL_ABI, data: call.data });
  const [, , taken, legData] = args;
  const isForUser = sliceHex(legData, size(legData) - 129, size(legData) - 97) === userId;
  const given = givenBy(legData);
  const outcome = isForUser
    ? { funded: true, served: true, refusal: '0x00000000' as Hex, taken, given }
    : { funded: true, served: false, refusal: refusalOf('UserIdMismatch(bytes32,bytes32)'), taken: 0n, given: 0n };
  const said = trial(outcome);
  if (said === null) return null;
  return encodeFunctionResult({ abi: TRIAL_ABI, functionName: 'tryOut', result: [said.funded, said.served, said.refusal, said.taken, said.given] });
}

/** By the leg's data: the contract, the side, then the attestation's number, price and quantity, each behind its length. */
function givenBy(legData: Hex): bigint {
  const isMint = sliceHex(legData, 20, 21) === '0x00';
  let at = 21;
  const amounts = [0, 1, 2].map(() => {
    const bytes = Number(sliceHex(legData, at, at + 1));
    const amount = bytes === 0 ? 0n : hexToBigInt(sliceHex(legData, at + 1, at + 1 + bytes));
    at += 1 + bytes;
    return amount;
  });
  const [, price = 0n, quantity = 0n] = amounts;
  return isMint ? quantity : (quantity * price) / ONE;
}

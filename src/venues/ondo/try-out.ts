import { concatHex, decodeFunctionResult, encodeFunctionData, type Hex, parseAbi, toFunctionSelector } from 'viem';
import type { Address } from '../../units/units.ts';
import { onlyWord } from '../abi-words.ts';
import type { FirmUpChain, FirmUpFailure, HopToFirm } from '../firm-up.ts';
import { supposedAt, supposeHolder } from '../supposed-balances.ts';
import type { ChainAnswer, ChainCall } from '../track.ts';
import { type Attestation, attestationFacts } from './attestation.ts';
import { encode } from './encode.ts';
import { readTrialCode, TRIAL_ABI } from './trial-code.ts';
import { worthDown } from './worth.ts';

/** Where to look for balances: tokens behind proxies keep them behind 200 places that their parents reserve. */
const MAPPINGS = 320;
/** Tokens are few, Routers as a rule one; what a request names itself does not fill memory. */
const REMEMBERED = 256;

/** What an issuer's contract would do. */
export type IssuanceTrials = {
  /** Finds out where a token keeps what a Router has of it, where that is not known yet. null: nobody could say, or it is no place that is known. Never rejects. */
  placeOf(token: Address, router: Address, signal: AbortSignal): Promise<Hex | null>;
  /**
   * Whether the issuer's contract, called as the leg calls it by a Router that has what is taken, would serve an attestation at the newest block, for just what the service tells of it. 'barred': it would not serve it now; 'invalid': no matter when, or
   * for other amounts; 'unverified': nobody could say.
   */
  tryOut(attestation: Attestation, hop: HopToFirm, dollar: Address, place: Hex | null, signal: AbortSignal): Promise<'served' | FirmUpFailure>;
};

export function openTrials(read: FirmUpChain['read']): IssuanceTrials {
  const standIn = readTrialCode();
  const places = new Map<string, Hex>();
  return {
    async placeOf(token, router, signal) {
      const name = `${token} ${router}`;
      const known = places.get(name);
      if (known !== undefined) return known;
      const supposed = supposeHolder(router, MAPPINGS);
      const [held] = (await read([supposed.whereHeld(token)], signal)) ?? [];
      const place = supposed.slotHeld(onlyWord(held));
      if (places.size >= REMEMBERED) places.clear();
      if (place !== null) places.set(name, place);
      return place;
    },
    async tryOut(attestation, hop, dollar, place, signal) {
      if (place === null) return 'unverified';
      const { router, tokenIn, poolAddress } = hop;
      const supposing = supposedAt(tokenIn, place);
      const trial: ChainCall = { to: router, data: trialOf(attestation, hop), standIn, supposing };
      const [answer, usdon] = (await read([trial, { to: poolAddress, data: USDON, answerBytes: 32 }], signal)) ?? [null, null];
      const came = outcomeOf(answer);
      if (came === null) return 'unverified';
      // The contract takes other tokens too, at prices of its own.
      if (onlyWord(usdon) !== BigInt(dollar)) return 'invalid';
      if (!came.funded) {
        places.delete(`${tokenIn} ${router}`);
        return 'unverified';
      }
      if (!came.served) return OF_THE_ATTESTATION.has(came.refusal) ? 'invalid' : 'barred';
      const { taken, given } = exactly(attestation);
      return came.taken === taken && came.given === given ? 'served' : 'invalid';
    },
  };
}

const USDON = toFunctionSelector('usdon()');

/** What the contract reverts with where the attestation itself, or whom it is for, is none that it serves. Whatever else it reverts with is of hours, limits and amounts. */
const OF_THE_ATTESTATION: ReadonlySet<Hex> = new Set(
  parseAbi([
    'error AttestationAlreadyExecuted()',
    'error AttestationExpired()',
    'error GMTokenNotRegistered()',
    'error InvalidAttestationSigner()',
    'error InvalidChainId()',
    'error InvalidQuoteSide()',
    'error PriceOutOfRange()',
    'error UserIdMismatch(bytes32 registered, bytes32 quoted)',
    'error UserNotRegistered()',
  ]).map((error) => toFunctionSelector(`${error.name}(${error.inputs.map(({ type }) => type).join()})`)),
);

/** What the contract takes of the token that is given, and gives of the other one. */
function exactly({ side, quantity, price }: Attestation): { readonly taken: bigint; readonly given: bigint } {
  const worth = worthDown(quantity, price);
  return side === 'buy' ? { taken: worth, given: quantity } : { taken: quantity, given: worth };
}

/** By the leg's own data, as it will be in the swap. */
function trialOf(attestation: Attestation, hop: HopToFirm): Hex {
  const { tokenIn, tokenOut, poolAddress, legFacts } = hop;
  const legData = concatHex([poolAddress, encode.legData({ ...hop, legFacts: { ...legFacts, ...attestationFacts(attestation) } })]);
  return encodeFunctionData({ abi: TRIAL_ABI, functionName: 'tryOut', args: [tokenIn, tokenOut, exactly(attestation).taken, legData] });
}

type Outcome = { readonly funded: boolean; readonly served: boolean; readonly refusal: Hex; readonly taken: bigint; readonly given: bigint };

function outcomeOf(answer: ChainAnswer | undefined): Outcome | null {
  if (answer === null || answer === undefined) return null;
  try {
    const [funded, served, refusal, taken, given] = decodeFunctionResult({ abi: TRIAL_ABI, functionName: 'tryOut', data: answer });
    return { funded, served, refusal, taken, given };
  } catch {
    return null;
  }
}

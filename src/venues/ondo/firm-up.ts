import { failed, failedBy, GivenOnce } from '../firm-answers.ts';
import type { FirmUpFacet, FirmUpFailure, HopToFirm } from '../firm-up.ts';
import { lastSecond } from '../last-second.ts';
import { leastExpiryOf } from '../least-expiry.ts';
import { FIRM_PATH, issuedBetween, requestOf, type Size } from './assets.ts';
import { type Attestation, attestationFacts, type Side } from './attestation.ts';
import { readAnswer, readAttestation } from './read-answers.ts';
import { openTrials } from './try-out.ts';
import { attesterOf } from './typed-quote.ts';
import { wholeTokens, worthDown } from './worth.ts';

/** Asks the issuer of a hop's asset for an attestation of its amount, and believes it only as far as it is what was asked for, is signed by the configured attester, and its contract would serve it. */
export const firmUp: FirmUpFacet = {
  signs: 'issuance',
  open(chain) {
    const given = new GivenOnce();
    const trials = openTrials(chain.read);
    return async (hop, signal) => {
      const source = chain.sources.find(({ name }) => name === hop.legFacts.maker);
      if (source === undefined) return failed('unfit');
      const issuance = issuedBetween(source, hop);
      if (issuance === null) return failed('invalid');
      if (signal.aborted) return failed('unreachable');
      const { issued, side } = issuance;
      // While the issuer thinks.
      const place = trials.placeOf(hop.tokenIn, hop.router, signal);
      const answer = readAnswer(await chain.ask(source, requestOf(issuance.chain, issued.symbol, side, sizeOf(hop, side)), signal, FIRM_PATH));
      if (!answer.ok) return failedBy(answer);
      const attestation = readAttestation(answer.says, { chainId: chain.chainId, symbol: issued.symbol, asset: issued.token, side });
      if (attestation === null) return failed('invalid');
      if (attestation.expiration < BigInt(leastExpiryOf(hop, chain.now()))) return failed('invalid');
      const traded = tradedBy(attestation, hop);
      const fault = faultOf(attestation, traded, hop);
      if (fault === 'worse') return { ...failed(fault), offered: traded };
      if (fault !== null) return failed(fault);
      if ((await attesterOf(attestation, chain.chainId, source.contract)) !== source.signer) return failed('invalid');
      const verdict = await trials.tryOut(attestation, hop, issuance.dollar, await place, signal);
      if (verdict !== 'served') return failed(verdict);
      if (!given.takes(`${source.contract} ${attestation.attestationId}`)) return failed('invalid');
      return { ok: true, ...traded, legFacts: attestationFacts(attestation), expiry: lastSecond(attestation.expiration) };
    };
  },
};

/**
 * An asset that is given, or wanted exactly, is counted itself. Dollars that are given are counted as what is to be spent: how much asset they buy is for the issuer to say. Dollars that are wanted exactly are asked for by the asset that the plan gives
 * for them, since an issuer rounds what it pays down.
 */
function sizeOf({ mode, amountIn, amountOut }: HopToFirm, side: Side): Size {
  if (side === 'sell') return { tokenAmount: wholeTokens(amountIn) };
  return mode === 'sell' ? { notionalValue: wholeTokens(amountIn) } : { tokenAmount: wholeTokens(amountOut) };
}

type Traded = { readonly amountIn: bigint; readonly amountOut: bigint };

/** What the hop takes and gives by an attestation. In `sell` a mint is told as taking all that it is asked for: what it costs less, which is a rounding, goes back to the payer. */
function tradedBy({ side, quantity, price }: Attestation, { mode, amountIn }: HopToFirm): Traded {
  const worth = worthDown(quantity, price);
  if (side === 'sell') return { amountIn: quantity, amountOut: worth };
  return { amountIn: mode === 'sell' && worth <= amountIn ? amountIn : worth, amountOut: quantity };
}

/** Of dollars that are to be spent an issuer may leave so much: one part in so many, beside what less than a unit of the asset costs. */
const LEFT_PART = 1_000_000n;

/** What is wrong with amounts whoever signed them; null: nothing. */
function faultOf({ side, quantity, price }: Attestation, { amountIn, amountOut }: Traded, hop: HopToFirm): FirmUpFailure | null {
  const worth = worthDown(quantity, price);
  if (worth === 0n) return 'invalid';
  if (side === 'sell' && quantity !== hop.amountIn) return 'invalid';
  if (hop.mode === 'sell') {
    if (amountIn !== hop.amountIn) return 'invalid';
    if (side === 'buy' && hop.amountIn - worth > hop.amountIn / LEFT_PART + worthDown(1n, price) + 1n) return 'invalid';
    return amountOut < hop.leastOut ? 'worse' : null;
  }
  if (side === 'buy' && quantity !== hop.amountOut) return 'invalid';
  return amountIn > hop.amountIn || amountOut < hop.amountOut ? 'worse' : null;
}

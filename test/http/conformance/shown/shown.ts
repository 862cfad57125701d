/** How words of the specification are held to: by tests, named by their titles; not yet, since a part is not built; or not by us, with the reason. */
export type Shown = { readonly by: readonly string[] } | { readonly notYet: string } | { readonly notOurs: string };

/** A title may be the part of it that stands in quotes in the source. */
export const by = (...titles: readonly string[]): Shown => ({ by: titles });
export const notYet = (part: string): Shown => ({ notYet: part });
export const notOurs = (reason: string): Shown => ({ notOurs: reason });

/** A taxed token where it may be traded. */
export const TAX_WARNING = 'quote and swap say so with the modelled bps of each side: the measured tax and max(1 bps, 1% of it) (B15, S2)';
export const TAXED = by(
  TAX_WARNING,
  'swaps of random sizes deliver at least `minBuyAmount`, and all of `buyAmount`, sold and bought, with both fundings and with fees',
  'a tax that rises between quote and execution can still revert the fill at `minBuyAmount`; what the margin covers does not',
);
/** What becomes of a token that nobody measured lately. */
export const REMEASURED = 'waits for one probe, and is answered by what it finds; a request whose tokens have fresh verdicts asks for none';
export const ABOVE_CAP = 'a token whose measured tax exceeds the routable cap of 20%, strictly';

/** Executed on the chain as the service wrote it: every funding × mode × native side × fee policy × surplus policy, a part of them in each run of the tests. */
export const SHAPES = [
  'is executed and delivers what was quoted, every part of fee and surplus to the wei, or is refused by the interface',
  'each funding × mode × native side, with fee and surplus policies in turn: every part to the wei, also where somebody else’s trade makes it give more; native for native is refused',
] as const;

/** Makers who sign, and who do not: in virtual time, and on the local chain. */
export const FIRMED = [
  'always ends in time with an answer that executes as it is told, or a refusal, warns of just what happened, and asks nobody it does not wait for',
  ' random swaps executes as it is told, with makers who fail at random in every way',
] as const;
/** An attester whose answer fails, in each way that it may, and attesters among those who sign in virtual time. */
export const ATTESTED = by(
  ': HOOK_ATTESTATION_UNAVAILABLE, and a route of the chain alone that executes',
  'always ends in time with an answer that executes as it is told, or a refusal, warns of just what happened, and asks nobody it does not wait for',
);
/** Through the devnet's makers, whose own record says what they were asked. */
export const SETTLES = 'settle what was signed, to the wei: ';
/** Through the devnet's issuer, whose own record says what it was asked. */
export const APPROVED_ALONE =
  'only a key with the approval sees them, in quotes and in swaps, whatever a request includes: nobody else has a call made to the issuer';
export const KEYS_AND_EXCLUSIONS =
  'F20 no key, an unknown, a plain, one approved for another venue, an approved and a revoked one, with excludeRwa, excludeRfq, both and neither: the approved one alone is routed through the issuer, unless excludeRwa says not to';
export const ATTESTED_AMOUNTS = 'settle what was attested, to the wei: ';
export const NO_ISSUER = 'nothing is asked of the issuer with excludeRwa, nor below 300 ms; excludeRfq alone leaves it in';
export const LEFT_ALONE = 'a maker that is busy is left alone: its prices leave quotes at once, and it is asked nothing meanwhile';

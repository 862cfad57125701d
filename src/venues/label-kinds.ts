import type { VenueFacet, VenueLabelFacts } from './venue.ts';

/** Labels that a request's `excludeRfq` and `excludeRwa` leave out. */
export type LabelKinds = {
  /** Crypto priced by an off-chain quote: makers, and hooks that need an attestation. */
  readonly offChain: readonly string[];
  /** Settled in a real-world asset, however it is priced. */
  readonly realWorld: readonly string[];
};

/** Sorts the labels of venues by what they say of themselves. A variant has its family's facts where it does not say otherwise. */
export function labelKindsOf(venues: Iterable<VenueFacet>): LabelKinds {
  const offChain: string[] = [];
  const realWorld: string[] = [];
  const sort = (label: string, { pricing = 'chain', settles = 'crypto' }: VenueLabelFacts): void => {
    if (settles === 'real-world') realWorld.push(label);
    else if (pricing === 'off-chain-quote') offChain.push(label);
  };
  for (const { families } of venues) {
    for (const { family, variants = [], ...facts } of families) {
      sort(family, facts);
      for (const { variant, ...own } of variants) sort(`${family}:${variant}`, { ...facts, ...own });
    }
  }
  return { offChain, realWorld };
}

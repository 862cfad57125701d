import type { EpochSeconds } from '../../units/units.ts';
import { type Ladder, ladderEdge, packLadder, unpackLadder, validateLadders } from '../ladder/rungs.ts';
import type { StateFacet } from '../venue.ts';
import { ISSUANCE_GAS } from './venue.ts';

/** What an issuer indicates for an asset. The first ladder sells token 0; an empty one is of a side that it does not quote now. */
export type QuotedAsset = {
  /** The last second at which the quotes count. */
  readonly until: EpochSeconds;
  readonly ladders: readonly [Ladder, Ladder];
};

export const state: StateFacet<QuotedAsset> = {
  pack({ until, ladders }, out) {
    out.unsigned(BigInt(until), 1);
    for (const ladder of ladders) packLadder(ladder, out);
  },
  unpack(words) {
    const until = Number(words.unsigned(1)) as EpochSeconds;
    return { until, ladders: [unpackLadder(words), unpackLadder(words)] };
  },
  /** What is minted comes out of nothing: no two assets share it. */
  traits: ({ until }) => ({ pricesEnd: { timestamp: until } }),
  curves: ({ ladders: [sell, buy] }) => [...ladderEdge(sell, 0, 1, ISSUANCE_GAS), ...ladderEdge(buy, 1, 0, ISSUANCE_GAS)],
};

/** Throws PoolRefused where the quotes are none of an issuer's, or none are given: for whoever builds a state from outside. */
export function validateState({ ladders }: QuotedAsset): void {
  validateLadders(ladders);
}

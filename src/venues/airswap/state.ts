import { type Address, asAddress, type EpochSeconds } from '../../units/units.ts';
import { type Ladder, ladderEdge, packLadder, unpackLadder, validateLadders } from '../ladder/rungs.ts';
import type { StateFacet } from '../venue.ts';
import { ORDER_GAS } from './venue.ts';

/** What a maker quotes for a pair. The first ladder, and the first of the least amounts, sell token 0. */
export type QuotedPair = {
  /** Whose funds pay, whatever the pair. */
  readonly signer: Address;
  /** The last second at which the quotes count. */
  readonly until: EpochSeconds;
  readonly ladders: readonly [Ladder, Ladder];
  /** Less than this, in base units of what is sent, the maker does not trade. 0: any amount. */
  readonly least: readonly [bigint, bigint];
};

const ADDRESS_LIMBS = 3;
const AMOUNT_LIMBS = 2;

export const state: StateFacet<QuotedPair> = {
  pack({ signer, until, ladders, least }, out) {
    out.unsigned(BigInt(signer), ADDRESS_LIMBS).unsigned(BigInt(until), 1);
    for (const amount of least) out.unsigned(amount, AMOUNT_LIMBS);
    for (const ladder of ladders) packLadder(ladder, out);
  },
  unpack(words) {
    const signer = asAddress(`0x${words.unsigned(ADDRESS_LIMBS).toString(16).padStart(40, '0')}`);
    const until = Number(words.unsigned(1)) as EpochSeconds;
    const least = [words.unsigned(AMOUNT_LIMBS), words.unsigned(AMOUNT_LIMBS)] as const;
    return { signer, until, least, ladders: [unpackLadder(words), unpackLadder(words)] };
  },
  /** Each pair is quoted as if there were no other. */
  traits: ({ signer, until }) => ({ pricesEnd: { timestamp: until }, inventory: signer }),
  curves: ({ ladders: [sell, buy] }) => [...ladderEdge(sell, 0, 1, ORDER_GAS), ...ladderEdge(buy, 1, 0, ORDER_GAS)],
};

/** Throws PoolRefused where the quotes are none of a maker's, or none are given: for whoever builds a state from outside. */
export function validateState({ ladders }: QuotedPair): void {
  validateLadders(ladders);
}

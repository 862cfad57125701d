import { type Address, asAddress, asBlockNumber, type BlockNumber } from '../../units/units.ts';
import { type Ladder, ladderEdge, packLadder, unpackLadder, validateLadders } from '../ladder/rungs.ts';
import type { StateFacet } from '../venue.ts';
import { MAKER_GAS } from './venue.ts';

/** What is known of a maker's pair. The first ladder sells token 0. */
export type MakerState = {
  readonly maker: Address;
  /** The last block at which the quotes count. */
  readonly until: BlockNumber;
  readonly ladders: readonly [Ladder, Ladder];
};

const ADDRESS_LIMBS = 3;

export const state: StateFacet<MakerState> = {
  pack({ maker, until, ladders }, out) {
    out.unsigned(BigInt(maker), ADDRESS_LIMBS).unsigned(BigInt(until), 1);
    for (const ladder of ladders) packLadder(ladder, out);
  },
  unpack(words) {
    const maker = asAddress(`0x${words.unsigned(ADDRESS_LIMBS).toString(16).padStart(40, '0')}`);
    const until = asBlockNumber(Number(words.unsigned(1)));
    return { maker, until, ladders: [unpackLadder(words), unpackLadder(words)] };
  },
  /** A maker pays out of one purse whatever the pair, and prices by all that is in it. */
  traits: ({ maker, until }) => ({ pricesEnd: { blockNumber: until }, inventory: maker, inventoryServesOnce: true }),
  curves: ({ ladders: [sell, buy] }) => [...ladderEdge(sell, 0, 1, MAKER_GAS), ...ladderEdge(buy, 1, 0, MAKER_GAS)],
};

/** Throws PoolRefused where the quotes are none of a maker's, or none are given: for whoever builds a state from outside. */
export function validateState({ ladders }: MakerState): void {
  validateLadders(ladders);
}

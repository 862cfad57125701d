import { LIMITS } from '../config/limits.ts';
import type { Address } from '../units/units.ts';
import type { PinnedReader } from '../venues/venues.ts';
import { findHolders } from './find-holders.ts';
import type { LendersOf } from './measure-transfers.ts';
import type { ProbedBlock } from './probe-node.ts';

type LenderParts = {
  readonly contractsOf: (token: Address) => readonly Address[];
  readonly deepestPools: (token: Address) => readonly Address[];
  readonly readAt: (blockHash: `0x${string}`) => PinnedReader;
  /** Whether others are priced by a token: what it does is known. */
  readonly pricesOthers: (token: Address) => boolean;
  /** Needs no lender: whoever has native money wraps it. */
  readonly wrappedNative: Address;
};

/**
 * Who lends a probe of `token` what that is traded against: pools that have most of it and do not trade `token`, none of wrapped native. Found again after as many blocks as a pool's code is: who has most of a token
 * does not change with each. Throws where the node could not be asked.
 */
export function rememberedLenders({
  contractsOf,
  deepestPools,
  readAt,
  pricesOthers,
  wrappedNative,
}: LenderParts): (token: Address, block: ProbedBlock) => LendersOf {
  const { remembered, blocks } = LIMITS.measuring.codes;
  const known = new Map<Address, { readonly pools: readonly Address[]; readonly block: number }>();
  return (token, block) => async (other) => {
    if (other === wrappedNative) return [];
    // Anybody can make one that fails, and trade it against a token that he would have refused.
    if (!pricesOthers(other)) return null;
    const own = new Set(contractsOf(token));
    const before = known.get(other);
    const isKnown = before !== undefined && block.number >= before.block && block.number - before.block < blocks;
    const pools = isKnown ? before.pools : (await findHolders(other, contractsOf(other), deepestPools(other), readAt(block.hash))).pools;
    if (!isKnown) {
      known.delete(other);
      known.set(other, { pools, block: block.number });
      for (const [oldest] of known) {
        if (known.size <= remembered) break;
        known.delete(oldest);
      }
    }
    return pools.filter((pool) => !own.has(pool) && pool !== token).slice(0, LIMITS.measuring.lenders);
  };
}

import { type Address, asAddress } from '../units/units.ts';
import { VENUES_BY_HAND } from './by-hand.ts';
import { VENUE_FACTS } from './venues.gen.ts';

/** A deployment of a venue family on a chain. */
export type CataloguedVenue = {
  /** Folder in src/venues. */
  readonly venue: string;
  /** Family label of its pools. */
  readonly family: string;
  /** What announces its pools: a factory, a registry, or the singleton that keeps them. */
  readonly factory: Address;
  /** How the address of a pool follows from its tokens (CREATE2); null where it does not. */
  readonly pools: { readonly deployer: Address; readonly initCodeHash: `0x${string}` } | null;
};

const VENUES = byChain();

/** Where the pools of a chain are announced, as far as the catalogue knows; none where it knows none. */
export function venuesOf(chainId: number): readonly CataloguedVenue[] {
  return VENUES.get(chainId) ?? [];
}

function byChain(): ReadonlyMap<number, readonly CataloguedVenue[]> {
  const venues = new Map<number, CataloguedVenue[]>();
  const rows = [...VENUE_FACTS, ...VENUES_BY_HAND.map((row) => ({ ...row, pools: null }))];
  for (const { chainId, venue, family, factory, pools } of rows) {
    const known = venues.get(chainId) ?? [];
    known.push({ venue, family, factory: asAddress(factory), pools: pools === null ? null : { ...pools, deployer: asAddress(pools.deployer) } });
    venues.set(chainId, known);
  }
  return venues;
}

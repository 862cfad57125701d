import type { Hex } from 'viem';
import { DevnetError } from './devnet-error.ts';
import type { DevnetVenue, Ground, PlacedVenue } from './devnet-venue.ts';
import type { PlacedVenues } from './lay-pools.ts';
import { type CompiledContracts, compileVenue } from './solidity.ts';

/** Adds the contracts of all venues to the script, compiling those that nobody publishes compiled. Throws DevnetError where a contract is missing. */
export async function placeVenues(venues: ReadonlyMap<string, DevnetVenue>, ground: Omit<Ground, 'compiled'>): Promise<PlacedVenues> {
  const placed = new Map<string, PlacedVenue>();
  for (const [name, venue] of venues) {
    const contracts: CompiledContracts = venue.sources === undefined ? {} : await compileVenue(name, venue.sources);
    const compiled = (contract: string): Hex => {
      const code = contracts[contract]?.bytecode;
      if (code === undefined) throw new DevnetError(`the sources of ${venue.title} have no contract ${contract}`);
      return code;
    };
    placed.set(name, venue.place({ ...ground, compiled }));
  }
  return placed;
}

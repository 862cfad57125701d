import type { Hex } from 'viem';
import { DevnetError } from './devnet-error.ts';
import type { DevnetVenue, Ground, PlacedVenue } from './devnet-venue.ts';
import type { PlacedVenues } from './lay-pools.ts';
import { type CompiledContract, type CompiledContracts, compileVenue } from './solidity.ts';

/** Adds the contracts of all venues to the script, compiling those that nobody publishes compiled. Throws DevnetError where a contract is missing. */
export async function placeVenues(venues: ReadonlyMap<string, DevnetVenue>, ground: Omit<Ground, 'compiled' | 'compiledRuntime'>): Promise<PlacedVenues> {
  const placed = new Map<string, PlacedVenue>();
  for (const [name, venue] of venues) {
    const contracts: CompiledContracts = venue.sources === undefined ? {} : await compileVenue(name, venue.sources);
    const contractOf = (contract: string): CompiledContract => {
      const found = contracts[contract];
      if (found === undefined) throw new DevnetError(`the sources of ${venue.title} have no contract ${contract}`);
      return found;
    };
    const compiled = (contract: string): Hex => contractOf(contract).bytecode;
    const compiledRuntime = (contract: string): Hex => contractOf(contract).deployedBytecode;
    placed.set(name, venue.place({ ...ground, compiled, compiledRuntime }));
  }
  return placed;
}

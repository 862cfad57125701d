import { loadDevnetVenues } from '../../src/devnet/load-venues.ts';
import { type CompiledContracts, compileVenue } from '../../src/devnet/solidity.ts';

/** The contracts that a venue of the devnet is made of, as the devnet compiles them: whoever compiles first does it for both. `name`: its file in src/devnet/venues. */
export async function devnetContracts(name: string): Promise<CompiledContracts> {
  const sources = (await loadDevnetVenues()).get(name)?.sources;
  if (sources === undefined) throw new Error(`the devnet compiles nothing for ${name}`);
  return compileVenue(name, sources);
}

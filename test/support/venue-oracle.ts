import { readdirSync } from 'node:fs';
import type { Abi, Hex } from 'viem';
import type { Devnet, DevnetPool } from '../../src/devnet/devnet.ts';
import type { Address } from '../../src/units/units.ts';

/** Calls a contract of the chain at some block. Throws where it reverts. */
export type ReadChain = (address: Address, abi: Abi, name: string, args: readonly unknown[]) => Promise<unknown>;

export type OracleHop = { readonly pool: DevnetPool; readonly tokenIn: Address; readonly tokenOut: Address };

/** What tests ask of one kind of venue on the devnet: one file of the folder `venue-oracles`, found by being there, exported as `venueOracle`. */
export type VenueOracle = {
  /** Names of files in src/devnet/venues. */
  readonly families: readonly string[];
  /** What the venue's own contracts give for an exact input, base units. Throws where they revert or would take a part of it. */
  exactIn(read: ReadChain, devnet: Devnet, hop: OracleHop, amountIn: bigint): Promise<bigint>;
  /** The leg of a hop and its data, written down apart from the venue's own encoding. */
  leg(hop: OracleHop): { readonly leg: string; readonly data: Hex };
};

const FOLDER = new URL('./venue-oracles/', import.meta.url);
const loading = loadOracles();

async function loadOracles(): Promise<ReadonlyMap<string, VenueOracle>> {
  const files = readdirSync(FOLDER).filter((file) => file.endsWith('.ts'));
  const oracles = await Promise.all(
    files.map(async (file) => ((await import(new URL(file, FOLDER).href)) as { readonly venueOracle: VenueOracle }).venueOracle),
  );
  return new Map(oracles.flatMap((oracle) => oracle.families.map((family) => [family, oracle] as const)));
}

/** The oracle of a family. Throws where there is none: a venue of the devnet is not tested without one. */
export async function venueOracle(family: string): Promise<VenueOracle> {
  const oracle = (await loading).get(family);
  if (oracle === undefined) throw new Error(`test/support/venue-oracles has nothing for ${family}`);
  return oracle;
}

import { existsSync, readdirSync } from 'node:fs';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { EncodeFacet } from './encode.ts';
import type { FirmUpFacet } from './firm-up.ts';
import { assertLabelOwners } from './label-owners.ts';
import type { ListingFacet } from './listing.ts';
import type { RequoteFacet } from './requote.ts';
import type { StreamFacet } from './stream.ts';
import type { TrackFacet } from './track.ts';
import type { PriceFacet, StateFacet, VenueFacet } from './venue.ts';

/** What a solver thread needs of each venue, by folder name. States are opaque outside their own venue. */
export type SolverVenues = ReadonlyMap<string, SolverVenue>;
export type SolverVenue = { readonly venue: VenueFacet; readonly state: StateFacet<unknown>; readonly price: PriceFacet<unknown> };

/** What an indexer thread needs of each venue, by folder name. */
export type IndexerVenues = ReadonlyMap<string, IndexerVenue>;
export type IndexerVenue = { readonly venue: VenueFacet; readonly state: StateFacet<unknown>; readonly track: TrackFacet<unknown> };

/** What an indexer thread needs of each venue whose prices come from off the chain, by folder name. */
export type StreamVenues = ReadonlyMap<string, StreamVenue>;
export type StreamVenue = {
  readonly venue: VenueFacet;
  readonly state: StateFacet<unknown>;
  readonly stream: StreamFacet<unknown>;
  /** null: no registry of the venue is known. */
  readonly listing: ListingFacet | null;
};

/** What the main thread needs of each venue to write transactions, by folder name. */
export type BuilderVenues = ReadonlyMap<string, BuilderVenue>;
export type BuilderVenue = { readonly venue: VenueFacet; readonly encode: EncodeFacet };

/** How the venues whose contracts have to be asked again are asked, by folder name. For the main thread. */
export type RequoteVenues = ReadonlyMap<string, RequoteFacet>;

/** How hops of venues that somebody has to sign are firmed, by folder name. For the main thread. */
export type FirmUpVenues = ReadonlyMap<string, FirmUpFacet>;

type FacetName = 'venue' | 'state' | 'price' | 'track' | 'encode' | 'requote' | 'stream' | 'listing' | 'firm-up';

/** Functions and values that a facet has to export, checked once at load: a missing one would otherwise show in the middle of a solve. */
const SHAPES: Readonly<Record<FacetName, Readonly<Record<string, 'string' | 'object' | 'function' | 'boolean'>>>> = {
  venue: { name: 'string', families: 'object' },
  state: { pack: 'function', unpack: 'function', curves: 'function' },
  price: { exactIn: 'function' },
  track: {
    discoveryTopics: 'object',
    stateTopics: 'object',
    discover: 'function',
    load: 'function',
    poolsOf: 'function',
    apply: 'function',
    check: 'function',
  },
  encode: { leg: 'string', legData: 'function' },
  requote: { callOf: 'function', amountOf: 'function' },
  stream: { open: 'function' },
  listing: { read: 'function' },
  'firm-up': { signs: 'string', open: 'function' },
};

/** Where the name of the file is none of a value. */
const EXPORTS: Readonly<Partial<Record<FacetName, string>>> = { 'firm-up': 'firmUp' };

/** What a facet may export beside: of another type, it would be taken for absent. */
const OPTIONAL: Readonly<Partial<Record<FacetName, Readonly<Record<string, 'string' | 'number' | 'object' | 'function' | 'boolean'>>>>> = {
  venue: { poolSetKind: 'string', joinedHops: 'object', takesTaxedInput: 'boolean' },
  state: { traits: 'function', legFacts: 'function', fromPoolSet: 'function' },
  price: { exactOut: 'function', informed: 'function' },
  track: { rereading: 'function', describe: 'function', listed: 'function', findPools: 'function', glance: 'function' },
  encode: { path: 'object' },
};

/** Compiled code has .js files beside it, code under development .ts files. */
const EXTENSION = extname(fileURLToPath(import.meta.url));
/** Where the venues are. Another place is given only by tests of the loader. */
const HERE = new URL('.', import.meta.url);

/** Every venue's `venue` facet by folder name, in the order of the names. For any thread. */
export async function loadVenueFacets(root: URL = HERE): Promise<ReadonlyMap<string, VenueFacet>> {
  const venues = new Map<string, VenueFacet>();
  for (const folder of foldersWith(root, 'venue')) venues.set(folder, await loadVenue(root, folder));
  assertLabelOwners(venues.values());
  return venues;
}

/** The facets of every venue that is priced on-chain. For solver threads: loads no facet that may import viem. */
export async function loadSolverVenues(root: URL = HERE): Promise<SolverVenues> {
  const venues = new Map<string, SolverVenue>();
  for (const folder of foldersWith(root, 'venue', 'price')) {
    const venue = await loadVenue(root, folder);
    const price = await loadFacet<PriceFacet<unknown>>(root, folder, 'price');
    if ((price.informed === undefined) === existsSync(facetUrl(root, folder, 'requote'))) {
      throw new Error(`src/venues/${folder} has to have both requote.ts and informed in price.ts, or neither`);
    }
    venues.set(folder, { venue, state: await loadState(root, venue), price });
  }
  return withLabelsOwned(venues);
}

/** The facets of every venue that is followed on a chain. For indexer threads. */
export async function loadIndexerVenues(root: URL = HERE): Promise<IndexerVenues> {
  const venues = new Map<string, IndexerVenue>();
  for (const folder of foldersWith(root, 'venue', 'track')) {
    const venue = await loadVenue(root, folder);
    venues.set(folder, { venue, state: await loadState(root, venue), track: await loadFacet<TrackFacet<unknown>>(root, folder, 'track') });
  }
  return withLabelsOwned(venues);
}

/** The facets of every venue whose prices come from off the chain. For indexer threads. */
export async function loadStreamVenues(root: URL = HERE): Promise<StreamVenues> {
  const venues = new Map<string, StreamVenue>();
  for (const folder of foldersWith(root, 'venue', 'stream')) {
    const venue = await loadVenue(root, folder);
    const listing = existsSync(facetUrl(root, folder, 'listing')) ? await loadFacet<ListingFacet>(root, folder, 'listing') : null;
    venues.set(folder, { venue, listing, state: await loadState(root, venue), stream: await loadFacet<StreamFacet<unknown>>(root, folder, 'stream') });
  }
  return venues;
}

/** The facets of every venue that has a leg. For the main thread. */
export async function loadBuilderVenues(root: URL = HERE): Promise<BuilderVenues> {
  const venues = new Map<string, BuilderVenue>();
  for (const folder of foldersWith(root, 'venue', 'encode')) {
    venues.set(folder, { venue: await loadVenue(root, folder), encode: await loadFacet<EncodeFacet>(root, folder, 'encode') });
  }
  return withLabelsOwned(venues);
}

/** The venues of which nothing is answered before their contracts were asked. For the main thread. */
export async function loadRequoteVenues(root: URL = HERE): Promise<RequoteVenues> {
  const venues = new Map<string, RequoteFacet>();
  for (const folder of foldersWith(root, 'venue', 'requote')) venues.set(folder, await loadFacet<RequoteFacet>(root, folder, 'requote'));
  return venues;
}

/** The venues whose hops have to be signed before they settle. For the main thread. */
export async function loadFirmUpVenues(root: URL = HERE): Promise<FirmUpVenues> {
  const venues = new Map<string, FirmUpFacet>();
  for (const folder of foldersWith(root, 'venue', 'firm-up')) venues.set(folder, await loadFacet<FirmUpFacet>(root, folder, 'firm-up'));
  return venues;
}

function withLabelsOwned<Facets extends { readonly venue: VenueFacet }>(venues: ReadonlyMap<string, Facets>): ReadonlyMap<string, Facets> {
  assertLabelOwners([...venues.values()].map(({ venue }) => venue));
  return venues;
}

/** Folders that have all the facets named. A folder without venue.ts is shared mathematics, not a venue. */
function foldersWith(root: URL, ...facets: readonly FacetName[]): readonly string[] {
  return readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && facets.every((facet) => existsSync(facetUrl(root, entry.name, facet))))
    .map((entry) => entry.name)
    .sort();
}

async function loadVenue(root: URL, folder: string): Promise<VenueFacet> {
  const venue = await loadFacet<VenueFacet>(root, folder, 'venue');
  if (venue.name !== folder) throw new Error(`src/venues/${folder}/venue.ts names itself ${venue.name}; it has to be the folder's name`);
  return venue;
}

async function loadState(root: URL, { name, poolSetKind }: VenueFacet): Promise<StateFacet<unknown>> {
  const state = await loadFacet<StateFacet<unknown>>(root, name, 'state');
  if ((poolSetKind === undefined) !== (state.fromPoolSet === undefined)) {
    throw new Error(`src/venues/${name} has to have both poolSetKind in venue.ts and fromPoolSet in state.ts, or neither`);
  }
  return state;
}

async function loadFacet<Facet extends object>(root: URL, folder: string, facet: FacetName): Promise<Facet> {
  const module: Readonly<Record<string, unknown>> = await import(facetUrl(root, folder, facet).href);
  const loaded = module[EXPORTS[facet] ?? facet];
  if (!hasShape<Facet>(loaded, facet)) {
    throw new Error(`src/venues/${folder}/${facet}.ts has to export \`${EXPORTS[facet] ?? facet}\` with ${Object.keys(SHAPES[facet]).join(', ')}`);
  }
  for (const [member, right] of Object.entries(OPTIONAL[facet] ?? {})) {
    const type = typeof Reflect.get(loaded, member);
    if (type !== right && type !== 'undefined') throw new Error(`src/venues/${folder}/${facet}.ts exports ${member}, which has to be a ${right} or absent`);
  }
  return loaded;
}

function hasShape<Facet extends object>(value: unknown, facet: FacetName): value is Facet {
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(SHAPES[facet]).every(([member, type]) => typeof Reflect.get(value, member) === type);
}

function facetUrl(root: URL, folder: string, facet: FacetName): URL {
  return new URL(`./${folder}/${facet}${EXTENSION}`, root);
}

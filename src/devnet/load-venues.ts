import { readdirSync } from 'node:fs';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DevnetError } from './devnet-error.ts';
import type { DevnetVenue } from './devnet-venue.ts';

/** Compiled code has .js files here, code under development .ts files. */
const EXTENSION = extname(fileURLToPath(import.meta.url));
const HERE = new URL('./venues/', import.meta.url);

/** The venues of the local chain by the names of their files, in the order of the names. Throws DevnetError where a file holds none. */
export async function loadDevnetVenues(folder: URL = HERE): Promise<ReadonlyMap<string, DevnetVenue>> {
  const venues = new Map<string, DevnetVenue>();
  const files = readdirSync(folder)
    .filter((file) => file.endsWith(EXTENSION))
    .sort();
  for (const file of files) {
    const { devnetVenue } = (await import(new URL(file, folder).href)) as { readonly devnetVenue?: DevnetVenue };
    if (devnetVenue === undefined) throw new DevnetError(`${file} has to export \`devnetVenue\``);
    venues.set(file.slice(0, -EXTENSION.length), devnetVenue);
  }
  return venues;
}

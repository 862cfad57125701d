import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { IndexerThreadData } from '../thread-data.ts';
import type { CheckpointIdentity } from './checkpoint.ts';

/** Rooms whose code makes states what they are: what it finds in logs and contracts, and how it writes that down. */
const ROOMS = ['indexing', 'market', 'venues', 'units'] as const;
const SOURCE = fileURLToPath(new URL('../../', import.meta.url));

/** What this thread's checkpoints are of. Reads the code of those rooms: some 10 ms, once. */
export function checkpointIdentity({ chainId, deployments, wrappedNative }: IndexerThreadData): CheckpointIdentity {
  const followed = deployments
    .map(({ venue, family, factory, fromBlock }) => ({ name: JSON.stringify([venue, family, factory]), fromBlock }))
    .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : a.fromBlock - b.fromBlock));
  const configuration = digestOf([wrappedNative, ...followed.map(({ name }) => name)]);
  return { chainId, configuration, firstBlocks: followed.map(({ fromBlock }) => fromBlock), code: codeDigest() };
}

function codeDigest(): string {
  const files = ROOMS.flatMap((room) => filesUnder(path.join(SOURCE, room))).sort();
  return digestOf(files.flatMap((file) => [path.relative(SOURCE, file), readFileSync(file, 'utf8')]));
}

function filesUnder(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const found = path.join(folder, entry.name);
    if (entry.isDirectory()) return filesUnder(found);
    return /\.[jt]s$/.test(entry.name) ? [found] : [];
  });
}

function digestOf(texts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(texts)).digest('hex');
}

import { randomBytes } from 'node:crypto';
import { type FileHandle, open, readdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { LIMITS } from '../../config/limits.ts';

export type WriteOutcome =
  /** `longestPartMs`: the longest time that the thread did nothing but make a part of it. */
  { readonly kind: 'written'; readonly bytes: number; readonly longestPartMs: number } | { readonly kind: 'too-large' } | { readonly kind: 'given-up' };

/**
 * Writes a file whole or not at all, whenever the process or the machine ends: into another one beside it, which takes its name once it is on the disk. Between two parts the thread does other things.
 * Throws where the disk refuses; what was there before then is still there.
 */
export async function writeCheckpointFile(file: string, parts: Iterator<Buffer>, isGivenUp: () => boolean): Promise<WriteOutcome> {
  const beside = `${file}${UNFINISHED}${randomBytes(6).toString('hex')}`;
  let bytes = 0;
  let longestPartMs = 0;
  const handle = await open(beside, 'wx', 0o600);
  try {
    for (;;) {
      const began = performance.now();
      const { done, value } = parts.next();
      longestPartMs = Math.max(longestPartMs, performance.now() - began);
      if (done === true) break;
      bytes += value.length;
      if (bytes > LIMITS.indexing.checkpoint.bytes) return await dropped(handle, beside, { kind: 'too-large' });
      await handle.writeFile(value);
      if (isGivenUp()) return await dropped(handle, beside, { kind: 'given-up' });
    }
    await handle.sync();
    await handle.close();
    await rename(beside, file);
  } catch (error) {
    await dropped(handle, beside, null).catch(() => undefined);
    throw error;
  }
  await syncFolder(path.dirname(file));
  return { kind: 'written', bytes, longestPartMs };
}

/** What is read: the bytes, null where there is no file, or that it is larger than any that is written. Throws where the disk refuses. */
export async function readCheckpointFile(file: string): Promise<Buffer | null | 'too-large'> {
  let handle: FileHandle;
  try {
    handle = await open(file, 'r');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  try {
    if ((await handle.stat()).size > LIMITS.indexing.checkpoint.bytes) return 'too-large';
    return await handle.readFile();
  } finally {
    await handle.close();
  }
}

/** Removes what a process left that was killed while it wrote; not what another one may still be writing. */
export async function removeUnfinished(file: string): Promise<void> {
  const folder = path.dirname(file);
  for (const name of await readdir(folder)) {
    if (!name.startsWith(`${path.basename(file)}${UNFINISHED}`)) continue;
    const left = path.join(folder, name);
    const found = await stat(left).catch(() => null);
    if (found !== null && Date.now() - found.mtimeMs > LIMITS.indexing.checkpoint.unfinishedMs) await rm(left, { force: true });
  }
}

const UNFINISHED = '.unfinished-';

async function dropped<Outcome>(handle: FileHandle, beside: string, outcome: Outcome): Promise<Outcome> {
  await handle.close();
  await rm(beside, { force: true });
  return outcome;
}

/** Only then a new name outlives the machine. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

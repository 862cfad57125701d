import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

type Release = () => Promise<void>;
type Locks = { lock(file: string, options: object): Promise<Release> };

/** The lock of a process that died is taken over after a minute. Losing it costs no more than doing the task twice. */
const LOCK = { realpath: false, stale: 60_000, onCompromised: () => undefined };
/** No task takes so long. */
const PATIENCE_MS = 180_000;
const LOOK_EVERY_MS = 250;

/**
 * Does a task that makes `file` while no other process does: whoever waited finds it made. Where there can be no lock (nothing can be written, or its package, a development dependency,
 * is not installed) the task is done all the same, and at once. `onWait`: another process is at it.
 */
export async function onlyOne<Value>(file: string, task: () => Promise<Value>, onWait: () => void = () => undefined): Promise<Value> {
  const release = await lock(file, onWait);
  try {
    return await task();
  } finally {
    await release().catch(() => undefined);
  }
}

async function lock(file: string, onWait: () => void): Promise<Release> {
  const unlocked = async () => undefined;
  const giveUp = performance.now() + PATIENCE_MS;
  for (let waited = false; performance.now() < giveUp; waited = true) {
    const found = await lockNow(file);
    if (found !== 'held') return found ?? unlocked;
    if (!waited) onWait();
    await sleep(LOOK_EVERY_MS);
  }
  return unlocked;
}

/** 'held': by another process. null: there can be no lock, now or later, which is no reason to wait; the package's own retries would. */
async function lockNow(file: string): Promise<Release | 'held' | null> {
  // A name in a variable keeps the types of a development dependency out of production's type check.
  const name = 'proper-lockfile';
  try {
    await mkdir(dirname(file), { recursive: true });
    const locks = ((await import(name)) as { readonly default: Locks }).default;
    return await locks.lock(file, LOCK);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ELOCKED' ? 'held' : null;
  }
}

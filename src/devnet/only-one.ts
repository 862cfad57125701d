import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';

type Locks = { lock(file: string, options: object): Promise<() => Promise<void>> };

/** Waits for three minutes, of which no task takes one; the lock of a process that died is taken over after one. Losing it costs no more than doing the task twice. */
const LOCK = { realpath: false, stale: 60_000, retries: { retries: 720, factor: 1, minTimeout: 250, maxTimeout: 250 }, onCompromised: () => undefined };

/**
 * Does a task that makes `file` while no other process does: whoever waited finds it made. Where there can be no lock (nothing can be written, or its package, a development dependency,
 * is not installed) the task is done all the same.
 */
export async function onlyOne<Value>(file: string, task: () => Promise<Value>): Promise<Value> {
  const release = await lock(file);
  try {
    return await task();
  } finally {
    await release().catch(() => undefined);
  }
}

async function lock(file: string): Promise<() => Promise<void>> {
  // A name in a variable keeps the types of a development dependency out of production's type check.
  const name = 'proper-lockfile';
  try {
    await mkdir(dirname(file), { recursive: true });
    const locks = ((await import(name)) as { readonly default: Locks }).default;
    return await locks.lock(file, LOCK);
  } catch {
    return async () => undefined;
  }
}

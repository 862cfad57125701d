// The key file, read again when it changes. Owned by the main thread.
import type { BigIntStats } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { parseKeyFile } from './key-file.ts';
import { type KeyRing, keyRingOf } from './key-ring.ts';

export type WatchedKeysOptions = {
  readonly file: string;
  /** How often the file is looked at, ms. Polling sees what editors, symlink swaps and mounted volumes do; events of the file system do not. */
  readonly intervalMs: number;
  /** Told about every reading after the first. A file that can not be used leaves the keys as they were. */
  readonly onReload: (outcome: { readonly ok: true; readonly keys: number } | { readonly ok: false; readonly message: string }) => void;
};

/** The keys of a file that may change while the service runs. */
export type WatchedKeys = KeyRing & {
  /** Reads the file now (SIGHUP). */
  reload(): Promise<void>;
  close(): void;
};

type Opened = { readonly ok: true; readonly keys: WatchedKeys } | { readonly ok: false; readonly message: string };

/** Reads the key file and keeps watching it. Refuses when it can not be used at the start: no key must silently become anonymous. */
export async function watchKeys(options: WatchedKeysOptions): Promise<Opened> {
  const first = await readRing(options.file);
  if (!first.ok) return first;
  let { ring, seen } = first;
  let reading: Promise<void> | null = null;

  let complaint: string | null = null;

  async function readAgain(): Promise<void> {
    const next = await readRing(options.file);
    if (next.ok) {
      ring = next.ring;
      seen = next.seen;
      complaint = null;
      options.onReload({ ok: true, keys: ring.size });
    } else {
      // A file that could not be read (no descriptor left, a mount that is away) is read again at the next look: a revocation must not be lost.
      seen = next.seen;
      if (complaint !== next.message) options.onReload({ ok: false, message: next.message });
      complaint = next.message;
    }
  }

  /** One reading at a time. A demand that comes during a reading is served by one more after it. */
  function reload(): Promise<void> {
    const started: Promise<void> = (reading ?? Promise.resolve()).then(readAgain).finally(() => {
      if (reading === started) reading = null;
    });
    reading = started;
    return started;
  }

  const timer = setInterval(() => {
    if (reading !== null) return;
    void stampOf(options.file).then((stamp) => {
      if (stamp !== seen && reading === null) void reload();
    });
  }, options.intervalMs);
  timer.unref();

  return {
    ok: true,
    keys: {
      get size() {
        return ring.size;
      },
      find: (header) => ring.find(header),
      reload,
      close: () => clearInterval(timer),
    },
  };
}

type Reading = { readonly ok: true; readonly ring: KeyRing; readonly seen: string } | { readonly ok: false; readonly message: string; readonly seen: string };

/** The stamp of no file. */
const UNREAD = 'unread';

async function readRing(file: string): Promise<Reading> {
  // The stamp is taken before the text: a write in between is seen as a change at the next look.
  const seen = await stampOf(file);
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    return { ok: false, message: `the key file can not be read: ${error instanceof Error ? error.message : String(error)}`, seen: UNREAD };
  }
  const parsed = parseKeyFile(text);
  return parsed.ok ? { ok: true, ring: keyRingOf(parsed.file), seen } : { ...parsed, seen };
}

async function stampOf(file: string): Promise<string> {
  const found: BigIntStats | null = await stat(file, { bigint: true }).catch(() => null);
  return found === null ? 'absent' : `${found.ino}:${found.size}:${found.mtimeNs}:${found.ctimeNs}`;
}

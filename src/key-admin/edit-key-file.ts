// The key file as the key administration reads and writes it. The service only ever reads it: see metering/watched-keys.ts.
import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, open, readFile, realpath, rename, stat, unlink } from 'node:fs/promises';
import { type KeyFile, parseKeyFile } from '../metering/metering.ts';

export type Refused = { readonly ok: false /** One line, without secrets. */; readonly message: string };
export type ReadKeyFile = { readonly ok: true; readonly file: KeyFile } | Refused;

/** What an edit makes of the file; null leaves it as it is. */
export type Edit<Result> = (file: KeyFile) => { readonly ok: true; readonly file: KeyFile | null; readonly result: Result } | Refused;

/** Reads a key file. */
export async function readKeyFile(path: string): Promise<ReadKeyFile> {
  try {
    const parsed = parseKeyFile(await readFile(path, 'utf8'));
    return parsed.ok ? parsed : { ok: false, message: `${path}: ${parsed.message}` };
  } catch (error) {
    return { ok: false, message: `${path} can not be read: ${reasonOf(error)}` };
  }
}

export type EditOptions = {
  /** What a missing file counts as; null: it is refused. */
  readonly whenAbsent: KeyFile | null;
  /** How long to wait for another program's change; each has as long. */
  readonly lockMs: number;
};

/**
 * Edits a key file under a lock, so that of two programs at the same time neither loses what the other wrote. The file is replaced by a rename: who reads
 * it, or a crash, sees the old one or the new one.
 */
export async function editKeyFile<Result>(
  path: string,
  { whenAbsent, lockMs }: EditOptions,
  edit: Edit<Result>,
): Promise<{ readonly ok: true; readonly result: Result } | Refused> {
  // Where the name is a link, the file behind it is what has to be replaced and locked.
  const target = await realpath(path).catch(() => path);
  const lock = await takeLock(`${target}.lock`, lockMs);
  if (!lock.ok) return lock;
  try {
    const known = await stat(target).catch(() => null);
    const read: ReadKeyFile = known === null && whenAbsent !== null ? { ok: true, file: whenAbsent } : await readKeyFile(target);
    if (!read.ok) return read;
    const edited = edit(read.file);
    if (!edited.ok || edited.file === null) return edited;
    const text = `${JSON.stringify(edited.file, null, 2)}\n`;
    // What the service would refuse must not get into the file.
    const checked = parseKeyFile(text);
    if (!checked.ok) return { ok: false, message: `${path} is left as it was: ${checked.message}` };
    await replace(target, text, known);
    return edited;
  } catch (error) {
    return { ok: false, message: `${path} is left as it was: ${reasonOf(error)}` };
  } finally {
    await unlink(lock.file).catch(() => undefined);
  }
}

async function replace(target: string, text: string, known: { readonly uid: number; readonly gid: number; readonly mode: number } | null): Promise<void> {
  const draft = `${target}.${randomBytes(6).toString('hex')}`;
  let handle: FileHandle | null = null;
  try {
    handle = await open(draft, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600);
    // The service may run as another user than the one who issues keys: whose file it was, it stays.
    if (known !== null && (known.uid !== process.getuid?.() || known.gid !== process.getgid?.())) await handle.chown(known.uid, known.gid);
    // Or it may read the file as one of a group: kept from it, it would go on with the keys that it has, and a revoked one would stay in force.
    if (known !== null) await handle.chmod(known.mode & 0o777);
    await handle.writeFile(text);
    await handle.sync();
    await handle.close();
    handle = null;
    await rename(draft, target);
  } catch (error) {
    await handle?.close().catch(() => undefined);
    await unlink(draft).catch(() => undefined);
    throw error;
  }
}

type Lock = { readonly ok: true; readonly file: string } | Refused;

/** Waits as long for each holder: among many programs the lock may be another's each time, while one that stays the same was left behind. */
async function takeLock(file: string, lockMs: number): Promise<Lock> {
  let holder = '';
  let until = performance.now() + lockMs;
  for (;;) {
    try {
      await (await open(file, 'wx', 0o600)).close();
      return { ok: true, file };
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) return { ok: false, message: `${file} can not be made: ${reasonOf(error)}` };
    }
    const now = await holderOf(file);
    if (now !== holder) until = performance.now() + lockMs;
    holder = now;
    if (performance.now() > until)
      return { ok: false, message: `the key file is being changed: ${file} is there; remove it if no other npm run keys is at work` };
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Tells one lock file from the next of the same name. */
async function holderOf(file: string): Promise<string> {
  const known = await stat(file, { bigint: true }).catch(() => null);
  return known === null ? '' : `${known.ino} ${known.ctimeNs}`;
}

/** The reason of a failed file operation on one line. */
function reasonOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split('\n')[0] ?? '';
}

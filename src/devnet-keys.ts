// Composition: the key file of the embedded devnet, there from the start with two keys in it.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { issueKey, type KeyRing, keyRingOf } from './metering/metering.ts';
import { projectFile } from './project-file.ts';

/** Sustained requests per second of the devnet's key. */
const DEVNET_RPS = 1000;

/**
 * The devnet's keys, and the file of keys. `approvedKey` has the approval for real-world assets, the other has none. They are the same at every start, so that pasted commands go on working: they protect nothing, like the keys of the devnet's
 * accounts. The file is made anew and holds those two, unless the operator named a file: that one is never written, and the devnet's keys, which the banner prints, are known (`ring`) beside those in it. `file`: null where none can be
 * written in the folder, and the devnet's keys are the only ones.
 */
export function devnetKeyFile(
  named: string | null,
  folder = projectFile('build'),
): { readonly key: string; readonly approvedKey: string; readonly file: string | null; readonly ring: KeyRing } {
  const { key, entry } = issueKey({ rps: DEVNET_RPS, partnerId: 'devnet' }, new Date(0), dice('braid devnet key'));
  const grant = { rps: DEVNET_RPS, partnerId: 'devnet', gatedVenues: ['ondo'] };
  const { key: approvedKey, entry: approved } = issueKey(grant, new Date(0), dice('braid devnet key with the approval'));
  const keys = { keys: [entry, approved] };
  return { key, approvedKey, file: named ?? written(path.join(folder, 'devnet-keys.json'), `${JSON.stringify(keys, null, 2)}\n`), ring: keyRingOf(keys) };
}

/** Renamed into place: another instance that reads the same file never sees half of it. */
function written(file: string, text: string): string | null {
  const draft = `${file}.${process.pid}`;
  try {
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(draft, text, { mode: 0o600 });
    renameSync(draft, file);
    return file;
  } catch {
    // Where nothing can be written there is no draft to remove.
    if (existsSync(draft)) rmSync(draft, { force: true });
    return null;
  }
}

/** Integers below a bound that follow from a text alone. */
function dice(seed: string): (below: number) => number {
  let drawn = 0;
  return (below) => createHash('sha256').update(`${seed} ${drawn++}`).digest().readUInt32BE(0) % below;
}

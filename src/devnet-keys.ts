// Composition: the key file of the embedded devnet, there from the start with one key in it.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { issueKey } from './metering/metering.ts';
import { projectFile } from './project-file.ts';

/** Sustained requests per second of the devnet's key. */
const DEVNET_RPS = 1000;

/**
 * The devnet's key and the file that holds it. The key is the same at every start, so that pasted commands go on working: it protects nothing, like the keys of the devnet's accounts.
 * A file that the operator named is made only when it is absent, and never touched afterwards.
 */
export function devnetKeyFile(named: string | null): { readonly key: string; readonly file: string } {
  const { key, entry } = issueKey({ rps: DEVNET_RPS, partnerId: 'devnet' }, new Date(0), dice('braid devnet key'));
  const file = named ?? projectFile('build/devnet-keys.json');
  if (named === null || !existsSync(file)) {
    mkdirSync(path.dirname(file), { recursive: true });
    // Renamed into place: another instance that reads the same file never sees half of it.
    const draft = `${file}.${process.pid}`;
    writeFileSync(draft, `${JSON.stringify({ keys: [entry] }, null, 2)}\n`, { mode: 0o600 });
    renameSync(draft, file);
  }
  return { key, file };
}

/** Integers below a bound that follow from a text alone. */
function dice(seed: string): (below: number) => number {
  let drawn = 0;
  return (below) => createHash('sha256').update(`${seed} ${drawn++}`).digest().readUInt32BE(0) % below;
}

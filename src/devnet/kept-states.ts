import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { NodeRpc } from './node-rpc.ts';

/** A state of the node in a file that it can start from. */
export type KeptState = { readonly file: string; readonly genesisTimestamp: number };

/** States of one chain, whatever process made them. */
export type KeptStates = {
  /** A state that is whole and not too old, or null. One that is not is removed. */
  find(): Promise<KeptState | null>;
  /** Keeps what the node's chain is now. Where nothing can be written, nothing is kept. */
  keep(rpc: NodeRpc, genesisTimestamp: number): Promise<void>;
  remove(state: KeptState): Promise<void>;
};

/** Contracts remember when they were made (pauses, rates, oracles): a chain that is set up now is an hour old, and one from here at most this much older. */
const OLDEST_SECONDS = 86_400;
/** Some 40 MB each. */
const MOST_STATES = 6;
/** Key, genesis in Unix seconds, SHA-256 of the contents. */
const NAME = /^([0-9a-f]{64})-([0-9]+)-([0-9a-f]{64})\.json$/;
const CHUNK_BYTES = 1 << 20;

/** The folder's states for a key: a digest of all that a state follows from. `youngestGenesis`, Unix seconds: none that began later can be used. */
export function openKeptStates(folder: string, key: string, youngestGenesis: () => number): KeptStates {
  const remove = ({ file }: KeptState): Promise<void> => rm(file, { force: true }).catch(() => undefined);
  return {
    async find() {
      for (const name of await readdir(folder).catch(() => [])) {
        const [, itsKey, genesis, digest] = NAME.exec(name) ?? [];
        if (itsKey !== key) continue;
        const state = { file: join(folder, name), genesisTimestamp: Number(genesis) };
        const age = youngestGenesis() - state.genesisTimestamp;
        if (age >= 0 && age <= OLDEST_SECONDS && (await digestOf(state.file)) === digest) return state;
        await remove(state);
      }
      return null;
    },
    async keep(rpc, genesisTimestamp) {
      // With the past: whoever asks for an earlier block, its logs or its transactions gets what the first chain answers.
      const dumped = String(await rpc.request('anvil_dumpState', true));
      const state = await promisify(gunzip)(Buffer.from(dumped.slice(2), 'hex'));
      const name = `${key}-${genesisTimestamp}-${createHash('sha256').update(state).digest('hex')}.json`;
      const draft = join(folder, `${name}.${randomUUID()}`);
      try {
        await writeFile(draft, state);
        await rename(draft, join(folder, name));
        await sweep(folder);
      } catch {
        await rm(draft, { force: true }).catch(() => undefined);
      }
    },
    remove,
  };
}

/** Of a file's contents; null where it can not be read. */
async function digestOf(file: string): Promise<string | null> {
  const hash = createHash('sha256');
  try {
    for await (const chunk of createReadStream(file, { highWaterMark: CHUNK_BYTES })) hash.update(chunk as Buffer);
  } catch {
    return null;
  }
  return hash.digest('hex');
}

/** Removes all files but the youngest; drafts of processes that died are files like others. */
async function sweep(folder: string): Promise<void> {
  const files = await Promise.all((await readdir(folder)).map(async (name) => ({ name, facts: await stat(join(folder, name)).catch(() => null) })));
  const written = files.flatMap(({ name, facts }) => (facts?.isFile() ? [{ name, at: facts.mtimeMs }] : [])).sort((one, other) => other.at - one.at);
  await Promise.all(written.slice(MOST_STATES).map(({ name }) => rm(join(folder, name), { force: true })));
}

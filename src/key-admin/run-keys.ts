import { LIMITS } from '../config/limits.ts';
import { issueKey, type KeyEntry } from '../metering/metering.ts';
import { type KeysCommand, parseKeysCommand } from './arguments.ts';
import { editKeyFile, type Refused, readKeyFile } from './edit-key-file.ts';
import { listOf, termsOf } from './list-keys.ts';

/** What the program works with. */
export type KeysWorld = {
  /** One line to standard output. */
  readonly out: (line: string) => void;
  /** One line to standard error. */
  readonly err: (line: string) => void;
  /** The environment's KEYS_FILE. */
  readonly keysFile: string | undefined;
  readonly now: () => Date;
  /** How long to wait for another program that is changing the file. */
  readonly lockMs: number;
};

/** Issues, lists and revokes keys: command line in, exit code out. A refusal is one line and exit code 1. */
export async function runKeys(argv: readonly string[], world: KeysWorld): Promise<0 | 1> {
  const parsed = parseKeysCommand(argv, world.keysFile);
  if (!parsed.ok && parsed.kind === 'help') {
    world.out(parsed.message);
    return 0;
  }
  const done = parsed.ok ? await obey(parsed.command, world) : parsed;
  if (done.ok) return 0;
  world.err(`keys: ${done.message}`);
  return 1;
}

type Done = { readonly ok: true } | Refused;

async function obey(command: KeysCommand, world: KeysWorld): Promise<Done> {
  switch (command.kind) {
    case 'issue':
      return issue(command, world);
    case 'list': {
      const read = await readKeyFile(command.file);
      if (read.ok) for (const line of listOf(read.file.keys)) world.out(line);
      return read;
    }
    case 'revoke':
      return revoke(command, world);
    default:
      throw new TypeError(`unknown command ${JSON.stringify(command satisfies never)}`);
  }
}

async function issue({ file, grant }: KeysCommand & { readonly kind: 'issue' }, world: KeysWorld): Promise<Done> {
  const edited = await editKeyFile(file, { whenAbsent: { keys: [] }, lockMs: world.lockMs }, ({ keys }) => {
    if (keys.length >= LIMITS.metering.keys) return { ok: false, message: `${file} holds ${keys.length} keys, as many as it may` };
    const { key, entry } = issueKey({ ...grant, partnerId: grant.partnerId ?? '' }, world.now());
    // Two of one id would lock both out; in 62^8 it does not happen, and asking again is no hardship.
    if (keys.some(({ id }) => id === entry.id)) return { ok: false, message: 'the drawn ID is taken: try again' };
    const named: KeyEntry = { ...entry, partnerId: grant.partnerId ?? entry.id };
    return { ok: true, file: { keys: [...keys, named] }, result: { key, entry: named } };
  });
  if (!edited.ok) return edited;
  const { key, entry } = edited.result;
  world.out(key);
  world.err(`Key ${entry.id} is in ${file}: ${termsOf(entry)}. This is the only time it is shown.`);
  return edited;
}

async function revoke({ file, id }: KeysCommand & { readonly kind: 'revoke' }, world: KeysWorld): Promise<Done> {
  const revoked = world.now().toISOString();
  const edited = await editKeyFile<string>(file, { whenAbsent: null, lockMs: world.lockMs }, ({ keys }) => {
    const known = keys.find((entry) => entry.id === id);
    if (known === undefined) return { ok: false, message: `${file} has no key ${id}` };
    if (known.revoked !== null) return { ok: true, file: null, result: `Key ${id} was revoked already, at ${known.revoked}.` };
    return { ok: true, file: { keys: keys.map((entry) => (entry === known ? { ...entry, revoked } : entry)) }, result: `Key ${id} is revoked.` };
  });
  if (edited.ok) world.out(edited.result);
  return edited;
}

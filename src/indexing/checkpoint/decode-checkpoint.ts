import { createHash } from 'node:crypto';
import { Deserializer } from 'node:v8';
import type { Announced } from '../announced.ts';
import type { ChainHeader } from '../header.ts';
import type { TrackedPool } from '../tracked-pool.ts';
import type { AdverseVerdict, BookState, Checkpoint, CheckpointIdentity, CheckpointRefusal } from './checkpoint.ts';
import { CHECKSUM, CHECKSUM_BYTES, FORMAT_VERSION, type Head, type Item, MAGIC, WORD_BYTES } from './format.ts';

export type DecodedCheckpoint =
  | ({ readonly ok: true } & Checkpoint)
  /** `verdicts`: those of a whole file of this chain; bad news about a token is no less true for other code. */
  | { readonly ok: false; readonly reason: CheckpointRefusal; readonly message: string; readonly verdicts: readonly AdverseVerdict[] };

/** Takes a file for what it says only where its checksum holds, and goes on from it only where it is of the same. Never throws. */
export function decodeCheckpoint(bytes: Buffer, identity: CheckpointIdentity): DecodedCheckpoint {
  const refused = (reason: CheckpointRefusal, message: string, verdicts: readonly AdverseVerdict[] = []): DecodedCheckpoint => ({
    ok: false,
    reason,
    message,
    verdicts,
  });
  if (!bytes.subarray(0, MAGIC.length).equals(MAGIC)) return refused('corrupt', 'it does not begin as a checkpoint does');
  if (bytes.length < MAGIC.length + WORD_BYTES + CHECKSUM_BYTES) return refused('corrupt', 'it is cut off');
  const version = bytes.readUInt32LE(MAGIC.length);
  // Of another version nothing else is known, the place of its checksum included.
  if (version !== FORMAT_VERSION) return refused('format', `its format is of version ${version}, not ${FORMAT_VERSION}`);
  const body = bytes.subarray(0, bytes.length - CHECKSUM_BYTES);
  if (!createHash(CHECKSUM).update(body).digest().equals(bytes.subarray(body.length))) return refused('corrupt', 'its checksum is another');
  try {
    const parts = partsOf(body.subarray(MAGIC.length + WORD_BYTES));
    const head = JSON.parse(String(parts[0])) as Head;
    if (head.chainId !== identity.chainId) return refused('other-chain', `it is of chain ${head.chainId}`);
    const { verdicts } = head;
    if (head.configuration !== identity.configuration) return refused('other-configuration', 'it is of other deployments', verdicts);
    // Where a contract was made may be known better by now: nothing is missing that lies before both.
    if (head.firstBlocks.some((block, at) => block > (identity.firstBlocks[at] ?? 0)))
      return refused('other-configuration', 'it lacks what was before its first blocks', verdicts);
    if (head.code !== identity.code) return refused('other-code', 'another version of the service wrote it', verdicts);
    return { ok: true, state: stateOf(parts.slice(1).map(deserialised)), verdicts };
  } catch (error) {
    return refused('corrupt', error instanceof Error ? error.message : String(error));
  }
}

/** Each with its length before it, up to one of no length, with which it ends. */
function partsOf(bytes: Buffer): readonly Buffer[] {
  const parts: Buffer[] = [];
  for (let at = 0; ; ) {
    const length = bytes.readUInt32LE(at);
    at += WORD_BYTES;
    if (length === 0 && at === bytes.length) return parts;
    if (length === 0 || at + length > bytes.length) throw new RangeError(`a part of ${length} bytes at ${at} of ${bytes.length}`);
    parts.push(bytes.subarray(at, at + length));
    at += length;
  }
}

function deserialised(bytes: Buffer): Item {
  const deserializer = new Deserializer(bytes);
  deserializer.readHeader();
  return deserializer.readValue() as Item;
}

function stateOf(items: readonly Item[]): BookState {
  let block: ChainHeader | null = null;
  const [tokens, announced, pools]: [BookState['tokens'][number][], Announced[], TrackedPool[]] = [[], [], []];
  for (const item of items) {
    switch (item.kind) {
      case 'block':
        block = item.block;
        break;
      case 'tokens':
        tokens.push(...item.tokens);
        break;
      case 'announced':
        announced.push(...item.announced);
        break;
      case 'pools':
        pools.push(...item.pools);
        break;
      default:
        throw new TypeError(`an item ${JSON.stringify(item satisfies never)}`);
    }
  }
  if (block === null) throw new TypeError('it names no block');
  return { block, pools, announced, tokens };
}

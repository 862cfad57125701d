import { createHash, type Hash } from 'node:crypto';
import { Serializer } from 'node:v8';
import { LIMITS } from '../../config/limits.ts';
import type { Checkpoint, CheckpointIdentity } from './checkpoint.ts';
import { CHECKSUM, FORMAT_VERSION, type Head, type Item, MAGIC } from './format.ts';

/**
 * A checkpoint as bytes, part by part: magic, version, head, parts of items, and the SHA-256 of all that. Each part is made when it is asked for, so that whoever writes it does other things between two.
 * A state is written as it is: plain values, bigints and typed arrays. Throws on what is no value (a function).
 */
export function* encodeCheckpoint({ state, verdicts }: Checkpoint, identity: CheckpointIdentity): Generator<Buffer> {
  const hash = createHash(CHECKSUM);
  const head: Head = { ...identity, verdicts };
  yield hashed(hash, Buffer.concat([MAGIC, word(FORMAT_VERSION), framed(Buffer.from(JSON.stringify(head)))]));
  for (const item of itemsOf(state)) yield hashed(hash, framed(serialised(item)));
  yield hashed(hash, word(0));
  yield hash.digest();
}

function* itemsOf({ block, pools, announced, tokens }: Checkpoint['state']): Generator<Item> {
  const { poolsPerPart, tokensPerPart } = LIMITS.indexing.checkpoint;
  yield { kind: 'block', block };
  for (const some of partsOf(tokens, tokensPerPart)) yield { kind: 'tokens', tokens: some };
  for (const some of partsOf(announced, poolsPerPart)) yield { kind: 'announced', announced: some };
  for (const some of partsOf(pools, poolsPerPart)) yield { kind: 'pools', pools: some };
}

function* partsOf<One>(all: readonly One[], size: number): Generator<readonly One[]> {
  for (let at = 0; at < all.length; at += size) yield all.slice(at, at + size);
}

function serialised(item: Item): Buffer {
  const serializer = new Serializer();
  serializer.writeHeader();
  serializer.writeValue(item);
  return serializer.releaseBuffer();
}

function framed(bytes: Buffer): Buffer {
  return Buffer.concat([word(bytes.length), bytes]);
}

function word(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

function hashed(hash: Hash, part: Buffer): Buffer {
  hash.update(part);
  return part;
}

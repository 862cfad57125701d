import type { Token } from '../../schemas/pool-set.gen.ts';
import type { BlockRef } from '../snapshot/snapshot.ts';
import { type Address, asAddress, type EpochSeconds, NATIVE_TOKEN, ZERO_ADDRESS } from '../units/units.ts';
import { readJsonFile } from './json-file.ts';
import { checkDocument, type PoolSetDocument } from './schema.ts';

/** A pool set as read: the document is well-formed, its pools are still unchecked. */
export type PoolSet = {
  readonly chainId: number;
  /** The frozen block; `gasPriceWei` of the file is its base fee. */
  readonly block: BlockRef;
  readonly source: string | null;
  /** As the file says; null: the catalogue has to know. */
  readonly wrappedNative: Address | null;
  readonly tokens: ReadonlyMap<Address, Token>;
  readonly entries: readonly unknown[];
};

export type PoolSetResult = { readonly ok: true; readonly set: PoolSet } | { readonly ok: false; readonly message: string };

/** Reads a pool set file (design/pool-set), plain or gzipped. A document that can not be taken is a message with the JSON path that is wrong. */
export async function readPoolSet(path: string): Promise<PoolSetResult> {
  const file = await readJsonFile(path);
  if (!file.ok) return file;
  const parsed = parsePoolSet(file.value);
  return parsed.ok ? parsed : { ok: false, message: `${path} is not a pool set: ${parsed.message}` };
}

/** The same for a document that is already parsed. */
export function parsePoolSet(value: unknown): PoolSetResult {
  const checked = checkDocument(value);
  if (!checked.ok) return checked;
  const document = checked.value;
  const wrapped = document.wrappedNative ?? document.nativeToken;
  const wrappedNative = wrapped === undefined ? null : asAddress(wrapped);
  if (wrappedNative === NATIVE_TOKEN || wrappedNative === ZERO_ADDRESS) {
    return { ok: false, message: `$.${document.wrappedNative === undefined ? 'nativeToken' : 'wrappedNative'} must be the wrapped native token's contract` };
  }
  return {
    ok: true,
    set: {
      chainId: document.chainId,
      block: blockOf(document),
      source: document.source ?? null,
      wrappedNative,
      tokens: tokensOf(document),
      entries: document.pools,
    },
  };
}

function blockOf({ block, blockHash, timestamp, gasPriceWei }: PoolSetDocument): BlockRef {
  return {
    number: block ?? 0,
    hash: (blockHash?.toLowerCase() ?? `0x${'0'.repeat(64)}`) as `0x${string}`,
    timestamp: (timestamp ?? 0) as EpochSeconds,
    baseFeePerGas: gasPriceWei === undefined ? null : BigInt(gasPriceWei),
  };
}

/** By lower-case address; of two spellings of one address the first counts. */
function tokensOf(document: PoolSetDocument): ReadonlyMap<Address, Token> {
  const tokens = new Map<Address, Token>();
  for (const [text, token] of Object.entries(document.tokens)) {
    const address = asAddress(text);
    if (!tokens.has(address)) tokens.set(address, token);
  }
  return tokens;
}

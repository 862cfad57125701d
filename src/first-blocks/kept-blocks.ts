import { randomUUID } from 'node:crypto';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Address } from '../units/units.ts';

const VERSION = 1;

/** Of which chain: one id may stand for several, the hash of whose block 0 differs. */
export type ChainIdentity = { readonly chainId: number; readonly genesis: string };

/** First blocks of contracts by their addresses. */
export type FirstBlocks = ReadonlyMap<Address, number>;

/** What an earlier start found. Nothing where the file is absent, is of another chain or version, or is not as it was written: it is found again then. */
export async function readFirstBlocks(folder: string, chain: ChainIdentity): Promise<FirstBlocks> {
  try {
    const { version, chainId, genesis, blocks } = JSON.parse(await readFile(fileOf(folder, chain), 'utf8'));
    if (version !== VERSION || chainId !== chain.chainId || genesis !== chain.genesis) return new Map();
    const entries = Object.entries(blocks as object);
    if (!entries.every(([address, block]) => /^0x[0-9a-f]{40}$/.test(address) && Number.isSafeInteger(block) && block >= 0)) return new Map();
    return new Map(entries as [Address, number][]);
  } catch {
    return new Map();
  }
}

/** Keeps them for later starts. The file is whole at any moment. Rejects where the folder can not be written to. */
export async function keepFirstBlocks(folder: string, chain: ChainIdentity, blocks: FirstBlocks): Promise<void> {
  const file = fileOf(folder, chain);
  const text = `${JSON.stringify({ version: VERSION, ...chain, blocks: Object.fromEntries(blocks) }, null, 2)}\n`;
  const written = `${file}.${randomUUID()}`;
  try {
    await writeFile(written, text, { flag: 'wx' });
    await rename(written, file);
  } catch (error) {
    await rm(written, { force: true });
    throw error;
  }
}

function fileOf(folder: string, { chainId }: ChainIdentity): string {
  return path.join(folder, `first-blocks-${chainId}.json`);
}

import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import pMap from 'p-map';
import { LIMITS } from '../config/limits.ts';
import type { Address } from '../units/units.ts';
import { bisectFirstBlock, type FirstBlock, type Presence } from './bisect.ts';
import { type CodeReader, readCode, reasonOf } from './code-reader.ts';
import { type ChainIdentity, keepFirstBlocks, readFirstBlocks } from './kept-blocks.ts';

export type Deployment = { readonly factory: Address; readonly fromBlock: number | null };

export type FirstBlockSearch = {
  readonly chainId: number;
  readonly rpcUrls: readonly string[];
  /** Where what is found is kept; null: nowhere. */
  readonly folder: string | null;
  readonly signal: AbortSignal;
  /** For the operator. */
  readonly warn: (message: string) => void;
  /** Hears how many of the questions for code are answered, of at most how many; the last one with both equal. Of what is kept nothing is asked. */
  readonly onProgress?: (done: number, total: number) => void;
};

type Nodes = { readonly readers: readonly CodeReader[]; readonly identity: ChainIdentity; readonly head: number };

/**
 * The deployments, with the block in which the contract was made where none is named. It is found by asking the nodes for code, once where it is kept. Whatever they answer, no block at which
 * the contract was there is before it: where they disagree the earliest counts, and where they do not know it is 0, which only costs time. Waits for as long as no node answers. Rejects once the signal is aborted.
 */
export async function findFirstBlocks<Given extends Deployment>(
  deployments: readonly Given[],
  search: FirstBlockSearch,
): Promise<readonly (Given & { readonly fromBlock: number })[]> {
  // Each request under way listens to it, and there are three a node.
  setMaxListeners(0, search.signal);
  const wanted = [...new Set(deployments.filter(({ fromBlock }) => fromBlock === null).map(({ factory }) => factory))];
  const found = wanted.length === 0 ? new Map<Address, number>() : await lookFor(wanted, search);
  return deployments.map((deployment) => ({ ...deployment, fromBlock: deployment.fromBlock ?? found.get(deployment.factory) ?? 0 }));
}

async function lookFor(wanted: readonly Address[], search: FirstBlockSearch): Promise<ReadonlyMap<Address, number>> {
  const readers = search.rpcUrls.map((url) => readCode(url, search.signal));
  try {
    return await askFor(wanted, readers, search);
  } finally {
    for (const reader of readers) reader.close();
  }
}

async function askFor(wanted: readonly Address[], readers: readonly CodeReader[], search: FirstBlockSearch): Promise<ReadonlyMap<Address, number>> {
  const { folder, warn } = search;
  const nodes = await openNodes(readers, search);
  const kept = folder === null ? new Map<Address, number>() : await readFirstBlocks(folder, nodes.identity);
  const missing = wanted.filter((address) => !kept.has(address));
  const found = new Map(kept);
  const proven = new Map(kept);
  const contractAsked = countQuestions(missing.length, nodes.head, search.onProgress);
  const findOne = async (address: Address): Promise<void> => {
    const asked = contractAsked();
    const { block, exact } = await firstBlockOf(address, nodes, search, asked.one);
    asked.all();
    found.set(address, block);
    if (exact) proven.set(address, block);
  };
  await pMap(missing, findOne, { concurrency: LIMITS.firstBlocks.atOnce });
  if (folder !== null && proven.size > kept.size) {
    await keepFirstBlocks(folder, nodes.identity, proven).catch((error: Error) => warn(`first blocks can not be kept: ${error.message}`));
  }
  return found;
}

/** Counts the questions about contracts: each may take as many as halving the chain does, and one at the head. */
function countQuestions(contracts: number, head: number, onProgress: FirstBlockSearch['onProgress'] = () => undefined) {
  const each = 1 + Math.ceil(Math.log2(head + 1));
  let done = 0;
  const count = (more: number): void => {
    done += more;
    if (more > 0) onProgress(done, contracts * each);
  };
  if (contracts > 0) onProgress(0, contracts * each);
  return () => {
    let left = each;
    return {
      one() {
        left -= 1;
        count(1);
      },
      /** What did not have to be asked counts as answered. */
      all: () => count(left),
    };
  };
}

async function firstBlockOf(
  address: Address,
  { readers, head }: Nodes,
  { chainId, signal, warn }: FirstBlockSearch,
  onAnswer: () => void,
): Promise<FirstBlock> {
  const presenceAt = async (block: number): Promise<Presence> => {
    const presence = await askAll(readers, address, block, signal);
    onAnswer();
    return presence;
  };
  const now = await presenceAt(head);
  if (now === 'absent') {
    warn(`there is no contract at ${address} on chain ${chainId}: nothing of it is indexed until it is made`);
    return { block: head, exact: false };
  }
  const found: FirstBlock = now === 'there' ? await bisectFirstBlock(head, presenceAt) : { block: 0, exact: false };
  if (!found.exact)
    warn(
      `in which block ${address} was made on chain ${chainId} no node tells: logs are read from block ${found.block} on; an archive node in rpcUrls, or fromBlock, spares that`,
    );
  return found;
}

/** What any node says: once one has seen the contract it was there, whatever the others say. */
async function askAll(readers: readonly CodeReader[], address: Address, block: number, signal: AbortSignal): Promise<Presence> {
  for (let attempt = 0; attempt < LIMITS.firstBlocks.attempts; attempt++) {
    if (attempt > 0) await sleep(LIMITS.firstBlocks.pauseMs, undefined, { signal });
    const answers = await Promise.allSettled(readers.map((reader) => reader.presence(address, block)));
    signal.throwIfAborted();
    const said = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
    if (said.length === 0) continue;
    if (said.includes('there')) return 'there';
    return said.includes('absent') ? 'absent' : 'unknown';
  }
  return 'unknown';
}

/** The nodes that serve the chain; waits until there is one, and says why there is none whenever that changes. */
async function openNodes(all: readonly CodeReader[], { chainId, signal, warn }: FirstBlockSearch): Promise<Nodes> {
  for (let said = ''; ; ) {
    const answers = await Promise.allSettled(all.map(async (reader) => ({ reader, ...(await reader.identity()) })));
    signal.throwIfAborted();
    const ours = answers.flatMap((answer) => (answer.status === 'fulfilled' && answer.value.chainId === chainId ? [answer.value] : []));
    const [first] = ours;
    if (first !== undefined) {
      const same = ours.filter(({ genesis }) => genesis === first.genesis);
      const identity = { chainId, genesis: first.genesis };
      return { readers: same.map(({ reader }) => reader), identity, head: Math.min(...same.map(({ head }) => head)) };
    }
    const reasons = answers.map(
      (answer, at) => `rpcUrls.${at} ${answer.status === 'fulfilled' ? `serves chain ${answer.value.chainId}` : reasonOf(answer.reason)}`,
    );
    const why = reasons.join('; ');
    if (why !== said) warn(`no node of chain ${chainId} answers, which is waited for: ${why}`);
    said = why;
    await sleep(LIMITS.firstBlocks.pauseMs, undefined, { signal });
  }
}

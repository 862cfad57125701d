import type { ChainReader } from '../../src/indexing/chain-reader.ts';
import type { ChainHeader } from '../../src/indexing/header.ts';
import { RpcError } from '../../src/indexing/rpc/rpc-error.ts';
import type { EpochSeconds } from '../../src/units/units.ts';
import type { ChainAnswer, ChainLog, PinnedReader } from '../../src/venues/venues.ts';
import { FEE_CHANGED, idOf, MANAGER, MOVED, OPENED, type SingletonState } from './made-up-singleton.ts';

/** Branches that are kept as they were asked for: of the head, of what is published, and of where each of some nodes stands. */
const BRANCHES_KEPT = 8;

type Block = { readonly header: ChainHeader; readonly logs: readonly ChainLog[] };
type Branch = { readonly blocks: readonly Block[]; readonly headers: readonly ChainHeader[] };

/** A node of one chain whose blocks tests make: it forks, lags, leaves logs out and refuses as told, and knows what each pool is at any block, by replaying the logs of that block's branch. */
export class MadeUpChain {
  readonly #blocks = new Map<string, Block>();
  readonly #genesis: ChainHeader;
  #head: ChainHeader;
  readonly #mark: number;
  #made = 0;
  readonly #branches = new Map<string, Branch>();
  readonly #prices = new Map<string, Readonly<Record<string, SingletonState>>>();
  /** What is asked for by method. */
  readonly asked: Record<string, number> = {};
  /** The head that the node shows, where it lags. */
  shown: ChainHeader | null = null;
  /** The block that it is asked for to tell it from other chains. */
  anchor: string | null = null;
  /** Blocks by number of another branch, as an endpoint shows them that is behind a reorg. */
  readonly otherBranch = new Map<number, ChainHeader>();
  /** Hashes of blocks whose logs the node leaves out. */
  readonly silent = new Set<string>();
  /** What its endpoints are said to show. */
  witnesses: ReturnType<ChainReader['witnesses']> = [];
  /** Keys of pools about which it can not be asked. */
  readonly refused = new Set<string>();

  /** `mark` tells the hashes of chains apart that are made side by side. */
  constructor(number: number, mark = 0x10000) {
    this.#mark = mark;
    this.#genesis = this.#headerOf(number, idOf(0xffff));
    this.#head = this.#genesis;
    this.#blocks.set(this.#genesis.hash, { header: this.#genesis, logs: [] });
  }

  get head(): ChainHeader {
    return this.#head;
  }

  /** A block with these logs on top. */
  grow(...logs: readonly ChainLog[]): ChainHeader {
    const header = this.#headerOf(this.#head.number + 1, this.#head.hash);
    const placed = logs.map((log, logIndex) => ({ ...log, blockHash: header.hash, blockNumber: header.number, logIndex }));
    this.#blocks.set(header.hash, { header, logs: placed });
    this.#head = header;
    return header;
  }

  /** The same on top of any block; the head stays the same. */
  growOn(parent: ChainHeader, ...logs: readonly ChainLog[]): ChainHeader {
    const head = this.#head;
    this.#head = parent;
    const grown = this.grow(...logs);
    this.#head = head;
    return grown;
  }

  /** Goes back so many blocks; what is grown next is another branch. */
  back(depth: number): void {
    for (let i = 0; i < depth; i++) this.#head = this.#blocks.get(this.#head.parentHash)?.header ?? this.#head;
  }

  /** From the first block to that one; of a few it is asked for again and again. */
  #branchOf(hash: string): Branch {
    const known = this.#branches.get(hash);
    if (known !== undefined) return known;
    const descending: Block[] = [];
    for (let block = this.#blocks.get(hash); block !== undefined; block = this.#blocks.get(block.header.parentHash)) descending.push(block);
    const blocks = descending.reverse();
    const branch = { blocks, headers: blocks.map(({ header }) => header) };
    const [oldest] = this.#branches.keys();
    if (oldest !== undefined && this.#branches.size === BRANCHES_KEPT) this.#branches.delete(oldest);
    if (blocks.length > 0) this.#branches.set(hash, branch);
    return branch;
  }

  /** Headers from the first block to that one; empty for a block that is not of this chain. */
  branch(hash: string): readonly ChainHeader[] {
    return this.#branchOf(hash).headers;
  }

  /** What the pools are at a block: their prices by id, by the logs of all blocks from the first on. Once for each block. */
  pricesAt(hash: string): Readonly<Record<string, SingletonState>> {
    const descending: Block[] = [];
    let block = this.#blocks.get(hash);
    for (; block !== undefined && !this.#prices.has(block.header.hash); block = this.#blocks.get(block.header.parentHash)) descending.push(block);
    let pools = (block === undefined ? undefined : this.#prices.get(block.header.hash)) ?? {};
    for (const { header, logs } of descending.reverse()) {
      pools = logs.reduce(after, pools);
      this.#prices.set(header.hash, pools);
    }
    return pools;
  }

  readonly reader: ChainReader = {
    latest: async () => this.shown ?? this.#head,
    latestToTake: async () => ({ head: this.shown ?? this.#head, take: () => undefined }),
    logsSince: async () => () => null,
    header: async (hash) => this.#count('header', this.#blocks.get(hash)?.header ?? null),
    headerAt: async (number) => {
      const own = this.#branchOf(this.#head.hash).headers[number - this.#genesis.number];
      return this.#count('headerAt', this.otherBranch.get(number) ?? own ?? null);
    },
    logs: async (header) => this.#count('logs', this.silent.has(header.hash) ? [] : (this.#blocks.get(header.hash)?.logs ?? [])),
    logsInRange: async (from, to) =>
      this.#branchOf(this.#head.hash)
        .blocks.filter(({ header: { number } }) => number >= from && number <= to)
        .flatMap(({ logs }) => logs.filter(({ topics }) => topics[0] === OPENED)),
    readAt: (hash) => this.#readAt(hash),
    anchorAt: ({ hash }) => {
      this.anchor = hash;
    },
    recheck: () => void this.#count('recheck', null),
    disown: () => void this.#count('disown', null),
    latestFrom: () => 0,
    witnesses: () => this.witnesses,
  };

  /** Answers with a pool's price and fee where it is asked for an id, and to anything else that it has 18 decimals. */
  #readAt(hash: string): PinnedReader {
    return async (calls) => {
      this.#count('readAt', null);
      const pools = this.pricesAt(hash);
      return calls.map(({ data }): ChainAnswer => {
        if (this.refused.has(data)) throw new RpcError('refused', 'internal error');
        if (data.length !== 66) return `0x${(18).toString(16).padStart(64, '0')}`;
        const pool = pools[data];
        return pool === undefined ? null : `0x${[pool.price, pool.fee].map((value) => value.toString(16).padStart(64, '0')).join('')}`;
      });
    };
  }

  #count<Answer>(what: string, answer: Answer): Answer {
    this.asked[what] = (this.asked[what] ?? 0) + 1;
    return answer;
  }

  #headerOf(number: number, parentHash: `0x${string}`): ChainHeader {
    this.#made += 1;
    return {
      number,
      hash: idOf(this.#mark + this.#made),
      parentHash,
      timestamp: (1_700_000_000 + number) as EpochSeconds,
      baseFeePerGas: null,
      logsBloom: '0x',
    };
  }
}

function after(
  pools: Readonly<Record<string, SingletonState>>,
  { address, topics: [topic, id = '0x'], data }: ChainLog,
): Readonly<Record<string, SingletonState>> {
  if (address !== MANAGER) return pools;
  const known = pools[id];
  if (topic === OPENED) return { ...pools, [id]: { price: Number(data), fee: known?.fee ?? 0 } };
  if (topic === MOVED && known !== undefined) return { ...pools, [id]: { ...known, price: Number(data) } };
  if (topic === FEE_CHANGED) return Object.fromEntries(Object.entries(pools).map(([key, pool]) => [key, { ...pool, fee: Number(data) }]));
  return pools;
}

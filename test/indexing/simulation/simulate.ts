import { createHash } from 'node:crypto';
import { createChainReader } from '../../../src/indexing/chain-reader.ts';
import { createBloomCheck } from '../../../src/indexing/logs-bloom.ts';
import { createRpc, type Rpc } from '../../../src/indexing/rpc/rpc.ts';
import { RpcError } from '../../../src/indexing/rpc/rpc-error.ts';
import { createRandom } from '../../../src/random.ts';
import { fee, follow, moved, opened, STRANGER } from '../followed-chain.ts';
import { MadeUpChain } from '../made-up-chain.ts';
import { addressOf, type SingletonState } from '../made-up-singleton.ts';
import { Backend, HONEST, type Mood, moodBy, type Random } from './backend.ts';
import type { JsonCall } from './json-node.ts';
import { type SimulatedClock, simulatedClock } from './simulated-clock.ts';

export type Simulation = {
  readonly chain: MadeUpChain;
  readonly backends: readonly Backend[];
  readonly random: Random;
  readonly followed: ReturnType<typeof follow>;
  readonly rpc: Rpc;
  /** A moment passes, in which the follower does what it does: it polls, waits for answers, gives up. Throws where what is published then is not what the chain says. */
  moment(): Promise<void>;
  /** What may happen to a chain between two moments. */
  happen(): void;
  /** The process ends, and another one takes its place, which knows what the checkpoint says. */
  restart(): void;
  /** Whether the head is published, whole. */
  isThere(): boolean;
  close(): void;
};

export const MOMENT_MS = 250;
const POLL_MS = 250;
/** On every other chain pools are too small that hold fewer base units of their first token, which has 18 decimals. */
const LEAST = 500;
const MINIMUM = { usd: null, priced: [], tokens: new Map([[addressOf(1), (LEAST - 0.5) / 1e18]]) };
/** Even: of the followed folder. */
const IDS = Array.from({ length: 12 }, (_, at) => 10 + 2 * at);

/** A chain, the nodes before it and a follower, all by one seed: clock, jitter, faults and blocks. */
export function simulation(seed: number, moods: readonly (Mood | null)[], checkpointFile?: string): Simulation {
  const random = createRandom(seed).unit;
  const clock = simulatedClock({ hasFiles: checkpointFile !== undefined });
  const chain = new MadeUpChain(0);
  const least = seed % 2 === 1 ? LEAST : 0;
  const minimumLiquidity = least === 0 ? undefined : MINIMUM;
  const other = new MadeUpChain(0, 0x40000);
  for (let block = 0; block < 12; block++) {
    chain.grow(...logsBy(random));
    other.grow(opened(10, block));
  }
  const backends = moods.map(() => new Backend(chain, other, random, clock));
  for (const [at, mood] of moods.entries()) if (mood !== null) (backends[at] as Backend).mood = mood;
  const start = () => {
    const rpc = openRpc();
    const reader = createChainReader(rpc, { bloom: createBloomCheck(4096) });
    const checkpoint = checkpointFile === undefined ? {} : { checkpoint: { file: checkpointFile } };
    const followed = follow(chain, { reader, startDepthBlocks: 4, pools: 64, clock, random, fromBlock: 0, minimumLiquidity, ...checkpoint });
    const ending = new AbortController();
    const fault = { thrown: null as unknown };
    void goOn(() => followed.follower.step(), clock, ending.signal).catch((error: unknown) => {
      fault.thrown = error;
    });
    const end = (): void => {
      ending.abort();
      rpc.close();
      void followed.end();
    };
    return { rpc, followed, fault, end };
  };
  const openRpc = () =>
    createRpc({
      urls: backends.map((_, index) => `http://node-${index}.test/`),
      chainId: 1,
      random,
      clock,
      onHead: () => undefined,
      fetch: async (url, init) =>
        await (backends[Number(/node-(\d)/.exec(url)?.[1])] as Backend).respond(JSON.parse(String(init.body)) as JsonCall, init.signal as AbortSignal),
    });
  let life = start();
  let before: { readonly hash: string; readonly number: number } | null = null;

  const published = () => life.followed.of('published').at(-1)?.block ?? null;
  const moment = async (): Promise<void> => {
    await clock.pass(MOMENT_MS);
    if (life.fault.thrown !== null) throw life.fault.thrown;
    const block = published();
    if (block === null) return;
    assertOfTheChain(chain, life.followed, least);
    if (before !== null && block.number < before.number && chain.branch(chain.head.hash).some(({ hash }) => hash === before?.hash)) {
      throw new Error(`block ${block.number} was published after ${before.number}, which the chain never left`);
    }
    before = block;
  };
  const happen = (): void => {
    const choice = random();
    if (choice < 0.35) chain.grow(...logsBy(random));
    else if (choice < 0.38) for (let block = 0; block < 5; block++) chain.grow(...logsBy(random));
    else if (choice < 0.43) reorganise(chain, random, 1 + Math.floor(random() * 4));
    else if (choice < 0.435) reorganise(chain, random, 12);
    else if (choice < 0.44) chain.back(1 + Math.floor(random() * 3));
    if (random() < 0.3) other.grow(moved(10, Math.floor(random() * 100)));
    for (const [at, mood] of moods.entries()) {
      if (mood !== null || random() >= 0.05) continue;
      const next = random() < 0.5 ? HONEST : moodBy(random);
      // Which chain it is is learnt from what is read first: until then there is nothing to tell another one by.
      (backends[at] as Backend).mood = published() === null ? { ...next, foreign: false } : next;
    }
  };
  const isThere = (): boolean => published()?.hash === chain.head.hash && hashOf(life.followed.view().pools) === oracleHash(chain, chain.head.hash, least);
  const restart = (): void => {
    life.end();
    life = start();
    // It may show what a lagging backend has, and, as at any start, it learns from who it asks first which chain it is.
    before = null;
    for (const backend of backends) backend.mood = { ...backend.mood, foreign: false };
  };
  return {
    chain,
    backends,
    random,
    get followed() {
      return life.followed;
    },
    get rpc() {
      return life.rpc;
    },
    moment,
    happen,
    restart,
    isThere,
    close: () => life.end(),
  };
}

/** As the indexer's thread does it. Rejects with a fault that is no node's. */
async function goOn(step: () => Promise<unknown>, clock: SimulatedClock, ending: AbortSignal): Promise<void> {
  while (!ending.aborted) {
    await step().catch((error: unknown) => {
      if (!(error instanceof RpcError)) throw error;
    });
    await clock.sleep(POLL_MS, ending);
  }
}

function reorganise(chain: MadeUpChain, random: Random, depth: number): void {
  chain.back(depth);
  const blocks = depth + (random() < 0.8 ? 1 : 0);
  for (let block = 0; block < blocks; block++) chain.grow(...logsBy(random));
}

function logsBy(random: Random) {
  const count = Math.floor(random() * 4);
  const id = (): number => IDS[Math.floor(random() * IDS.length)] as number;
  const value = (): number => Math.floor(random() * 1000);
  return Array.from({ length: count }, () => {
    const kind = random();
    if (kind < 0.3) return opened(id(), value());
    if (kind < 0.85) return moved(id(), value());
    return kind < 0.95 ? fee(value()) : moved(id(), value(), STRANGER);
  });
}

/**
 * What is published is a block that the chain had, with the pools as its blocks from the first on made them. A pool may be missing only while something is said to wait to be read. The audit
 * finds nothing: no backend tells lies that bloom and numbering miss.
 */
function assertOfTheChain(chain: MadeUpChain, { view, of }: ReturnType<typeof follow>, least: number): void {
  const { block, pools } = view();
  if (chain.branch(block).length === 0) throw new Error(`${block} is no block of the chain`);
  if (hashOf(pools) !== oracleHash(chain, block, least)) {
    const there = largeAt(chain, block, least);
    const wrong = Object.entries(pools).filter(([id, state]) => JSON.stringify(there[id]) !== JSON.stringify(state));
    const { pools: stale = 0, tokens = 0, announcements = 0 } = of('waiting').at(-1) ?? {};
    if (wrong.length > 0 || stale + tokens + announcements === 0) {
      throw new Error(`at ${block} the snapshot has ${JSON.stringify(pools)}, the chain ${JSON.stringify(there)}`);
    }
  }
  const mismatches = of('audit-mismatch').length;
  if (mismatches > 0) throw new Error('the audit found what was not so');
}

const oracles = new WeakMap<MadeUpChain, Map<string, string>>();

/** SHA-256 of the chain's own pools at a block, by replaying its logs from the first block on; once for each block. */
function oracleHash(chain: MadeUpChain, block: string, least: number): string {
  const known = oracles.get(chain) ?? new Map<string, string>();
  oracles.set(chain, known);
  const hash = known.get(block) ?? hashOf(largeAt(chain, block, least));
  known.set(block, hash);
  return hash;
}

/** The pools that are large enough; what one holds is its price and one. */
function largeAt(chain: MadeUpChain, block: string, least: number): Readonly<Record<string, SingletonState>> {
  return Object.fromEntries(Object.entries(chain.pricesAt(block)).filter(([, { price }]) => price + 1 >= least));
}

/** Most dumps are the one before. */
let hashed = { dump: '', hash: '' };

/** Of a dump without epoch, ordered by id. */
function hashOf(pools: Readonly<Record<string, SingletonState>>): string {
  const dump = JSON.stringify(
    Object.keys(pools)
      .sort()
      .map((id) => [id, pools[id]?.price, pools[id]?.fee]),
  );
  if (dump !== hashed.dump) hashed = { dump, hash: createHash('sha256').update(dump).digest('hex') };
  return hashed.hash;
}

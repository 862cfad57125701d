// What a thread keeps from block to block says the same as what a new thread makes of the last block alone: a plan must not depend on which blocks its thread has seen.
import { expect } from 'chai';
import fc from 'fast-check';
import { applyBlock } from '../../src/pool-set/apply-blocks.ts';
import { type LoadedPoolSet, loadPoolSet, parsePoolSet } from '../../src/pool-set/pool-set.ts';
import { Market } from '../../src/routing/market/market.ts';
import { SortedNeighbours } from '../../src/routing/market/neighbours.ts';
import { PoolModels } from '../../src/routing/market/pool-models.ts';
import { ReferencePrices } from '../../src/routing/market/reference-prices.ts';
import { SnapshotReader, type SnapshotView } from '../../src/snapshot/snapshot.ts';
import { FULL_SCALE, SEED } from '../support/seeded-random.ts';
import { randomPools } from './random-world.ts';
import { type PoolEntry, token, venues } from './world.ts';

const TOKENS = 7;
const tokens = Object.fromEntries(Array.from({ length: TOKENS }, (_, number) => [token(number), { decimals: 18 }]));

class Thread {
  readonly #market = new Market(new PoolModels(venues));
  readonly #prices = new ReferencePrices(this.#market, token(0));
  readonly #neighbours = new SortedNeighbours(this.#market, this.#prices);

  /** All that a search may ask of what is kept, by names. */
  describe(view: SnapshotView, goOn = () => true): unknown {
    this.#prices.refresh(view, goOn);
    return Array.from({ length: view.tokenCount }, (_, id) => ({
      token: view.token(id).address,
      forwards: this.#prices.forwards(id),
      backwards: this.#prices.backwards(id),
      leaving: this.#sides(this.#neighbours.leaving(view, id)),
      entering: this.#sides(this.#neighbours.entering(view, id)),
    }));
  }

  #sides({ pairs, kept }: ReturnType<SortedNeighbours['leaving']>): unknown {
    return pairs.map(({ from, to, logPrice, edges }, index) => ({
      from,
      to,
      logPrice,
      kept: kept[index],
      edges: edges.map(({ pool, slotIn, slotOut, startPrice }) => [pool.key, slotIn, slotOut, startPrice]),
    }));
  }
}

function load(pools: readonly PoolEntry[], poolIds = 128): LoadedPoolSet {
  const parsed = parsePoolSet({ chainId: 31337, wrappedNative: token(0), tokens, pools });
  if (!parsed.ok) throw new Error(parsed.message);
  const loading = loadPoolSet(parsed.set, { venues, capacity: { arenaBytes: 2 ** 21, pools: poolIds, tokens: 32, slots: 4 } });
  if (!loading.ok) throw new Error(loading.message);
  return loading.loaded;
}

/** The next block, with other states of some pools and some gone. */
function nextBlock(loaded: LoadedPoolSet, pools: readonly PoolEntry[], gone: readonly number[]): void {
  const ids = [...loaded.entries.keys()];
  const removed = gone.flatMap((at) => ids[at % ids.length] ?? []);
  applyBlock(loaded, { block: loaded.block.number + 1, changed: Object.fromEntries(pools.map((pool) => [String(pool.id), pool])), removed });
}

/** The same pools under names of that block's own, so that pools come and go rather than change. */
function renamed(pools: readonly PoolEntry[], block: number): readonly PoolEntry[] {
  return pools.map((pool) => ({ ...pool, id: `0x${(BigInt(String(pool.id)) + BigInt(block % 3) * 2n ** 40n).toString(16).padStart(40, '0')}` }));
}

describe('a thread that followed the chain', () => {
  it('keeps what a new thread would make of the last block', () => {
    const blocks = fc.array(fc.record({ pools: randomPools(TOKENS, 6), gone: fc.array(fc.nat(20), { maxLength: 2 }), seen: fc.boolean(), cut: fc.boolean() }), {
      minLength: 1,
      maxLength: 6,
    });
    fc.assert(
      fc.property(randomPools(TOKENS, 16), blocks, (first, later) => {
        const loaded = load(first);
        const reader = SnapshotReader.claim(loaded.buffers, 0);
        const follower = new Thread();
        for (const { pools, gone, seen, cut } of [{ pools: [], gone: [], seen: true, cut: false }, ...later]) {
          nextBlock(loaded, pools, gone);
          if (!seen) continue;
          const view = reader.pin();
          if (view === null) throw new Error('nothing is published');
          try {
            // A request whose time is up leaves the table half made.
            if (cut) follower.describe(view, () => false);
            expect(follower.describe(view)).to.deep.equal(new Thread().describe(view));
          } finally {
            reader.unpin();
          }
        }
      }),
      { seed: SEED, numRuns: FULL_SCALE ? 3000 : 60 },
    );
  });

  it('keeps what a new thread would make of the last block where other pools have the ids of those that are gone', () => {
    const blocks = fc.array(fc.record({ pools: randomPools(TOKENS, 6), gone: fc.array(fc.nat(20), { maxLength: 6 }), seen: fc.boolean() }), {
      minLength: 3,
      maxLength: 9,
    });
    let handedOn = 0;
    fc.assert(
      fc.property(randomPools(TOKENS, 6), blocks, (first, later) => {
        const loaded = load(first, 6);
        const reader = SnapshotReader.claim(loaded.buffers, 0);
        const follower = new Thread();
        const keys = new Map<number, string>();
        for (const [at, { pools, gone, seen }] of [{ pools: [], gone: [], seen: true }, ...later].entries()) {
          nextBlock(loaded, renamed(pools, at), gone);
          if (!seen) continue;
          const view = reader.pin();
          if (view === null) throw new Error('nothing is published');
          try {
            expect(follower.describe(view)).to.deep.equal(new Thread().describe(view));
            for (let id = 0; id < view.poolCount; id++) {
              const key = view.pool(id)?.key;
              if (key !== undefined && keys.has(id) && keys.get(id) !== key) handedOn += 1;
              if (key !== undefined) keys.set(id, key);
            }
          } finally {
            reader.unpin();
          }
        }
      }),
      { seed: SEED, numRuns: FULL_SCALE ? 3000 : 30 },
    );
    expect(handedOn, 'ids that were handed on').to.be.greaterThan(0);
  });
});

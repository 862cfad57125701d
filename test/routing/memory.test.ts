// What a solver keeps between requests (sorted pairs, models, scratch memory) must not be noticed in its answers.
import { expect } from 'chai';
import fc from 'fast-check';
import { applyBlock } from '../../src/pool-set/apply-blocks.ts';
import { loadPoolSet, parsePoolSet } from '../../src/pool-set/pool-set.ts';
import { createSolver, type SolveJob, type Solver } from '../../src/routing/routing.ts';
import { SnapshotReader, type SnapshotView } from '../../src/snapshot/snapshot.ts';
import { instantNow } from '../../src/units/units.ts';
import { FULL_SCALE, SEED } from '../support/seeded-random.ts';
import { randomPools } from './random-world.ts';
import { job, type PoolEntry, token, venues } from './world.ts';

const TOKENS = 6;

type Round = {
  /** By position: pools that are gone, and pair pools whose reserves are scaled. */
  readonly removed: readonly number[];
  readonly scaled: readonly { readonly at: number; readonly percent: number }[];
  readonly added: readonly PoolEntry[];
  readonly requests: readonly Request[];
};
type Request = {
  readonly ends: readonly [number, number];
  readonly amount: bigint;
  readonly mode: 'sell' | 'buy';
  readonly maxHops: number;
  readonly exclude: boolean;
};

const end = fc.integer({ min: 0, max: TOKENS - 1 });
const request: fc.Arbitrary<Request> = fc.record({
  ends: fc.tuple(end, end).filter(([a, b]) => a !== b),
  amount: fc.double({ min: 3, max: 24, noNaN: true }).map((exponent) => BigInt(Math.round(10 ** exponent))),
  mode: fc.constantFrom('sell' as const, 'buy' as const),
  maxHops: fc.integer({ min: 1, max: 4 }),
  exclude: fc.boolean(),
});
const round: fc.Arbitrary<Round> = fc.record({
  removed: fc.array(fc.nat(20), { maxLength: 2 }),
  scaled: fc.array(fc.record({ at: fc.nat(20), percent: fc.integer({ min: 20, max: 300 }) }), { maxLength: 4 }),
  added: randomPools(TOKENS, 3),
  requests: fc.array(request, { minLength: 1, maxLength: 5 }),
});

describe('what a solver keeps between requests', () => {
  it('does not show: after any blocks and requests it answers as a new one does', () => {
    fc.assert(
      fc.property(randomPools(TOKENS, 14), fc.array(round, { minLength: 2, maxLength: 5 }), (entries, rounds) => {
        const market = openMarket(entries);
        const seasoned = newSolver();
        rounds.forEach((each, number) => {
          market.change(each, number);
          for (const { ends, amount, mode, maxHops, exclude } of each.requests) {
            const asked = job(token(ends[0]), token(ends[1]), amount, {
              mode,
              maxHops,
              ...(exclude ? { filter: { include: null, exclude: ['uniswap_v3'], excludeRfq: false, excludeRwa: false } } : {}),
            });
            market.pinned((view) => expect(answer(seasoned, asked, view)).to.deep.equal(answer(newSolver(), asked, view)));
          }
        });
      }),
      { seed: SEED, numRuns: FULL_SCALE ? 2000 : 40 },
    );
  });
});

function newSolver(): Solver {
  return createSolver({
    chain: { chainId: 31337, wrappedNative: token(0), minimumGasPriceWei: 1n },
    venues,
    now: instantNow,
    cancelled: () => false,
  });
}

function answer(solver: Solver, asked: SolveJob, view: SnapshotView) {
  const result = solver.solve(asked, view);
  return result.ok ? { hops: result.plan.hops, sold: result.plan.sellAmount, bought: result.plan.grossAmount, mode: result.plan.gasMode } : result.reason;
}

function openMarket(entries: readonly PoolEntry[]) {
  const tokens = Object.fromEntries(Array.from({ length: TOKENS }, (_, number) => [token(number), { decimals: 18 }]));
  const parsed = parsePoolSet({ chainId: 31337, wrappedNative: token(0), tokens, pools: entries, gasPriceWei: '1000' });
  if (!parsed.ok) throw new Error(parsed.message);
  const loading = loadPoolSet(parsed.set, { venues, capacity: { arenaBytes: 2 ** 22, pools: 512, tokens: 64, slots: 4 } });
  if (!loading.ok) throw new Error(loading.message);
  const { loaded } = loading;
  const reader = SnapshotReader.claim(loaded.buffers, 0);
  const held = new Map(entries.map((entry) => [String(entry.id), entry]));
  return {
    change({ removed, scaled, added }: Round, number: number): void {
      const ids = [...held.keys()];
      const changed: Record<string, Record<string, unknown>> = {};
      for (const { at, percent } of scaled) {
        const entry = held.get(ids[at] ?? '');
        if (entry === undefined || entry.kind !== 'constantProduct') continue;
        const reserves = (entry.reserves as string[]).map((reserve, side) => String((BigInt(reserve) * BigInt(side === 0 ? percent : 100)) / 100n + 1n));
        held.set(String(entry.id), { ...entry, reserves });
        changed[String(entry.id)] = { reserves };
      }
      for (const [index, entry] of added.entries()) {
        const id = `0x${(0xd0000 + number * 100 + index).toString(16).padStart(40, '0')}`;
        held.set(id, { ...entry, id });
        changed[id] = { ...entry, id };
      }
      const gone = removed.map((at) => ids[at]).filter((id) => id !== undefined);
      for (const id of gone) {
        held.delete(id);
        delete changed[id];
      }
      applyBlock(loaded, { block: loaded.block.number + 1, removed: gone, changed });
    },
    pinned(use: (view: SnapshotView) => void): void {
      const view = reader.pin();
      if (view === null) throw new Error('nothing is published');
      try {
        use(view);
      } finally {
        reader.unpin();
      }
    },
  };
}

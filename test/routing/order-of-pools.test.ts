// Ids follow the order in which a set lists its pools. They must not be noticed, least of all where equal pools leave the choice open.
import { expect } from 'chai';
import fc from 'fast-check';
import { better, type Finalist } from '../../src/routing/execute/finalists.ts';
import { addEdges, createNetwork, flowEdge, nodeOfToken, orderEdges, poolOf } from '../../src/routing/flow/network.ts';
import { Market } from '../../src/routing/market/market.ts';
import { PoolModels } from '../../src/routing/market/pool-models.ts';
import type { SolveJob } from '../../src/routing/routing.ts';
import type { PoolView } from '../../src/snapshot/snapshot.ts';
import { FULL_SCALE, SEED } from '../support/seeded-random.ts';
import { problemOf } from './problem-of.ts';
import { randomPools, randomPoolsOfManyTokens } from './random-world.ts';
import { job, openWorld, type PoolEntry, pairPool, planOf, token, venues, type World } from './world.ts';

const E18 = 10n ** 18n;
const TOKENS = 5;
const runs = (slice: number) => ({ seed: SEED, numRuns: FULL_SCALE ? slice * 50 : slice });
const amounts = fc.double({ min: 0, max: 27, noNaN: true }).map((exponent) => BigInt(Math.max(1, Math.round(10 ** exponent))));

/** The same pool under another address. */
function twin(entry: PoolEntry, index: number, copy: number): PoolEntry {
  return copy === 0 ? entry : { ...entry, id: `0x${(0xc0000 - index * 977 + copy * 31).toString(16).padStart(40, '0')}` };
}

const MESH = [
  [1, 2],
  [1, 3],
  [3, 2],
  [1, 4],
  [4, 2],
  [3, 4],
] as const;

/** Worlds in which most pools have equals, in two orders. */
const twinned = fc
  .tuple(randomPools(TOKENS, 6), fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 6, maxLength: 6 }))
  .map(([entries, copies]) => entries.flatMap((entry, index) => Array.from({ length: copies[index] ?? 1 }, (_, copy) => twin(entry, index, copy))))
  .chain((entries) => fc.tuple(fc.constant(entries), fc.shuffledSubarray(entries, { minLength: entries.length })));

/** Several equal pools between any two of the tokens 1 to 4, in two orders. */
const meshed = fc
  .tuple(...MESH.map(() => fc.tuple(fc.integer({ min: 50, max: 5000 }), fc.integer({ min: 970, max: 1030 }), fc.integer({ min: 1, max: 5 }))))
  .map((drafts) =>
    drafts.flatMap(([reserve, permille, copies], index) => {
      const entry = pairPool(index, MESH[index] ?? [1, 2], [BigInt(reserve) * E18, (BigInt(reserve * permille) * E18) / 1000n], 5);
      return Array.from({ length: copies }, (_, copy) => twin(entry, index, copy));
    }),
  )
  .chain((entries) => fc.tuple(fc.constant(entries), fc.shuffledSubarray(entries, { minLength: entries.length })));

describe('the order in which a set lists its pools', () => {
  const usd = { 0: 2000, 1: 1, 2: 1 };
  const open = (pools: readonly PoolEntry[]): World => openWorld({ pools, tokenCount: TOKENS, usd, baseFee: 1000n });

  const agree = ([entries, shuffled]: readonly PoolEntry[][], amount: bigint, more: Partial<SolveJob>): void => {
    const [one, two] = [entries, shuffled].map((pools) => {
      const world = open(pools ?? []);
      return world.solve(job(token(1), token(2), amount, more), world.view);
    });
    if (one === undefined || two === undefined) throw new Error('two answers');
    expect(two.ok).to.equal(one.ok);
    if (!one.ok) return;
    const [plan, other] = [one.plan, planOf(two)];
    expect([other.hops, other.sellAmount, other.grossAmount]).to.deep.equal([plan.hops, plan.sellAmount, plan.grossAmount]);
  };
  const gasPriceWei = fc.constantFrom(0n, 1n, 10n ** 6n, 10n ** 12n);
  const mode = fc.constantFrom('sell' as const, 'buy' as const);

  it('changes no plan, in both modes and by every gas rule', () => {
    fc.assert(fc.property(twinned, amounts, fc.record({ mode, gasPriceWei, maxHops: fc.integer({ min: 1, max: 4 }) }), agree), runs(40));
  });

  it('changes no plan where pools have many tokens', () => {
    const orders = randomPoolsOfManyTokens(TOKENS, 4).chain((entries) =>
      fc.tuple(fc.constant(entries), fc.shuffledSubarray(entries, { minLength: entries.length })),
    );
    fc.assert(fc.property(orders, amounts, fc.record({ mode, gasPriceWei, maxHops: fc.integer({ min: 1, max: 4 }) }), agree), runs(24));
  });

  it('changes no split over many equal pools', () => {
    fc.assert(
      fc.property(meshed, fc.bigInt(1n, 3000n), fc.record({ mode, gasPriceWei }), (orders, units, more) => agree(orders, units * E18, more)),
      runs(24),
    );
  });

  it('does not decide which of many equal pools a single route takes: the first by key', () => {
    const many = Array.from({ length: 7 }, (_, id) => pairPool(id, [1, 2], [1000n * E18, 1000n * E18]));
    for (const pools of [many, many.toReversed(), [...many.slice(3), ...many.slice(0, 3)]]) {
      const world = open(pools);
      const plan = planOf(world.solve(job(token(1), token(2), E18, { gasPriceWei: 10n ** 13n }), world.view));
      expect(plan.hops.map(({ poolKey }) => poolKey)).to.deep.equal([many[0]?.id]);
    }
  });

  it('leaves the pools of a pair sorted by price, and equal prices by key', () => {
    fc.assert(
      fc.property(twinned, ([, shuffled]) => {
        const { view } = open(shuffled);
        const market = new Market(new PoolModels(venues));
        for (let id = 0; id < view.tokenCount; id++) {
          const { leaving, entering } = market.around(view, id);
          for (const { edges } of [...leaving, ...entering]) {
            const sorted = [...edges].sort((a, b) => b.startPrice - a.startPrice || compare(a.pool.key, b.pool.key));
            expect(edges.map(({ pool }) => pool.key)).to.deep.equal(sorted.map(({ pool }) => pool.key));
          }
        }
      }),
      runs(20),
    );
  });

  it('leaves the edges of a network in one order, however they come', () => {
    fc.assert(
      fc.property(twinned, fc.infiniteStream(fc.nat()), ([entries], draws) => {
        const world = open(entries);
        const { view } = world;
        const problem = problemOf(world, { mode: 'sell', fixed: E18, maxHops: 3 });
        fc.pre(problem.sell >= 0 && problem.buy >= 0);
        const tokens = Array.from({ length: view.tokenCount }, (_, id) => id);
        const models = tokens.flatMap((from) =>
          problem.market.around(view, from).leaving.flatMap(({ to, edges }) => edges.map((edge) => ({ from, to, edge }))),
        );
        const orders = [models, models.toReversed(), shuffle(models, () => draws.next().value ?? 0)].map((order) => {
          const network = createNetwork(problem);
          const place = (id: number) => nodeOfToken(network, id, 0);
          addEdges(
            network,
            order.map(({ from, to, edge }) => flowEdge(place(from), place(to), { kind: 'pair', edge })),
          );
          orderEdges(network);
          return network.edges.map((edge) => `${network.nodes[edge.from]?.name} ${network.nodes[edge.to]?.name} ${poolOf(edge)?.key}`);
        });
        expect(orders[0]).to.deep.equal(orders[0]?.toSorted());
        expect([orders[1], orders[2]]).to.deep.equal([orders[0], orders[0]]);
      }),
      runs(20),
    );
  });
});

describe('the better of two finalists', () => {
  const world = openWorld({ pools: [0, 1, 2].map((id) => pairPool(id, [1, 2], [E18, E18])), tokenCount: 3 });
  const [first, second, third] = world.pools.toSorted((a, b) => compare(a.key, b.key));
  if (first === undefined || second === undefined || third === undefined) throw new Error('three pools');
  const finalist = (net: bigint, ...pools: readonly PoolView[]): Finalist => {
    const hops = pools.map((pool) => ({ pool, slotIn: 0, slotOut: 1, bps: 10_000, amountIn: 1n, amountOut: 1n, gas: 1 }));
    return { hops, steps: hops, input: 1n, output: 1n, gas: 1, net };
  };
  const rows: readonly (readonly [string, Finalist, Finalist])[] = [
    ['leaves more net, whatever its hops', finalist(3n, third, second), finalist(2n, first)],
    ['has fewer hops where they leave the same', finalist(2n, third), finalist(2n, first, second)],
    ['comes first by pool keys where hops are as many', finalist(2n, first, third), finalist(2n, second, first)],
    ['comes first by the later pool keys where the first are the same', finalist(2n, first, second), finalist(2n, first, third)],
  ];
  for (const [title, winner, loser] of rows) {
    it(`${title}, whichever was tried first`, () => {
      expect(better(winner, loser)).to.equal(winner);
      expect(better(loser, winner)).to.equal(winner);
      expect(better(null, loser)).to.equal(loser);
    });
  }
});

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function shuffle<T>(items: readonly T[], draw: () => number): T[] {
  const left = [...items];
  return items.flatMap(() => left.splice(draw() % left.length, 1));
}

import { isDeepStrictEqual } from 'node:util';
import { expect } from 'chai';
import * as fc from 'fast-check';
import {
  allocateSnapshot,
  type BlockRef,
  canonicalHash,
  headEpoch,
  type MeasuredVerdict,
  type PoolFacts,
  SnapshotReader,
  type SnapshotView,
  SnapshotWriter,
  type TokenFacts,
  type TransferVerdict,
} from '../../src/snapshot/snapshot.ts';
import { GATE_REASONS, MOST_NAMED_POOLS, TAX_SCOPES } from '../../src/snapshot/transfer-verdict.ts';
import type { Address } from '../../src/units/units.ts';
import { FULL_SCALE, SEED } from '../support/seeded-random.ts';
import { type ArenaRoom, type ExpectedEpoch, expectView } from './check-view.ts';
import { sampleAddress, sampleBlock, samplePool } from './sample-facts.ts';

const READERS = 3;
const POOLS = 10;
const TOKENS = 6;

type Step =
  | { readonly kind: 'pool'; readonly pool: number; readonly version: number; readonly shape: number }
  | { readonly kind: 'token'; readonly token: number; readonly decimals: number | null; readonly usd: number | null }
  | { readonly kind: 'verdict'; readonly token: number; readonly measured: MeasuredVerdict }
  | { readonly kind: 'remove'; readonly pool: number }
  | { readonly kind: 'publish'; readonly times: number }
  | { readonly kind: 'pin' | 'unpin'; readonly reader: number }
  | { readonly kind: 'replace-writer' };

const ppm = fc.integer({ min: 0, max: 1_000_000 });
const marks = fc.array(fc.integer({ min: 1, max: 0xffffffff }), { minLength: 1, maxLength: MOST_NAMED_POOLS });
const verdict: fc.Arbitrary<TransferVerdict> = fc.oneof(
  fc.constantFrom<TransferVerdict>({ kind: 'clean' }, { kind: 'imprecise' }, { kind: 'unmeasurable' }),
  fc.record({ kind: fc.constant('gated' as const), reason: fc.constantFrom(...GATE_REASONS) }),
  fc.record({ kind: fc.constant('taxed' as const), buyPpm: ppm, sellPpm: ppm, scope: fc.constantFrom(...TAX_SCOPES) }),
);

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ kind: fc.constant('pool' as const), pool: fc.nat(POOLS - 1), version: fc.nat(200), shape: fc.nat(99) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('token' as const),
      token: fc.nat(TOKENS - 1),
      decimals: fc.option(fc.integer({ min: 0, max: 255 })),
      usd: fc.option(fc.double({ min: 0, max: 1e9, noNaN: true })),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('verdict' as const),
      token: fc.nat(TOKENS - 1),
      measured: fc.oneof(
        fc.record({ verdict, block: fc.maxSafeNat(), openAt: marks }, { requiredKeys: ['verdict', 'block'] }),
        fc.record({ verdict, block: fc.maxSafeNat(), seenAt: marks }),
      ),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('remove' as const), pool: fc.nat(POOLS - 1) }) },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('publish' as const), times: fc.integer({ min: 1, max: 3 }) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constantFrom('pin' as const, 'unpin' as const), reader: fc.nat(READERS - 1) }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'replace-writer' as const }) },
);

// Token lists and directions that a pool may change between: a redeployed pool can come back with other tokens.
const SHAPES: readonly { readonly tokens: readonly number[]; readonly directions: readonly (readonly [number, number])[] }[] = [
  {
    tokens: [0, 1],
    directions: [
      [0, 1],
      [1, 0],
    ],
  },
  { tokens: [0, 1], directions: [[1, 0]] },
  { tokens: [0, 1], directions: [] },
  {
    tokens: [2, 0, 5],
    directions: [
      [0, 1],
      [0, 2],
      [1, 0],
      [1, 2],
      [2, 0],
      [2, 1],
    ],
  },
  {
    tokens: [3, 4],
    directions: [
      [0, 1],
      [1, 0],
    ],
  },
];

/** Usually the pool's own shape, sometimes another. */
function shapeOf(pool: number, shape: number): (typeof SHAPES)[number] {
  return SHAPES[(shape < 80 ? pool : shape) % SHAPES.length] as (typeof SHAPES)[number];
}

/** An epoch as a reader saw it: facts by pool id, and edges by token id. */
type Seen = { readonly epoch: number; readonly pools: ReadonlyMap<number, PoolFacts | undefined>; readonly edges: readonly string[] };

function seenIn(view: SnapshotView, { pools }: ExpectedEpoch): Seen {
  const ids = Array.from({ length: view.poolCount }, (_, id) => id);
  const edges = Array.from({ length: view.tokenCount }, (_, id) => view.edgesFrom(id).join());
  return { epoch: view.epoch, pools: new Map(ids.map((id) => [id, pools.get(view.pool(id)?.key ?? '')])), edges };
}

/** The changes of a view since another one name all that is not the same, and of the pools that are there no other. */
function expectChanges(view: SnapshotView, last: Seen, now: Seen): void {
  const changes = view.changesSince(last.epoch);
  const written = [...now.pools].filter(([id, facts]) => facts === undefined || facts !== last.pools.get(id)).map(([id]) => id);
  expect(changes.pools).to.have.members(written);
  expect(changes.tokens).to.include.members([...now.edges.keys()].filter((id) => now.edges[id] !== (last.edges[id] ?? '')));
}

/** A writer and readers beside plain Maps that say what each should show. */
class World {
  readonly buffers;
  writer: SnapshotWriter;
  readonly readers: readonly SnapshotReader[];
  readonly pinned = new Map<number, { readonly view: SnapshotView; readonly expected: ExpectedEpoch; readonly hash: string }>();
  readonly ids = new Map<string, number>();
  /** What each reader saw last. */
  readonly #seen = new Map<number, Seen>();
  pools = new Map<string, PoolFacts>();
  tokens = new Map<Address, TokenFacts>();
  verdicts = new Map<Address, MeasuredVerdict>();
  published: ExpectedEpoch | undefined;
  refusals = 0;
  skipped = 0;
  /** How often a pool was given the id that another one had. */
  handedOn = 0;
  #blocks = 0;
  /** Whether the writer has published: until then it does not know which edges its predecessor owed. */
  #settled = true;
  /** Pools that were there at some time since the newest epoch. */
  #met = new Set<string>();
  readonly #poolIds: number;

  constructor(arenaBytes: number, slots: number, poolIds = POOLS) {
    this.#poolIds = poolIds;
    this.buffers = allocateSnapshot({ arenaBytes, pools: poolIds, tokens: TOKENS, readers: READERS, slots });
    this.writer = new SnapshotWriter(this.buffers);
    this.readers = Array.from({ length: READERS }, (_, thread) => SnapshotReader.claim(this.buffers, thread));
  }

  setPool(facts: PoolFacts): void {
    const put = this.writer.setPool(facts);
    if (!put.ok) {
      if (this.#poolIds === POOLS) expect(put.reason).to.equal('arena-full');
      else this.#expectNoIdIsFree(put.reason);
      this.refusals += 1;
      this.pools.delete(facts.key);
      return;
    }
    expect(put.id).to.equal(this.ids.get(facts.key) ?? put.id, 'a pool keeps its id');
    for (const [key, id] of this.ids) {
      if (id !== put.id || key === facts.key) continue;
      expect([this.pools.has(key), this.published?.pools.has(key) ?? false], `${key} is gone, and was before`).to.deep.equal([false, false]);
      this.ids.delete(key);
      this.handedOn += 1;
    }
    this.ids.set(facts.key, put.id);
    this.#met.add(facts.key);
    // What is staged as it is changes nothing.
    if (!isDeepStrictEqual(this.pools.get(facts.key), facts)) this.pools.set(facts.key, facts);
    for (const address of facts.tokens) if (!this.tokens.has(address)) this.tokens.set(address, { address, decimals: null, usd: null });
  }

  /** Each id is that of a pool that is there, was a moment ago, or that the readers of the newest epoch still see. */
  #expectNoIdIsFree(reason: string): void {
    expect(reason).to.equal('too-many-pools');
    const there = new Set([...this.#met, ...(this.published?.pools.keys() ?? [])]);
    if (this.#settled) expect(there.size).to.be.at.least(this.#poolIds);
  }

  publish(): void {
    const block: BlockRef = sampleBlock(++this.#blocks, this.#blocks % 3 === 0 ? null : 2n ** 70n + BigInt(this.#blocks));
    const before = headEpoch(this.buffers);
    const result = this.writer.publish(block);
    if (!result.ok) {
      expect(headEpoch(this.buffers)).to.equal(before);
      this.skipped += 1;
      return;
    }
    expect(result.epoch).to.be.greaterThan(before).and.equal(headEpoch(this.buffers));
    this.#settled = true;
    this.#met = new Set(this.pools.keys());
    this.published = { block, pools: new Map(this.pools), tokens: new Map(this.tokens), verdicts: new Map(this.verdicts) };
    const present = [...this.pools.values()].map(({ key, source, venue }) => ({ key, source, venue }));
    expect(this.writer.presentPools().map(({ key, source, venue }) => ({ key, source, venue }))).to.have.deep.members(present);
    expect(this.writer.stats().pools).to.equal(present.length);
  }

  /** A dead writer takes its staged changes with it. */
  replaceWriter(): void {
    this.writer = new SnapshotWriter(this.buffers);
    this.pools = new Map(this.published?.pools ?? []);
    this.tokens = new Map(this.published?.tokens ?? []);
    this.verdicts = new Map(this.published?.verdicts ?? []);
    this.ids.clear();
    this.#met = new Set(this.pools.keys());
    this.#settled = false;
  }

  pin(index: number, arena: ArenaRoom): void {
    if (this.pinned.has(index)) return;
    const view = this.readers[index]?.pin() ?? null;
    if (this.published === undefined) {
      expect(view).to.equal(null);
      return;
    }
    if (view === null) throw new Error('a published snapshot could not be pinned');
    expect(view.epoch).to.equal(headEpoch(this.buffers));
    expectView(view, this.published, arena);
    this.pinned.set(index, { view, expected: this.published, hash: canonicalHash(view) });
    const seen = seenIn(view, this.published);
    const last = this.#seen.get(index);
    if (last !== undefined) expectChanges(view, last, seen);
    this.#seen.set(index, seen);
  }

  unpin(index: number): void {
    this.readers[index]?.unpin();
    this.pinned.delete(index);
  }

  checkPins(arena: ArenaRoom): void {
    for (const { view, expected, hash } of this.pinned.values()) {
      expectView(view, expected, arena);
      expect(canonicalHash(view)).to.equal(hash);
    }
  }

  run(one: Step, arena: ArenaRoom): void {
    switch (one.kind) {
      case 'pool': {
        const { tokens, directions } = shapeOf(one.pool, one.shape);
        this.setPool(samplePool(one.pool, tokens, one.version, directions));
        break;
      }
      case 'token': {
        const facts = { address: sampleAddress(one.token), decimals: one.decimals, usd: one.usd };
        expect(this.writer.setToken(facts).ok).to.equal(true);
        this.tokens.set(facts.address, facts);
        break;
      }
      case 'verdict': {
        const address = sampleAddress(one.token);
        expect(this.writer.setVerdict(address, one.measured).ok).to.equal(true);
        if (!this.tokens.has(address)) this.tokens.set(address, { address, decimals: null, usd: null });
        this.verdicts.set(address, one.measured);
        break;
      }
      case 'remove': {
        const { key } = samplePool(one.pool, [0, 1], 0);
        expect(this.writer.removePool(key)).to.equal(this.pools.delete(key));
        break;
      }
      case 'publish':
        for (let i = 0; i < one.times; i++) this.publish();
        this.checkPins(arena);
        break;
      case 'pin':
        this.pin(one.reader, arena);
        break;
      case 'unpin':
        this.unpin(one.reader);
        break;
      case 'replace-writer':
        this.replaceWriter();
        break;
      default:
        one satisfies never;
    }
  }

  finish(arena: ArenaRoom): void {
    this.checkPins(arena);
    for (let index = 0; index < READERS; index++) this.unpin(index);
    this.publish();
    this.pin(0, arena);
    this.unpin(0);
  }
}

describe('The snapshot against a plain model', () => {
  it('refuses a verdict that no record can hold', () => {
    const { writer } = new World(256 * 1024, READERS + 2);
    const taxed = (buyPpm: number, sellPpm: number): TransferVerdict => ({ kind: 'taxed', buyPpm, sellPpm, scope: 'universal' });
    const refused: readonly MeasuredVerdict[] = [
      { verdict: { kind: 'clean' }, block: -1 },
      { verdict: { kind: 'clean' }, block: 0.5 },
      { verdict: taxed(1_000_001, 0), block: 1 },
      { verdict: taxed(0, -1), block: 1 },
      { verdict: taxed(0.5, 0), block: 1 },
      { verdict: { kind: 'clean' }, block: 1, openAt: [] },
      { verdict: { kind: 'clean' }, block: 1, openAt: Array.from({ length: MOST_NAMED_POOLS + 1 }, (_, n) => n + 1) },
      { verdict: { kind: 'clean' }, block: 1, seenAt: [] },
      { verdict: { kind: 'clean' }, block: 1, openAt: [1], seenAt: [1] },
      { verdict: { kind: 'clean' }, block: 1, openAt: [0] },
      { verdict: { kind: 'clean' }, block: 1, openAt: [2 ** 32] },
    ];
    for (const measured of refused) expect(() => writer.setVerdict(sampleAddress(0), measured)).to.throw(TypeError);
    writer.publish(sampleBlock(1));
    expect(writer.stats().tokens).to.equal(0);
  });

  const runs = { seed: SEED, numRuns: FULL_SCALE ? 3000 : 30 };
  const steps = fc.array(step, { minLength: 20, maxLength: 120, size: 'max' });

  it('shows each pinned reader exactly the contents of its epoch, whatever is published, retired and reused meanwhile', () => {
    fc.assert(
      fc.property(steps, (list) => {
        const world = new World(256 * 1024, READERS + 2);
        for (const one of list) world.run(one, 'roomy');
        world.finish('roomy');
        expect(world.skipped).to.equal(0, 'a ring with two slots more than readers is never full (B9)');
        expect(world.refusals).to.equal(0, 'this arena has room for everything');
      }),
      runs,
    );
  });

  it('shows a pool that a full arena could not take as absent, and every other one as it is', () => {
    let refusals = 0;
    fc.assert(
      fc.property(steps, (list) => {
        const world = new World(12 * 1024, READERS + 2);
        for (const one of list) world.run(one, 'full');
        world.finish('full');
        refusals += world.refusals;
      }),
      { ...runs, numRuns: runs.numRuns / 5 },
    );
    expect(refusals).to.be.greaterThan(0, 'the arena of this test is too large to be filled');
  });

  it('gives the ids of pools that are gone to others once all are taken, and no reader of any epoch sees one pool under the id of another', () => {
    let [handedOn, refusals] = [0, 0];
    fc.assert(
      fc.property(steps, (list) => {
        const world = new World(256 * 1024, READERS + 2, POOLS / 2);
        for (const one of list) world.run(one, 'roomy');
        world.finish('roomy');
        handedOn += world.handedOn;
        refusals += world.refusals;
      }),
      { ...runs, numRuns: runs.numRuns / 5 },
    );
    expect(handedOn, 'ids that were handed on').to.be.greaterThan(0);
    expect(refusals, 'pools beyond the ids').to.be.greaterThan(0);
  });

  it('skips publishes while a short ring is pinned, and shows the merged changes after', () => {
    let skipped = 0;
    fc.assert(
      fc.property(steps, (list) => {
        const world = new World(256 * 1024, 2);
        for (const one of list) world.run(one, 'roomy');
        world.finish('roomy');
        skipped += world.skipped;
      }),
      { ...runs, numRuns: runs.numRuns / 5 },
    );
    expect(skipped).to.be.greaterThan(0, 'the ring of this test was never full');
  });

  it('gives the arena back: after any history the same state takes the same number of bytes', () => {
    const baseline = bytesOfBaseState(new World(256 * 1024, READERS + 2));
    fc.assert(
      fc.property(steps, (list) => {
        const world = new World(256 * 1024, READERS + 2);
        bytesOfBaseState(world);
        for (const one of list) if (one.kind !== 'token' && one.kind !== 'verdict') world.run(one, 'roomy');
        for (let index = 0; index < READERS; index++) world.unpin(index);
        expect(bytesOfBaseState(world)).to.equal(baseline);
      }),
      { ...runs, numRuns: runs.numRuns / 2 },
    );
  });
});

function bytesOfBaseState(world: World): number {
  for (let pool = 0; pool < POOLS; pool++) {
    const { tokens, directions } = shapeOf(pool, 0);
    world.setPool(samplePool(pool, tokens, pool, directions));
  }
  world.publish();
  return world.writer.stats().arenaUsedBytes;
}

import { expect } from 'chai';
import { type BlockRef, EDGE_STRIDE, type MeasuredVerdict, type PoolFacts, type SnapshotView, type TokenFacts } from '../../src/snapshot/snapshot.ts';
import type { Address } from '../../src/units/units.ts';

/** What an epoch should show, kept by the test in plain Maps. Contents are never changed, only replaced. */
export type ExpectedEpoch = {
  readonly block: BlockRef;
  readonly pools: ReadonlyMap<string, PoolFacts>;
  /** Every token ever staged before the publish. */
  readonly tokens: ReadonlyMap<Address, TokenFacts>;
  /** Those of tokens that were measured before the publish. */
  readonly verdicts: ReadonlyMap<Address, MeasuredVerdict>;
};

/** In a full arena the index may miss edges, and the numbers and the verdict of a token may be unknown; they are never those of another epoch. */
export type ArenaRoom = 'roomy' | 'full';

/** Compares everything that a view can tell with what the epoch should show. */
export function expectView(view: SnapshotView, expected: ExpectedEpoch, arena: ArenaRoom = 'roomy'): void {
  expect(view.block).to.deep.equal(expected.block);
  expect(view.tokenCount).to.equal(expected.tokens.size);
  for (const facts of expected.tokens.values()) {
    const shown = view.token(view.tokenId(facts.address));
    const unknown = { address: facts.address, decimals: null, usd: null };
    const verdict = view.verdictOf(view.tokenId(facts.address));
    if (arena === 'roomy' || verdict !== null) expect(verdict).to.deep.equal(expected.verdicts.get(facts.address) ?? null);
    expect(shown).to.deep.equal(arena === 'full' && shown.decimals === null && shown.usd === null ? unknown : facts);
  }
  const ids = new Map<string, number>();
  for (let id = 0; id < view.poolCount; id++) {
    const pool = view.pool(id);
    if (pool === undefined) continue;
    const facts = expected.pools.get(pool.key);
    if (facts === undefined) throw new Error(`pool ${pool.key} should be absent from epoch ${view.epoch}`);
    ids.set(pool.key, id);
    expect(pool.id).to.equal(id);
    expect(readFacts(view, id)).to.deep.equal(facts);
  }
  expect([...ids.keys()].sort()).to.deep.equal([...expected.pools.keys()].sort());
  if (arena === 'roomy') expectEdges(view, expected, ids);
}

/** A pool as the facts that it was made of. Directions without a curve are checked to answer undefined. */
export function readFacts(view: SnapshotView, id: number): PoolFacts | undefined {
  const pool = view.pool(id);
  if (pool === undefined) return undefined;
  const curves = [];
  for (let slotIn = 0; slotIn < pool.tokens.length; slotIn++) {
    for (let slotOut = 0; slotOut < pool.tokens.length; slotOut++) {
      const curve = pool.curve(slotIn, slotOut);
      if (curve !== undefined) curves.push({ slotIn, slotOut, curve });
    }
  }
  return {
    key: pool.key,
    address: pool.address,
    hook: pool.hook,
    protocol: pool.protocol,
    source: pool.source,
    venue: pool.venue,
    tokens: pool.tokens.map((token) => view.token(token).address),
    ...(Object.keys(pool.legFacts).length === 0 ? {} : { legFacts: pool.legFacts }),
    words: pool.words,
    curves,
  };
}

function expectEdges(view: SnapshotView, expected: ExpectedEpoch, ids: ReadonlyMap<string, number>): void {
  for (const address of expected.tokens.keys()) {
    const edges: number[][] = [];
    for (const pool of expected.pools.values()) {
      // Both ways for every curve, each way once.
      const bothWays = new Map(
        pool.curves.flatMap(({ slotIn, slotOut }) => [
          [`${slotIn} ${slotOut}`, [slotIn, slotOut]],
          [`${slotOut} ${slotIn}`, [slotOut, slotIn]],
        ]),
      );
      for (const [slotIn = 0, slotOut = 0] of bothWays.values()) {
        if (pool.tokens[slotIn] !== address) continue;
        edges.push([ids.get(pool.key) ?? -1, slotIn, slotOut, view.tokenId(pool.tokens[slotOut] ?? address)]);
      }
    }
    edges.sort(
      ([poolA = 0, inA = 0, outA = 0, tokenA = 0], [poolB = 0, inB = 0, outB = 0, tokenB = 0]) => tokenA - tokenB || poolA - poolB || inA - inB || outA - outB,
    );
    const read = view.edgesFrom(view.tokenId(address));
    const shown: number[][] = [];
    for (let at = 0; at < read.length; at += EDGE_STRIDE) shown.push([...read.subarray(at, at + EDGE_STRIDE)]);
    expect(shown).to.deep.equal(edges);
  }
}

// What a solver thread reads, and so what it can keep, is the neighbourhood of its requests and not the snapshot.
import { expect } from 'chai';
import { generateSet } from '../../bench/solver/generate/generate.ts';
import { loadPoolSet, parsePoolSet } from '../../src/pool-set/pool-set.ts';
import { createSolver } from '../../src/routing/routing.ts';
import { SnapshotReader, type SnapshotView } from '../../src/snapshot/snapshot.ts';
import { asAddress, type InstantMs, instantNow } from '../../src/units/units.ts';
import { job, venues } from './world.ts';

type Kept = { readonly pools: readonly string[]; readonly tokens: readonly string[]; readonly answers: readonly unknown[] };
type Generated = ReturnType<typeof generateSet>;

/** The wrapped native token of the generated sets' chain. */
const WETH = '0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2';
const OUTSIDE = 2000;
const generated = (outside: number): Generated => generateSet({ size: 'M', seed: 1, requests: 5, outside });

/** Solves requests of a set by a new solver and lists the pools and the tokens' edge lists that it ever asked for. Gas is not counted: its worth is a question of its own. */
function solveIn({ poolSet, requests }: Generated, maxHops: number, warm = false): Kept {
  const { gasPriceWei: _gas, ...quiet } = poolSet;
  const parsed = parsePoolSet(quiet);
  if (!parsed.ok) throw new Error(parsed.message);
  const loading = loadPoolSet(parsed.set, { venues, capacity: { arenaBytes: 2 ** 26, pools: 8192, tokens: 4096, slots: 2 } });
  if (!loading.ok) throw new Error(loading.message);
  const { loaded } = loading;
  const reader = SnapshotReader.claim(loaded.buffers, 0);
  const view = reader.pin();
  if (view === null) throw new Error('nothing is published');
  expect(view.poolCount).to.equal(poolSet.pools.length);
  const pools = new Set<string>();
  const tokens = new Set<string>();
  const { epoch, block, tokenCount, poolCount } = view;
  const watched: SnapshotView = {
    epoch,
    block,
    tokenCount,
    poolCount,
    tokenId: (address) => view.tokenId(address),
    token: (id) => view.token(id),
    verdictOf: (id) => view.verdictOf(id),
    edgesFrom(id) {
      tokens.add(view.token(id).address);
      return view.edgesFrom(id);
    },
    pool(id) {
      const pool = view.pool(id);
      if (pool !== undefined) pools.add(pool.key);
      return pool;
    },
    changesSince: (since) => view.changesSince(since),
  };
  const chain = { chainId: 1, wrappedNative: loaded.wrappedNative, minimumGasPriceWei: 1n };
  const { solve, warmUp } = createSolver({ chain, venues, now: instantNow, cancelled: () => false });
  if (warm) warmUp(watched, (instantNow() + 60_000) as InstantMs);
  const answers = requests.requests.flatMap(({ sellToken, buyToken, sellAmount }) =>
    (['sell', 'buy'] as const).map((mode) => {
      const result = solve(job(asAddress(sellToken), asAddress(buyToken), BigInt(sellAmount), { chainId: 1, mode, maxHops }), watched);
      return result.ok ? [result.plan.sellAmount, result.plan.grossAmount] : result.reason;
    }),
  );
  reader.unpin();
  return { pools: [...pools].sort(), tokens: [...tokens].sort(), answers };
}

/** Pools and tokens that a thread may know without a request: within two hops of the wrapped native token, where reference prices reach. */
function aroundNative({ poolSet }: Generated): { readonly tokens: ReadonlySet<string>; readonly pools: ReadonlySet<string> } {
  const tokens = new Set<string>([WETH]);
  for (let hop = 0; hop < 2; hop++) {
    const before = new Set(tokens);
    for (const pool of poolSet.pools) if (pool.tokens.some((at) => before.has(at))) for (const at of pool.tokens) tokens.add(at);
  }
  return { tokens, pools: new Set(poolSet.pools.filter((pool) => pool.tokens.some((at) => tokens.has(at))).map(({ id }) => id)) };
}

describe('what a solver keeps of a snapshot', () => {
  it('does not grow with pools outside the neighbourhood of its requests and of the native token', () => {
    const [alone, among] = [0, OUTSIDE].map((outside) => solveIn(generated(outside), 3)) as [Kept, Kept];
    const inside = generated(0).poolSet.pools.map(({ id }) => id);
    expect(alone.pools).to.have.lengthOf.within(1, inside.length);
    expect(alone.tokens).to.have.lengthOf.within(1, 200);
    expect(among.tokens).to.deep.equal(alone.tokens);
    expect(among.answers).to.deep.equal(alone.answers);
    // Of the pools beyond, only those at the edge: of a token that is kept anyway.
    const near = aroundNative(generated(OUTSIDE));
    expect(among.pools.filter((key) => !inside.includes(key) && !near.pools.has(key))).to.deep.equal([]);
    expect(among.pools.length - alone.pools.length).to.be.at.most(OUTSIDE / 1000);
  });

  it('nor does it when the thread warmed up, after which a request meets little more', () => {
    const [alone, among] = [0, OUTSIDE].map((outside) => solveIn(generated(outside), 3, true)) as [Kept, Kept];
    const warmed = solveIn({ ...generated(0), requests: { requests: [] } }, 3, true);
    expect([among.tokens, among.answers]).to.deep.equal([alone.tokens, alone.answers]);
    expect(among.pools.length - alone.pools.length).to.be.at.most(OUTSIDE / 1000);
    expect(warmed.pools.length).to.be.above((alone.pools.length * 9) / 10);
  });

  it('is what lies around the native token and the pools of the two tokens where a trade may take one hop', () => {
    const set = generated(OUTSIDE);
    const near = aroundNative(set);
    for (const request of set.requests.requests.slice(0, 3)) {
      const ends = [request.sellToken, request.buyToken];
      const own = set.poolSet.pools.filter(({ tokens }) => tokens.some((token) => ends.includes(token))).map(({ id }) => id);
      const kept = solveIn({ ...set, requests: { requests: [request] } }, 1);
      expect([...near.pools, ...own]).to.include.members([...kept.pools]);
      expect([...near.tokens, ...ends]).to.include.members([...kept.tokens]);
    }
  });
});

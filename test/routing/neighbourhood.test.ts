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
    edgesFrom(id) {
      tokens.add(view.token(id).address);
      return view.edgesFrom(id);
    },
    pool(id) {
      const pool = view.pool(id);
      if (pool !== undefined) pools.add(pool.key);
      return pool;
    },
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

describe('what a solver keeps of a snapshot', () => {
  it('does not grow with pools outside the neighbourhood of its requests', () => {
    const [alone, among] = [0, OUTSIDE].map((outside) => solveIn(generated(outside), 3));
    expect(alone?.pools).to.have.lengthOf.within(1, 1000);
    expect(alone?.tokens).to.have.lengthOf.within(1, 200);
    expect(among).to.deep.equal(alone);
  });

  it('nor does it when the thread warmed up, after which a request meets little more', () => {
    const [alone, among] = [0, OUTSIDE].map((outside) => solveIn(generated(outside), 3, true));
    const [warmed] = [solveIn({ ...generated(0), requests: { requests: [] } }, 3, true)];
    expect(among).to.deep.equal(alone);
    expect(warmed.pools.length).to.be.above(((alone?.pools.length ?? 0) * 9) / 10);
  });

  it('is the pools of the two tokens alone where a trade may take one hop', () => {
    const set = generated(OUTSIDE);
    for (const request of set.requests.requests.slice(0, 3)) {
      const ends = [request.sellToken, request.buyToken];
      const near = set.poolSet.pools.filter(({ tokens }) => tokens.some((token) => ends.includes(token))).map(({ id }) => id);
      const kept = solveIn({ ...set, requests: { requests: [request] } }, 1);
      expect(near).to.include.members([...kept.pools]);
      expect(ends).to.include.members([...kept.tokens]);
    }
  });
});

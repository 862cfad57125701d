import { expect } from 'chai';
import { clearArbitrage } from '../../src/offline/offline.ts';
import { type SnapshotView, WordReader } from '../../src/snapshot/snapshot.ts';
import { loadSolverVenues, type SolverVenues } from '../../src/venues/venues.ts';
import { openMarket, randomPools, type SmallPool, tokenAddress } from '../routing-oracle/small-market.ts';
import { MOMENT } from '../support/moment.ts';
import { FULL_SCALE, SEED, seededRandom } from '../support/seeded-random.ts';

const CASES = FULL_SCALE ? 1000 : 60;
const TOKENS = 4;
const DEPTH = 10n ** 18n;

describe('--clear-arbitrage', () => {
  let venues: SolverVenues;
  before(async () => {
    venues = await loadSolverVenues();
  });

  it('takes out of constant-product pools exactly what it says, token by token', () => {
    const random = seededRandom('what clearing takes out');
    let traded = 0;
    for (let run = 0; run < CASES; run++) {
      const pools = deepPools(random.integer(0, 2 ** 31), 6);
      const { loaded, reader, read } = openMarket(pools, TOKENS, venues);
      const before = read((view) => holdings(view, venues));
      const cleared = clearArbitrage(loaded, reader, venues);
      const after = read((view) => holdings(view, venues));
      traded += cleared.trades;
      for (let token = 0; token < TOKENS; token++) {
        const address = tokenAddress(token);
        const taken = [...cleared.takenOut].find(([known]) => known === address)?.[1] ?? 0n;
        expect((before.get(address) ?? 0n) - (after.get(address) ?? 0n), `seed ${SEED}, case ${run}, token ${token}`).to.equal(taken);
        expect(taken >= 0n).to.equal(true);
      }
    }
    expect(traded).to.be.above(CASES);
  });

  it('leaves no loop over two or three pools that pays, whatever its size', () => {
    const random = seededRandom('what clearing leaves');
    for (let run = 0; run < CASES; run++) {
      const pools = run % 2 === 0 ? deepPools(random.integer(0, 2 ** 31), 6) : randomPools(random, TOKENS, 6, true);
      const { loaded, reader, read } = openMarket(pools, TOKENS, venues);
      const cleared = clearArbitrage(loaded, reader, venues);
      expect(cleared.complete).to.equal(true);
      const best = read((view) => bestLoopGain(view, venues));
      // A thousandth of a basis point for each hop is below what is looked for, more in pools whose whole units are coarse.
      expect(best, `seed ${SEED}, case ${run}: ${JSON.stringify(pools)}`).to.be.below(run % 2 === 0 ? 1e-6 : 4e-3);
    }
  });

  it('changes nothing the second time', () => {
    const { loaded, reader } = openMarket(deepPools(7, 6), TOKENS, venues);
    expect(clearArbitrage(loaded, reader, venues).trades).to.be.above(0);
    expect(clearArbitrage(loaded, reader, venues).trades).to.equal(0);
  });
});

/** Constant-product pools deep enough that rounding plays no part, at prices up to ten percent apart. */
function deepPools(seed: number, count: number): readonly SmallPool[] {
  const random = seededRandom('deep pools', seed);
  return Array.from({ length: count }, (_, index) => {
    const first = index < TOKENS - 1 ? index : random.integer(0, TOKENS - 2);
    const second = index < TOKENS - 1 ? index + 1 : random.integer(first + 1, TOKENS - 1);
    const reserves = [DEPTH * BigInt(random.integer(1, 100)), 0n];
    reserves[1] = ((reserves[0] ?? 0n) * BigInt(random.integer(950, 1050))) / 1000n;
    const id = `0x${(500 + index).toString(16).padStart(40, '0')}`;
    return {
      id,
      kind: 'constantProduct',
      venue: 'uniswap_v2',
      tokens: [tokenAddress(first), tokenAddress(second)],
      reserves: reserves.map(String),
      feePpm: 3000,
    };
  });
}

function holdings(view: SnapshotView, venues: SolverVenues): ReadonlyMap<string, bigint> {
  const held = new Map<string, bigint>();
  for (let id = 0; id < view.poolCount; id++) {
    const pool = view.pool(id);
    const state = pool === undefined ? undefined : venues.get(pool.venue)?.state.unpack(new WordReader(pool.words));
    if (pool === undefined || typeof state !== 'object' || state === null) continue;
    for (const [slot, member] of ['reserve0', 'reserve1'].entries()) {
      const address = view.token(pool.tokens[slot] as number).address;
      held.set(address, (held.get(address) ?? 0n) + BigInt(String(Reflect.get(state, member))));
    }
  }
  return held;
}

type Swap = { readonly pool: number; readonly from: number; readonly to: number; run(amount: bigint): bigint };

/** The best relative gain of a loop over two or three distinct pools, by trying many sizes exactly. */
function bestLoopGain(view: SnapshotView, venues: SolverVenues): number {
  const swaps: Swap[] = [];
  for (let id = 0; id < view.poolCount; id++) {
    const pool = view.pool(id);
    const venue = pool === undefined ? undefined : venues.get(pool.venue);
    if (pool === undefined || venue === undefined) continue;
    const state = venue.state.unpack(new WordReader(pool.words));
    for (const [slotIn, from] of pool.tokens.entries()) {
      const run = (amount: bigint): bigint => {
        const quote = venue.price.exactIn(state, slotIn, 1 - slotIn, amount, MOMENT);
        return quote.ok && quote.amountIn === amount ? quote.amountOut : 0n;
      };
      swaps.push({ pool: id, from, to: pool.tokens[1 - slotIn] as number, run });
    }
  }
  let best = 0;
  for (const a of swaps) {
    for (const b of swaps) {
      if (b.from !== a.to || b.pool === a.pool) continue;
      if (b.to === a.from) best = Math.max(best, gainOf([a, b]));
      for (const c of swaps) if (c.from === b.to && c.to === a.from && c.pool !== a.pool && c.pool !== b.pool) best = Math.max(best, gainOf([a, b, c]));
    }
  }
  return best;
}

function gainOf(loop: readonly Swap[]): number {
  let best = 0;
  for (let amount = 10n; amount < 10n ** 24n; amount *= 10n) {
    const back = loop.reduce((left, swap) => (left === 0n ? 0n : swap.run(left)), amount);
    best = Math.max(best, Number(back - amount) / Number(amount));
  }
  return best;
}

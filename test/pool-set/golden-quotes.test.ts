import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { applyBlocks, type LoadedPoolSet } from '../../src/pool-set/pool-set.ts';
import { type SnapshotView, WordReader } from '../../src/snapshot/snapshot.ts';
import { asAddress } from '../../src/units/units.ts';
import { loadSolverVenues, type SolverVenues } from '../../src/venues/venues.ts';
import { MOMENT } from '../support/moment.ts';
import { loaded, pinned, poolOf } from './loaded.ts';
import { describeWithSharedData, sharedData } from './shared-data.ts';

type GoldenRow = {
  readonly name: string;
  readonly tokenIn: string;
  readonly tokenOut: string;
  readonly amount: string;
  readonly grossAmountOut?: string;
  readonly exactSinglePool?: string;
  readonly exactPath?: readonly string[];
};

describeWithSharedData('golden quotes of another team on Ethereum block 24693622', () => {
  let venues: SolverVenues;
  let set: LoadedPoolSet;
  before(async () => {
    venues = await loadSolverVenues();
    set = await loaded(sharedData('snapshots/tycho-ethereum-24693611.snapshot.json.gz'), venues);
    const applied = await applyBlocks(set, sharedData('snapshots/tycho-ethereum-24693611.blocks.json.gz'));
    expect(applied).to.deep.include({ ok: true, blocks: 11 });
  });

  const scenarios = (): readonly GoldenRow[] => {
    const document: { readonly scenarios: readonly GoldenRow[] } = JSON.parse(
      readFileSync(sharedData('snapshots/tycho-ethereum-24693611.golden-quotes.json'), 'utf8'),
    );
    return document.scenarios.filter((row) => row.grossAmountOut !== undefined);
  };

  it('are ten, at the block that the deltas lead to', () => {
    expect(scenarios()).to.have.length(10);
    expect(set.block.number).to.equal(24693622);
  });

  /** The price facets alone, pool by pool, on the state that readers see. */
  function through(view: SnapshotView, pools: readonly string[], tokenIn: string, amountIn: bigint): { token: number; amount: bigint } {
    let at = { token: view.tokenId(asAddress(tokenIn)), amount: amountIn };
    for (const key of pools) {
      const pool = poolOf(view, key);
      const venue = venues.get(pool?.venue ?? '');
      if (pool === undefined || venue === undefined) throw new Error(`pool ${key} is not in the snapshot`);
      const slotIn = pool.tokens.indexOf(at.token);
      const quote = venue.price.exactIn(venue.state.unpack(new WordReader(pool.words)), slotIn, 1 - slotIn, at.amount, MOMENT);
      if (!quote.ok) throw new Error(`pool ${key} ${quote.reason}`);
      expect(quote.amountIn).to.equal(at.amount);
      at = { token: pool.tokens[1 - slotIn] ?? -1, amount: quote.amountOut };
    }
    return at;
  }

  for (let i = 0; i < 10; i++) {
    it(`row ${i + 1}: the pool mathematics give the gross output to the wei`, () => {
      const row = scenarios()[i];
      if (row === undefined) throw new Error('the row is missing');
      const pools = row.exactPath ?? [row.exactSinglePool ?? ''];
      const out = pinned(set, (view) => ({ ...through(view, pools, row.tokenIn, BigInt(row.amount)), wanted: view.tokenId(asAddress(row.tokenOut)) }));
      expect(String(out.amount), row.name).to.equal(row.grossAmountOut);
      expect(out.token, row.name).to.equal(out.wanted);
    });
  }
});

describeWithSharedData('the real pool sets', () => {
  let venues: SolverVenues;
  before(async () => {
    venues = await loadSolverVenues();
  });

  const leftOutOf = (set: LoadedPoolSet) => Object.fromEntries(set.tally.summary().leftOut.map(({ kind, reason, count }) => [`${kind} ${reason}`, count]));

  it('Ethereum, March 2026: every V2 and V3 pool, and a count of the kinds that are not supported', async () => {
    const set = await loaded(sharedData('snapshots/tycho-ethereum-24693611.snapshot.json.gz'), venues);
    const { pools, byKind, bySource } = set.tally.summary();
    expect(pools + set.tally.summary().leftOut.reduce((sum, { count }) => sum + count, 0)).to.equal(1431);
    expect(byKind.get('constantProduct')).to.equal(1094);
    expect(byKind.get('concentrated')).to.equal(310);
    expect([bySource.get('uniswap_v2'), bySource.get('sushiswap_v2'), bySource.get('pancakeswap_v2')]).to.deep.equal([997, 93, 4]);
    expect([bySource.get('uniswap_v3'), bySource.get('pancakeswap_v3')]).to.deep.equal([300, 10]);
    expect(leftOutOf(set)).to.deep.include({ 'fluidDexT1 kind-not-supported': 21, 'ekuboV2 kind-not-supported': 6 });
  });

  it('the auction of September 2023: two empty pairs are left out', async () => {
    const set = await loaded(sharedData('snapshots/cow-ethereum-auction-7400681.snapshot.json.gz'), venues);
    const { pools, byKind, leftOut } = set.tally.summary();
    expect(pools + leftOut.reduce((sum, { count }) => sum + count, 0)).to.equal(842);
    expect(byKind.get('constantProduct')).to.equal(351 - 2);
    // Six of them have ticks that do not add up to their liquidity: they are routed within the window that does.
    expect(byKind.get('concentrated')).to.equal(299);
    expect(leftOutOf(set)).to.deep.include({ 'constantProduct not-routable': 2 });
    expect(set.block.baseFeePerGas).to.equal(15_189_175_884n);
    const usd = (address: string) => pinned(set, (view) => view.token(view.tokenId(asAddress(address))).usd);
    // Ether was at about $1,610 that week; the file prices USDT and DAI in wei.
    expect(usd('0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2')).to.be.within(1500, 1700);
    expect(usd('0x6b175474e89094c44da98b954eedeac495271d0f')).to.be.closeTo(1, 0.01);
  });

  it('pools without a recorded address get one, and pools of heavy ticks load', async () => {
    const set = await loaded(sharedData('snapshots/tycho-ethereum-serialized-19pools.snapshot.json.gz'), venues);
    expect(set.tally.summary().pools).to.equal(19);
    const addresses = pinned(set, (view) => Array.from({ length: 19 }, (_, i) => poolOf(view, `#${i}`)?.address));
    for (const address of addresses) expect(address).to.match(/^0x[0-9a-f]{40}$/);
    expect(new Set(addresses).size).to.equal(19);
  });

  it('BSC, June 2025: pools whose ticks are missing are not routed', async () => {
    const set = await loaded(sharedData('snapshots/pancake-bsc-2025-06-a.snapshot.json.gz'), venues);
    expect(set.tally.summary().pools).to.equal(12);
    expect(leftOutOf(set)).to.deep.equal({ 'concentrated not-routable': 18 });
    expect([set.chain.name, set.wrappedNative]).to.deep.equal(['bsc', '0xbb4cdb9cbd36b01bd1cbaebf2de08d9173bc095c']);
  });
});

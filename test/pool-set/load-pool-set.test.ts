import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { applyBlock, applyBlocks, loadPoolSet, parsePoolSet } from '../../src/pool-set/pool-set.ts';
import { canonicalHash } from '../../src/snapshot/snapshot.ts';
import { asAddress } from '../../src/units/units.ts';
import { loadSolverVenues, type SolverVenues } from '../../src/venues/venues.ts';
import { loaded, pinned, poolKeys, poolOf } from './loaded.ts';
import { describeWithSharedData, fixture, sharedData } from './shared-data.ts';

const WETH = '0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2';
const USDC = '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48';
const DAI = '0x6b175474e89094c44da98b954eedeac495271d0f';
const OTHER = '0x00000000000000000000000000000000000000aa';
const FILE = fixture('small-pool-set.json');
const pool = (n: number) => `0x${n.toString(16).padStart(40, '0')}`;

const pair = (id: string, more: object = {}) => ({
  id,
  kind: 'constantProduct',
  venue: 'uniswap_v2',
  tokens: [USDC, WETH],
  reserves: ['2000000000000', '1000000000000000000000'],
  feeBps: 30,
  ...more,
});
const setOf = (pools: readonly unknown[], more: object = {}) => ({
  chainId: 1,
  tokens: { [WETH]: { decimals: 18 }, [USDC]: { decimals: 6 } },
  pools,
  ...more,
});

describe('loading a pool set', () => {
  let venues: SolverVenues;
  before(async () => {
    venues = await loadSolverVenues();
  });

  it('publishes the pools at the block of the file and leaves the rest out with counts by kind and reason', async () => {
    const small = await loaded(FILE, venues);
    const summary = small.tally.summary();
    expect(summary.pools).to.equal(26);
    expect(Object.fromEntries(summary.byKind)).to.deep.equal({ constantProduct: 16, concentrated: 10 });
    expect(summary.bySource.get('sushiswap_v2')).to.equal(4);
    expect(summary.leftOut).to.have.deep.members([
      { kind: 'constantProduct', reason: 'not-routable', count: 2 },
      { kind: 'constantProduct', reason: 'malformed', count: 1 },
      { kind: 'constantProduct', reason: 'duplicate', count: 1 },
      { kind: 'concentrated', reason: 'not-routable', count: 1 },
      { kind: 'concentrated', reason: 'malformed', count: 1 },
      { kind: 'fluidDexT1', reason: 'kind-not-supported', count: 1 },
    ]);
    expect(small.tally.labels()).to.deep.equal(['pancakeswap_v2', 'pancakeswap_v3', 'some-fork', 'sushiswap_v2', 'uniswap_v2', 'uniswap_v3']);
    pinned(small, (view) => {
      expect(poolKeys(view)).to.have.length(26);
      expect(view.block).to.deep.equal({ number: 100, hash: `0x${'a1'.repeat(32)}`, timestamp: 1700000000, baseFeePerGas: 12_000_000_000n });
    });
  });

  it('keeps the first of two pools with one id, in whatever case the id is written', async () => {
    const id = `0x${'ab'.repeat(20)}`;
    const twice = await loaded(setOf([pair(id), pair(`0x${'AB'.repeat(20)}`, { reserves: ['5', '5'] })]), venues);
    expect(twice.tally.summary().leftOut).to.deep.equal([{ kind: 'constantProduct', reason: 'duplicate', count: 1 }]);
    pinned(twice, (view) => expect(poolKeys(view)).to.deep.equal([id]));
  });

  it('labels a pool with the family before the colon, as protocol and source, since a pool set knows no hooks', async () => {
    const set = await loaded(setOf([pair(pool(1), { venue: 'uniswap_v2:old' }), pair(pool(2), { venue: 'UniV2-like' })]), venues);
    pinned(set, (view) => {
      const [variant, fork] = [poolOf(view, pool(1)), poolOf(view, pool(2))];
      expect([variant?.protocol, variant?.source, variant?.hook, variant?.venue]).to.deep.equal(['uniswap_v2', 'uniswap_v2', null, 'uniswap_v2']);
      expect([fork?.protocol, fork?.source, fork?.venue]).to.deep.equal(['univ2-like', 'univ2-like', 'uniswap_v2']);
    });
  });

  const amounts = { balances: ['1000000000000', '1000000000000000000000000'], swapFee: '400000000000000' };
  const stable = (id: string, venue: string) => ({ id, kind: 'stable', venue, tokens: [USDC, WETH], amp: '200', ...amounts });
  const weighted = (id: string, more: object = {}) => ({
    id,
    kind: 'weighted',
    venue: 'balancer_v2',
    tokens: [USDC, WETH],
    weights: ['500000000000000000', '500000000000000000'],
    ...amounts,
    ...more,
  });

  it('prices a stable pool by the venue that its label names, and leaves out one whose label names none', async () => {
    const labels = ['balancer_v2', 'balancer_v2:stablephantom', 'Balancer_V2_fork', 'curve', 'curve:ng', 'curve_fork', 'saddle'];
    const set = await loaded(setOf(labels.map((label, i) => stable(pool(i + 1), label))), venues);
    const chosen = pinned(set, (view) => labels.map((_, i) => poolOf(view, pool(i + 1))).map((found) => [found?.venue, found?.protocol]));
    expect(chosen).to.deep.equal([
      ['balancer_v2_stable', 'balancer_v2'],
      ['balancer_v2_stable', 'balancer_v2'],
      ['balancer_v2_stable', 'balancer_v2_fork'],
      ['curve', 'curve'],
      ['curve', 'curve'],
      ['curve', 'curve_fork'],
      [undefined, undefined],
    ]);
    expect(set.tally.summary().leftOut).to.deep.equal([{ kind: 'stable', reason: 'kind-not-supported', count: 1 }]);
  });

  it('does not route a pool whose mathematics need decimals that the file does not give, and one with a zero balance', async () => {
    const empty = weighted(pool(3), { balances: ['0', '1'] });
    const set = await loaded(setOf([weighted(pool(1)), weighted(pool(2), { tokens: [OTHER, WETH] }), empty]), venues);
    expect(set.tally.summary().leftOut).to.deep.equal([{ kind: 'weighted', reason: 'not-routable', count: 2 }]);
    pinned(set, (view) => expect(poolKeys(view)).to.deep.equal([pool(1)]));
  });

  it('gives a pool without a known contract a stand-in address that the id determines', async () => {
    const expected = `0x${createHash('sha256').update('#7').digest('hex').slice(-40)}`;
    const set = await loaded(setOf([pair('#7'), pair(`0x${'cd'.repeat(32)}`, { address: `0x${'EF'.repeat(20)}` })]), venues);
    pinned(set, (view) => {
      expect(poolOf(view, '#7')?.address).to.equal(expected);
      expect(poolOf(view, `0x${'cd'.repeat(32)}`)?.address).to.equal(`0x${'ef'.repeat(20)}`);
    });
  });

  it('takes a token that the file does not list without decimals or price', async () => {
    const set = await loaded(setOf([pair(pool(1), { tokens: [OTHER, WETH] })]), venues);
    pinned(set, (view) => expect(view.token(view.tokenId(asAddress(OTHER)))).to.deep.include({ decimals: null, usd: null }));
  });

  const leftOut: [string, unknown, string][] = [
    ['no object', 7, 'malformed'],
    ['no id', pair('x', { id: undefined }), 'malformed'],
    ['an empty id', pair(''), 'malformed'],
    ['an id of control characters', pair('a\u0007b'), 'malformed'],
    ['an id that is too long', pair('a'.repeat(67)), 'malformed'],
    ['one token', pair(pool(1), { tokens: [WETH] }), 'malformed'],
    ['a token twice', pair(pool(1), { tokens: [WETH, WETH] }), 'malformed'],
    ['a token twice in different case', pair(pool(1), { tokens: [WETH, WETH.toUpperCase().replace('0X', '0x')] }), 'malformed'],
    ['the native sentinel', pair(pool(1), { tokens: [`0x${'e'.repeat(40)}`, WETH] }), 'malformed'],
    ['the zero address', pair(pool(1), { tokens: [`0x${'0'.repeat(40)}`, WETH] }), 'malformed'],
    ['reserves as numbers', pair(pool(1), { reserves: [1000, 1000] }), 'malformed'],
    ['a negative reserve', pair(pool(1), { reserves: ['-1', '1000'] }), 'malformed'],
    ['a reserve above uint112', pair(pool(1), { reserves: [String(2n ** 112n), '1000'] }), 'malformed'],
    ['a fee of everything', pair(pool(1), { feeBps: 10_000 }), 'malformed'],
    ['no venue', pair(pool(1), { venue: undefined }), 'malformed'],
    ['a venue with a comma', pair(pool(1), { venue: 'a,b' }), 'malformed'],
    ['a venue of two colons', pair(pool(1), { venue: 'a:b:c' }), 'malformed'],
    ['swapEnabled false', pair(pool(1), { swapEnabled: false }), 'not-routable'],
    ['an unknown kind', pair(pool(1), { kind: '__proto__' }), 'kind-not-supported'],
  ];
  for (const [what, entry, reason] of leftOut) {
    it(`leaves out and counts one bad pool, and keeps the others: ${what} (${reason})`, async () => {
      const set = await loaded(setOf([entry, pair(pool(2))]), venues);
      const summary = set.tally.summary();
      expect(summary.pools).to.equal(1);
      expect(summary.leftOut.map((group) => [group.reason, group.count])).to.deep.equal([[reason, 1]]);
      pinned(set, (view) => expect(poolKeys(view)).to.deep.equal([pool(2)]));
    });
  }

  it('says where the malformed pool is', async () => {
    const set = await loaded(setOf([pair(pool(1)), pair(pool(2), { reserves: ['1', '2x'] })]), venues);
    expect(set.tally.summary().examples).to.deep.equal(['$.pools[1].reserves[1] must match pattern "^[0-9]+$"']);
  });

  it('refuses pools beyond the room of the snapshot, counted, and keeps those that fit', async () => {
    const pools = Array.from({ length: 6 }, (_, i) => pair(pool(i + 1)));
    const set = await loaded(setOf(pools), venues, { arenaBytes: 2 ** 20, pools: 4, tokens: 64, slots: 8 });
    expect(set.tally.summary().pools).to.equal(4);
    expect(set.tally.summary().leftOut).to.deep.equal([{ kind: 'constantProduct', reason: 'snapshot-full', count: 2 }]);
  });

  it('knows the wrapped native token from the file, else from the catalogue, else refuses', async () => {
    expect((await loaded(setOf([]), venues)).wrappedNative).to.equal(WETH);
    expect((await loaded(setOf([], { nativeToken: USDC }), venues)).wrappedNative).to.equal(USDC);
    const unknown = await loaded(setOf([], { chainId: 987654, wrappedNative: USDC }), venues);
    expect([unknown.wrappedNative, unknown.chain.chainId, unknown.chain.name]).to.deep.equal([USDC, 987654, 'chain-987654']);
    const parsed = parsePoolSet(setOf([], { chainId: 31337 }));
    if (!parsed.ok) throw new Error(parsed.message);
    const refused = loadPoolSet(parsed.set, { venues });
    expect(refused.ok ? '' : refused.message)
      .to.contain('chain 31337')
      .and.contain('wrappedNative');
  });

  it('loads the same state from the same file', async () => {
    const [first, second] = [await loaded(FILE, venues), await loaded(FILE, venues)];
    expect(pinned(first, canonicalHash)).to.equal(pinned(second, canonicalHash));
  });
});

describeWithSharedData('the real sets with Balancer pools', () => {
  let venues: SolverVenues;
  before(async () => {
    venues = await loadSolverVenues();
  });

  it('load but for pools without reserves: a production auction of September 2023', async () => {
    const { summary } = (await loaded(sharedData('snapshots/cow-ethereum-auction-7400681.snapshot.json.gz'), venues)).tally;
    expect(Object.fromEntries(summary().byKind)).to.deep.equal({ constantProduct: 349, concentrated: 299, weighted: 158, stable: 7 });
    expect(summary().leftOut).to.have.deep.members([
      { kind: 'weighted', reason: 'not-routable', count: 27 },
      { kind: 'constantProduct', reason: 'not-routable', count: 2 },
    ]);
  });

  it('load whole: Balancer pools of May 2022, whose own tokens have no edge', async () => {
    const set = await loaded(sharedData('snapshots/balancer-v2-ethereum-14717479.snapshot.json.gz'), venues);
    expect(Object.fromEntries(set.tally.summary().byKind)).to.deep.equal({ weighted: 297, stable: 8 });
    expect(set.tally.summary().leftOut).to.deep.equal([]);
    // Three stable pools hold their own token beside three others.
    const phantoms = [...set.entries.values()].filter(({ entry }) => entry.venue === 'balancer_v2:stablephantom');
    expect(phantoms).to.have.length(3);
    const facet = venues.get('balancer_v2_stable')?.state;
    for (const { entry } of phantoms) {
      const tokens = entry.tokens as readonly string[];
      const own = tokens.indexOf(String(entry.address));
      const curves = facet?.curves(
        facet.fromPoolSet?.(
          entry,
          4,
          tokens.map(() => 18),
        ),
      );
      expect(curves).to.have.length(6);
      expect(curves?.some(({ slotIn, slotOut }) => slotIn === own || slotOut === own)).to.equal(false);
    }
  });
});

describe('prices of a pool set', () => {
  let venues: SolverVenues;
  before(async () => {
    venues = await loadSolverVenues();
  });

  const usdOf = async (tokens: object, address: string): Promise<number | null> => {
    const set = await loaded({ chainId: 1, tokens, pools: [] }, venues);
    return pinned(set, (view) => view.token(view.tokenId(asAddress(address))).usd);
  };

  it('are those of the file where it gives them', async () => {
    expect(await usdOf({ [OTHER]: { decimals: 18, usd: 2.5, ethPriceWeiPerAtom: '7' } }, OTHER)).to.equal(2.5);
  });

  it('follow from wei per base unit and the USD price of the wrapped native token', async () => {
    // 2 · 10^8 wei an atom, 10^6 atoms: 0.0002 native, at $2,000: $0.40.
    expect(await usdOf({ [WETH]: { decimals: 18, usd: 2000 }, [OTHER]: { decimals: 6, ethPriceWeiPerAtom: 2e8 } }, OTHER)).to.be.closeTo(0.4, 1e-12);
  });

  it('follow from wei per base unit and a stablecoin, which is a dollar', async () => {
    // A whole USDC is 5 · 10^8 · 10^6 wei = 0.0005 native, so native is $2,000 and OTHER, at 3 · 10^-4 wei an atom of 10^-18, is $0.60.
    const tokens = {
      [USDC]: { decimals: 6, ethPriceWeiPerAtom: '500000000' },
      [OTHER]: { decimals: 18, ethPriceWeiPerAtom: '3e-4' },
      [WETH]: { decimals: 18, ethPriceWeiPerAtom: 1 },
    };
    expect(await usdOf(tokens, OTHER)).to.be.closeTo(0.6, 1e-12);
    expect(await usdOf(tokens, WETH)).to.be.closeTo(2000, 1e-9);
    expect(await usdOf(tokens, USDC)).to.be.closeTo(1, 1e-12);
  });

  it('are unknown without an anchor, without a figure, and where the figures leave the range of a float', async () => {
    const anchored = { [DAI]: { decimals: 18, ethPriceWeiPerAtom: 0.0005 } };
    expect(await usdOf({ [OTHER]: { decimals: 18, ethPriceWeiPerAtom: 1 } }, OTHER)).to.equal(null);
    expect(await usdOf({ ...anchored, [OTHER]: { decimals: 18 } }, OTHER)).to.equal(null);
    expect(await usdOf({ ...anchored, [OTHER]: { decimals: 18, ethPriceWeiPerAtom: null } }, OTHER)).to.equal(null);
    expect(await usdOf({ ...anchored, [OTHER]: { decimals: 255, ethPriceWeiPerAtom: '1e300' } }, OTHER)).to.equal(null);
    expect(await usdOf({ ...anchored, [OTHER]: { decimals: 0, ethPriceWeiPerAtom: '1e-320' } }, OTHER)).to.equal(null);
  });
});

describe('block deltas of a pool set', () => {
  const BLOCKS = fixture('small-pool-set.blocks.json');
  let venues: SolverVenues;
  before(async () => {
    venues = await loadSolverVenues();
  });

  it('publish one epoch per block, with its number, hash and time, and the frozen gas price', async () => {
    const set = await loaded(FILE, venues);
    const before = pinned(set, (view) => view.epoch);
    const applied = await applyBlocks(set, BLOCKS);
    expect(applied).to.deep.equal({ ok: true, blocks: 3, changed: 6, removed: 1 });
    pinned(set, (view) => {
      expect(view.epoch).to.equal(before + 3);
      expect(view.block).to.deep.equal({ number: 103, hash: `0x${'a4'.repeat(32)}`, timestamp: 1700000036, baseFeePerGas: 12_000_000_000n });
    });
    expect(set.block.number).to.equal(103);
  });

  it('merge fields, remove pools, leave out what they corrupt and take back what they mend', async () => {
    const set = await loaded(FILE, venues);
    const keys = () => pinned(set, poolKeys);
    const [changed, corrupted, gone, mended, created] = [pool(0xb001), pool(0xb002), pool(0xb00f), pool(0xb020), pool(0xb032)];
    const reserves = (key: string) => pinned(set, (view) => [...(poolOf(view, key)?.words ?? [])]);
    const old = reserves(changed);
    await applyBlocks(set, BLOCKS, 101);
    expect(reserves(changed)[0]).to.equal((old[0] ?? 0n) + 10n ** 12n);
    expect(keys()).to.not.include(gone);
    expect(set.block.number).to.equal(101);
    await applyBlocks(set, BLOCKS, 102);
    expect(keys()).to.not.include(corrupted);
    expect(keys()).to.include(mended);
    await applyBlocks(set, BLOCKS, 103);
    expect(keys()).to.include(corrupted).and.include(created);
    // An id that the set never held, with fields that are no whole pool, is left out and counted.
    expect(set.tally.summary().leftOut).to.deep.include({ kind: 'unknown', reason: 'malformed', count: 1 });
  });

  it('do not come twice: what is already applied is skipped', async () => {
    const [once, twice] = [await loaded(FILE, venues), await loaded(FILE, venues)];
    await applyBlocks(once, BLOCKS);
    await applyBlocks(twice, BLOCKS, 102);
    await applyBlocks(twice, BLOCKS);
    expect(await applyBlocks(twice, BLOCKS)).to.deep.include({ ok: true, blocks: 0 });
    expect(pinned(once, canonicalHash)).to.equal(pinned(twice, canonicalHash));
  });

  it('give the state that a file with the changes merged in would give', async () => {
    const start = setOf([pair(pool(1)), pair(pool(2)), pair(pool(3))], { block: 5 });
    const set = await loaded(start, venues);
    applyBlock(set, { block: 6, timestamp: 9, removed: [pool(3)], changed: { [pool(2)]: { reserves: ['77', '88'] } } });
    const merged = await loaded(setOf([pair(pool(1)), pair(pool(2), { reserves: ['77', '88'] })], { block: 6, timestamp: 9 }), venues);
    expect(pinned(set, canonicalHash)).to.equal(pinned(merged, canonicalHash));
  });

  it('refuse a malformed file with the JSON path that is wrong, and change nothing', async () => {
    const set = await loaded(FILE, venues);
    const refused = await applyBlocks(set, FILE);
    expect(refused.ok ? '' : refused.message).to.contain("$ must have required property 'blocks'");
    expect(set.block.number).to.equal(100);
  });
});

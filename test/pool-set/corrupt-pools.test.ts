import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import fc from 'fast-check';
import { applyBlock } from '../../src/pool-set/pool-set.ts';
import { type PoolView, type SnapshotView, WordReader } from '../../src/snapshot/snapshot.ts';
import { loadSolverVenues, type SolverVenues } from '../../src/venues/venues.ts';
import { MOMENT } from '../support/moment.ts';
import { seedOr } from '../support/seeded-random.ts';
import { loaded, pinned } from './loaded.ts';
import { fixture } from './shared-data.ts';

type Entry = { readonly [member: string]: unknown };

const document: { readonly tokens: object; readonly pools: readonly Entry[] } = JSON.parse(readFileSync(fixture('small-pool-set.json'), 'utf8'));
const runs = { seed: seedOr(20260101), numRuns: process.env.BRAID_SCALE === 'full' ? 20_000 : 400 };

/** Values that a broken exporter writes, and any JSON at all. */
const junk = fc.oneof(
  fc.constantFrom<unknown>(
    undefined,
    null,
    '',
    ' ',
    '0',
    '-1',
    '1e18',
    '0x10',
    '１',
    'NaN',
    -1,
    0,
    0.5,
    1e21,
    2 ** 53,
    true,
    [],
    {},
    [[]],
    '9'.repeat(78),
    '9'.repeat(200),
  ),
  fc.bigInt({ min: -(2n ** 257n), max: 2n ** 257n }).map(String),
  fc.integer(),
  fc.jsonValue(),
);

const mutation = fc.record({ at: fc.nat(), member: fc.nat(), value: junk, inside: fc.option(fc.nat()), how: fc.constantFrom('replace', 'drop', 'add') });

function mutated(entry: Entry, { member, value, inside, how }: { member: number; value: unknown; inside: number | null; how: string }): unknown {
  const names = Object.keys(entry);
  const name = names[member % names.length] ?? 'id';
  const old = entry[name];
  if (how === 'add') return { ...entry, [`${name}${member}`]: value };
  if (how === 'drop') return Object.fromEntries(Object.entries(entry).filter(([key]) => key !== name));
  if (!Array.isArray(old) || inside === null) return { ...entry, [name]: value };
  return { ...entry, [name]: old.map((item, i) => (i === inside % old.length ? value : item)) };
}

describe('a corrupt pool in a pool set', () => {
  let venues: SolverVenues;
  before(async () => {
    venues = await loadSolverVenues();
  });

  /** A pool that got in has to behave: it swaps or refuses, in both directions, at any size. */
  function prices(view: SnapshotView, pool: PoolView): void {
    const venue = venues.get(pool.venue);
    if (venue === undefined) throw new Error(`no venue ${pool.venue}`);
    const state = venue.state.unpack(new WordReader(pool.words));
    for (const amountIn of [1n, 10n ** 12n, 2n ** 255n]) {
      for (const [slotIn, slotOut] of [[0, 1] as const, [1, 0] as const]) {
        const quote = venue.price.exactIn(state, slotIn, slotOut, amountIn, MOMENT);
        if (quote.ok) expect(quote.amountOut > 0n && quote.amountIn === amountIn).to.equal(true);
      }
    }
    expect(view.token(pool.tokens[0] ?? 0).address).to.match(/^0x/);
  }

  it('never throws: it is left out and counted, or loaded whole, and the other pools stay', async () => {
    const count = document.pools.length;
    await fc.assert(
      fc.asyncProperty(mutation, async (change) => {
        const at = change.at % count;
        const pools = document.pools.map((entry, i) => (i === at ? mutated(entry, change) : entry));
        const set = await loaded({ ...document, pools }, venues);
        const summary = set.tally.summary();
        const leftOut = summary.leftOut.reduce((sum, group) => sum + group.count, 0);
        expect(summary.pools + leftOut).to.equal(count);
        expect(Math.abs(summary.pools - 26)).to.be.at.most(1);
        expect(set.writer.stats().pools).to.equal(summary.pools);
        pinned(set, (view) => {
          for (let id = 0; id < view.poolCount; id++) {
            const pool = view.pool(id);
            if (pool !== undefined) prices(view, pool);
          }
        });
      }),
      runs,
    );
  });

  it('may come with a block delta too, and goes again with the delta that mends it', async () => {
    const set = await loaded(document, venues);
    const before = set.tally.summary();
    let block = set.block.number;
    fc.assert(
      fc.property(mutation, (change) => {
        const entry = document.pools[change.at % 25] ?? {};
        const fields = mutated(entry, { ...change, how: 'replace' }) as Entry;
        const { id, ...rest } = entry;
        applyBlock(set, { block: ++block, changed: { [String(id)]: fields } });
        expect(Math.abs(set.tally.summary().pools - before.pools)).to.be.at.most(1);
        applyBlock(set, { block: ++block, changed: { [String(id)]: rest } });
        expect(set.tally.summary().pools).to.equal(before.pools);
      }),
      runs,
    );
  });
});

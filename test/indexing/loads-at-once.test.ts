import { expect } from 'chai';
import { LIMITS } from '../../src/config/limits.ts';
import { PoolBook } from '../../src/indexing/pool-book.ts';
import { Refusals } from '../../src/indexing/refusals.ts';
import { settleBook } from '../../src/indexing/settle.ts';
import type { TrackedPool } from '../../src/indexing/tracked-pool.ts';
import type { EpochSeconds } from '../../src/units/units.ts';
import { until } from '../support/until.ts';
import { addressOf, idOf, MANAGER, madeUpSingleton } from './made-up-singleton.ts';
import { virtualClock } from './virtual-clock.ts';

const MANY = LIMITS.indexing.poolsPerLoad * LIMITS.indexing.loadsAtOnce + 2;
const VENUES = ['one', 'other'];

describe('pools that have to be read again', () => {
  /** Settles a book of so many pools, in turns of both venues. Returns, by the most loads under way at once before any was answered, which venues these were of, and that all pools came. */
  async function settle(count: number): Promise<{ readonly first: readonly string[]; readonly read: number }> {
    const waiting: { readonly venue: string; readonly answer: () => void }[] = [];
    const load = (venue: string) => (pools: readonly unknown[]) =>
      new Promise<{ price: number; fee: number }[]>((resolve) => waiting.push({ venue, answer: () => resolve(pools.map(() => ({ price: 1, fee: 0 }))) }));
    const venues = new Map(VENUES.map((name) => [name, madeUpSingleton(name, { load: load(name) })]));
    const header = { number: 1, hash: idOf(1), parentHash: idOf(0), timestamp: 1 as EpochSeconds, baseFeePerGas: null, logsBloom: '0x' as const };
    const book = new PoolBook(header, 8);
    const pools = Array.from({ length: count }, (_, at): TrackedPool => {
      const pool = { key: idOf(10 + at), address: MANAGER, hook: null, protocol: 'p', source: 's', tokens: [addressOf(1), addressOf(2)], traits: {} };
      return { pool, venue: VENUES[at % 2] as string, factory: MANAGER, state: null, stale: true, rereading: { kind: 'logs' }, read: null };
    });
    book.describe([], pools, []);
    const settled = settleBook(book, venues, async (calls) => calls.map(() => null), new Refusals(virtualClock()));
    let isOver = false;
    void settled.then(() => {
      isOver = true;
    });
    // Whatever is asked for without waiting is asked for within one turn of the event loop.
    expect(await until(() => waiting.length > 0, 10_000)).to.equal(true);
    await new Promise((resolve) => setImmediate(resolve));
    const first = waiting.map(({ venue }) => venue);
    await until(() => {
      for (const { answer } of waiting.splice(0)) answer();
      return isOver;
    }, 10_000);
    await settled;
    return { first, read: book.stalePools().length === 0 ? [...book.keys()].length : 0 };
  }

  it('are read of all venues beside each other where they are few', async () => {
    expect(await settle(4)).to.deep.equal({ first: ['one', 'other'], read: 4 });
  });

  it('are read of one venue after the other, a few parts at once, where they are as many as at a start', async () => {
    const { first, read } = await settle(MANY);
    expect([new Set(first), read]).to.deep.equal([new Set(['one']), MANY]);
    expect(first.length).to.be.within(1, LIMITS.indexing.loadsAtOnce);
  });

  it('are read no more than so many parts at once, of a venue that has more of them', async () => {
    const { poolsPerLoad, loadsAtOnce } = LIMITS.indexing;
    const count = VENUES.length * poolsPerLoad * (loadsAtOnce + 2);
    expect(await settle(count)).to.deep.equal({ first: Array(loadsAtOnce).fill('one'), read: count });
  });
});

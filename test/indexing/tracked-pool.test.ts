import { expect } from 'chai';
import { LIMITS } from '../../src/config/limits.ts';
import { AuditQueue } from '../../src/indexing/audit.ts';
import { PoolBook } from '../../src/indexing/pool-book.ts';
import { deploymentOf, isDue, type TrackedPool } from '../../src/indexing/tracked-pool.ts';
import { createRandom } from '../../src/random.ts';
import type { EpochSeconds } from '../../src/units/units.ts';
import type { Rereading } from '../../src/venues/venues.ts';
import { SEED } from '../support/seeded-random.ts';
import { addressOf, idOf } from './made-up-singleton.ts';

/** Always the first of those that are drawn from. */
const inTurn = (): number => 0;

const at = (number: number) => ({ hash: idOf(number), timestamp: number as EpochSeconds });
const header = (number: number) => ({ ...at(number), number, parentHash: idOf(number - 1), baseFeePerGas: null, logsBloom: '0x' as const });

function tracked(id: number, rereading: Rereading, read: TrackedPool['read'], change: Partial<TrackedPool> = {}): TrackedPool {
  const pool = { key: String(id), address: addressOf(id), hook: null, protocol: 'p', source: 'p', tokens: [addressOf(1), addressOf(2)], traits: {} };
  return { pool, venue: `venue ${id % 2}`, factory: addressOf(90), state: 'known', stale: false, rereading, read, ...change };
}

describe('pools that the indexer tracks', () => {
  const each: Rereading = { kind: 'each-block' };
  const aged: Rereading = { kind: 'age', seconds: 10 };
  const logged: Rereading = { kind: 'logs' };

  it('are due at each block but the one they were read at, or when they are older than they may be, or never; one that is stale is read anyway', () => {
    const due = (rereading: Rereading, read: TrackedPool['read'], stale = false) => isDue(tracked(1, rereading, read, { stale }), at(20));
    expect([due(each, null), due(each, at(19)), due(each, at(20)), due(each, at(19), true)]).to.deep.equal([true, true, false, false]);
    expect([due(aged, null), due(aged, at(9)), due(aged, at(10)), due(aged, at(9), true)]).to.deep.equal([true, true, false, false]);
    expect([due(logged, null), due(logged, at(1))]).to.deep.equal([false, false]);
  });

  it('of a book are counted by venue, and named where they are due, through changes and back', () => {
    const book = new PoolBook(header(5), 4);
    const pools = [tracked(1, each, at(5)), tracked(2, aged, at(5)), tracked(3, logged, null), tracked(4, each, at(6))];
    const due = (number: number) => book.dueAt(at(number)).map(({ pool }) => pool.key);
    expect([book.countByVenue(), due(6)]).to.deep.equal([{}, []]);
    book.commit(header(6), new Map(pools.map((pool) => [pool.pool.key, pool])));
    expect(book.countByVenue()).to.deep.equal({ 'venue 0': 2, 'venue 1': 2 });
    expect([due(5), due(6), due(15), due(16)]).to.deep.equal([['4'], ['1'], ['1', '4'], ['1', '2', '4']]);
    book.commit(
      header(7),
      new Map([
        ['1', tracked(1, each, at(7))],
        ['5', tracked(5, each, null)],
      ]),
    );
    expect([book.countByVenue(), due(7)]).to.deep.equal([{ 'venue 0': 2, 'venue 1': 3 }, ['4', '5']]);
    book.rollBackTo(idOf(6));
    expect([book.countByVenue(), due(7)]).to.deep.equal([{ 'venue 0': 2, 'venue 1': 2 }, ['1', '4']]);
    book.rollBackTo(idOf(5));
    expect([book.countByVenue(), due(7)]).to.deep.equal([{ 'venue 0': 0, 'venue 1': 0 }, []]);
  });

  it('belong to their factory and to whom they name as governors', () => {
    const one = tracked(1, logged, null);
    expect(deploymentOf(one)).to.deep.equal([addressOf(90)]);
    expect(deploymentOf({ ...one, pool: { ...one.pool, governors: [addressOf(91)] } })).to.deep.equal([addressOf(90), addressOf(91)]);
  });

  const bookOf = (pools: readonly TrackedPool[]) => {
    const book = new PoolBook(header(5), 4);
    book.commit(header(6), new Map(pools.map((pool) => [pool.pool.key, pool])));
    return book;
  };

  it('are audited all that no block touched as well, at random, and none twice before all were', () => {
    const { perBlock, among } = LIMITS.indexing.auditOthers;
    const count = 3 * among + 2;
    const book = bookOf(Array.from({ length: count }, (_, id) => tracked(id, logged, null)));
    const orderOf = (seed: number): readonly string[] => {
      const queue = new AuditQueue(createRandom(seed).unit);
      return Array.from({ length: Math.ceil((2 * count) / perBlock) }, () => queue.take(book).keys).flat();
    };
    const [one, other] = [orderOf(SEED), orderOf(SEED + 1)];
    for (const order of [one, other]) {
      expect(new Set(order.slice(0, count)).size, 'all in the first round').to.equal(count);
      expect(new Set(order.slice(count, 2 * count)).size, 'all in the second').to.equal(count);
    }
    expect(one.slice(0, among)).not.to.deep.equal(other.slice(0, among));
    const expected = one.slice(0, among).filter((key, at) => Number(key) === at);
    expect(expected.length, 'in turn by chance').to.be.below(among / 10);
  });

  it('are audited all that blocks touched, and four more, each once; what could not be compared is not forgotten', () => {
    const all = Array.from({ length: 10 }, (_, id) => tracked(id, logged, null));
    const book = bookOf(all);
    const queue = new AuditQueue(inTurn);
    const keys = () => queue.take(book).keys.join(' ');
    expect([keys(), keys(), keys()]).to.deep.equal(['0 1 2 3', '4 5 6 7', '8 9 0 1']);
    expect(queue.take(bookOf(all.slice(4))).keys.join(' '), 'of another book').to.equal('4 5 6 7');
    expect(keys()).to.equal('0 1 2 3');
    for (const { pool } of all) queue.touch(pool.key, Number(pool.key) === 3 ? 6 : 7);
    queue.touch('3', 8);
    expect([queue.oldest, queue.underWaySince]).to.deep.equal([6, null]);
    const { keys: picked, touched } = queue.take(book);
    expect([[...picked].sort(), queue.oldest, queue.underWaySince]).to.deep.equal([all.map(({ pool }) => pool.key), null, 6]);
    queue.touch('3', 9);
    queue.putBack(touched);
    expect([queue.oldest, queue.take(book).touched.size]).to.deep.equal([6, 10]);
    expect(new AuditQueue(inTurn).take(bookOf(all.slice(0, 2))).keys).to.deep.equal(['0', '1']);
    expect(new AuditQueue(inTurn).take(bookOf([])).keys).to.deep.equal([]);
  });
});

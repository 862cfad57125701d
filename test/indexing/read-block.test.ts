import { expect } from 'chai';
import { PoolBook } from '../../src/indexing/pool-book.ts';
import { createBlockInterpreter } from '../../src/indexing/read-block.ts';
import type { EpochSeconds } from '../../src/units/units.ts';
import type { ChainLog } from '../../src/venues/venues.ts';
import { addressOf, FEE_CHANGED, idOf, logOf, MOVED, madeUpSingleton, OPENED } from './made-up-singleton.ts';

const MANAGER = addressOf(100);
const OTHER_MANAGER = addressOf(101);
const STRANGER = addressOf(102);
const CHAIN = { chainId: 31_337, wrappedNative: addressOf(103) };

describe('reading what a block’s logs mean for pools', () => {
  const venues = new Map([
    ['even_singleton', madeUpSingleton('even_singleton')],
    ['odd_singleton', madeUpSingleton('odd_singleton')],
  ]);
  const deployments = [MANAGER, OTHER_MANAGER].flatMap((factory) =>
    ['even_singleton', 'odd_singleton'].map((venue) => ({ venue, family: venue, factory, fromBlock: 0 })),
  );
  const interpreter = createBlockInterpreter(venues, deployments, CHAIN);
  const header = (number: number) => ({
    number,
    hash: idOf(number),
    parentHash: idOf(number - 1),
    timestamp: number as EpochSeconds,
    baseFeePerGas: null,
    logsBloom: '0x' as const,
  });
  const bookAfter = (...blocks: readonly (readonly ChainLog[])[]): PoolBook => {
    const book = new PoolBook(header(1), 8);
    for (const logs of blocks) book.commit(header(book.tip.number + 1), interpreter.read(book, header(book.tip.number + 1), logs).changes);
    return book;
  };
  const states = (book: PoolBook) => Object.fromEntries([...book.keys()].map((key) => [Number(key), book.pool(key)?.state]));

  it('pools of one contract go by the id that its logs name, and the log that opens a pool may give its first price', () => {
    const book = bookAfter([logOf(MANAGER, 5, OPENED, idOf(10)), logOf(MANAGER, 6, OPENED, idOf(12))], [logOf(MANAGER, 7, MOVED, idOf(12))]);
    expect(states(book)).to.deep.equal({ 10: { price: 5, fee: 0 }, 12: { price: 7, fee: 0 } });
    expect(book.pool(idOf(10))?.pool.address).to.equal(MANAGER);
  });

  it('pools of one contract may be of several folders: each hears of its own', () => {
    const book = bookAfter([logOf(MANAGER, 5, OPENED, idOf(10)), logOf(MANAGER, 6, OPENED, idOf(11))]);
    expect([book.pool(idOf(10))?.venue, book.pool(idOf(11))?.venue]).to.deep.equal(['even_singleton', 'odd_singleton']);
    const reading = interpreter.read(book, header(book.tip.number + 1), [logOf(MANAGER, 8, MOVED, idOf(11))]);
    expect([...reading.applied]).to.deep.equal([['odd_singleton', 1]]);
    expect(reading.unknownEmitters).to.equal(0);
  });

  it('a log of a factory may concern all that it announced, in this block and before, and nobody else’s', () => {
    const book = bookAfter(
      [logOf(MANAGER, 1, OPENED, idOf(10)), logOf(OTHER_MANAGER, 2, OPENED, idOf(20))],
      [logOf(MANAGER, 3, OPENED, idOf(11)), logOf(MANAGER, 30, FEE_CHANGED)],
    );
    expect(states(book)).to.deep.equal({ 10: { price: 1, fee: 30 }, 20: { price: 2, fee: 0 }, 11: { price: 3, fee: 30 } });
  });

  it('whoever names a pool without being its contract is not believed, and counted', () => {
    const book = bookAfter([logOf(MANAGER, 5, OPENED, idOf(10))]);
    for (const log of [logOf(STRANGER, 1, MOVED, idOf(10)), logOf(OTHER_MANAGER, 1, MOVED, idOf(10)), logOf(STRANGER, 1, FEE_CHANGED)]) {
      const { changes, unknownEmitters } = interpreter.read(book, header(book.tip.number + 1), [log]);
      expect([changes.size, unknownEmitters]).to.deep.equal([0, 1]);
    }
  });

  it('a log that is too short to name a pool is nobody’s; one of a pool that nobody announced is counted', () => {
    const book = bookAfter([logOf(MANAGER, 5, OPENED, idOf(10))]);
    const { changes, unknownEmitters } = interpreter.read(book, header(book.tip.number + 1), [
      logOf(MANAGER, 1, MOVED),
      logOf(MANAGER, 1, MOVED, idOf(99)),
      logOf(MANAGER, 1, idOf(77)),
    ]);
    expect([changes.size, unknownEmitters]).to.deep.equal([0, 2]);
  });

  it('a pool may name other emitters than its own address: a vault and the pool’s contract both speak of it', () => {
    const POOL = addressOf(50);
    const plain = madeUpSingleton('vault');
    const discover: typeof plain.track.discover = (deployment, log, chain) => {
      const found = plain.track.discover(deployment, log, chain);
      return found === null ? null : { ...found, address: POOL, emitters: [MANAGER, POOL] };
    };
    const vaults = new Map([['vault', { ...plain, track: { ...plain.track, discover } }]]);
    const reader = createBlockInterpreter(vaults, [{ venue: 'vault', family: 'vault', factory: MANAGER, fromBlock: 0 }], CHAIN);
    const book = new PoolBook(header(1), 8);
    const logs = [logOf(MANAGER, 5, OPENED, idOf(10)), logOf(POOL, 6, MOVED, idOf(10)), logOf(STRANGER, 7, MOVED, idOf(10))];
    const { changes, unknownEmitters } = reader.read(book, header(2), logs);
    expect(changes.get(idOf(10))?.state).to.deep.equal({ price: 6, fee: 0 });
    expect(unknownEmitters).to.equal(1);
  });

  it('pools that logs do not tell of are to be read at each block, or when they are older than they may be; a reorg goes back to what they were', () => {
    const rereading = { each: { kind: 'each-block' }, aged: { kind: 'age', seconds: 2 }, logged: { kind: 'logs' } } as const;
    const kinds = new Map(Object.entries(rereading).map(([name, kind]) => [name, madeUpSingleton(name, { rereading: () => kind })]));
    const factories = new Map([...kinds.keys()].map((name, at) => [name, addressOf(200 + at)]));
    const reader = createBlockInterpreter(
      kinds,
      [...factories].map(([venue, factory]) => ({ venue, family: venue, factory, fromBlock: 0 })),
      CHAIN,
    );
    const book = new PoolBook(header(1), 8);
    const keys = [...factories.keys()].map((_, at) => idOf(10 + 2 * at));
    const next = (logs: readonly ChainLog[] = []) => book.commit(header(book.tip.number + 1), reader.read(book, header(book.tip.number + 1), logs).changes);
    const stale = () => book.stalePools().map(({ venue }) => venue);
    // What settling does with an answer.
    const settle = () =>
      book.settle(new Map(book.stalePools().map((tracked) => [tracked.pool.key, { ...tracked, state: 'read', stale: false, read: book.tip }])), []);
    next([...factories.values()].map((factory, at) => logOf(factory, 5, OPENED, keys[at] as `0x${string}`)));
    expect(stale(), 'never read').to.deep.equal(['each', 'aged']);
    settle();
    next();
    expect(stale(), 'one second later').to.deep.equal(['each']);
    settle();
    next();
    next();
    expect(stale(), 'three seconds later').to.deep.equal(['each', 'aged']);
    expect(book.pool(keys[0] as string)).to.deep.include({ state: null, stale: true });
    book.rollBackTo(idOf(3));
    expect(stale(), 'gone back to a block at which all were known').to.deep.equal([]);
    expect(book.pool(keys[0] as string)?.state).to.equal('read');
  });

  it('a pool that was announced twice stays as it is, and one whose block is gone is no longer its factory’s', () => {
    const book = bookAfter([logOf(MANAGER, 5, OPENED, idOf(10))], [logOf(MANAGER, 5, OPENED, idOf(12))]);
    expect([...book.keysOfDeployment(MANAGER)].map(Number)).to.deep.equal([10, 12]);
    book.rollBackTo(idOf(2));
    expect([...book.keysOfDeployment(MANAGER)].map(Number)).to.deep.equal([10]);
  });

  it('a pool that is announced again, in the same block or later, keeps what was applied to it', () => {
    // Of a venue whose announcements say nothing of a price.
    const silent = new Map([['even_singleton', madeUpSingleton('even_singleton', { stateTopics: [MOVED] })]]);
    const reader = createBlockInterpreter(silent, [{ venue: 'even_singleton', family: 'even_singleton', factory: MANAGER, fromBlock: 0 }], CHAIN);
    const book = new PoolBook(header(1), 8);
    const next = (...logs: readonly ChainLog[]) => {
      const reading = reader.read(book, header(book.tip.number + 1), logs);
      book.commit(header(book.tip.number + 1), reading.changes);
      return reading;
    };
    next(logOf(MANAGER, 5, OPENED, idOf(10)), logOf(MANAGER, 6, MOVED, idOf(10)), logOf(MANAGER, 5, OPENED, idOf(10)));
    expect(book.pool(idOf(10))?.state).to.deep.equal({ price: 6, fee: 0 });
    const { changes, unknownEmitters } = next(logOf(MANAGER, 5, OPENED, idOf(10)));
    expect([changes.size, unknownEmitters, book.pool(idOf(10))?.state]).to.deep.equal([0, 0, { price: 6, fee: 0 }]);
  });
});

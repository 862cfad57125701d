import { expect } from 'chai';
import { LIMITS } from '../../src/config/limits.ts';
import type { ChainReader } from '../../src/indexing/chain-reader.ts';
import { buildBook } from '../../src/indexing/cold-start.ts';
import { Discovery } from '../../src/indexing/discovery.ts';
import { PoolBook } from '../../src/indexing/pool-book.ts';
import { createBlockInterpreter } from '../../src/indexing/read-block.ts';
import { Refusals } from '../../src/indexing/refusals.ts';
import { RpcError } from '../../src/indexing/rpc/rpc-error.ts';
import { settleBook } from '../../src/indexing/settle.ts';
import type { EpochSeconds } from '../../src/units/units.ts';
import type { AnnouncedBy, ChainLog, DiscoveredPool, PinnedReader, PoolAnnouncement, TrackFacet } from '../../src/venues/venues.ts';
import { addressOf, FEE_CHANGED, idOf, logOf, MOVED, madeUpSingleton, OPENED, type SingletonState } from './made-up-singleton.ts';
import { virtualClock } from './virtual-clock.ts';

const CHAIN = { chainId: 31_337, wrappedNative: addressOf(90) };
const FACTORY = addressOf(100);
const VAULT = addressOf(101);
const GUARDIAN = addressOf(102);
/** The entries of a registry, as the made-up chain gives them. */
const LIST = addressOf(103);
const VENUE = 'told_by_chain';

describe('pools of which a log does not say all', () => {
  /** What the made-up chain answers to a call of a contract: an answer, a revert, or a node that fails. */
  const chain = new Map<string, number | null | RpcError>();
  const asked: string[] = [];
  beforeEach(() => {
    chain.clear();
    asked.length = 0;
  });
  const read: PinnedReader = async (calls) =>
    calls.map(({ to }) => {
      asked.push(to);
      const answer = chain.get(to) ?? null;
      if (answer instanceof RpcError) throw answer;
      return answer === null ? null : (`0x${answer.toString(16)}` as const);
    });

  // A factory's log names a contract; the contract names the id by which the vault knows the pool. A registry names how many contracts it lists.
  const contractOf = ({ announces }: PoolAnnouncement) => addressOf(Number(announces));
  const poolOf = ({ announcement, deployment }: AnnouncedBy, id: `0x${string}`): DiscoveredPool => ({
    key: idOf(Number(id)),
    address: VAULT,
    emitters: [VAULT, contractOf(announcement)],
    governors: [GUARDIAN],
    hook: null,
    protocol: deployment.family,
    source: deployment.family,
    tokens: [addressOf(1), addressOf(2)],
    traits: announcement.facts,
  });
  const describePools: TrackFacet<SingletonState>['describe'] = async (announced, reader, isKnown) => {
    const answers = await reader(
      announced.map(({ announcement }) => ({ to: announcement.announces === 'list' ? LIST : contractOf(announcement), data: '0x' })),
    );
    return announced.map((one, at) => {
      const answer = answers[at] ?? null;
      if (answer === null) return null;
      if (one.announcement.announces !== 'list') return [poolOf(one, answer)];
      const entries = Array.from({ length: Number(answer) }, (_, entry) => 60 + entry);
      return entries.filter((entry) => !isKnown(idOf(entry))).map((entry) => ({ announces: String(entry), facts: {} }));
    });
  };
  const venues = new Map([
    [
      VENUE,
      madeUpSingleton(VENUE, {
        discover: (_, { data }) => (data === '0x0' ? { announces: 'list', facts: {} } : { announces: String(Number(data)), facts: { version: 3 } }),
        describe: describePools,
        stateTopics: [MOVED, FEE_CHANGED],
        load: async (pools, reader) => (await reader(pools.map(() => ({ to: VAULT, data: '0x' })))).map((answer) => ({ price: Number(answer), fee: 0 })),
      }),
    ],
  ]);
  const deployments = [{ venue: VENUE, family: VENUE, factory: FACTORY, fromBlock: 0 }];
  const interpreter = createBlockInterpreter(venues, deployments, CHAIN);
  const header = (number: number) => ({
    number,
    hash: idOf(number),
    parentHash: idOf(number - 1),
    timestamp: number as EpochSeconds,
    baseFeePerGas: null,
    logsBloom: '0x' as const,
  });
  const newBook = () => new PoolBook(header(1), 8);
  const next = (book: PoolBook, ...logs: readonly ChainLog[]) => {
    const reading = interpreter.read(book, header(book.tip.number + 1), logs);
    book.commit(header(book.tip.number + 1), reading.changes, reading.announced);
    return reading;
  };
  const settle = (book: PoolBook) => settleBook(book, venues, read, new Refusals(virtualClock()));
  const states = (book: PoolBook) => Object.fromEntries([...book.keys()].map((key) => [Number(key), book.pool(key)?.state]));
  const announcedIn = (book: PoolBook) => book.announced().map(({ announcement }) => announcement.announces);

  it('are read whole once the chain has said what they are: no log since the announcement is lost, and the logs after it are applied', async () => {
    const book = newBook();
    const { unknownEmitters } = next(book, logOf(FACTORY, 50, OPENED), logOf(VAULT, 6, MOVED, idOf(10)));
    expect(unknownEmitters, 'the vault spoke of a pool that nobody knew yet').to.equal(1);
    next(book, logOf(VAULT, 7, MOVED, idOf(10)));
    chain.set(addressOf(50), 10);
    chain.set(VAULT, 7);
    const settled = await settle(book);
    expect([new Set(settled.changed), settled.unanswered, settled.undescribed]).to.deep.equal([new Set([idOf(10)]), 0, 0]);
    expect(states(book)).to.deep.equal({ 10: { price: 7, fee: 0 } });
    expect(book.pool(idOf(10))?.pool.traits).to.deep.equal({ version: 3 });
    next(book, logOf(addressOf(50), 8, MOVED, idOf(10)), logOf(addressOf(51), 9, MOVED, idOf(10)));
    expect(states(book), 'the pool speaks of itself, others do not').to.deep.equal({ 10: { price: 8, fee: 0 } });
    next(book, logOf(GUARDIAN, 3, FEE_CHANGED), logOf(VAULT, 4, FEE_CHANGED));
    expect(states(book), 'a governor speaks of all its pools').to.deep.equal({ 10: { price: 8, fee: 3 } });
  });

  it('are asked about again where the node could not be asked; the others do not wait for them', async () => {
    const book = newBook();
    next(book, logOf(FACTORY, 50, OPENED), logOf(FACTORY, 52, OPENED));
    chain.set(addressOf(50), new RpcError('refused', 'internal error'));
    chain.set(addressOf(52), 12);
    chain.set(VAULT, 1);
    expect((await settle(book)).undescribed).to.equal(0);
    expect([Object.keys(states(book)), announcedIn(book)]).to.deep.equal([['12'], ['50']]);
    next(book);
    chain.set(addressOf(50), new RpcError('timeout', 'no answer'));
    expect((await settle(book)).fault?.reason, 'why nothing more was asked').to.equal('timeout');
    expect([Object.keys(states(book)), announcedIn(book)]).to.deep.equal([['12'], ['50']]);
    chain.set(addressOf(50), 10);
    await settle(book);
    expect([Object.keys(states(book)), announcedIn(book)]).to.deep.equal([['10', '12'], []]);
  });

  it('that can not be read stay to be read, and are counted; what can not be described is asked about once in each reading', async () => {
    const book = newBook();
    next(book, logOf(FACTORY, 50, OPENED), logOf(FACTORY, 52, OPENED));
    for (const contract of [50, 52]) chain.set(addressOf(contract), contract === 50 ? 10 : new RpcError('refused', 'internal error'));
    chain.set(VAULT, new RpcError('refused', 'internal error'));
    const settled = await settle(book);
    expect(settled.unanswered, 'a pool and an announcement').to.equal(2);
    expect(book.pool(idOf(10))).to.deep.include({ state: null, stale: true, read: null });
    // Together with the other, and alone.
    expect(asked.filter((to) => to === addressOf(52))).to.have.length(2);
    chain.set(VAULT, 3);
    expect([(await settle(book)).unanswered, states(book)]).to.deep.equal([1, { 10: { price: 3, fee: 0 } }]);
  });

  it('are asked about one by one only so often where the node refuses everything', async () => {
    const book = newBook();
    const contracts = Array.from({ length: 2 * LIMITS.indexing.refusalsPerRead }, (_, at) => 200 + at);
    next(book, ...contracts.map((contract) => logOf(FACTORY, contract, OPENED)));
    for (const contract of contracts) chain.set(addressOf(contract), new RpcError('refused', 'internal error'));
    expect((await settle(book)).unanswered).to.equal(contracts.length);
    // The made-up node ends with the first call that it refuses, so each request asks once. Of 32, halved down to each of the first 16; the other half is refused as a whole.
    expect(asked).to.have.length(2 * LIMITS.indexing.refusalsPerRead + 1);
  });

  it('are counted and not asked about again where the contract reverts', async () => {
    const book = newBook();
    next(book, logOf(FACTORY, 50, OPENED));
    expect((await settle(book)).undescribed).to.equal(1);
    asked.length = 0;
    next(book);
    expect((await settle(book)).undescribed).to.equal(0);
    expect([asked, states(book), announcedIn(book)]).to.deep.equal([[], {}, []]);
    book.rollBackTo(idOf(1));
    next(book, logOf(FACTORY, 50, OPENED));
    chain.set(addressOf(50), 10);
    chain.set(VAULT, 1);
    await settle(book);
    expect(Object.keys(states(book)), 'on another branch the contract is another one').to.deep.equal(['10']);
  });

  it('go with the block that described them, and their announcement with the block that made it', async () => {
    const book = newBook();
    next(book, logOf(FACTORY, 50, OPENED));
    next(book);
    chain.set(addressOf(50), 10);
    chain.set(VAULT, 1);
    await settle(book);
    next(book, logOf(VAULT, 5, MOVED, idOf(10)));
    book.rollBackTo(idOf(3));
    expect(states(book)).to.deep.equal({ 10: { price: 1, fee: 0 } });
    book.rollBackTo(idOf(2));
    expect([states(book), announcedIn(book)], 'announced, not described').to.deep.equal([{}, ['50']]);
    chain.set(addressOf(50), 14);
    next(book);
    await settle(book);
    expect(Object.keys(states(book)), 'described anew').to.deep.equal(['14']);
    book.rollBackTo(idOf(1));
    expect([states(book), announcedIn(book), [...book.keysOfDeployment(GUARDIAN)]]).to.deep.equal([{}, [], []]);
  });

  it('of a list are announced one by one: what is known is not described again, and one that can not be costs the others nothing', async () => {
    const book = newBook();
    chain.set(LIST, 3);
    chain.set(VAULT, 1);
    for (const entry of [60, 62]) chain.set(addressOf(entry), entry);
    chain.set(addressOf(61), new RpcError('refused', 'internal error'));
    next(book, logOf(FACTORY, 0, OPENED));
    expect((await settle(book)).undescribed).to.equal(0);
    expect([Object.keys(states(book)), announcedIn(book)]).to.deep.equal([['60', '62'], ['61']]);
    asked.length = 0;
    chain.set(LIST, 4);
    for (const entry of [61, 63]) chain.set(addressOf(entry), entry);
    next(book, logOf(FACTORY, 0, OPENED));
    await settle(book);
    expect(Object.keys(states(book)).map(Number)).to.deep.equal([60, 61, 62, 63]);
    expect(asked).not.to.include.members([addressOf(60)]);
    const described = await settle(book);
    expect(described.undescribed, 'nothing is left').to.equal(0);
    book.rollBackTo(idOf(2));
    expect(Object.keys(states(book)).map(Number)).to.deep.equal([60, 62]);
    expect(announcedIn(book)).to.deep.equal(['61']);
  });

  it('are found at a cold start: those that logs announced, and those that a registry lists', async () => {
    const [told] = venues.values();
    if (told === undefined) throw new Error('no venue');
    const registry = new Map([[VENUE, { ...told, track: { ...told.track, listed: () => ({ announces: 'list', facts: {} }) } }]]);
    chain.set(LIST, 2);
    chain.set(VAULT, 4);
    for (const entry of [50, 60]) chain.set(addressOf(entry), entry);
    const nobody = () => Promise.reject(new Error('nobody asks'));
    const announced = { ...logOf(FACTORY, 50, OPENED), blockHash: header(1).hash };
    const reader: ChainReader = {
      latest: async () => header(5),
      latestToTake: nobody,
      logsSince: nobody,
      header: nobody,
      headerAt: async (number) => header(number),
      logs: async () => [announced],
      logsInRange: async (from) => (from === 0 ? [announced] : []),
      readAt: () => read,
      anchorAt: () => undefined,
      recheck: () => undefined,
      disown: () => undefined,
      latestFrom: () => 0,
      witnesses: () => [],
    };
    const start = { reader, interpreter: createBlockInterpreter(registry, deployments, CHAIN), venues: registry, deployments, startDepthBlocks: 0 };
    const discovery = new Discovery({ fromBlock: 0, factories: [FACTORY], topics: [OPENED] });
    const search = { upTo: async (...asked: Parameters<typeof discovery.upTo>) => ({ logs: await discovery.upTo(...asked), pools: [] }) };
    const { book, settled } = await buildBook(start, header(5), search, new Refusals(virtualClock()));
    expect(states(book)).to.deep.equal({ 50: { price: 4, fee: 0 }, 60: { price: 4, fee: 0 } });
    expect([settled.undescribed, announcedIn(book)], 'the second entry of the list reverts').to.deep.equal([1, []]);
  });
});

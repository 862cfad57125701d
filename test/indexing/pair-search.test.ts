import { expect } from 'chai';
import { PairSearch } from '../../src/indexing/pair-search.ts';
import { PoolSearch } from '../../src/indexing/pool-search.ts';
import { RpcError } from '../../src/indexing/rpc/rpc-error.ts';
import type { IndexerVenues, TokenPair } from '../../src/venues/venues.ts';
import { opened, REAL_HEIGHT } from './followed-chain.ts';
import { MadeUpChain } from './made-up-chain.ts';
import { addressOf, idOf, MANAGER, madeUpSingleton, OPENED } from './made-up-singleton.ts';

const VENUE = 'even_singleton';
const SILENT = 'silent';
const CHAIN = { chainId: 1, wrappedNative: addressOf(1) };
const TOKENS = [addressOf(3), addressOf(1), addressOf(2), addressOf(3)];
const FILTER = { fromBlock: REAL_HEIGHT, factories: [MANAGER], topics: [OPENED] };

/** A venue whose factory has a pool of each pair of tokens whose last digits it is told. */
function venuesOf(pairs: ReadonlyMap<string, number>, asked: (readonly TokenPair[])[]): IndexerVenues {
  const { venue, state, track } = madeUpSingleton(VENUE, {
    findPools: async ({ factory, family }, some, read) => {
      asked.push(some);
      // Whoever asks needs the node.
      await read([{ to: factory, data: '0x' }]);
      return some.flatMap((tokens) => {
        const id = pairs.get(tokens.map((token) => Number(token)).join());
        return id === undefined ? [] : [{ key: idOf(id), address: factory, hook: null, protocol: family, source: family, tokens, traits: {} }];
      });
    },
  });
  return new Map([
    [VENUE, { venue, state, track }],
    [SILENT, madeUpSingleton(SILENT)],
  ]);
}

const deployments = [VENUE, SILENT].map((venue) => ({ venue, family: venue, factory: MANAGER, fromBlock: REAL_HEIGHT }));

describe('pools by the pairs of listed tokens', () => {
  function search(pairs: ReadonlyMap<string, number>) {
    const asked: (readonly TokenPair[])[] = [];
    const progress: (readonly [number, number])[] = [];
    const parts = { tokens: TOKENS, venues: venuesOf(pairs, asked), deployments, chain: CHAIN };
    return { parts, asked, progress, of: new PairSearch({ ...parts, onProgress: (done, total) => progress.push([done, total]) }, FILTER) };
  }
  const chainOf = (): MadeUpChain => {
    const chain = new MadeUpChain(REAL_HEIGHT);
    for (let block = 0; block < 10; block++) chain.grow();
    return chain;
  };

  it('are asked for once for each pair, sorted, of those venues that can be asked, and the others are named', async () => {
    const { of, asked, progress } = search(
      new Map([
        ['1,3', 10],
        ['2,3', 12],
      ]),
    );
    const chain = chainOf();
    const { pools, logs } = await of.upTo(chain.reader, chain.head);
    expect(asked.flat().map((pair) => pair.map(Number))).to.deep.equal([
      [1, 2],
      [1, 3],
      [2, 3],
    ]);
    expect(pools.map(({ pool, venue, state }) => [Number(pool.key), venue, state])).to.deep.equal([
      [10, VENUE, null],
      [12, VENUE, null],
    ]);
    expect([logs, progress, of.unasked]).to.deep.equal([[], [[1, 1]], [SILENT]]);
  });

  it('are kept over a failure, with those that were announced meanwhile, block by block', async () => {
    const { of, asked } = search(new Map([['1,3', 10]]));
    const chain = chainOf();
    const ranges: number[] = [];
    const reader = {
      ...chain.reader,
      logsInRange: async (from: number, to: number) => {
        ranges.push(to - from + 1);
        throw new RpcError('range-too-large', 'no ranges');
      },
    };
    let failing = true;
    const failingReader = {
      ...reader,
      logs: async (...args: Parameters<typeof reader.logs>) => (failing ? Promise.reject(new RpcError('timeout', 'late')) : reader.logs(...args)),
    };
    await of.upTo(failingReader, chain.head);
    chain.grow(opened(14, 5));
    chain.grow();
    expect(await of.upTo(failingReader, chain.head).catch(({ reason }: RpcError) => reason)).to.equal('timeout');
    failing = false;
    const { pools, logs } = await of.upTo(failingReader, chain.head);
    expect(pools.map(({ pool }) => Number(pool.key))).to.deep.equal([10]);
    expect(logs.map(({ topics: [, key] }) => Number(key))).to.deep.equal([14]);
    expect([asked.length, ranges], 'asked once, and never for a range').to.deep.equal([1, []]);
  });

  it('are asked for again where the block of the first answers has left the chain: it may not have had all', async () => {
    const { of, asked } = search(new Map([['1,3', 10]]));
    const chain = chainOf();
    await of.upTo(chain.reader, chain.head);
    chain.back(3);
    for (let block = 0; block < 5; block++) chain.grow();
    await of.upTo(chain.reader, chain.head);
    expect(asked).to.have.length(2);
  });

  describe('are turned to', () => {
    const refused: (readonly string[])[] = [];
    const open = (mostRanges: number, tokens = TOKENS) => {
      refused.length = 0;
      const { parts, asked } = search(new Map([['1,3', 10]]));
      const onRangesRefused = (unasked: readonly string[]): void => void refused.push(unasked);
      return { asked, of: new PoolSearch({ ...parts, tokens, mostRanges, onRangesRefused, onProgress: () => undefined }, FILTER) };
    };
    const narrow = (chain: MadeUpChain, widest: number, reason: 'range-too-large' | 'refused' | 'unavailable' = 'range-too-large') => ({
      ...chain.reader,
      logsInRange: async (...args: Parameters<typeof chain.reader.logsInRange>) => {
        if (args[1] - args[0] + 1 > widest) throw new RpcError(reason, 'not that many');
        return chain.reader.logsInRange(...args);
      },
    });
    const long = (): MadeUpChain => {
      const chain = new MadeUpChain(REAL_HEIGHT);
      chain.grow(opened(20, 1));
      for (let block = 0; block < 300; block++) chain.grow();
      return chain;
    };

    it('where there would be more ranges than they are worth, and not before', async () => {
      const chain = long();
      const { of, asked } = open(40);
      const found = await of.upTo(narrow(chain, 10), chain.head);
      expect([found.logs.length, asked.length, refused]).to.deep.equal([1, 0, []]);
      const other = open(20);
      const { pools } = await other.of.upTo(narrow(chain, 10), chain.head);
      expect([pools.length, refused]).to.deep.equal([1, [[SILENT]]]);
    });

    it('where the node refuses ranges without a word that is known, once it was asked for narrow ones', async () => {
      const chain = long();
      const { of } = open(20);
      let pools = 0;
      for (let tries = 0; tries < 12 && pools === 0; tries++) {
        pools = await of.upTo(narrow(chain, 1, 'refused'), chain.head).then(
          (found) => found.pools.length,
          () => 0,
        );
      }
      expect([pools, refused]).to.deep.equal([1, [[SILENT]]]);
    });

    it('not where the node is only down, and not without tokens', async () => {
      const chain = long();
      const { of } = open(20);
      for (let tries = 0; tries < 12; tries++) {
        const failed = await of.upTo(narrow(chain, 1, 'unavailable'), chain.head).then(
          () => 'found',
          ({ reason }: RpcError) => reason,
        );
        if (failed !== 'found') expect(failed).to.equal('unavailable');
      }
      expect(refused).to.deep.equal([]);
      const without = open(20, []);
      expect(await without.of.upTo(narrow(chain, 10), chain.head).catch(({ reason }: RpcError) => reason)).to.equal('range-too-large');
      expect(refused).to.deep.equal([]);
    });
  });
});

import { expect } from 'chai';
import fc from 'fast-check';
import type { Announced } from '../../src/indexing/announced.ts';
import type { ChainHeader } from '../../src/indexing/header.ts';
import { PoolBook } from '../../src/indexing/pool-book.ts';
import type { TrackedPool } from '../../src/indexing/tracked-pool.ts';
import { asAddress, type EpochSeconds } from '../../src/units/units.ts';
import { SEED } from '../support/seeded-random.ts';

const LIMIT = 6;

function hashOf(id: number): `0x${string}` {
  return `0x${id.toString(16).padStart(64, '0')}`;
}

function header(id: number, number: number, parent: `0x${string}`): ChainHeader {
  return { number, hash: hashOf(id), parentHash: parent, timestamp: number as EpochSeconds, baseFeePerGas: null, logsBloom: '0x' };
}

function addressOf(id: number): ReturnType<typeof asAddress> {
  return asAddress(`0x${id.toString(16).padStart(40, '0')}`);
}

function tracked(key: number, state: unknown, stale = false): TrackedPool {
  const address = addressOf(key + 1);
  const tokens = [addressOf(1000 + key), addressOf(1001 + key)];
  const factory = addressOf(2000 + (key % 2));
  return {
    pool: { key: String(key), address, hook: null, protocol: 'p', source: 'p', tokens, traits: {} },
    venue: 'v',
    factory,
    state,
    stale,
    rereading: { kind: 'logs' },
    read: null,
  };
}

function announced(id: number): Announced {
  const deployment = { venue: 'v', family: 'p', factory: addressOf(2000), fromBlock: 0 };
  return { id: String(id), announcement: { announces: String(id), facts: {} }, deployment };
}

/** The book's pools and tokens as plain data. */
function contents(book: PoolBook): unknown {
  const pools = [...book.keys()].sort().map((key) => [key, book.pool(key)?.state, book.pool(key)?.stale, book.pool(key)?.pool.address]);
  const tokens = Array.from({ length: 8 }, (_, id) => book.token(addressOf(1000 + id))?.decimals);
  return {
    tip: book.tip.hash,
    pools,
    announced: book
      .announced()
      .map(({ id }) => id)
      .sort(),
    byDeployment: [2000, 2001].map((id) => [...book.keysOfDeployment(addressOf(id))].sort()),
    tokens,
    stale: book
      .stalePools()
      .map(({ pool }) => pool.key)
      .sort(),
  };
}

describe('the pool book', () => {
  it('goes back to exactly what it was at any block of its journal, creations and tokens included', () => {
    const change = fc.record({ key: fc.nat({ max: 5 }), state: fc.nat() });
    const step = fc.oneof(
      {
        weight: 4,
        arbitrary: fc.record({
          kind: fc.constant('block' as const),
          changes: fc.array(change, { maxLength: 4 }),
          tokens: fc.array(fc.nat({ max: 7 }), { maxLength: 2 }),
          announced: fc.array(fc.nat({ max: 3 }), { maxLength: 2 }),
          described: fc.array(fc.record({ id: fc.nat({ max: 3 }), further: fc.option(fc.nat({ max: 3 })), key: fc.option(fc.nat({ max: 5 })) }), {
            maxLength: 2,
          }),
        }),
      },
      { weight: 1, arbitrary: fc.record({ kind: fc.constant('back' as const), depth: fc.nat({ max: LIMIT }) }) },
    );
    fc.assert(
      fc.property(fc.array(step, { minLength: 5, maxLength: 60 }), (steps) => {
        const book = new PoolBook(header(0, 0, hashOf(999_999)), LIMIT);
        /** What the book was at each block, oldest first. */
        let past: { readonly hash: string; readonly contents: unknown }[] = [{ hash: book.tip.hash, contents: contents(book) }];
        let next = 1;
        for (const action of steps) {
          if (action.kind === 'block') {
            book.commit(
              header(next, book.tip.number + 1, book.tip.hash),
              new Map(action.changes.map(({ key, state }) => [String(key), tracked(key, state)])),
              action.announced.map(announced),
            );
            for (const { id, further, key } of action.described) {
              book.describe([announced(id)], key === null ? [] : [tracked(key, null)], further === null ? [] : [announced(further)]);
            }
            book.settle(
              new Map(),
              action.tokens
                .map((id) => ({ address: addressOf(1000 + id), decimals: next % 18, usd: null }))
                .filter(({ address }) => book.token(address) === undefined),
            );
            next++;
            past.push({ hash: book.tip.hash, contents: contents(book) });
            past = past.slice(-(LIMIT + 1));
          } else {
            const target = past.at(-1 - Math.min(action.depth, past.length - 1));
            if (target === undefined) continue;
            expect(book.depthOf(target.hash)).to.equal(Math.min(action.depth, past.length - 1));
            book.rollBackTo(target.hash);
            past = past.slice(0, past.indexOf(target) + 1);
            expect(contents(book)).to.deep.equal(target.contents);
          }
        }
        expect(book.depthOf(hashOf(888_888))).to.equal(null);
      }),
      { seed: SEED, numRuns: 200 },
    );
  });

  it('names every pool that a rollback changed', () => {
    const book = new PoolBook(header(0, 0, hashOf(9)), LIMIT);
    book.commit(header(1, 1, hashOf(0)), new Map([['0', tracked(0, 'a')]]));
    book.commit(
      header(2, 2, hashOf(1)),
      new Map([
        ['1', tracked(1, 'b')],
        ['0', tracked(0, 'c')],
      ]),
    );
    expect([...book.rollBackTo(hashOf(1))].sort()).to.deep.equal(['0', '1']);
    expect(book.pool('0')?.state).to.equal('a');
    expect(book.pool('1')).to.equal(undefined);
  });

  it('does not trust what a pool was before it had to be read from the chain, nor after it was found wrong', () => {
    const book = new PoolBook(header(0, 0, hashOf(9)), LIMIT);
    book.commit(header(1, 1, hashOf(0)), new Map([['0', tracked(0, 'wrong')]]));
    book.commit(header(2, 2, hashOf(1)), new Map([['0', tracked(0, 'wrong too')]]));
    book.distrust('0');
    expect(book.stalePools()).to.have.length(1);
    book.commit(header(3, 3, hashOf(2)), new Map());
    book.settle(new Map([['0', tracked(0, 'right')]]), []);
    expect(book.pool('0')?.state).to.equal('right');
    expect([...book.rollBackTo(hashOf(2))]).to.deep.equal(['0']);
    expect(book.pool('0')).to.deep.include({ state: null, stale: true });
    book.rollBackTo(hashOf(1));
    expect(book.pool('0')).to.deep.include({ state: null, stale: true });
    book.rollBackTo(hashOf(0));
    expect(book.pool('0')).to.equal(undefined);
    expect(book.stalePools()).to.have.length(0);
  });

  it('takes only the child of its tip', () => {
    const book = new PoolBook(header(0, 0, hashOf(9)), LIMIT);
    expect(() => book.commit(header(2, 2, hashOf(1)), new Map())).to.throw('not a child');
    expect(() => book.rollBackTo(hashOf(5))).to.throw('not in the journal');
  });

  it('wants the facts of a new pool’s tokens, and wants them again when they were learnt in a block that is gone', () => {
    const book = new PoolBook(header(0, 0, hashOf(9)), LIMIT);
    book.commit(header(1, 1, hashOf(0)), new Map([['0', tracked(0, 'a')]]));
    expect(book.wantedTokens()).to.deep.equal([addressOf(1000), addressOf(1001)]);
    book.commit(header(2, 2, hashOf(1)), new Map());
    book.settle(new Map(), [
      { address: addressOf(1000), decimals: 6, usd: null },
      { address: addressOf(1001), decimals: null, usd: null },
    ]);
    expect(book.wantedTokens()).to.deep.equal([]);
    book.rollBackTo(hashOf(1));
    expect(book.wantedTokens()).to.deep.equal([addressOf(1000), addressOf(1001)]);
  });

  it('waits for no token of a pool that a reorg took away, but of those that others have too', () => {
    const book = new PoolBook(header(0, 0, hashOf(9)), LIMIT);
    book.commit(header(1, 1, hashOf(0)), new Map([['0', tracked(0, 'a')]]));
    book.commit(header(2, 2, hashOf(1)), new Map([['1', tracked(1, 'b')]]));
    expect(book.waiting()).to.deep.include({ tokens: 3, absent: 2 });
    book.rollBackTo(hashOf(1));
    expect(book.wantedTokens()).to.deep.equal([addressOf(1000), addressOf(1001)]);
    book.rollBackTo(hashOf(0));
    expect(book.waiting()).to.deep.include({ tokens: 0, absent: 0 });
  });
});

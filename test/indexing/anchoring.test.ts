import { expect } from 'chai';
import sinon from 'sinon';
import { LIMITS } from '../../src/config/limits.ts';
import { Anchoring } from '../../src/indexing/anchoring.ts';
import type { ChainReader } from '../../src/indexing/chain-reader.ts';
import type { ChainHeader } from '../../src/indexing/header.ts';
import { PoolBook } from '../../src/indexing/pool-book.ts';
import { RpcError } from '../../src/indexing/rpc/rpc-error.ts';
import type { EpochSeconds } from '../../src/units/units.ts';
import { idOf } from './made-up-singleton.ts';

const DEPTH = LIMITS.indexing.anchorDepthBlocks;
const BASE = 1_000_000;

/** Of a chain whose blocks have hashes of their numbers, from `fork` on other ones. */
const header = (number: number, fork = Number.POSITIVE_INFINITY): ChainHeader => ({
  number,
  hash: idOf(number < fork ? number : number + 2 ** 40),
  parentHash: idOf(number - 1),
  timestamp: number as EpochSeconds,
  baseFeePerGas: null,
  logsBloom: '0x',
});

describe('the block by which a chain is told from others of its id', () => {
  const headerAt = sinon.stub<[number], Promise<ChainHeader | null>>();
  const anchorAt = sinon.spy<(anchor: ChainHeader) => void>(() => undefined);
  let anchoring: Anchoring;
  beforeEach(() => {
    headerAt.reset();
    headerAt.callsFake(async (number) => header(number));
    anchorAt.resetHistory();
    anchoring = new Anchoring({ headerAt, anchorAt } as Partial<ChainReader> as ChainReader);
  });
  const anchored = () => anchorAt.args.map(([{ number, hash }]) => ({ number, hash }));
  const anchorOf = ({ number, hash }: ChainHeader) => ({ number, hash });

  it('is so far below the head as reorganisations do not come, and is asked for again after the chain was read', async () => {
    const before = await anchoring.before(header(BASE));
    expect(before).to.deep.equal(header(BASE - DEPTH));
    await anchoring.after(before);
    expect(headerAt.args, 'who says it is asked no more').to.deep.equal([[BASE - DEPTH], [BASE - DEPTH]]);
    expect(anchored()).to.deep.equal([anchorOf(header(BASE - DEPTH))]);
    expect(await anchoring.before(header(BASE + 1)), 'known').to.equal(null);
  });

  it('is none where another one is in its place once the chain was read, or nobody says it', async () => {
    const before = await anchoring.before(header(BASE));
    headerAt.callsFake(async (number) => header(number, 0));
    await anchoring.after(before);
    headerAt.resolves(null);
    await anchoring.after(before);
    await anchoring.after(await anchoring.before(header(BASE)));
    expect(anchored()).to.deep.equal([]);
  });

  it('is looked for later, once with each block, where nobody said it at the start', async () => {
    const book = new PoolBook(header(BASE), 8);
    headerAt.rejects(new RpcError('refused', 'not now'));
    await anchoring.late(book);
    const asked = headerAt.callCount;
    headerAt.reset();
    headerAt.callsFake(async (number) => header(number));
    await anchoring.late(book);
    expect([headerAt.callCount, anchored()], 'not twice with one block').to.deep.equal([0, []]);
    expect(asked).to.equal(LIMITS.indexing.anchorAttempts);
    book.commit(header(BASE + 1), new Map(), []);
    await anchoring.late(book);
    expect(anchored()).to.deep.equal([anchorOf(header(BASE + 1 - DEPTH))]);
    book.commit(header(BASE + 2), new Map(), []);
    headerAt.resetHistory();
    await anchoring.late(book);
    expect(headerAt.callCount, 'known').to.equal(0);
  });

  it('is none where those that are asked later have another chain than the one that was read', async () => {
    const book = new PoolBook(header(BASE), 8);
    headerAt.callsFake(async (number) => header(number, BASE - 1));
    await anchoring.late(book);
    headerAt.callsFake(async (number) => header(number, 0));
    book.commit(header(BASE + 1), new Map(), []);
    await anchoring.late(book);
    expect(anchored()).to.deep.equal([]);
  });

  it('is looked for again with the next block where a node fails, and what is no fault of a node is not swallowed', async () => {
    const book = new PoolBook(header(BASE), 8);
    headerAt.rejects(new RpcError('timeout', 'too late'));
    await anchoring.late(book);
    expect(anchored()).to.deep.equal([]);
    book.commit(header(BASE + 1), new Map(), []);
    headerAt.rejects(new TypeError('a fault of ours'));
    const fault = await anchoring.late(book).catch((error: unknown) => error);
    expect(fault).to.be.instanceOf(TypeError);
  });
});

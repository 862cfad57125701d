import { expect } from 'chai';
import { LIMITS } from '../../src/config/limits.ts';
import { type AnvilProcess, startAnvil } from '../../src/devnet/anvil-process.ts';
import { createPinnedReader } from '../../src/indexing/multicall.ts';
import { decodeObject, decodeQuantity } from '../../src/indexing/rpc/decode.ts';
import { createRpc, type Rpc } from '../../src/indexing/rpc/rpc.ts';
import { RpcError } from '../../src/indexing/rpc/rpc-error.ts';
import { readTokenFacts } from '../../src/market/market.ts';
import { type Address, asAddress } from '../../src/units/units.ts';
import type { ChainCall, PinnedReader } from '../../src/venues/venues.ts';

/** Contracts by what they do with any call. */
const CODE = {
  /** Answers 32 bytes: 6. */
  six: '600660005260206000f3',
  /** Answers 32 bytes: 256. */
  tooMany: '61010060005260206000f3',
  /** Answers one byte. */
  short: '600660005360016000f3',
  /** Reverts with 4 bytes. */
  reverts: '60046000fd',
  /** Takes all the gas it is given. */
  burns: 'fe',
  /** Answers 100,000 bytes. */
  floods: '620186a06000f3',
  /** Answers the call's own data. */
  echoes: '366000600037366000f3',
  /** Answers what lies in the slot that the call's data names. */
  stores: '6000355460005260206000f3',
  /** Answers what it is asked by: origin and sender, two words. */
  knowsWho: '326000523360205260406000f3',
} as const;

/** Calls the contract in the first word of the call's data with the second word, and answers what that does. */
const ASKS = '0x60206020600037602060006020600060006000355af15060206000f3';

describe('reading contracts at one block', function suite() {
  this.timeout(300_000);
  let anvil: AnvilProcess;
  let rpc: Rpc;
  let read: PinnedReader;
  let hash: `0x${string}`;
  const places = new Map<string, Address>();
  const at = (name: keyof typeof CODE | 'nobody'): Address => places.get(name) ?? asAddress(`0x${'99'.repeat(20)}`);
  const call = (name: keyof typeof CODE | 'nobody', data: `0x${string}` = '0x313ce567', answerBytes?: number): ChainCall => ({
    to: at(name),
    data,
    ...(answerBytes === undefined ? {} : { answerBytes }),
  });

  before(async () => {
    anvil = await startAnvil({
      host: '127.0.0.1',
      port: 0,
      chainId: 31337,
      accounts: 1,
      balance: 1n,
      genesisTimestamp: 1_700_000_000,
      baseFeePerGas: 10n ** 9n,
    });
    for (const [index, [name, code]] of Object.entries(CODE).entries()) {
      const place = asAddress(`0x${(0xc0de00 + index).toString(16).padStart(40, '0')}`);
      places.set(name, place);
      await anvil.rpc.request('anvil_setCode', place, `0x${code}`);
    }
    await anvil.rpc.request('evm_mine');
    rpc = createRpc({ urls: [anvil.url], chainId: 31337, fetch, random: Math.random, onHead: () => undefined });
    hash = decodeObject(await anvil.rpc.request('eth_getBlockByNumber', 'latest', false)).hash as `0x${string}`;
    read = createPinnedReader(rpc, hash);
  });
  after(async () => {
    rpc?.close();
    await anvil?.stop();
  });

  it('asks as an account like any other, another one for each reader: whoever answers the zero address alone is seen as it is', async () => {
    const origins = [];
    for (const reader of [read, createPinnedReader(rpc, hash)]) {
      const [answer] = await reader([call('knowsWho')]);
      origins.push(BigInt(answer?.slice(0, 66) ?? 0));
      expect(BigInt(`0x${answer?.slice(66) ?? ''}`)).to.not.equal(0n);
    }
    expect(origins.includes(0n) || origins[0] === origins[1]).to.equal(false);
  });

  it('gives each call its own answer, in order, whatever its neighbours do', async () => {
    const names = ['six', 'reverts', 'burns', 'nobody', 'short', 'floods', 'six', 'burns', 'echoes'] as const;
    const answers = await read(names.map((name) => call(name)));
    const six = `0x${'6'.padStart(64, '0')}`;
    const flood = `0x${'00'.repeat(LIMITS.indexing.multicall.defaultAnswerBytes)}`;
    expect(answers).to.deep.equal([six, null, null, '0x', '0x06', flood, six, null, '0x313ce567']);
  });

  it('carries calls and answers of any length up to the room it is given', async () => {
    const data = (bytes: number): `0x${string}` =>
      `0x${Array.from({ length: bytes }, (_, i) => ((i * 7 + bytes) & 255).toString(16).padStart(2, '0')).join('')}`;
    const lengths = [0, 1, 31, 32, 33, 36, 255, 256, 257, 1000, 5000];
    const answers = await read(lengths.map((bytes) => call('echoes', data(bytes), 5000)));
    for (const [index, bytes] of lengths.entries()) expect(answers[index], `${bytes} bytes`).to.equal(data(bytes));
    const cut = await read(lengths.map((bytes) => call('echoes', data(bytes), 40)));
    for (const [index, bytes] of lengths.entries()) expect(cut[index], `${bytes} bytes`).to.equal(data(bytes).slice(0, 2 + 2 * Math.min(40, bytes)));
  });

  it('answers a call that supposes something of storage as if it were so, and every other by the chain as it is', async () => {
    const word = (value: number): `0x${string}` => `0x${value.toString(16).padStart(64, '0')}`;
    await anvil.rpc.request('anvil_setStorageAt', at('stores'), word(1), word(11));
    await anvil.rpc.request('evm_mine');
    const { hash } = decodeObject(await anvil.rpc.request('eth_getBlockByNumber', 'latest', false));
    const now = createPinnedReader(rpc, hash as `0x${string}`);
    const slot = (number: number, supposed?: number): ChainCall => ({
      ...call('stores', word(number), 32),
      ...(supposed === undefined ? {} : { supposing: { contract: at('stores'), slots: { [word(number)]: word(supposed) } } }),
    });
    const answers = await now([slot(1), slot(1, 12), slot(2), slot(2, 22), slot(1, 13), slot(1), call('six')]);
    expect(answers).to.deep.equal([11, 12, 0, 22, 13, 11, 6].map(word));
    // More than one request carries: of each contract a request supposes one thing.
    const many = Array.from({ length: 40 }, (_, value) => slot(value % 7, value + 1));
    expect(await now(many)).to.deep.equal(many.map((_, value) => word(value + 1)));
  });

  it('has code stand in for a contract’s own, in a request by itself, which may write and whose answer is not cut', async () => {
    const word = (value: number): `0x${string}` => `0x${value.toString(16).padStart(64, '0')}`;
    // Writes 9 into slot 1, and answers what is there: elsewhere it stays as it was.
    const writes: ChainCall = { to: at('stores'), data: word(1), standIn: '0x600960015560015460005260206000f3' };
    const supposing = { contract: at('stores'), slots: { [word(2)]: word(22) } };
    const readsTwo: ChainCall = { to: at('six'), data: `0x${at('stores').slice(2).padStart(64, '0')}${word(2).slice(2)}`, standIn: ASKS, supposing };
    const long: ChainCall = { to: at('six'), data: '0x', standIn: `0x${CODE.floods}` };
    const answers = await read([call('six'), writes, { ...call('stores', word(1)) }, { ...writes, standIn: `0x${CODE.reverts}` }, readsTwo, long]);
    expect(answers.slice(0, 5)).to.deep.equal([word(6), word(9), word(11), null, word(22)]);
    expect(answers[5]).to.have.length(2 + 2 * 100_000);
  });

  it('splits thousands of calls into requests that a node takes, and keeps their order', async () => {
    const word = (value: number): `0x${string}` => `0x${value.toString(16).padStart(64, '0')}`;
    const answers = await read(Array.from({ length: 5000 }, (_, value) => call('echoes', word(value), 32)));
    expect(answers).to.deep.equal(Array.from({ length: 5000 }, (_, value) => word(value)));
  });

  it('survives a crowd of contracts that burn their gas', async () => {
    const answers = await read([...Array.from({ length: 300 }, () => call('burns')), call('six')]);
    expect(answers.slice(0, 300).every((answer) => answer === null)).to.equal(true);
    expect(answers[300]).to.equal(`0x${'6'.padStart(64, '0')}`);
  });

  it('fails as a whole at a block that the node does not know', async () => {
    const lost = createPinnedReader(rpc, `0x${'77'.repeat(32)}`);
    const failed = await lost([call('six')]).then(
      () => null,
      (error: unknown) => error,
    );
    expect(failed).to.be.an('error').with.property('reason', 'block-gone');
  });

  it('reads decimals, and null where a token does not tell them', async () => {
    const names = ['six', 'tooMany', 'short', 'reverts', 'burns', 'nobody', 'floods'] as const;
    const facts = await readTokenFacts(
      names.map((name) => at(name)),
      read,
    );
    expect(facts.map(({ decimals }) => decimals)).to.deep.equal([6, null, null, null, null, null, 0]);
    expect(facts.map(({ address }) => address)).to.deep.equal(names.map((name) => at(name)));
  });

  it('asks nothing for no calls', async () => {
    expect(await read([])).to.deep.equal([]);
  });
});

describe('a socket to a node', function suite() {
  this.timeout(300_000);

  it('is opened again after it was lost, and only to a node of the same chain', async () => {
    const options = { host: '127.0.0.1', accounts: 1, balance: 1n, genesisTimestamp: 1_700_000_000, baseFeePerGas: 10n ** 9n };
    let anvil = await startAnvil({ ...options, port: 0, chainId: 31337 });
    const port = Number(new URL(anvil.url).port);
    let heads = 0;
    const rpc = createRpc({ urls: [`ws://127.0.0.1:${port}`], chainId: 31337, fetch, random: Math.random, onHead: () => heads++ });
    const headNumber = (): Promise<number> => rpc.call('eth_blockNumber', [], decodeQuantity, 1000);
    const reasonOf = (work: Promise<unknown>): Promise<unknown> =>
      work.then(
        () => 'it worked',
        (error: unknown) => (error instanceof RpcError ? error.reason : error),
      );
    try {
      expect(await headNumber()).to.equal(0);
      await anvil.rpc.request('evm_mine');
      expect(await headNumber()).to.equal(1);
      expect(heads).to.equal(1);
      await anvil.stop();
      expect(await reasonOf(headNumber())).to.equal('unavailable');
      anvil = await startAnvil({ ...options, port, chainId: 2 });
      expect(await reasonOf(headNumber())).to.equal('foreign-chain');
      await anvil.stop();
      expect(await reasonOf(headNumber())).to.equal('unavailable');
      anvil = await startAnvil({ ...options, port, chainId: 31337 });
      expect(await headNumber()).to.equal(0);
      await anvil.rpc.request('evm_mine');
      expect(await headNumber()).to.equal(1);
      expect(heads).to.equal(2);
    } finally {
      rpc.close();
      await anvil.stop();
    }
  });
});

import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { createPublicClient, createTestClient, http } from 'viem';
import { foundry } from 'viem/chains';
import { findFirstBlocks } from '../../src/first-blocks/first-blocks.ts';
import { asAddress } from '../../src/units/units.ts';
import { npmArtifact } from '../support/artifacts.ts';
import { type OracleChain, startOracleChain } from '../support/oracle-chain.ts';
import { type ProxyRule, type RpcProxy, startRpcProxy } from '../support/rpc-proxy.ts';

const FACTORY = npmArtifact('@uniswap/v2-core/build/UniswapV2Factory.json');
const NOBODY = `0x${'0'.repeat(39)}9`;
const CHAIN_ID = 31337;
const LONG = 300_000;

describe('finding in which block a factory was made', function suite() {
  this.timeout(LONG);
  let chain: OracleChain;
  let proxies: readonly [RpcProxy, RpcProxy];
  let folder: string;
  /** Factories, and the blocks in which they were made. */
  const made: { readonly factory: `0x${string}`; readonly block: number }[] = [];

  before(async () => {
    chain = await startOracleChain();
    const client = createPublicClient({ chain: foundry, transport: http(chain.url) });
    const tester = createTestClient({ mode: 'anvil', chain: foundry, transport: http(chain.url) });
    for (const blocks of [3, 90, 7]) {
      await tester.mine({ blocks });
      const factory = asAddress(await chain.deploy(FACTORY.abi, FACTORY.bytecode, [NOBODY]));
      made.push({ factory, block: Number(await client.getBlockNumber({ cacheTime: 0 })) });
    }
    await tester.mine({ blocks: 40 });
    proxies = [await startRpcProxy(() => chain.url), await startRpcProxy(() => chain.url)];
  });
  after(async () => {
    await Promise.all(proxies?.map((proxy) => proxy.stop()) ?? []);
    await chain?.stop();
  });
  beforeEach(() => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'braid-first-blocks-'));
  });
  afterEach(() => {
    for (const proxy of proxies) proxy.setRule(null);
    rmSync(folder, { recursive: true, force: true });
  });

  const warnings: string[] = [];
  const progress: (readonly [done: number, total: number])[] = [];
  async function find(
    over: {
      readonly urls?: readonly string[];
      readonly keptIn?: string | null;
      readonly factories?: readonly `0x${string}`[];
      readonly signal?: AbortSignal;
    } = {},
  ) {
    warnings.length = 0;
    progress.length = 0;
    const deployments = (over.factories ?? made.map(({ factory }) => factory)).map((factory) => ({
      factory: asAddress(factory),
      fromBlock: null,
      family: 'uniswap_v2',
    }));
    const found = await findFirstBlocks(deployments, {
      chainId: CHAIN_ID,
      rpcUrls: over.urls ?? [proxies[0].url],
      folder: over.keptIn ?? null,
      signal: over.signal ?? new AbortController().signal,
      warn: (message) => void warnings.push(message),
      onProgress: (done, total) => void progress.push([done, total]),
    });
    return found.map(({ fromBlock }) => fromBlock);
  }
  it('is told as it goes, by its questions, also of what is not there; of what is kept nothing is asked', async () => {
    const factories = [...made.map(({ factory }) => factory), `0x${'ab'.repeat(20)}` as const];
    await find({ keptIn: folder, factories });
    const [, total = 0] = progress[0] ?? [];
    // Some 150 blocks: one question at the head and at most eight of halving, for each of four.
    expect(total).to.equal(4 * 9);
    expect(progress.every(([, of]) => of === total)).to.equal(true);
    expect(progress.map(([done]) => done)).to.deep.equal(progress.map(([done]) => done).toSorted((a, b) => a - b));
    expect([progress[0]?.[0], progress.at(-1)?.[0]]).to.deep.equal([0, total]);
    expect(progress.length).to.be.greaterThan(20);
    await find({ keptIn: folder });
    expect(progress).to.deep.equal([]);
  });

  const blocks = () => made.map(({ block }) => block);
  /** A node that answers questions about code of some blocks in its own way. */
  const about =
    (matches: (block: number) => boolean, answer: (forward: () => Promise<Record<string, unknown>>) => unknown): ProxyRule =>
    async ({ method, params }, forward) => {
      if (method === 'eth_getCode' && matches(Number(params[1]))) return { json: await answer(forward) };
      return { json: await forward() };
    };
  const saying = (message: string) => () => ({ jsonrpc: '2.0', id: null, error: { code: -32_000, message } });
  const without = (answer: object) => async (forward: () => Promise<Record<string, unknown>>) => ({ ...(await forward()), ...answer });

  it('asks a node for code and finds the block of each, to the block', async () => {
    expect(await find()).to.deep.equal(blocks());
    expect(warnings).to.deep.equal([]);
  });

  it('asks over a WebSocket too', async () => {
    expect(await find({ urls: [chain.url.replace('http:', 'ws:')] })).to.deep.equal(blocks());
  });

  it('leaves a block that the configuration names, and asks nothing where it names all', async () => {
    const calls = proxies[0].calls.get('eth_getCode');
    const given = [{ factory: asAddress(NOBODY), fromBlock: 12, venue: 'uniswap_v2' }];
    const search = { chainId: CHAIN_ID, rpcUrls: ['http://127.0.0.1:1'], folder: null, signal: new AbortController().signal, warn: () => undefined };
    expect(await findFirstBlocks(given, search)).to.deep.equal(given);
    expect(proxies[0].calls.get('eth_getCode')).to.equal(calls);
  });

  it('keeps what it found, and does not look for it again', async () => {
    expect(await find({ keptIn: folder })).to.deep.equal(blocks());
    expect(readdirSync(folder)).to.deep.equal([`first-blocks-${CHAIN_ID}.json`]);
    const calls = proxies[0].calls.get('eth_getCode');
    expect(await find({ keptIn: folder })).to.deep.equal(blocks());
    expect(proxies[0].calls.get('eth_getCode')).to.equal(calls);
  });

  for (const [title, spoil] of [
    ['cut short', (text: string) => text.slice(0, -20)],
    ['of another chain of the same id', (text: string) => text.replace(/"genesis": "0x../, '"genesis": "0x00')],
    ['of another version', (text: string) => text.replace('"version": 1', '"version": 2')],
    ['with a block that is none', (text: string) => text.replace(/: \d+\n/, ': -3\n')],
    ['with an address that is none', (text: string) => text.replace(/"0x[0-9a-f]{40}"/, '"0x12"')],
  ] as const) {
    it(`does not believe a kept file that is ${title}: it is found again, and kept`, async () => {
      await find({ keptIn: folder });
      const file = path.join(folder, `first-blocks-${CHAIN_ID}.json`);
      const right = readFileSync(file, 'utf8');
      const spoilt = spoil(right);
      expect(spoilt).not.to.equal(right);
      writeFileSync(file, spoilt);
      expect(await find({ keptIn: folder })).to.deep.equal(blocks());
      expect(JSON.parse(readFileSync(file, 'utf8')).genesis).to.equal(JSON.parse(right).genesis);
    });
  }

  it('says so where it can not be kept, and serves all the same', async () => {
    expect(await find({ keptIn: path.join(folder, 'nowhere') })).to.deep.equal(blocks());
    expect(warnings.join()).to.include('first blocks can not be kept');
  });

  for (const words of [
    'missing trie node 8f0a (path ) state 0x1 is not available',
    'historical state is not available',
    'Block is pruned',
    'this request needs an archive node',
  ]) {
    it(`takes no later block where a node keeps no old states (${words}), says so and keeps nothing`, async () => {
      const [first, second] = blocks();
      proxies[0].setRule(about((block) => block < (second ?? 0), saying(words)));
      const found = await find({ keptIn: folder });
      for (const [index, block] of found.entries()) expect(block).to.be.at.most(blocks()[index] ?? 0);
      expect(found[0]).to.be.at.most(first ?? 0);
      expect(warnings.join('\n')).to.include('archive node');
    });
  }

  it('asks the other node where one keeps no old states', async () => {
    proxies[0].setRule(about(() => true, saying('missing trie node')));
    expect(await find({ urls: proxies.map(({ url }) => url) })).to.deep.equal(blocks());
  });

  it('believes whoever saw the contract: a node that hides code makes no block later', async () => {
    proxies[0].setRule(about(() => true, without({ result: '0x' })));
    expect(await find({ urls: proxies.map(({ url }) => url) })).to.deep.equal(blocks());
  });

  it('asks no node of another chain', async () => {
    proxies[0].setRule(async ({ method }, forward) => ({
      json: { ...(await forward()), ...(method === 'eth_chainId' ? { result: '0x1' } : method === 'eth_getCode' ? { result: '0x00' } : {}) },
    }));
    expect(await find({ urls: proxies.map(({ url }) => url) })).to.deep.equal(blocks());
  });

  it('goes on where a question is not answered once', async () => {
    const failed = new Set<string>();
    proxies[0].setRule(async ({ method, params }, forward) => {
      const question = JSON.stringify([method, params]);
      if (method !== 'eth_getCode' || failed.size > 2 || failed.has(question)) return { json: await forward() };
      failed.add(question);
      return { status: 503, body: 'busy' };
    });
    expect(await find()).to.deep.equal(blocks());
    expect(failed.size).to.equal(3);
  });

  it('starts at the head where there is no contract, and says so', async () => {
    const [block] = await find({ factories: [NOBODY as `0x${string}`], keptIn: folder });
    expect(block).to.be.greaterThan(Math.max(...blocks()));
    expect(warnings.join()).to.include(`there is no contract at ${NOBODY}`);
    expect(readdirSync(folder)).to.deep.equal([]);
  });

  it('waits for a node, and ends when it is told to', async () => {
    const ending = new AbortController();
    const waiting = find({ urls: ['http://127.0.0.1:1'], signal: ending.signal }).then(
      () => 'found',
      (error: Error) => error.name,
    );
    setImmediate(() => ending.abort());
    expect(await waiting).to.equal('AbortError');
  });
});

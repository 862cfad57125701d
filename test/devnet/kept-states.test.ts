import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { deriveAccounts } from '../../src/devnet/accounts.ts';
import { type Devnet, startDevnet } from '../../src/devnet/devnet.ts';
import { openKeptStates } from '../../src/devnet/kept-states.ts';
import { startLaidChain } from '../../src/devnet/laid-chain.ts';
import { createNodeRpc } from '../../src/devnet/node-rpc.ts';
import type { ChainContents } from '../../src/devnet/plan-chain.ts';
import { createTransactionScript } from '../../src/devnet/transaction-script.ts';
import { asAddress } from '../../src/units/units.ts';
import { openIndexed } from '../chain/indexing/world.ts';

const SETTING = { host: '127.0.0.1', port: 0, chainId: 31_337, accounts: 14, balance: 1_000n, baseFeePerGas: 2_000_000_000n };
const PLACE = asAddress('0x00000000000000000000000000000000000000c0');
const DAY_SECONDS = 86_400;

/** A chain of two transfers, to a place with code. */
function smallChain(wei: bigint): ChainContents {
  const script = createTransactionScript(deriveAccounts().house.deployer);
  script.call('first', PLACE, '0x', wei);
  script.call('second', PLACE, '0x', wei);
  return { code: [{ address: PLACE, code: '0x00' }], batches: [script.take()] };
}

describe('a local chain from a kept state', function suite() {
  this.timeout(600_000);
  const folder = mkdtempSync(join(tmpdir(), 'braid-states-'));
  const told: string[] = [];
  const start = (): Promise<Devnet> =>
    startDevnet({ rpcPort: 0, seed: 1, bots: false, blockTimeSeconds: 3600, stateFolder: folder, onStep: (text) => told.push(text) });
  let devnets: readonly Devnet[] = [];

  before(async () => {
    // The first is set up and keeps what came of it, the second starts from that. A third that is set up would differ from both: contracts write down the second in which they were made.
    const first = await start();
    devnets = [first];
    devnets = [first, await start()];
  });
  after(async () => {
    await Promise.all(devnets.map((devnet) => devnet.stop()));
    rmSync(folder, { recursive: true, force: true });
  });

  it('is one, and says so', () => {
    expect(told.filter((text) => text.includes('answers at')).map((text) => text.includes('kept state'))).to.deep.equal([false, true]);
  });

  it('has the addresses of one that is set up', () => {
    const facts = devnets.map(({ deployments, tokens, pools, accounts, router, allowanceHolder, wrappedNative, feeCollector }) => {
      return { deployments, tokens, pools, accounts, router, allowanceHolder, wrappedNative, feeCollector };
    });
    expect(facts[1]).to.deep.equal(facts[0]);
  });

  it('has its accounts, code and storage to the last word, blocks, transactions, logs and past states', async () => {
    const nodes = devnets.map(({ rpcUrl }) => createNodeRpc(rpcUrl));
    // Each has opened for business with a block of its own, in which a feed answers; in its place come two of one second. Each node works the root of the state out when it mines.
    const second = Math.ceil(Date.now() / 1000) + 60;
    for (const node of nodes) {
      await node.request('anvil_rollback', 1);
      await node.request('evm_setNextBlockTimestamp', second);
      await node.request('evm_mine');
    }
    const heads = (await Promise.all(nodes.map((node) => node.request('eth_getBlockByNumber', 'latest', false)))) as { readonly stateRoot: string }[];
    expect(heads[0]?.stateRoot).to.match(/^0x[0-9a-f]{64}$/);
    expect(heads[1]?.stateRoot).to.equal(heads[0]?.stateRoot);
    const past = ['0x0', '0x1', '0x2', '0x3', '0x4'];
    const questions = [
      ...past.map((block) => ({ method: 'eth_getBlockByNumber', params: [block, true] })),
      ...past.map((block) => ({ method: 'eth_getBlockReceipts', params: [block] })),
      ...past.map((block) => ({ method: 'eth_getBalance', params: [deriveAccounts().house.deployer, block] })),
      { method: 'eth_getLogs', params: [{ fromBlock: '0x0', toBlock: 'latest' }] },
    ];
    const answers = await Promise.all(nodes.map((rpc) => rpc.batch(questions)));
    expect(answers[0]?.every(({ ok }) => ok)).to.equal(true);
    expect(answers[1]).to.deep.equal(answers[0]);
  });

  it('is the same to an indexer: sources, pools and the whole snapshot', async () => {
    const seen = await Promise.all(
      devnets.map(async (devnet) => {
        const indexed = await openIndexed(devnet, { startDepthBlocks: 0 });
        try {
          const node = createNodeRpc(devnet.rpcUrl);
          // The last block is mined on top of what was set up.
          await node.request('anvil_rollback', 1);
          const head = (await node.request('eth_getBlockByNumber', 'latest', false)) as { readonly hash: string };
          await indexed.reach(head.hash);
          const published = indexed.reports.findLast((report) => report.kind === 'published');
          return { labels: published?.labels, pools: published?.pools, hash: indexed.hash() };
        } finally {
          await indexed.close();
        }
      }),
    );
    expect(seen[0]?.labels?.length).to.be.greaterThan(5);
    expect(seen[1]).to.deep.equal(seen[0]);
  });
});

describe('kept states of local chains', function suite() {
  this.timeout(600_000);
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'braid-states-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  /** How the chain was come by; it has to be whole in any case. */
  async function startOnce(contents: ChainContents, setting: typeof SETTING = SETTING): Promise<string> {
    const { anvil, from } = await startLaidChain(contents, setting, folder);
    const sent = contents.batches[0]?.steps.reduce((sum, { value }) => sum + value, 0n) ?? 0n;
    try {
      expect(BigInt(String(await anvil.rpc.request('eth_getBalance', PLACE, 'latest')))).to.equal(sent);
      expect(await anvil.rpc.request('eth_getCode', PLACE, 'latest')).to.equal('0x00');
    } finally {
      await anvil.stop();
    }
    return from;
  }
  const onlyFile = (): string => {
    const files = readdirSync(folder);
    expect(files).to.have.length(1);
    return join(folder, files[0] ?? '');
  };

  it('serve the same transactions to the same node, and no others', async () => {
    expect(await startOnce(smallChain(5n))).to.equal('transactions');
    expect(await startOnce(smallChain(5n))).to.equal('kept state');
    expect(await startOnce(smallChain(6n))).to.equal('transactions');
    expect(await startOnce(smallChain(5n), { ...SETTING, baseFeePerGas: 3_000_000_000n })).to.equal('transactions');
    expect(readdirSync(folder)).to.have.length(3);
  });

  it('are made by one of those who want one at the same time', async () => {
    const ways = await Promise.all([1, 2, 3].map(() => startOnce(smallChain(5n))));
    expect(ways.sort()).to.deep.equal(['kept state', 'kept state', 'transactions']);
    onlyFile();
  });

  it('are refused and made anew where a byte is wrong, or where the node does not know what they are', async () => {
    await startOnce(smallChain(5n));
    const file = onlyFile();
    const whole = readFileSync(file);
    whole[whole.length >> 1] = (whole[whole.length >> 1] ?? 0) ^ 1;
    writeFileSync(file, whole);
    expect(await startOnce(smallChain(5n))).to.equal('transactions');
    const foreign = Buffer.from('{"accounts":{}}');
    const named = onlyFile().replace(/[0-9a-f]{64}\.json$/, `${createHash('sha256').update(foreign).digest('hex')}.json`);
    renameSync(onlyFile(), named);
    writeFileSync(named, foreign);
    expect(await startOnce(smallChain(5n))).to.equal('transactions');
    expect(onlyFile()).not.to.equal(named);
    expect(await startOnce(smallChain(5n))).to.equal('kept state');
  });

  it('are not taken once they are a day old, nor where the clock was set back', async () => {
    await startOnce(smallChain(5n));
    const [, key = '', genesis = ''] = /([0-9a-f]{64})-([0-9]+)-[0-9a-f]{64}\.json$/.exec(onlyFile()) ?? [];
    const at = (seconds: number) => openKeptStates(folder, key, () => Number(genesis) + seconds).find();
    expect((await at(0))?.genesisTimestamp).to.equal(Number(genesis));
    expect((await at(DAY_SECONDS))?.file).to.equal(onlyFile());
    expect(await at(DAY_SECONDS + 1)).to.equal(null);
    expect(readdirSync(folder)).to.have.length(0);
    await startOnce(smallChain(5n));
    expect(await openKeptStates(folder, key, () => Number(genesis) - 1).find()).to.equal(null);
  });

  it('are done without where nothing can be written', async () => {
    rmSync(folder, { recursive: true });
    writeFileSync(folder, '');
    expect(await startOnce(smallChain(5n))).to.equal('transactions');
    expect(await startOnce(smallChain(5n))).to.equal('transactions');
  });
});

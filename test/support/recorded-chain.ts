import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { findAnvil } from '../../src/devnet/anvil-process.ts';
import { createNodeRpc, type NodeRpc } from '../../src/devnet/node-rpc.ts';
import { until } from './until.ts';

export type RecordedChain = { readonly url: string; readonly rpc: NodeRpc; stop(): Promise<void> };

const UP_MS = 60_000;

/** A node whose head is the state before a recorded block of Ethereum: only the accounts and slots that the block touched are there (data/README). `options`: further ones of the node. */
export async function startRecordedChain(genesisFile: string, hardfork: string, block: number, options: readonly string[] = []): Promise<RecordedChain> {
  const folder = mkdtempSync(join(tmpdir(), 'braid-recorded-'));
  const genesis = join(folder, 'genesis.json');
  writeFileSync(genesis, gunzipSync(readFileSync(genesisFile)));
  const port = await freePort();
  const args = ['--host', '127.0.0.1', '--port', String(port), '--quiet', '--chain-id', '1', '--hardfork', hardfork, '--init', genesis];
  const further = ['--number', String(block - 1), '--no-mining', '--gas-limit', '60000000', '--disable-code-size-limit', '--accounts', '1', '--balance', '0'];
  const child = spawn(findAnvil(), [...args, ...further, ...options], { stdio: 'ignore' });
  const exited = new Promise<void>((done) => child.once('exit', () => done()));
  const kill = (): void => {
    child.kill('SIGKILL');
  };
  process.once('exit', kill);
  const url = `http://127.0.0.1:${port}`;
  const rpc = createNodeRpc(url);
  const stop = async (): Promise<void> => {
    kill();
    await exited;
    process.off('exit', kill);
    rmSync(folder, { recursive: true, force: true });
  };
  const isUp = async (): Promise<boolean> =>
    await rpc.request('eth_chainId').then(
      () => true,
      () => false,
    );
  if (await until(isUp, UP_MS)) return { url, rpc, stop };
  await stop();
  throw new Error('the recorded chain does not come up');
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => (address !== null && typeof address === 'object' ? resolve(address.port) : reject(new Error('no port'))));
    });
  });
}

export type RecordedBlock = {
  readonly block: number;
  readonly hardfork: string;
  readonly timestamp: number;
  readonly miner: string;
  readonly baseFeePerGas: string;
  readonly receiptsRoot: string;
  readonly txs: readonly { readonly raw: string }[];
};

export function readRecordedBlock(file: string): RecordedBlock {
  return JSON.parse(gunzipSync(readFileSync(file)).toString('utf8')) as RecordedBlock;
}

/** The chain before a recorded block, so started that the block's own transactions make it again. */
export function startReplay(genesisFile: string, { hardfork, block, timestamp }: RecordedBlock): Promise<RecordedChain> {
  const time = ['--timestamp', String(timestamp - 1), '--base-fee', '0', '--order', 'fifo'];
  return startRecordedChain(genesisFile, hardfork, block, [...time, '--disable-default-create2-deployer', '--disable-pool-balance-checks']);
}

/** Mines the recorded block. Throws where its receipts are not those of the chain that it was recorded from. */
export async function replay({ rpc }: RecordedChain, { miner, timestamp, baseFeePerGas, receiptsRoot, txs }: RecordedBlock): Promise<void> {
  await rpc.request('anvil_setCoinbase', miner);
  await rpc.request('evm_setNextBlockTimestamp', timestamp);
  await rpc.request('anvil_setNextBlockBaseFeePerGas', baseFeePerGas);
  for (const { raw } of txs) await rpc.request('eth_sendRawTransaction', raw);
  await rpc.request('evm_mine');
  const mined = (await rpc.request('eth_getBlockByNumber', 'latest', false)) as { readonly receiptsRoot: string };
  if (mined.receiptsRoot !== receiptsRoot) throw new Error(`the block has other receipts than the recorded one: ${mined.receiptsRoot}`);
}

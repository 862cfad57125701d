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

/** A node whose head is the state before a recorded block of Ethereum: only the accounts and slots that the block touched are there (data/README). */
export async function startRecordedChain(genesisFile: string, hardfork: string, block: number): Promise<RecordedChain> {
  const folder = mkdtempSync(join(tmpdir(), 'braid-recorded-'));
  const genesis = join(folder, 'genesis.json');
  writeFileSync(genesis, gunzipSync(readFileSync(genesisFile)));
  const port = await freePort();
  const args = ['--host', '127.0.0.1', '--port', String(port), '--quiet', '--chain-id', '1', '--hardfork', hardfork, '--init', genesis];
  const further = ['--number', String(block - 1), '--no-mining', '--gas-limit', '60000000', '--disable-code-size-limit', '--accounts', '1', '--balance', '0'];
  const child = spawn(findAnvil(), [...args, ...further], { stdio: 'ignore' });
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

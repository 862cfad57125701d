import { spawn } from 'node:child_process';
import { createServer } from 'node:net';
import {
  type Abi,
  createPublicClient,
  createTestClient,
  createWalletClient,
  decodeFunctionResult,
  encodeFunctionData,
  type Hex,
  http,
  type StateOverride,
} from 'viem';
import { mnemonicToAccount } from 'viem/accounts';
import { foundry } from 'viem/chains';
import { findAnvil } from '../../src/devnet/anvil-process.ts';

/** A bare local chain on which test contracts answer questions. */
export type OracleChain = {
  readonly url: string;
  deploy(abi: Abi, bytecode: Hex, args: readonly unknown[]): Promise<Hex>;
  /** One eth_call with room for thousands of swaps, on a state that differs by `overrides`, in a block of that `time` where one is said. Throws when the contract reverts. */
  ask(address: Hex, abi: Abi, functionName: string, args: readonly unknown[], overrides?: StateOverride, time?: number): Promise<unknown>;
  /** The same as a transaction, in a block of its own some seconds after the last. Throws when it reverts. */
  send(address: Hex, abi: Abi, functionName: string, args: readonly unknown[]): Promise<void>;
  /** Of the newest block, in which `ask` is answered. */
  blockNumber(): Promise<number>;
  stop(): Promise<void>;
};

const GAS_LIMIT = 30_000_000_000n;
const TRANSACTION_GAS = 1_000_000_000n;
const BLOCK_SECONDS = 12;
const START_ATTEMPTS = 4000;
const START_POLL_MS = 25;
const CALL_TIMEOUT_MS = 300_000;
/** Of some hundred thousand transactions anvil once left one lying that it mines by itself: after so long it is told to. */
const LEFT_LYING_MS = 30_000;
const MNEMONIC = 'test test test test test test test test test test test junk';

/** Starts anvil on a free port of the loopback. Call stop() in an after hook. */
export async function startOracleChain(hardfork = 'cancun'): Promise<OracleChain> {
  const port = await freePort();
  const args = ['--host', '127.0.0.1', '--port', String(port), '--quiet', '--gas-limit', String(GAS_LIMIT), '--hardfork', hardfork, '--base-fee', '0'];
  const child = spawn(findAnvil(), args, { stdio: 'ignore' });
  const exited = new Promise<void>((done) => child.once('exit', () => done()));
  const kill = (): void => {
    child.kill('SIGKILL');
  };
  process.once('exit', kill);
  const stop = async (): Promise<void> => {
    kill();
    await exited;
    process.off('exit', kill);
  };
  const url = `http://127.0.0.1:${port}`;
  const transport = http(url, { timeout: CALL_TIMEOUT_MS, retryCount: 0 });
  const reader = createPublicClient({ chain: foundry, transport, pollingInterval: 20 });
  const wallet = createWalletClient({ chain: foundry, transport, account: mnemonicToAccount(MNEMONIC) });
  const tester = createTestClient({ mode: 'anvil', chain: foundry, transport });
  try {
    await untilReady(() => tester.mine({ blocks: 1 }));
  } catch (error) {
    await stop();
    throw error;
  }

  const receiptOf = async (hash: Hex) => {
    const mined = await reader.waitForTransactionReceipt({ hash, timeout: LEFT_LYING_MS }).catch(() => null);
    if (mined !== null) return mined;
    await tester.mine({ blocks: 1 });
    return await reader.waitForTransactionReceipt({ hash });
  };
  return {
    url,
    stop,
    blockNumber: async () => Number(await reader.getBlockNumber({ cacheTime: 0 })),
    async deploy(abi, bytecode, args) {
      const hash = await wallet.deployContract({ abi, bytecode, args: [...args] });
      const { contractAddress, status } = await receiptOf(hash);
      if (status !== 'success' || !contractAddress) throw new Error('a test contract was not deployed');
      return contractAddress;
    },
    async ask(address, abi, functionName, args, overrides = [], time) {
      const call = { to: address, gas: GAS_LIMIT, data: encodeFunctionData({ abi, functionName, args: [...args] }) };
      const at = time === undefined ? {} : { blockOverrides: { time: BigInt(time) } };
      const { data } = await reader.call({ ...call, ...at, stateOverride: overrides });
      return decodeFunctionResult({ abi, functionName, data: data ?? '0x' });
    },
    async send(to, abi, functionName, args) {
      await tester.increaseTime({ seconds: BLOCK_SECONDS });
      const hash = await wallet.sendTransaction({ to, gas: TRANSACTION_GAS, data: encodeFunctionData({ abi, functionName, args: [...args] }) });
      const { status } = await receiptOf(hash);
      if (status !== 'success') throw new Error(`a transaction of ${functionName} reverted`);
    },
  };
}

function freePort(): Promise<number> {
  return new Promise((done, fail) => {
    const probe = createServer();
    probe.once('error', fail);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => (typeof address === 'object' && address !== null ? done(address.port) : fail(new Error('no free port'))));
    });
  });
}

async function untilReady(probe: () => Promise<unknown>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await probe();
      return;
    } catch (error) {
      if (attempt >= START_ATTEMPTS) throw error;
      await new Promise((done) => setTimeout(done, START_POLL_MS));
    }
  }
}

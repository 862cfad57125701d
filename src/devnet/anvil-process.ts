import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { LIMITS } from '../config/limits.ts';
import { DevnetError } from './devnet-error.ts';
import { createNodeRpc, type NodeRpc } from './node-rpc.ts';

export type AnvilOptions = {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  readonly chainId: number;
  readonly accounts: number;
  /** Whole native tokens per account. */
  readonly balance: bigint;
  readonly genesisTimestamp: number;
  readonly baseFeePerGas: bigint;
  /** A dump of another node's chain to start from: blocks, transactions and states. */
  readonly stateFile?: string;
};

/** A running anvil. It dies with this process, however this process ends. */
export type AnvilProcess = {
  readonly pid: number;
  readonly url: string;
  readonly rpc: NodeRpc;
  /** Resolves when the process has ended, with what it left on standard error. */
  readonly exited: Promise<string>;
  /** Ends the process and resolves when it is gone. May be called again. */
  stop(): Promise<void>;
};

const START_POLL_MS = 15;
/** Far above any block of ours, so that one block takes hundreds of deployment transactions and one eth_call thousands of reads. */
const BLOCK_GAS_LIMIT = 1_000_000_000;
const STDERR_TAIL = 2_000;
/**
 * anvil's allocator (jemalloc) under both names that its builds read: one arena that gives freed pages back at once. A copy of the state per block, dropped again, otherwise
 * grows the process by hundreds of megabytes an hour: measured over 1,200 blocks, 156 MB against 442 MB.
 */
const MALLOC_CONF = 'narenas:1,dirty_decay_ms:0,muzzy_decay_ms:0';
const ALLOCATOR = { MALLOC_CONF, _RJEM_MALLOC_CONF: MALLOC_CONF };

/** Starts anvil without mining and waits until it answers. Throws DevnetError when it is missing, the port is taken, or it does not come up. */
export async function startAnvil(options: AnvilOptions): Promise<AnvilProcess> {
  const binary = findAnvil();
  const port = await claimPort(options.host, options.port);
  // A process group of its own: Ctrl-C reaches only us, and we end the chain in order, after what still reads from it.
  const child = spawn(binary, anvilArguments(options, port), { stdio: ['ignore', 'ignore', 'pipe'], detached: true, env: { ...process.env, ...ALLOCATOR } });
  const exited = watchExit(child);
  const { pid } = child;
  if (pid === undefined) throw new DevnetError(`anvil does not start: ${await exited}`);
  const guardian = guard(pid);
  // Once anvil is gone its number may become another's: nobody is to be killed by it any more.
  void exited.then(() => guardian?.kill('SIGKILL'));
  const killNow = (): void => {
    child.kill('SIGKILL');
  };
  process.once('exit', killNow);
  const stop = async (): Promise<void> => {
    child.kill('SIGKILL');
    await exited;
    process.off('exit', killNow);
  };
  const url = `http://${options.host}:${port}`;
  const rpc = createNodeRpc(url);
  try {
    await untilReady(child, exited, rpc, options.chainId);
  } catch (error) {
    await stop();
    throw error;
  }
  return { pid, url, rpc, exited, stop };
}

/** The binary itself, not npm's wrapper script: killing a wrapper would leave the node running. */
export function findAnvil(platform: string = process.platform, architecture: string = process.arch): string {
  const require = createRequire(import.meta.url);
  const platformPackage = `@foundry-rs/anvil-${platform}-${architecture === 'x64' ? 'amd64' : architecture}`;
  const file = platform === 'win32' ? 'anvil.exe' : 'anvil';
  for (const from of ['@foundry-rs/anvil/package.json', null]) {
    try {
      const scope = from === null ? require : createRequire(require.resolve(from));
      const binary = join(dirname(scope.resolve(`${platformPackage}/package.json`)), 'bin', file);
      if (existsSync(binary)) return binary;
    } catch {
      // Not installed at this level; the next place may have it.
    }
  }
  throw new DevnetError(`anvil is missing: the package ${platformPackage} is not installed. Run "npm ci" (with development dependencies) and start again.`);
}

/** Of the binary that would be started. Throws DevnetError when it is missing. */
export function anvilVersion(): string {
  return (JSON.parse(readFileSync(join(dirname(findAnvil()), '..', 'package.json'), 'utf8')) as { readonly version: string }).version;
}

function anvilArguments(options: AnvilOptions, port: number): string[] {
  const valued = {
    host: options.host,
    port,
    'chain-id': options.chainId,
    accounts: options.accounts,
    balance: options.balance,
    timestamp: options.genesisTimestamp,
    'block-base-fee-per-gas': options.baseFeePerGas,
    'gas-limit': BLOCK_GAS_LIMIT,
    'prune-history': LIMITS.devnet.keptStates,
    ...(options.stateFile === undefined ? {} : { 'load-state': options.stateFile }),
  };
  return ['--quiet', '--no-mining', ...Object.entries(valued).flatMap(([name, value]) => [`--${name}`, String(value)])];
}

/** The port to give to anvil. Asked first, because anvil on a taken port would leave us talking to whatever is there. Throws DevnetError when it is taken. */
export function claimPort(host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', (error: NodeJS.ErrnoException) => {
      const why = error.code === 'EADDRINUSE' ? 'is already in use' : `can not be used (${error.code ?? error.message})`;
      reject(new DevnetError(`port ${port} on ${host} ${why}: the local chain needs it. Stop what runs there, or set DEVNET_PORT to another port.`));
    });
    probe.listen(port, host, () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address !== null ? address.port : port));
    });
  });
}

function watchExit(child: ChildProcess): Promise<string> {
  let tail = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    tail = (tail + text).slice(-STDERR_TAIL);
  });
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) => resolve(tail.trim() || `it ended with ${signal ?? `code ${code}`}`));
  });
}

/**
 * A shell that waits for our end of a pipe to close and then ends anvil. Exit hooks do not run when a process is killed outright; the kernel closes
 * its pipes all the same. Windows has no such shell and does without.
 */
function guard(pid: number): ChildProcess | undefined {
  if (process.platform === 'win32') return undefined;
  const shell = spawn('/bin/sh', ['-c', 'read -r line; kill -9 "$0"', String(pid)], { stdio: ['pipe', 'ignore', 'ignore'], detached: true });
  // Without a shell only that last safety is missing.
  shell.once('error', () => undefined);
  shell.unref();
  return shell;
}

async function untilReady(child: ChildProcess, exited: Promise<string>, rpc: NodeRpc, chainId: number): Promise<void> {
  const giveUp = Date.now() + LIMITS.devnet.startMs;
  while (Date.now() < giveUp) {
    if (child.exitCode !== null || child.signalCode !== null) throw new DevnetError(`anvil ended at once: ${await exited}`);
    const answer = await rpc.request('eth_chainId').catch(() => null);
    if (answer !== null && Number(answer) === chainId) return;
    await new Promise((resolve) => setTimeout(resolve, START_POLL_MS));
  }
  throw new DevnetError(`anvil does not answer within ${LIMITS.devnet.startMs / 1000} seconds`);
}

import { fork, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TradeQuery } from './arrivals.ts';

export type TargetUp = {
  readonly publicUrl: string;
  readonly internalUrl: string;
  readonly keys: readonly string[];
  readonly trades: readonly TradeQuery[];
  readonly rpcUrl: string | null;
  /** The key file that it watches. */
  readonly keysFile: string;
};

/** Sent after `TargetUp`: a thread died so long before the process heard of it. */
export type TargetDeath = { readonly kind: 'death'; readonly heardAfterMs: number };

export type TargetOrder = { readonly kind: 'stop' } | { readonly kind: 'block-storm' | 'node-stall' | 'loop-stall'; readonly on: boolean };

/** A service of the harness's own. */
export type OwnTarget = TargetUp & {
  readonly pid: number;
  order(order: TargetOrder): void;
  /** Has the next thread that finishes a solve die instead of answering. */
  killThread(): void;
  /** Kills that no thread has taken yet. */
  pendingKills(): number;
  /** How long after each death of a thread the process heard of it, in their order. */
  heardAfterMs(): readonly number[];
  stop(): Promise<void>;
};

const root = fileURLToPath(new URL('../..', import.meta.url));

/** As production is compiled: the loader for TypeScript makes a thread's start four times as long. */
function compile(): string {
  const compiled = path.join(root, 'build/bench-load');
  // Neither compiling nor copying takes away what the project no longer has, and the service reads whole folders.
  rmSync(compiled, { recursive: true, force: true });
  const compiler = path.join(root, 'node_modules', 'typescript-compiler', 'bin', 'tsc');
  const { status } = spawnSync(process.execPath, [compiler, '-p', path.join(root, 'bench/load/tsconfig.json')], { stdio: 'inherit' });
  if (status !== 0) throw new Error('the target does not compile');
  // What the service reads from the project's folder, which is the compiled one here.
  for (const name of ['package.json', 'schemas', 'contracts', 'src/http/page']) cpSync(path.join(root, name), path.join(compiled, name), { recursive: true });
  return compiled;
}

/** What a target has less of than others: memory, as in a container; heap of a solver thread; connections that it takes. */
export type TargetBounds = { readonly memoryBytes?: number; readonly heapMegabytes?: number; readonly connections?: number };

/** Starts Braid on the devnet, or with `args` on something else, in a process of its own. */
export async function startTarget(args: readonly string[], logFile: number | 'ignore' = 'ignore', bounds: TargetBounds = {}): Promise<OwnTarget> {
  const folder = mkdtempSync(path.join(tmpdir(), 'braid-kills-'));
  const compiled = compile();
  const child = fork(path.join(compiled, 'bench/load/target.js'), [...args], {
    execArgv: [],
    env: { ...process.env, BRAID_KILL_FOLDER: folder, BRAID_DEATHS_FILE: `${folder}.deaths`, BRAID_BOUNDS: JSON.stringify(bounds) },
    stdio: ['ignore', logFile, 'inherit', 'ipc'],
  });
  const exit = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const up = await new Promise<TargetUp>((resolve, reject) => {
    child.once('message', (message) => resolve(message as TargetUp));
    child.once('exit', (code) => reject(new Error(`the target ended with ${code}`)));
  });
  const deaths: number[] = [];
  child.on('message', (message: TargetDeath) => deaths.push(message.heardAfterMs));
  let kills = 0;
  return {
    ...up,
    pid: child.pid ?? 0,
    order: (order) => void child.send(order),
    killThread: () => writeFileSync(path.join(folder, String(kills++)), ''),
    pendingKills: () => readdirSync(folder).length,
    heardAfterMs: () => deaths,
    async stop() {
      if (child.connected) child.send({ kind: 'stop' } satisfies TargetOrder);
      await exit;
      rmSync(folder, { recursive: true, force: true });
      rmSync(`${folder}.deaths`, { force: true });
    },
  };
}

// Starts the parts of the benchmark, servers on one processor and load on another where the machine has `taskset`.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { availableParallelism, devNull } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Cost, Serving, Subject } from './messages.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const compiled = path.join(root, 'build', 'bench-http', 'bench', 'http');

const PINS = availableParallelism() > 1 && spawnSync('taskset', ['--version']).status === 0;
/** Where the parts run, for the head of the report. */
export const PLACEMENT = PINS ? 'servers pinned to processor 0, load to processor 1' : 'nothing pinned: taskset or a second processor is missing';

/** Compiles what is measured, as production is compiled: the loader for TypeScript has costs of its own. */
export function compile(): void {
  const compiler = path.join(root, 'node_modules', 'typescript-compiler', 'bin', 'tsc');
  const { status } = spawnSync(process.execPath, [compiler, '-p', fileURLToPath(new URL('tsconfig.json', import.meta.url))], { stdio: 'inherit' });
  if (status !== 0) throw new Error('the benchmark does not compile');
}

export class Part {
  readonly #child: ChildProcess;

  constructor(script: 'serve' | 'load' | 'strain', processor: 0 | 1, args: readonly string[] = [], logFile: string = devNull) {
    const command = [process.execPath, ...nodeOptions(script, args), path.join(compiled, `${script}.js`), ...args];
    const [program = '', ...rest] = PINS ? ['taskset', '-c', String(processor), ...command] : command;
    const output = openSync(logFile, 'a');
    this.#child = spawn(program, rest, { stdio: ['ignore', output, 'inherit', 'ipc'], env: { ...process.env, NODE_ENV: 'production' } });
    closeSync(output);
  }

  /** The next message of the part. Rejects when it ends instead. */
  next<Message>(): Promise<Message> {
    return new Promise((resolve, reject) => {
      const onExit = () => reject(new Error('a part of the benchmark ended early'));
      this.#child.once('exit', onExit);
      this.#child.once('message', (message) => {
        this.#child.off('exit', onExit);
        resolve(message as Message);
      });
    });
  }

  ask<Message>(order: object): Promise<Message> {
    const answer = this.next<Message>();
    this.#child.send(order);
    return answer;
  }

  end(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#child.exitCode !== null) return resolve();
      this.#child.once('exit', () => resolve());
      this.#child.disconnect();
    });
  }
}

/** `BRAID_PROFILE=braid-canned` has that server write a processor profile into the working folder when the run ends. */
function nodeOptions(script: string, args: readonly string[]): readonly string[] {
  return script === 'serve' && process.env.BRAID_PROFILE === args[0] ? ['--cpu-prof'] : [];
}

export type Server = { readonly serving: Serving; cost(): Promise<Cost>; end(): Promise<void> };

export async function startServer(subject: Subject, logFile: string): Promise<Server> {
  const part = new Part('serve', 0, [subject], logFile);
  const serving = await part.next<Serving>();
  return { serving, cost: () => part.ask<Cost>({}), end: () => part.end() };
}

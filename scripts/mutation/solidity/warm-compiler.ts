import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { WorkingCopy } from '../working-copy.ts';

const PROGRAM = ['--import', './scripts/typescript.mjs', 'scripts/mutation/solidity/compile.ts'];
/** The compiler keeps what it took. */
const MOST_ASKED = 40;

/** `digest`: of the code; null where there is none. */
export type Compiled = { readonly digest: string | null; readonly error: string | null };

/** Compiles the contracts of a copy in a process that stays: the compiler takes as long to load and to warm up as to compile. */
export class WarmCompiler {
  readonly #folder: string;
  #child: ChildProcess | null = null;
  #asked = 0;

  constructor(copy: WorkingCopy) {
    this.#folder = copy.folder;
    process.once('exit', () => this.#child?.kill());
  }

  async compile(): Promise<Compiled> {
    const child = this.#child ?? spawn(process.execPath, PROGRAM, { cwd: this.#folder, stdio: ['pipe', 'pipe', 'inherit'] });
    this.#child = child;
    const answer = await new Promise<string | null>((resolve) => {
      const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream });
      lines.once('line', (line) => {
        resolve(line);
        lines.close();
      });
      lines.once('close', () => resolve(null));
      child.stdin?.write('\n');
    });
    this.#asked++;
    if (this.#asked % MOST_ASKED === 0 || answer === null) this.close();
    // Ended without an answer: what ends the compiler has no code either.
    return answer === null ? { digest: null, error: 'the compiler ended' } : (JSON.parse(answer) as Compiled);
  }

  close(): void {
    this.#child?.kill();
    this.#child = null;
  }
}

import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { broken, type Mutant } from './mutants.ts';

const COPIED = [
  'src',
  'test',
  'workers',
  'schemas',
  'scripts',
  'contracts',
  'bench',
  'grafana',
  'deploy',
  'README.md',
  'package.json',
  'tsconfig.json',
  'tsconfig.build.json',
  '.mocharc.json',
];

export type TestRun = 'pass' | 'fail' | 'timeout';

/** A copy of the project in which files are broken one at a time, so that nobody's own files ever are. */
export class WorkingCopy {
  readonly #folder: string;

  constructor(root: string, folder: string) {
    this.#folder = folder;
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    for (const name of COPIED) {
      if (!existsSync(path.join(root, name))) continue;
      cpSync(path.join(root, name), path.join(folder, name), { recursive: true, filter: (source) => !source.includes('node_modules') });
    }
    symlinkSync(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
  }

  async withMutant<Result>(mutant: Mutant, work: () => Promise<Result>): Promise<Result> {
    const file = path.join(this.#folder, mutant.file);
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, broken(text, mutant));
    try {
      return await work();
    } finally {
      writeFileSync(file, text);
    }
  }

  /** Runs test files by pattern, up to the first that fails. Everything that they started ends with them. */
  test(patterns: readonly string[], timeoutMs: number): Promise<TestRun> {
    const mocha = path.join(this.#folder, 'node_modules/mocha/bin/mocha.js');
    const child = spawn(process.execPath, [mocha, '--bail', '--reporter', 'dot', ...patterns], {
      cwd: this.#folder,
      stdio: 'ignore',
      // A group of its own: a test that hangs may have started others.
      detached: true,
    });
    return new Promise((resolve) => {
      const { pid } = child;
      const end = () => {
        process.off('exit', end);
        try {
          if (pid !== undefined) process.kill(-pid, 'SIGKILL');
        } catch {
          // Nothing of the group is left.
        }
      };
      process.on('exit', end);
      const timer = setTimeout(() => {
        end();
        resolve('timeout');
      }, timeoutMs);
      child.once('exit', (code) => {
        clearTimeout(timer);
        end();
        resolve(code === 0 ? 'pass' : 'fail');
      });
    });
  }
}

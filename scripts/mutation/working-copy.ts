import { execFile, spawn } from 'node:child_process';
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
  'docs',
  'grafana',
  'deploy',
  'README.md',
  'foundry.toml',
  'package.json',
  'tsconfig.json',
  'tsconfig.build.json',
  '.mocharc.json',
];
const OUTPUT_BYTES = 2 ** 26;
/** Where the tests look for recorded data, beside the project. */
const SHARED = '../shared';
const REPORTER = './scripts/mutation/noticing-reporter.mjs';

/** What the reporter writes at the end of a run; `file` null where mocha does not know it. */
type Noticed = { readonly failed: { readonly file: string | null } | null };

/** `by`: the test file that failed first; null where it is not known. */
export type TestRun = { readonly end: 'pass' | 'fail' | 'timeout'; readonly by: string | null; readonly ms: number };

/** A copy of the project in which files are broken one at a time, so that nobody's own files ever are. */
export class WorkingCopy {
  /** Of the copied project. */
  readonly folder: string;
  readonly #result: string;
  /** Where marked places are written to. */
  readonly touchedFile: string;

  /** Below `folder`, which is its own. */
  constructor(root: string, folder: string) {
    rmSync(folder, { recursive: true, force: true });
    this.folder = path.join(folder, 'project');
    this.#result = path.join(folder, 'result.json');
    this.touchedFile = path.join(folder, 'touched');
    mkdirSync(this.folder, { recursive: true });
    for (const name of COPIED) {
      if (!existsSync(path.join(root, name))) continue;
      cpSync(path.join(root, name), path.join(this.folder, name), { recursive: true, filter: (source) => !source.includes('node_modules') });
    }
    symlinkSync(path.join(root, 'node_modules'), path.join(this.folder, 'node_modules'));
    const shared = path.resolve(root, SHARED);
    if (existsSync(shared)) symlinkSync(shared, path.resolve(this.folder, SHARED));
  }

  withMutant<Result>(mutant: Mutant, work: () => Promise<Result>): Promise<Result> {
    const text = readFileSync(path.join(this.folder, mutant.file), 'utf8');
    return this.withTexts(new Map([[mutant.file, broken(text, mutant)]]), work);
  }

  /** With other texts in the place of files. */
  async withTexts<Result>(texts: ReadonlyMap<string, string>, work: () => Promise<Result>): Promise<Result> {
    const kept = [...texts.keys()].map((name) => ({ file: path.join(this.folder, name), text: readFileSync(path.join(this.folder, name), 'utf8') }));
    for (const [name, text] of texts) writeFileSync(path.join(this.folder, name), text);
    try {
      return await work();
    } finally {
      for (const { file, text } of kept) writeFileSync(file, text);
    }
  }

  /** A file's text as it is in the copy. */
  text(name: string): string {
    return readFileSync(path.join(this.folder, name), 'utf8');
  }

  /** Runs a program of the copy to its end. A status of null: it was not over in time. */
  run(args: readonly string[], timeoutMs: number): Promise<{ readonly status: number | null; readonly stdout: string }> {
    const options = { cwd: this.folder, timeout: timeoutMs, maxBuffer: OUTPUT_BYTES } as const;
    return new Promise((resolve) => {
      const child = execFile(process.execPath, [...args], options, (_, stdout) => {
        process.off('exit', end);
        resolve({ status: child.exitCode, stdout });
      });
      const end = () => child.kill();
      process.on('exit', end);
    });
  }

  /** Numbers of the marked places that were run since it was last asked. */
  takeTouched(): ReadonlySet<number> {
    const text = existsSync(this.touchedFile) ? readFileSync(this.touchedFile, 'utf8') : '';
    rmSync(this.touchedFile, { force: true });
    return new Set(text.split('\n').flatMap((line) => (line === '' ? [] : [Number(line)])));
  }

  /** Runs test files in order, up to the first that fails. Everything that they started ends with them. */
  test(files: readonly string[], timeoutMs: number): Promise<TestRun> {
    const startedAt = performance.now();
    rmSync(this.#result, { force: true });
    const mocha = path.join(this.folder, 'node_modules/mocha/bin/mocha.js');
    // What a failure leaves open must not keep the process.
    const reporting = ['--exit', '--reporter', REPORTER, '--reporter-option', `output=${this.#result}`];
    const child = spawn(process.execPath, [mocha, '--bail', ...reporting, ...files], {
      cwd: this.folder,
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
      const settle = (how: TestRun['end'], by: string | null) => resolve({ end: how, by, ms: performance.now() - startedAt });
      const timer = setTimeout(() => {
        end();
        settle('timeout', null);
      }, timeoutMs);
      child.once('exit', (code) => {
        clearTimeout(timer);
        end();
        const noticed = this.#noticed();
        // A process that ends well and says nothing did not run its tests to the end.
        if (code === 0 && noticed?.failed === null) settle('pass', null);
        else settle('fail', files.length === 1 ? (files[0] ?? null) : this.#nameOf(noticed?.failed?.file ?? null));
      });
    });
  }

  #noticed(): Noticed | null {
    return existsSync(this.#result) ? (JSON.parse(readFileSync(this.#result, 'utf8')) as Noticed) : null;
  }

  #nameOf(file: string | null): string | null {
    return file === null ? null : path.relative(this.folder, file).replaceAll(path.sep, '/');
  }
}

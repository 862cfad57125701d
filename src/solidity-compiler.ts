import { execFile } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { Abi } from 'viem';
import { onlyOne } from './only-one.ts';

/** What the compiler says of one contract, as far as it was asked for. */
export type ContractOutput = {
  readonly abi: Abi;
  readonly evm: {
    readonly bytecode: { readonly object: string };
    readonly deployedBytecode: {
      readonly object: string;
      /** By the number of the declaration in the syntax tree. */
      readonly immutableReferences?: Readonly<Record<string, readonly { readonly start: number }[]>>;
    };
  };
};

/** What the compiler gives for its JSON input; `contracts` by path and name. */
export type CompilerOutput = {
  readonly sources?: Readonly<Record<string, { readonly ast: unknown }>>;
  readonly errors?: readonly { readonly severity: string; readonly formattedMessage: string }[];
  readonly contracts?: Readonly<Record<string, Readonly<Record<string, ContractOutput>>>>;
};

/** Turns the compiler's JSON input into its JSON output. */
export type Compiler = (input: string) => Promise<string>;

/** The package solc is a development dependency: a production install has none. */
export class CompilerMissing extends Error {
  constructor(cause: unknown) {
    super('the Solidity compiler (package solc) is missing. Run "npm ci" (with development dependencies) and start again.', { cause });
  }
}

export type Kept<Contracts> = {
  /** Where outcomes are kept, and under which name, by a hash of the compiler and its whole input. */
  readonly folder: string;
  readonly nameOf: (hash: string) => string;
  /** What of the output is kept. Throws where it is not what was wanted. */
  readonly pick: (output: CompilerOutput) => Contracts;
  readonly compiler: Compiler;
};

/** Compiles, or takes the outcome of an earlier run with the same input. Rejects with the compiler's own messages where a source does not compile, and with CompilerMissing. */
export async function compileKept<Contracts>(input: string, { folder, nameOf, pick, compiler }: Kept<Contracts>): Promise<Contracts> {
  const file = path.join(folder, nameOf(createHash('sha256').update(packageVersion()).update(input).digest('hex')));
  const compiled = async (): Promise<Contracts> => {
    const output = JSON.parse(await compiler(input)) as CompilerOutput;
    const errors = (output.errors ?? []).filter(({ severity }) => severity === 'error');
    if (errors.length > 0) throw new Error(errors.map(({ formattedMessage }) => formattedMessage).join('\n'));
    return pick(output);
  };
  // Processes of tests want the same contracts at the same time: one compiles, the others wait for what it makes.
  return (await readKept<Contracts>(file)) ?? (await onlyOne(file, async () => (await readKept<Contracts>(file)) ?? keep(file, await compiled())));
}

/** In this process: it takes half a second to load, keeps hundreds of megabytes, and installs process-wide error handlers. */
export const compileHere: Compiler = async (input) => (await loadCompiler()).compile(input);

/** In a process that ends with it. */
export const compileApart: Compiler = (input) =>
  new Promise((done, fail) => {
    const child = execFile(process.execPath, ['-e', PROGRAM, placeOf('solc')], { maxBuffer: 2 ** 28 }, (error, stdout) => {
      if (error) fail(error);
      else done(stdout);
    });
    child.stdin?.end(input);
  });

/** As the compiler itself says it, with the commit that it was built of. */
export async function compilerVersion(): Promise<string> {
  return (await loadCompiler()).version();
}

/** These sources with every file that they import, directly or not. `most` bounds how many, so that a wrong path can not pull in a whole tree. */
export async function withImports(
  roots: Readonly<Record<string, string>>,
  read: (place: string) => Promise<string>,
  most = 500,
): Promise<Readonly<Record<string, string>>> {
  const all: Record<string, string> = { ...roots };
  const queue = Object.keys(roots);
  for (let place = queue.pop(); place !== undefined; place = queue.pop()) {
    for (const target of importsOf(place, all[place] ?? '')) {
      if (all[target] !== undefined) continue;
      all[target] = await read(target);
      if (queue.push(target) > most) throw new Error(`more than ${most} imported sources`);
    }
  }
  return all;
}

function importsOf(place: string, text: string): readonly string[] {
  return [...text.matchAll(/^\s*import\s+(?:[^'";]*?\sfrom\s+)?["']([^"']+)["']\s*;/gm)].map(([, target = '']) =>
    target.startsWith('.') ? path.posix.join(path.posix.dirname(place), target) : target,
  );
}

/** Reads its input to the end, compiles, and leaves by itself: the package's own program exits before a long outcome has gone through the pipe. */
const PROGRAM = `
  let input = '';
  process.stdin.setEncoding('utf8').on('data', (text) => (input += text));
  process.stdin.on('end', () => process.stdout.write(require(process.argv[1]).compile(input)));
`;

type Loaded = { compile(input: string): string; version(): string };

async function loadCompiler(): Promise<Loaded> {
  // A name in a variable keeps the types of a development dependency out of production's type check.
  const name = 'solc';
  try {
    return ((await import(name)) as { readonly default: Loaded }).default;
  } catch (cause) {
    throw new CompilerMissing(cause);
  }
}

function packageVersion(): string {
  return (JSON.parse(readFileSync(placeOf('solc/package.json'), 'utf8')) as { readonly version: string }).version;
}

function placeOf(name: string): string {
  try {
    return createRequire(import.meta.url).resolve(name);
  } catch (cause) {
    throw new CompilerMissing(cause);
  }
}

/** Whoever reads without the lock sees a whole file: a rename is atomic, a write is not. Where nothing can be written, the outcome is the same, and each start compiles. */
async function keep<Contracts>(file: string, contracts: Contracts): Promise<Contracts> {
  const draft = `${file}.${randomUUID()}`;
  try {
    await writeFile(draft, JSON.stringify(contracts));
    await rename(draft, file);
  } catch {
    await rm(draft, { force: true }).catch(() => undefined);
  }
  return contracts;
}

/** null also where what is kept is damaged. */
async function readKept<Contracts>(file: string): Promise<Contracts | null> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Contracts;
  } catch {
    return null;
  }
}

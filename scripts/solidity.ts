import { execFile } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join, posix, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Abi } from 'viem';
import { onlyOne } from '../src/only-one.ts';

/** What the compiler gives for one contract. Bytecode is 0x-prefixed hex. */
export type CompiledContract = {
  readonly abi: Abi;
  readonly bytecode: `0x${string}`;
  readonly deployedBytecode: `0x${string}`;
  /** Where the values of immutables go in the deployed bytecode: byte offsets of 32-byte words by name (see `immutableNames`). Zero there until construction. */
  readonly immutables: Readonly<Record<string, readonly number[]>>;
};

export type SolidityOptions = {
  /** Compile through the IR pipeline: slower, for contracts with too many local variables. */
  readonly viaIR?: boolean;
  /** How often the optimizer expects code to run: more gives cheaper, longer code. Default 200. */
  readonly runs?: number;
  /** Tell immutables by their names, for which the compiler has to write every syntax tree down: a sixth of its time. Without: by the numbers of their declarations. */
  readonly immutableNames?: boolean;
  /** The oldest rules of the virtual machine that the code has to run under. Default cancun. */
  readonly evmVersion?: 'cancun' | 'shanghai';
  /** Turns the compiler's JSON input into its JSON output. Default: a process that ends with it. */
  readonly compiler?: (input: string) => Promise<string>;
};

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const CACHE = join(ROOT, 'build', 'solidity');
/** Bounds the closure of imports, so that a wrong path can not pull in a whole package tree. */
const MAX_SOURCES = 500;
const require = createRequire(import.meta.url);

/**
 * Compiles Solidity with the npm compiler and returns the contracts by name. `sources` is a folder relative to the project root (all .sol files
 * below it) or a map of path to text. Relative imports resolve against the project, others against node_modules. The result is kept under
 * build/solidity by a hash of the whole input. Throws with the compiler's own messages when a source does not compile.
 */
export async function compileSolidity(
  sources: Readonly<Record<string, string>> | string,
  options: SolidityOptions = {},
): Promise<Readonly<Record<string, CompiledContract>>> {
  const roots = typeof sources === 'string' ? await readFolder(sources) : sources;
  const input = JSON.stringify({
    language: 'Solidity',
    sources: Object.fromEntries(Object.entries(await withImports(roots)).map(([path, content]) => [path, { content }])),
    settings: {
      optimizer: { enabled: true, runs: options.runs ?? 200 },
      evmVersion: options.evmVersion ?? 'cancun',
      viaIR: options.viaIR ?? false,
      metadata: { bytecodeHash: 'none' },
      outputSelection: {
        '*': {
          ...(options.immutableNames ? { '': ['ast'] } : {}),
          '*': ['abi', 'evm.bytecode.object', 'evm.deployedBytecode.object', 'evm.deployedBytecode.immutableReferences'],
        },
      },
    },
  });
  const output = async () => JSON.parse(await (options.compiler ?? runCompiler)(input)) as CompilerOutput;
  const compiler = compilerVersion();
  const cached = join(CACHE, `${createHash('sha256').update(compiler).update(input).digest('hex')}.json`);
  // Test processes want the same contracts at the same time: one compiles, the others wait for what it makes.
  return (
    (await readKept(cached)) ??
    (await onlyOne(cached, async () => (await readKept(cached)) ?? keep(cached, pickContracts(await output(), new Set(Object.keys(roots))))))
  );
}

/** Whoever reads without the lock sees a whole file: a rename is atomic, a write is not. Where nothing can be written, the outcome is the same. */
async function keep(cached: string, contracts: Record<string, CompiledContract>): Promise<Record<string, CompiledContract>> {
  const draft = `${cached}.${randomUUID()}`;
  try {
    await writeFile(draft, JSON.stringify(contracts));
    await rename(draft, cached);
  } catch {
    await rm(draft, { force: true }).catch(() => undefined);
  }
  return contracts;
}

async function readKept(file: string): Promise<Record<string, CompiledContract> | null> {
  const text = await readFile(file, 'utf8').catch(() => null);
  return text === null ? null : (JSON.parse(text) as Record<string, CompiledContract>);
}

type CompilerOutput = {
  readonly sources?: Readonly<Record<string, { readonly ast: unknown }>>;
  readonly errors?: readonly { readonly severity: string; readonly formattedMessage: string }[];
  readonly contracts?: Readonly<Record<string, Readonly<Record<string, CompilerContract>>>>;
};
type CompilerContract = {
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

function pickContracts(output: CompilerOutput, wanted: ReadonlySet<string>): Record<string, CompiledContract> {
  const errors = (output.errors ?? []).filter((entry) => entry.severity === 'error');
  if (errors.length > 0) throw new Error(errors.map((entry) => entry.formattedMessage).join('\n'));
  const immutableNames = new Map(Object.values(output.sources ?? {}).flatMap(({ ast }) => immutablesIn(ast)));
  const contracts: Record<string, CompiledContract> = {};
  for (const [path, file] of Object.entries(output.contracts ?? {})) {
    if (!wanted.has(path)) continue;
    for (const [name, contract] of Object.entries(file)) {
      if (contracts[name] !== undefined) throw new Error(`two contracts are named ${name}; the second is in ${path}`);
      contracts[name] = {
        abi: contract.abi,
        bytecode: `0x${contract.evm.bytecode.object}`,
        deployedBytecode: `0x${contract.evm.deployedBytecode.object}`,
        immutables: Object.fromEntries(
          Object.entries(contract.evm.deployedBytecode.immutableReferences ?? {}).map(([id, places]) => [
            immutableNames.get(id) ?? id,
            places.map(({ start }) => start),
          ]),
        ),
      };
    }
  }
  return contracts;
}

/** Number and name of every immutable declared in a syntax tree. */
function immutablesIn(node: unknown): (readonly [id: string, name: string])[] {
  if (typeof node !== 'object' || node === null) return [];
  const { nodeType, mutability, id, name } = node as Readonly<Record<string, unknown>>;
  const own: (readonly [string, string])[] = nodeType === 'VariableDeclaration' && mutability === 'immutable' ? [[String(id), String(name)]] : [];
  return [...own, ...Object.values(node).flatMap(immutablesIn)];
}

async function readFolder(folder: string): Promise<Record<string, string>> {
  const top = resolve(ROOT, folder);
  const names = (await readdir(top, { recursive: true })).filter((name) => name.endsWith('.sol')).sort();
  if (names.length === 0) throw new Error(`no .sol file in ${folder}`);
  const sources: Record<string, string> = {};
  for (const name of names) sources[relative(ROOT, join(top, name)).split(sep).join('/')] = await readFile(join(top, name), 'utf8');
  return sources;
}

/** Adds every file that the sources import, directly or not. */
async function withImports(roots: Readonly<Record<string, string>>): Promise<Record<string, string>> {
  const all: Record<string, string> = { ...roots };
  const queue = Object.keys(roots);
  for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
    for (const target of importsOf(path, all[path] ?? '')) {
      if (all[target] !== undefined) continue;
      all[target] = await readImport(target);
      if (queue.push(target) > MAX_SOURCES) throw new Error(`more than ${MAX_SOURCES} imported sources`);
    }
  }
  return all;
}

function importsOf(path: string, text: string): string[] {
  return [...text.matchAll(/^\s*import\s+(?:[^'";]*?\sfrom\s+)?["']([^"']+)["']\s*;/gm)].map((match) => {
    const target = match[1] ?? '';
    return target.startsWith('.') ? posix.normalize(posix.join(posix.dirname(path), target)) : target;
  });
}

async function readImport(target: string): Promise<string> {
  const inProject = await readFile(join(ROOT, target), 'utf8').catch(() => null);
  return inProject ?? (await readFile(join(ROOT, 'node_modules', target), 'utf8'));
}

function compilerVersion(): string {
  return (require('solc/package.json') as { version: string }).version;
}

/** Reads its input to the end, compiles, and leaves by itself: the package's own program exits before a long outcome has gone through the pipe. */
const COMPILE = `
  let input = '';
  process.stdin.setEncoding('utf8').on('data', (text) => (input += text));
  process.stdin.on('end', () => process.stdout.write(require(process.argv[1]).compile(input)));
`;

/** In a process of its own: the compiler keeps hundreds of megabytes and installs process-wide error handlers. */
function runCompiler(input: string): Promise<string> {
  return new Promise((done, fail) => {
    const child = execFile(process.execPath, ['-e', COMPILE, require.resolve('solc')], { maxBuffer: 2 ** 28 }, (error, stdout) => {
      if (error) fail(error);
      else done(stdout);
    });
    child.stdin?.end(input);
  });
}

import { readdir, readFile } from 'node:fs/promises';
import { join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Abi } from 'viem';
import { type Compiler, type CompilerOutput, compileApart, compileKept, withImports } from '../src/solidity-compiler.ts';

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
  /** Default: a process that ends with it. */
  readonly compiler?: Compiler;
};

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const CACHE = join(ROOT, 'build', 'solidity');

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
    sources: Object.fromEntries(Object.entries(await withImports(roots, readImport)).map(([path, content]) => [path, { content }])),
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
  return compileKept(input, {
    folder: CACHE,
    nameOf: (hash) => `${hash}.json`,
    pick: (output) => pickContracts(output, new Set(Object.keys(roots))),
    compiler: options.compiler ?? compileApart,
  });
}

function pickContracts(output: CompilerOutput, wanted: ReadonlySet<string>): Record<string, CompiledContract> {
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

async function readImport(target: string): Promise<string> {
  const inProject = await readFile(join(ROOT, target), 'utf8').catch(() => null);
  return inProject ?? (await readFile(join(ROOT, 'node_modules', target), 'utf8'));
}

import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { Abi, Hex } from 'viem';
import { projectFile } from '../project-file.ts';
import { type CompilerOutput, compileHere, compileKept, withImports } from '../solidity-compiler.ts';
import { DevnetError } from './devnet-error.ts';

/** What the compiler gives for one contract: creation code, and the code that it leaves, with zeros for immutables. */
export type CompiledContract = { readonly abi: Abi; readonly bytecode: Hex; readonly deployedBytecode: Hex };

/** By contract name. */
export type CompiledContracts = Readonly<Record<string, CompiledContract>>;

type Sources = Readonly<Record<string, string>>;

const TOKEN_SOURCES = path.join('contracts', 'devnet', 'tokens');
const CACHE = path.join('build', 'solidity');

/**
 * Compiles the tokens of the local chain, or takes the outcome of an earlier run with the same sources. The compiler is loaded only when it is needed: it costs half a second and nothing else uses it. Rejects
 * with DevnetError when it is missing or the sources do not compile.
 */
export function compileTokens(root: string = projectFile('.')): Promise<CompiledContracts> {
  return compile(root, 'devnet-tokens', async () => readSources(path.join(root, TOKEN_SOURCES)), 'paris');
}

/** The same for contracts of a venue: places in npm packages, or files of the project from `contracts/` on. */
export function compileVenue(name: string, places: readonly string[], root: string = projectFile('.')): Promise<CompiledContracts> {
  return compile(root, `devnet-${name}`, () => readWithImports(places, root), 'cancun');
}

async function compile(root: string, name: string, read: () => Promise<Sources>, evmVersion: string): Promise<CompiledContracts> {
  const sources = Object.fromEntries(Object.entries(await read()).map(([place, content]) => [place, { content }]));
  const input = JSON.stringify({ language: 'Solidity', sources, settings: { ...SETTINGS, evmVersion } });
  const nameOf = (hash: string): string => `${name}-${hash.slice(0, 32)}.json`;
  try {
    return await compileKept(input, { folder: path.join(root, CACHE), nameOf, pick, compiler: compileHere });
  } catch (cause) {
    throw new DevnetError(`contracts of the local chain can not be had: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}

const SETTINGS = {
  optimizer: { enabled: true, runs: 200 },
  metadata: { bytecodeHash: 'none' },
  outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object', 'evm.deployedBytecode.object'] } },
} as const;

/** Those that have code: no interfaces. */
function pick(output: CompilerOutput): CompiledContracts {
  const contracts: Record<string, CompiledContract> = {};
  for (const file of Object.values(output.contracts ?? {})) {
    for (const [name, { abi, evm }] of Object.entries(file)) {
      if (evm.bytecode.object === '') continue;
      contracts[name] = { abi, bytecode: `0x${evm.bytecode.object}`, deployedBytecode: `0x${evm.deployedBytecode.object}` };
    }
  }
  return contracts;
}

function readSources(folder: string): Sources {
  const files = readdirSync(folder)
    .filter((file) => file.endsWith('.sol'))
    .sort();
  return Object.fromEntries(files.map((file) => [file, readFileSync(path.join(folder, file), 'utf8')]));
}

/** Files with all that they import. */
async function readWithImports(places: readonly string[], root: string): Promise<Sources> {
  const packages = createRequire(import.meta.url);
  const read = async (place: string): Promise<string> => {
    try {
      return readFileSync(place.startsWith('contracts/') ? path.join(root, place) : packages.resolve(place), 'utf8');
    } catch (cause) {
      throw new DevnetError(`the contract ${place} is missing. Run "npm ci" (with development dependencies) and start again.`, { cause });
    }
  };
  const roots = await Promise.all(places.map(async (place) => [place, await read(place)] as const));
  return withImports(Object.fromEntries(roots), read);
}

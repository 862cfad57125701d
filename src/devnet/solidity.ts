import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Abi, Hex } from 'viem';
import { onlyOne } from '../only-one.ts';
import { DevnetError } from './devnet-error.ts';

/** What the compiler gives for one contract: creation code, and the code that it leaves, with zeros for immutables. */
export type CompiledContract = { readonly abi: Abi; readonly bytecode: Hex; readonly deployedBytecode: Hex };

/** By contract name. */
export type CompiledContracts = Readonly<Record<string, CompiledContract>>;

const TOKEN_SOURCES = join('contracts', 'devnet', 'tokens');
const CACHE = join('build', 'solidity');
/**
 * Compiles the tokens of the local chain with npm's solc, or takes the outcome of an earlier run with the same sources. The compiler is loaded only when it is needed:
 * it costs half a second and nothing else uses it. Throws DevnetError when it is missing or the sources do not compile.
 */
export function compileTokens(root: string = projectRoot()): Promise<CompiledContracts> {
  return compileKept(root, 'devnet-tokens', readSources(join(root, TOKEN_SOURCES)), 'paris');
}

/** The same for contracts of a venue: places in npm packages, or files of the project from `contracts/` on. */
export function compileVenue(name: string, places: readonly string[], root: string = projectRoot()): Promise<CompiledContracts> {
  return compileKept(root, `devnet-${name}`, readWithImports(places, root), 'cancun');
}

async function compileKept(root: string, name: string, sources: Sources, evmVersion: string): Promise<CompiledContracts> {
  const input = JSON.stringify({ language: 'Solidity', sources, settings: { ...SETTINGS, evmVersion } });
  const key = createHash('sha256').update(solcVersion()).update(input).digest('hex');
  const cached = join(root, CACHE, `${name}-${key.slice(0, 32)}.json`);
  // Processes of tests want the same contracts at the same time: one compiles, the others wait for what it makes.
  return readCached(cached) ?? (await onlyOne(cached, async () => readCached(cached) ?? keep(cached, await compile(input))));
}

/** Written aside and renamed, so that two starts at once never read half a file. Where nothing can be written, each start compiles. */
function keep(cached: string, contracts: CompiledContracts): CompiledContracts {
  const draft = `${cached}.${process.pid}`;
  try {
    writeFileSync(draft, JSON.stringify(contracts));
    renameSync(draft, cached);
  } catch {
    // The outcome is the same.
  }
  return contracts;
}

const SETTINGS = {
  optimizer: { enabled: true, runs: 200 },
  metadata: { bytecodeHash: 'none' },
  outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object', 'evm.deployedBytecode.object'] } },
} as const;

type Sources = Readonly<Record<string, { readonly content: string }>>;
type Solc = { compile(input: string): string };
type SolcContract = {
  readonly abi: Abi;
  readonly evm: { readonly bytecode: { readonly object: string }; readonly deployedBytecode: { readonly object: string } };
};
type SolcOutput = {
  readonly errors?: readonly { readonly severity: string; readonly formattedMessage: string }[];
  readonly contracts?: Readonly<Record<string, Readonly<Record<string, SolcContract>>>>;
};

async function compile(input: string): Promise<CompiledContracts> {
  const solc = await loadSolc();
  const output = JSON.parse(solc.compile(input)) as SolcOutput;
  const errors = (output.errors ?? []).filter((error) => error.severity === 'error');
  if (errors.length > 0) throw new DevnetError(`contracts of the local chain do not compile:\n${errors.map((error) => error.formattedMessage).join('\n')}`);
  const contracts: Record<string, CompiledContract> = {};
  for (const file of Object.values(output.contracts ?? {})) {
    for (const [name, { abi, evm }] of Object.entries(file)) {
      if (evm.bytecode.object === '') continue;
      contracts[name] = { abi, bytecode: `0x${evm.bytecode.object}`, deployedBytecode: `0x${evm.deployedBytecode.object}` };
    }
  }
  return contracts;
}

const SOLC_MISSING = 'the Solidity compiler (package solc) is missing. Run "npm ci" (with development dependencies) and start again.';

async function loadSolc(): Promise<Solc> {
  // A name in a variable keeps the types of a development dependency out of production's type check.
  const name = 'solc';
  try {
    return ((await import(name)) as { readonly default: Solc }).default;
  } catch (cause) {
    throw new DevnetError(SOLC_MISSING, { cause });
  }
}

function solcVersion(): string {
  try {
    return (JSON.parse(readFileSync(createRequire(import.meta.url).resolve('solc/package.json'), 'utf8')) as { readonly version: string }).version;
  } catch (cause) {
    throw new DevnetError(SOLC_MISSING, { cause });
  }
}

function readSources(folder: string): Sources {
  const files = readdirSync(folder)
    .filter((file) => file.endsWith('.sol'))
    .sort();
  return Object.fromEntries(files.map((file) => [file, { content: readFileSync(join(folder, file), 'utf8') }]));
}

/** Files with all that they import. */
function readWithImports(places: readonly string[], root: string): Sources {
  const packages = createRequire(import.meta.url);
  const resolve = (place: string): string => (place.startsWith('contracts/') ? join(root, place) : packages.resolve(place));
  const sources: Record<string, { readonly content: string }> = {};
  const queue = [...places];
  for (let place = queue.pop(); place !== undefined; place = queue.pop()) {
    if (sources[place] !== undefined) continue;
    const content = readPackageFile(place, resolve);
    sources[place] = { content };
    for (const [, target = ''] of content.matchAll(/^\s*import\s+(?:[^'";]*?\sfrom\s+)?["']([^"']+)["']\s*;/gm)) {
      queue.push(target.startsWith('.') ? posix.join(posix.dirname(place), target) : target);
    }
  }
  return sources;
}

function readPackageFile(place: string, resolve: (place: string) => string): string {
  try {
    return readFileSync(resolve(place), 'utf8');
  } catch (cause) {
    throw new DevnetError(`the contract ${place} is missing. Run "npm ci" (with development dependencies) and start again.`, { cause });
  }
}

function readCached(file: string): CompiledContracts | null {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as CompiledContracts;
  } catch {
    return null;
  }
}

/** The folder of package.json above this file: compiled code lies one level deeper than its source. */
function projectRoot(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'package.json'))) {
    const parent = dirname(folder);
    if (parent === folder) throw new DevnetError('the project folder is not found');
    folder = parent;
  }
  return folder;
}

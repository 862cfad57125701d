import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Hex } from 'viem';
import { DevnetError } from './devnet-error.ts';

/** Creation code by contract name. */
export type CompiledContracts = Readonly<Record<string, Hex>>;

const TOKEN_SOURCES = join('contracts', 'devnet', 'tokens');
const CACHE = join('build', 'solidity');

/**
 * Compiles the tokens of the local chain with npm's solc, or takes the outcome of an earlier run with the same sources. The compiler is loaded only when it is needed:
 * it costs half a second and nothing else uses it. Throws DevnetError when it is missing or the sources do not compile.
 */
export async function compileTokens(root: string = projectRoot()): Promise<CompiledContracts> {
  const sources = readSources(join(root, TOKEN_SOURCES));
  const version = solcVersion();
  const key = createHash('sha256')
    .update(JSON.stringify([version, SETTINGS, sources]))
    .digest('hex');
  const cached = join(root, CACHE, `devnet-tokens-${key.slice(0, 32)}.json`);
  if (existsSync(cached)) {
    const kept = readCached(cached);
    if (kept !== null) return kept;
  }
  const contracts = await compile(sources);
  mkdirSync(dirname(cached), { recursive: true });
  // Written aside and renamed, so that two starts at once never read half a file.
  const draft = `${cached}.${process.pid}`;
  writeFileSync(draft, JSON.stringify(contracts));
  renameSync(draft, cached);
  return contracts;
}

const SETTINGS = { optimizer: { enabled: true, runs: 200 }, evmVersion: 'paris', outputSelection: { '*': { '*': ['evm.bytecode.object'] } } } as const;

type Sources = Readonly<Record<string, { readonly content: string }>>;
type Solc = { compile(input: string): string };
type SolcOutput = {
  readonly errors?: readonly { readonly severity: string; readonly formattedMessage: string }[];
  readonly contracts?: Readonly<Record<string, Readonly<Record<string, { readonly evm: { readonly bytecode: { readonly object: string } } }>>>>;
};

async function compile(sources: Sources): Promise<CompiledContracts> {
  const solc = await loadSolc();
  const output = JSON.parse(solc.compile(JSON.stringify({ language: 'Solidity', sources, settings: SETTINGS }))) as SolcOutput;
  const errors = (output.errors ?? []).filter((error) => error.severity === 'error');
  if (errors.length > 0) throw new DevnetError(`the tokens of the local chain do not compile:\n${errors.map((error) => error.formattedMessage).join('\n')}`);
  const contracts: Record<string, Hex> = {};
  for (const file of Object.values(output.contracts ?? {})) {
    for (const [name, { evm }] of Object.entries(file)) if (evm.bytecode.object !== '') contracts[name] = `0x${evm.bytecode.object}`;
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

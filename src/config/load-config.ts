import path from 'node:path';
import { parseArgs } from 'node:util';
import type { ConfigFile } from '../../schemas/types.gen.ts';
import { parseIpNetwork } from '../ip-network.ts';
import type { DurationMs } from '../units/units.ts';
import { addressOrNull, type ChainDefaults, readChain } from './chain-config.ts';
import type { CommonConfig, Config } from './config-type.ts';
import { ConfigRefused, type Environment, readEnvironment } from './environment.ts';
import { usableProcessors } from './processors.ts';
import { parseDocument } from './schema-document.ts';

export type ConfigSources = {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Arguments after the program's name. */
  readonly argv: readonly string[];
  /** Throws where a file can not be read. */
  readonly readFile: (path: string) => string;
  readonly availableParallelism: number;
};

export type LoadedConfig = { readonly ok: true; readonly config: Config } | { readonly ok: false; readonly message: string };

const DEFAULTS = { host: '127.0.0.1', port: 8080, internalHost: '127.0.0.1', internalPort: 9090, devnetPort: 8545, freshnessBoundMs: 30_000 } as const;

/** One is kept for short jobs, so that long ones can not hold all. */
const LEAST_SOLVER_THREADS = 2;

/** One frozen configuration out of flags, environment and file; the environment wins over the file. A refusal names the variable, flag or field. */
export function loadConfig(sources: ConfigSources): LoadedConfig {
  try {
    return { ok: true, config: assemble(sources) };
  } catch (error) {
    if (error instanceof ConfigRefused) return { ok: false, message: error.message };
    throw error;
  }
}

function assemble({ env, argv, readFile, availableParallelism }: ConfigSources): Config {
  const flags = readFlags(argv);
  const environment = readEnvironment(env);
  const threads = Math.max(LEAST_SOLVER_THREADS, usableProcessors(availableParallelism, readFile) - 1);
  if (flags.config !== undefined) return fromFile(flags.config, environment, threads, { env, readFile });
  const common = commonOf(environment, null, null, threads);
  if (flags.poolSet !== undefined) return freeze({ ...common, mode: 'pool-set', poolSetFile: flags.poolSet });
  return freeze({ ...common, mode: 'devnet', devnetPort: environment.devnetPort ?? DEFAULTS.devnetPort });
}

function fromFile(name: string, environment: Environment, threads: number, { env, readFile }: Pick<ConfigSources, 'env' | 'readFile'>): Config {
  let text: string;
  try {
    text = readFile(name);
  } catch (error) {
    throw new ConfigRefused(`--config ${name} can not be read: ${error instanceof Error ? error.message : String(error)}`);
  }
  const parsed = parseDocument<ConfigFile>('config', text);
  if (!parsed.ok) throw new ConfigRefused(`${name}: ${parsed.message}`);
  const file = parsed.document;
  checkNetworks(name, file);
  const folder = path.dirname(name);
  const common = commonOf(environment, file, folder, threads);
  const fallbackFreshnessBound = DEFAULTS.freshnessBoundMs as DurationMs;
  const defaults: ChainDefaults = { freshnessBound: environment.freshnessBound, file, fallbackFreshnessBound, references: { env, readFile, folder } };
  const read = file.chains.map((entry, index) => naming(name, () => readChain(entry, `chains.${index}`, defaults)));
  const chains = read.map(({ chain }) => chain);
  const ids = chains.map((chain) => chain.chainId);
  const twice = ids.findIndex((id, index) => ids.indexOf(id) !== index);
  if (twice >= 0) throw new ConfigRefused(`${name}: chains.${twice}.chainId is ${ids[twice]}, which an earlier entry has already`);
  return freeze({ ...common, secrets: [...new Set(read.flatMap(({ secrets }) => secrets))], mode: 'config', chains });
}

/** A refusal of a part of the file says which file. */
function naming<Value>(name: string, read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    throw error instanceof ConfigRefused ? new ConfigRefused(`${name}: ${error.message}`) : error;
  }
}

function commonOf(environment: Environment, file: ConfigFile | null, folder: string | null, threads: number): CommonConfig {
  const besideFile = (name: string | undefined): string | undefined => (name === undefined ? undefined : path.resolve(folder ?? '.', name));
  return {
    host: environment.host ?? file?.host ?? DEFAULTS.host,
    port: environment.port ?? file?.port ?? DEFAULTS.port,
    publicUrl: environment.publicUrl ?? null,
    internalHost: environment.internalHost ?? DEFAULTS.internalHost,
    internalPort: environment.internalPort ?? file?.internalPort ?? DEFAULTS.internalPort,
    freshnessBound: environment.freshnessBound ?? ((file?.freshnessBoundMs ?? DEFAULTS.freshnessBoundMs) as DurationMs),
    logLevel: environment.logLevel ?? 'info',
    solverThreads: environment.solverThreads ?? file?.solverThreads ?? threads,
    keysFile: environment.keysFile ?? besideFile(file?.keysFile) ?? null,
    checkpointDirectory: environment.checkpointDirectory ?? besideFile(file?.checkpointDirectory) ?? null,
    checkpointDirectoryBy: environment.checkpointDirectory === undefined ? 'checkpointDirectory' : 'CHECKPOINT_DIRECTORY',
    trustProxy: file?.trustProxy ?? 0,
    developmentMode: file?.developmentMode ?? false,
    feeCollector: addressOrNull(file?.feeCollector),
    secrets: [],
  };
}

/** The schema knows the letters of a network, not whether it is one. */
function checkNetworks(name: string, file: ConfigFile): void {
  if (typeof file.trustProxy !== 'object') return;
  file.trustProxy.forEach((network, index) => {
    const parsed = parseIpNetwork(network);
    if (parsed === null) throw new ConfigRefused(`${name}: trustProxy.${index} is '${network}', which is no address or CIDR block`);
    // The left-most entry of X-Forwarded-For would count then, which any caller can write.
    if (parsed[1] === 0) throw new ConfigRefused(`${name}: trustProxy.${index} is '${network}', which trusts everybody`);
  });
}

function readFlags(argv: readonly string[]): { readonly config: string | undefined; readonly poolSet: string | undefined } {
  const options = { config: { type: 'string' }, 'pool-set': { type: 'string' } } as const;
  // Not strict: its refusals are sentences of Node's, and of two equal flags it takes the last.
  const { tokens } = parseArgs({ args: [...argv], options, strict: false, tokens: true });
  const found = new Map<string, string>();
  for (const token of tokens) {
    if (token.kind !== 'option' || !Object.hasOwn(options, token.name)) {
      const given = token.kind === 'positional' ? token.value : token.kind === 'option' ? token.rawName : '--';
      throw new ConfigRefused(`unknown argument '${given.slice(0, 60)}'; known are --config FILE and --pool-set FILE`);
    }
    if (token.value === undefined || token.value === '') throw new ConfigRefused(`${token.rawName} needs the path of a file`);
    if (found.has(token.name)) throw new ConfigRefused(`${token.rawName} is given twice`);
    found.set(token.name, token.value);
  }
  const [config, poolSet] = [found.get('config'), found.get('pool-set')];
  if (config !== undefined && poolSet !== undefined) throw new ConfigRefused('--config and --pool-set exclude each other');
  return { config, poolSet };
}

function freeze<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const member of Object.values(value)) freeze(member);
  }
  return value;
}

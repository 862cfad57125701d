import { type ConfigSources, loadConfig } from '../../src/config/config.ts';
import { type Braid, becomeReady, startBraid } from '../../src/main.ts';
import { createLog } from '../../src/observe/observe.ts';

export type BraidHandle = { current(): Braid };

export type UseBraidOptions = {
  readonly argv?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly devnetBots?: boolean;
  /** Whether the devnet's makers answer; default false. */
  readonly devnetMakers?: boolean;
  /** Of threads that can be made to fail; default: the product's. */
  readonly solverEntry?: URL;
};

const START_TIMEOUT_MS = 480_000;

/** A configuration for tests: free ports on the loopback, two solver threads, silence, and a chain that is not stale because the machine is busy. */
export function testConfig({ argv = [], env = {} }: UseBraidOptions = {}) {
  const sources: ConfigSources = {
    env: { PORT: '0', INTERNAL_PORT: '0', DEVNET_PORT: '0', HOST: '127.0.0.1', LOG_LEVEL: 'silent', SOLVER_THREADS: '2', FRESHNESS_BOUND_MS: '600000', ...env },
    argv,
    readFile: () => {
      throw new Error('tests read no configuration file');
    },
    availableParallelism: 2,
  };
  const loaded = loadConfig(sources);
  if (!loaded.ok) throw new Error(loaded.message);
  return loaded.config;
}

/** Starts Braid for tests and waits until it is ready. Who starts it stops it. */
export async function startTestBraid(options: UseBraidOptions = {}): Promise<Braid> {
  const onDevnetLost = (reason: string) => {
    throw new Error(`the devnet ended: ${reason}`);
  };
  const braid = await startBraid(testConfig(options), {
    log: createLog({ level: 'silent' }),
    print: () => undefined,
    onDevnetLost,
    devnetBots: options.devnetBots ?? false,
    devnetMakers: options.devnetMakers ?? false,
    ...(options.solverEntry === undefined ? {} : { solverEntry: options.solverEntry }),
  });
  if (await becomeReady(braid, START_TIMEOUT_MS)) return braid;
  await braid.stop();
  throw new Error('no first snapshot');
}

/** Gives the surrounding mocha suite a running Braid: started before its tests and ready, ended after them, also when they fail. */
export function useBraid(options: UseBraidOptions = {}): BraidHandle {
  let braid: Braid | undefined;
  before(async function start() {
    this.timeout(START_TIMEOUT_MS);
    braid = await startTestBraid(options);
  });
  after(async function stop() {
    this.timeout(START_TIMEOUT_MS);
    await braid?.stop();
  });
  return {
    current() {
      if (braid === undefined) throw new Error('Braid is not up: use it inside tests only');
      return braid;
    },
  };
}

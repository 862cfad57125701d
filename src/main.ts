// The composition root: configuration in, a running service out; signals.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { type Config, createRedactor, loadConfig } from './config/config.ts';
import { type Devnet, DevnetError, describeDevnet, renderBanner, startDevnet } from './devnet/devnet.ts';
import { devnetKeyFile } from './devnet-keys.ts';
import { helpOrVersion } from './help-and-version.ts';
import { HostingRefused, hostConfigured, hostDevnet, hostPoolSet } from './host-chains.ts';
import { type DevnetProvider, whyNotListening } from './http/http.ts';
import { NO_KEYS } from './metering/metering.ts';
import { missingParts } from './missing-parts.ts';
import { createLog, type Log } from './observe/observe.ts';
import type { PoolSetSummary } from './pool-set/pool-set.ts';
import { type Service, startService } from './start-service.ts';

/** A running Braid, whatever it gets its state from. */
export type Braid = Service & {
  readonly devnet: Devnet | null;
  readonly apiKey: string | null /** Of a key that may trade real-world assets. */;
  readonly approvedApiKey: string | null;
};

export type BraidOptions = {
  readonly log: Log;
  /** One line for the person at the terminal. */
  readonly print: (line: string) => void;
  /** The embedded chain ended by itself. */
  readonly onDevnetLost: (reason: string) => void;
  /** Seed of the embedded devnet. */
  readonly devnetSeed?: number;
  /** Whether its bots trade from the first block on; default true. */
  readonly devnetBots?: boolean;
  /** Whether makers and an issuer answer beside it; default false. */
  readonly devnetMakers?: boolean;
  /** See ServiceParts. */
  readonly terminal?: NodeJS.WritableStream;
  /** See ServiceParts. */
  readonly solverEntry?: URL;
};

const DEVNET_SEED = 1;
const READY_POLL_MS = 20;

/** Starts everything that a configuration asks for. Rejects with HostingRefused or DevnetError when something can not be had; nothing is left running then. */
export async function startBraid(config: Config, options: BraidOptions): Promise<Braid> {
  const missing = missingParts(config.mode);
  if (missing !== null) throw new HostingRefused(missing);
  switch (config.mode) {
    case 'devnet':
      return startOnDevnet(config, options);
    case 'config': {
      const service = await startService({
        config,
        hosting: hostConfigured(config, config.chains),
        log: options.log,
        keysFile: config.keysFile,
        ownKeys: NO_KEYS,
        devnet: null,
        ...entryOf(options),
      });
      return { ...service, devnet: null, apiKey: null, approvedApiKey: null };
    }
    case 'pool-set': {
      const { hosting, summary } = await hostPoolSet(config, config.poolSetFile);
      for (const line of describeSummary(config.poolSetFile, summary)) options.print(line);
      const service = await startService({ config, hosting, log: options.log, keysFile: config.keysFile, ownKeys: NO_KEYS, devnet: null, ...entryOf(options) });
      return { ...service, devnet: null, apiKey: null, approvedApiKey: null };
    }
    default:
      throw new TypeError(`unknown mode ${JSON.stringify(config satisfies never)}`);
  }
}

async function startOnDevnet(config: Config & { readonly mode: 'devnet' }, options: BraidOptions): Promise<Braid> {
  const { log, print, onDevnetLost, devnetSeed, devnetBots, devnetMakers } = options;
  // Before the chain comes up: a taken port should not cost the wait for it.
  await requireFree({ host: 'INTERNAL_HOST', port: 'INTERNAL_PORT' }, config.internalHost, config.internalPort);
  await requireFree({ host: 'HOST', port: 'PORT' }, config.host, config.port);
  const { key, approvedKey, file, ring } = devnetKeyFile(config.keysFile);
  const devnet = await startDevnet({
    rpcPort: config.devnetPort,
    seed: devnetSeed ?? DEVNET_SEED,
    bots: devnetBots ?? true,
    makers: devnetMakers ?? false,
    onStep: (text) => print(`devnet: ${text}`),
  });
  let stopping = false;
  try {
    const facts = { apiKey: key, approvedApiKey: approvedKey, freshnessBoundMs: config.freshnessBound };
    const provider: DevnetProvider = { describe: () => describeDevnet(devnet, facts), setBots: (on) => devnet.setBots(on) };
    const service = await startService({
      config,
      hosting: hostDevnet(config, devnet),
      log,
      keysFile: file,
      ownKeys: ring,
      devnet: provider,
      ...entryOf(options),
    });
    void devnet.exited.then((reason) => stopping || onDevnetLost(reason));
    return {
      ...service,
      devnet,
      apiKey: key,
      approvedApiKey: approvedKey,
      async stop() {
        stopping = true;
        await service.stop();
        await devnet.stop();
      },
    };
  } catch (error) {
    await devnet.stop();
    throw error;
  }
}

function entryOf({ solverEntry, terminal }: BraidOptions): Pick<BraidOptions, 'solverEntry' | 'terminal'> {
  return { ...(solverEntry === undefined ? {} : { solverEntry }), ...(terminal === undefined ? {} : { terminal }) };
}

/** Resolves when every chain has its first snapshot, or one is known to be late. */
export async function becomeReady(service: Service, limitMs: number): Promise<boolean> {
  for (const until = performance.now() + limitMs; performance.now() < until; ) {
    if (service.readiness().ready) return true;
    await new Promise((resolve) => setTimeout(resolve, READY_POLL_MS));
  }
  return false;
}

async function requireFree(variables: { readonly host: string; readonly port: string }, host: string, port: number): Promise<void> {
  const probe = createServer();
  await new Promise<void>((resolve, reject) => {
    probe.once('error', (error: NodeJS.ErrnoException) => {
      const { wrong, message } = whyNotListening(error, host, port);
      reject(new HostingRefused(`${message} (${variables[wrong]})`));
    });
    probe.listen({ host, port }, () => probe.close(() => resolve()));
  });
}

function describeSummary(file: string, { pools, byKind, leftOut, examples }: PoolSetSummary): readonly string[] {
  const kinds = [...byKind].map(([kind, count]) => `${count} ${kind}`).join(', ');
  return [
    `pool set ${file}: ${pools} pools (${kinds}); frozen: always fresh, bytecode checks and transfer verdicts do not apply`,
    ...leftOut.map(({ kind, reason, count }) => `  left out: ${count} ${kind} (${reason})`),
    ...examples.slice(0, 3).map((example) => `  for example ${example}`),
  ];
}

/** How long a start waits for the first snapshots before it says so; it goes on waiting either way. */
const FIRST_SNAPSHOT_MS = 20_000;

async function run(): Promise<void> {
  const told = helpOrVersion(process.argv.slice(2));
  if (told !== null) return console.log(told);
  const sources = {
    env: process.env,
    argv: process.argv.slice(2),
    readFile: (path: string) => readFileSync(path, 'utf8'),
    availableParallelism: availableParallelism(),
  };
  const loaded = loadConfig(sources);
  if (!loaded.ok) return leave(loaded.message);
  const { config } = loaded;
  const redact = createRedactor(config.secrets);
  const log = createLog({ level: config.logLevel, redact });
  const print = (line: string) => void process.stderr.write(`${redact(line)}\n`);
  let braid: Braid | null = null;
  let signalled = 0;
  const end = async (): Promise<void> => {
    // A terminal and npm may each deliver the same Ctrl-C: only a later one means "at once".
    if (signalled > 0) {
      if (performance.now() - signalled > SAME_SIGNAL_MS) process.exit(1);
      return;
    }
    signalled = performance.now();
    await braid?.stop();
    log.flush();
    process.exit(0);
  };
  process.on('SIGINT', end);
  process.on('SIGTERM', end);
  process.on('SIGHUP', () => void braid?.reloadKeys());
  try {
    braid = await startBraid(config, {
      log,
      print,
      devnetMakers: true,
      // What is drawn over again and again is for eyes alone.
      ...(process.stdout.isTTY && process.stderr.isTTY ? { terminal: process.stderr } : {}),
      onDevnetLost(reason) {
        print(`the embedded chain ended: ${reason}`);
        process.exit(1);
      },
    });
  } catch (error) {
    if (error instanceof HostingRefused || error instanceof DevnetError) return leave(redact(error.message));
    throw error;
  }
  if (!(await becomeReady(braid, FIRST_SNAPSHOT_MS))) print('still waiting for the first snapshot; /healthz tells when it is there');
  if (braid.devnet !== null) {
    const { publicUrl, internalUrl, apiKey, approvedApiKey } = braid;
    print(renderBanner(braid.devnet, { publicUrl, internalUrl, apiKey: apiKey ?? '', approvedApiKey: approvedApiKey ?? '' }));
  } else print(`The service answers at ${braid.publicUrl} (internal: ${braid.internalUrl}).\nRoutes as a picture: ${braid.internalUrl}/route`);
}

const SAME_SIGNAL_MS = 500;

function leave(message: string): never {
  process.stderr.write(`braid: ${message}\n`);
  process.exit(1);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await run();

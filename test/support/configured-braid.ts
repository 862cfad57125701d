import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { loadConfig } from '../../src/config/config.ts';
import type { Devnet } from '../../src/devnet/devnet.ts';
import { type Braid, becomeReady, startBraid } from '../../src/main.ts';
import { createLog } from '../../src/observe/observe.ts';

const READY_MS = 120_000;

/** The service as a configuration file tells it, on free ports. The file goes into the folder, where the key file is too. Resolves once it is ready. */
export async function startConfiguredBraid(folder: string, configuration: object, env: Readonly<Record<string, string>> = {}): Promise<Braid> {
  const file = path.join(folder, 'braid.json');
  writeFileSync(file, JSON.stringify(configuration));
  const loaded = loadConfig({
    env: { PORT: '0', INTERNAL_PORT: '0', ...env },
    argv: ['--config', file],
    readFile: (name) => readFileSync(name, 'utf8'),
    availableParallelism: 2,
  });
  if (!loaded.ok) throw new Error(loaded.message);
  const braid = await startBraid(loaded.config, { log: createLog({ level: 'silent' }), print: () => undefined, onDevnetLost: () => undefined });
  if (!(await becomeReady(braid, READY_MS))) throw new Error('the service did not become ready');
  return braid;
}

/** A local chain as the configuration file hosts it, under a name of the catalogue. */
export function chainEntry({ wrappedNative, deployments, router, allowanceHolder, prices, tokens }: Devnet, chain: string, rpcUrl: string): object {
  const wellKnownTokens = tokens.map(({ address }) => address);
  return { chain, rpcUrls: [rpcUrl], wrappedNative, deployments, router, allowanceHolder, prices, wellKnownTokens };
}

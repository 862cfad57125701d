import { legsNeeded, type RouterSettings } from '../building/building.ts';
import { CATALOGUE, chainById } from '../chains/chains.ts';
import { type ChainConfig, loadConfig } from '../config/config.ts';
import { devnetSettlement } from '../devnet/devnet.ts';
import { asciiLowerCase } from '../units/units.ts';
import { loadBuilderVenues } from '../venues/venues.ts';
import type { DeployCommand } from './deploy-command.ts';
import type { Refused } from './refused.ts';

/** The chain to deploy to, and what its Router is to be. */
export type DeployTarget = {
  readonly ok: true;
  readonly name: string;
  readonly chainId: number;
  /** May carry credentials: never shown. */
  readonly rpcUrls: readonly string[];
  /** Of these URLs what no output may have. */
  readonly secrets: readonly string[];
  readonly settings: Omit<RouterSettings, 'allowanceHolder'>;
  readonly legs: readonly string[];
};

export type TargetSources = { readonly env: Readonly<Record<string, string | undefined>>; readonly readFile: (name: string) => string };

const DEVNET = 'devnet';

/** Finds a chain by its name in the service's configuration: what is deployed is what the service of that file looks for. */
export async function findTarget({ chain, config }: DeployCommand, { env, readFile }: TargetSources): Promise<DeployTarget | Refused> {
  const wanted = asciiLowerCase(chain);
  const known = CATALOGUE.find((entry) => [entry.name, ...entry.aliases, String(entry.chainId)].includes(wanted));
  const loaded = loadConfig({ env, argv: config === null ? [] : ['--config', config], readFile, availableParallelism: 1 });
  if (!loaded.ok) return { ok: false, message: loaded.message };
  if (loaded.config.mode === 'devnet' && known?.name === DEVNET) return devnetTarget(known.chainId, loaded.config.devnetPort);
  if (loaded.config.mode !== 'config') {
    const message = `no chain is called '${chain.slice(0, 40)}'; known are ${CATALOGUE.map(({ name }) => name).join(', ')}`;
    if (known === undefined) return { ok: false, message };
    return { ok: false, message: `${known.name} needs --config FILE, the configuration of the service: it names the nodes, the fee collector and the venues` };
  }
  const names = ({ chainId }: ChainConfig) => [`chain-${chainId}`, String(chainId), chainById(chainId)?.name, ...(chainById(chainId)?.aliases ?? [])];
  const entry = loaded.config.chains.find((candidate) => names(candidate).includes(wanted));
  if (entry === undefined) {
    const listed = loaded.config.chains.map(({ chainId }) => chainById(chainId)?.name ?? `chain-${chainId}`);
    return { ok: false, message: `${config} has no chain '${chain.slice(0, 40)}'; it has ${listed.join(', ')}` };
  }
  const { chainId, rpcUrls, deployments, makers } = entry;
  const name = chainById(chainId)?.name ?? `chain-${chainId}`;
  const wrappedNative = entry.wrappedNative ?? chainById(chainId)?.wrappedNative ?? null;
  const { feeCollector } = loaded.config;
  if (wrappedNative === null) return { ok: false, message: `chain ${chainId} needs wrappedNative in ${config}: the catalogue does not know it` };
  if (feeCollector === null) return { ok: false, message: `feeCollector is missing in ${config}: it is built into the Router` };
  const { secrets } = loaded.config;
  const legs = legsNeeded(await loadBuilderVenues(), [...deployments, ...makers]);
  return { ok: true, name, chainId, rpcUrls, secrets, settings: { wrappedNative, feeCollector }, legs };
}

async function devnetTarget(chainId: number, port: number): Promise<DeployTarget> {
  const { wrappedNative, feeCollector } = devnetSettlement();
  const venues = await loadBuilderVenues();
  const legs = legsNeeded(
    venues,
    [...venues.keys()].map((venue) => ({ venue })),
  );
  return { ok: true, name: DEVNET, chainId, rpcUrls: [`http://127.0.0.1:${port}`], secrets: [], settings: { wrappedNative, feeCollector }, legs };
}

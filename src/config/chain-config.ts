import type { ChainEntry, ConfigFile, DeploymentEntry, PriceFeedEntry } from '../../schemas/types.gen.ts';
import { CATALOGUE, type CataloguedChain, chainById, type PriceFeed, venuesOf } from '../chains/chains.ts';
import { type Address, asAddress, asciiLowerCase, type DurationMs } from '../units/units.ts';
import type { ChainConfig, ConfiguredDeployment } from './config-type.ts';
import { ConfigRefused } from './environment.ts';
import { makersOf } from './makers.ts';
import { isSecret, secretsOfUrl } from './redact.ts';
import { type ReferenceSources, resolveReferences } from './references.ts';
import { readTokenList } from './token-list.ts';

/** What of a chain is decided elsewhere in the file, or outside of it. */
export type ChainDefaults = {
  /** Of the environment, which wins over everything. */
  readonly freshnessBound: DurationMs | undefined;
  readonly file: ConfigFile;
  readonly fallbackFreshnessBound: DurationMs;
  readonly references: ReferenceSources;
};

const NODE_PROTOCOLS: ReadonlySet<string> = new Set(['http:', 'https:', 'ws:', 'wss:']);

/** A chain, and what of it no output may have. */
export type ReadChain = { readonly chain: ChainConfig; readonly secrets: readonly string[] };

/** One entry of `chains`, with what the catalogue knows in the place of what it leaves out. `at` is its place in the file. Throws ConfigRefused. */
export function readChain(entry: ChainEntry, at: string, defaults: ChainDefaults): ReadChain {
  const { chainId, known } = identify(entry, at);
  const nodes = entry.rpcUrls.map((text, index) => nodeUrl(text, `${at}.rpcUrls.${index}`, defaults.references));
  const ownBound = entry.freshnessBoundMs ?? defaults.file.freshnessBoundMs;
  const chain: ChainConfig = {
    chainId,
    rpcUrls: nodes.map(({ url }) => url),
    wrappedNative: addressOrNull(entry.wrappedNative),
    minimumGasPriceWei: entry.minimumGasPriceWei === undefined ? null : BigInt(entry.minimumGasPriceWei),
    freshnessBound: defaults.freshnessBound ?? (ownBound as DurationMs | undefined) ?? known?.freshnessBound ?? defaults.fallbackFreshnessBound,
    prices: {
      feeds: entry.prices?.feeds?.map((feed, index) => priceFeed(feed, `${at}.prices.feeds.${index}`)) ?? null,
      stablecoins: entry.prices?.stablecoins?.map(asAddress) ?? null,
      minimumDepthUsd: entry.prices?.minimumDepthUsd ?? null,
    },
    deployments: deploymentsOf(entry, at, chainId, known),
    router: addressOrNull(entry.router),
    allowanceHolder: addressOrNull(entry.allowanceHolder),
    gatedVenues: (entry.gatedVenues ?? []).map(asciiLowerCase),
    wellKnownTokens: entry.wellKnownTokens?.map(asAddress) ?? null,
    verdictBlocks: entry.verdictBlocks ?? null,
    routeThrough: entry.routeThrough ?? null,
    switchedOff: {
      venues: (entry.switchedOff?.venues ?? []).map(asciiLowerCase),
      pools: (entry.switchedOff?.pools ?? []).map(asciiLowerCase),
    },
    ...makersOf(entry, at),
    minimumLiquidity:
      entry.minimumLiquidity === undefined
        ? null
        : {
            usd: entry.minimumLiquidity.usd ?? null,
            tokens: new Map(Object.entries(entry.minimumLiquidity.tokens ?? {}).map(([token, amount]) => [asAddress(token), amount])),
          },
    listedTokens: entry.tokenList === undefined ? null : readTokenList(entry.tokenList, `${at}.tokenList`, chainId, defaults.references),
  };
  return { chain, secrets: nodes.flatMap(({ secrets }) => secrets) };
}

export function addressOrNull(text: string | undefined): Address | null {
  return text === undefined ? null : asAddress(text);
}

function identify({ chain, chainId }: ChainEntry, at: string): { readonly chainId: number; readonly known: CataloguedChain | undefined } {
  if (chain === undefined) {
    if (chainId === undefined) throw new ConfigRefused(`${at} names no chain: chain with a name of the catalogue, or chainId`);
    return { chainId, known: chainById(chainId) };
  }
  const wanted = asciiLowerCase(chain);
  const known = CATALOGUE.find(({ name, aliases }) => name === wanted || aliases.includes(wanted));
  if (known === undefined) throw new ConfigRefused(`${at}.chain is '${chain}'; the catalogue knows ${CATALOGUE.map(({ name }) => name).join(', ')}`);
  if (chainId !== undefined && chainId !== known.chainId) throw new ConfigRefused(`${at}.chainId is ${chainId}, but ${known.name} is chain ${known.chainId}`);
  return { chainId: known.chainId, known };
}

/** No message repeats the URL: it may hold a key. */
function nodeUrl(text: string, at: string, references: ReferenceSources): { readonly url: string; readonly secrets: readonly string[] } {
  const { text: url, values } = resolveReferences(text, at, references);
  if (/\s/.test(url) || !URL.canParse(url) || !NODE_PROTOCOLS.has(new URL(url).protocol)) {
    throw new ConfigRefused(
      `${at} is no URL of a node${values.length === 0 ? '' : ' once what it names is put in'}: it has to begin with http://, https://, ws:// or wss://`,
    );
  }
  return { url, secrets: [...values.filter(isSecret), ...secretsOfUrl(url)] };
}

/** Bounds between which there is nothing would leave a feed out without a word. */
function priceFeed({ token, feed, sequencer, ...limits }: PriceFeedEntry, at: string): PriceFeed {
  const { minimumUsd, maximumUsd } = limits;
  if (minimumUsd > maximumUsd) throw new ConfigRefused(`${at}.minimumUsd is ${minimumUsd}, which is above maximumUsd, ${maximumUsd}`);
  return { ...limits, token: asAddress(token), feed: asAddress(feed), ...(sequencer === undefined ? {} : { sequencer: asAddress(sequencer) }) };
}

/** The deployments that are listed, and those of the catalogue whose families are named: where neither is, all that it knows. */
function deploymentsOf({ deployments, venues }: ChainEntry, at: string, chainId: number, known: CataloguedChain | undefined): readonly ConfiguredDeployment[] {
  const catalogued = venuesOf(chainId);
  const families = [...new Set(catalogued.map(({ family }) => family))];
  const wanted = venues ?? (deployments === undefined ? families : []);
  const name = known?.name ?? `chain ${chainId}`;
  for (const [index, family] of wanted.entries()) {
    if (families.includes(asciiLowerCase(family))) continue;
    const has = families.length === 0 ? 'none' : families.join(', ');
    throw new ConfigRefused(`${at}.venues.${index} is '${family}'; of ${name} the catalogue knows ${has}: list another one in deployments`);
  }
  const labels = new Set(wanted.map(asciiLowerCase));
  const taken = catalogued.filter(({ family }) => labels.has(family)).map(({ venue, family, factory }) => ({ venue, family, factory, fromBlock: null }));
  const all = [...(deployments ?? []).map(listed), ...taken];
  if (all.length === 0 && deployments === undefined)
    throw new ConfigRefused(`${at} has no venues: of ${name} the catalogue knows none, so deployments has to list them`);
  // Listed ones come first: who names a first block means it.
  return all.filter(({ venue, factory }, index) => all.findIndex((other) => other.venue === venue && other.factory === factory) === index);
}

function listed({ factory, fromBlock, ...labels }: DeploymentEntry): ConfiguredDeployment {
  return { ...labels, factory: asAddress(factory), fromBlock: fromBlock ?? null };
}

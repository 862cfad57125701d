// What no package knows of the chains, each with its source. The rest is in chains.gen.ts and venues.gen.ts.

export type NamedChain = {
  readonly chainId: number;
  readonly name: string;
  readonly aliases: readonly string[];
  /** Where it is not 0: the head's base fee is no less than what a transaction has to pay. */
  readonly minimumGasPriceWei?: bigint;
  /** Where viem does not say. */
  readonly blockTimeMs?: number;
  /** The native token is an ERC-20 itself, at the address that packages list as its wrapped form: it has neither deposit nor withdraw. */
  readonly nativeIsToken?: true;
};

/** Names and aliases are those of the interface. */
export const NAMED_CHAINS: readonly NamedChain[] = [
  { chainId: 1, name: 'ethereum', aliases: ['eth'] },
  { chainId: 8453, name: 'base', aliases: [] },
  { chainId: 42161, name: 'arbitrum', aliases: [] },
  // Blocks have a base fee of 0 (BEP-226); since October 2025 validators take nothing below 0.05 gwei (BNB Chain's announcement).
  { chainId: 56, name: 'bsc', aliases: ['bnb'], minimumGasPriceWei: 50_000_000n },
  { chainId: 43114, name: 'avalanche', aliases: ['avax'] },
  { chainId: 196, name: 'xlayer', aliases: [] },
  // Its least price of 25 gwei is a tip, which is not modelled (PIP-59 makes it part of the base fee).
  { chainId: 137, name: 'polygon', aliases: [] },
  { chainId: 10, name: 'optimism', aliases: [] },
  { chainId: 100, name: 'gnosis', aliases: [] },
  { chainId: 59144, name: 'linea', aliases: [] },
  { chainId: 534352, name: 'scroll', aliases: [] },
  { chainId: 130, name: 'unichain', aliases: [] },
  { chainId: 81457, name: 'blast', aliases: [] },
  // An OP Stack chain's two seconds (docs.mantle.xyz).
  { chainId: 5000, name: 'mantle', aliases: [], blockTimeMs: 2000 },
  { chainId: 146, name: 'sonic', aliases: [] },
  { chainId: 80094, name: 'berachain', aliases: [] },
  { chainId: 480, name: 'worldchain', aliases: [] },
  { chainId: 57073, name: 'ink', aliases: [] },
  { chainId: 1868, name: 'soneium', aliases: [] },
  { chainId: 42220, name: 'celo', aliases: [], nativeIsToken: true },
];

export type FeedLimits = { readonly minimumUsd: number; readonly maximumUsd: number; readonly maximumAgeSeconds: number };

const HOURS = 3600;
/** Twice the hour after which Ethereum's feed answers though nothing has moved; on the other chains of the first seven they answer more often. */
const TWO_HOURS = 2 * HOURS;
/** The longest heartbeat of Chainlink's feeds, a day, and some more: a move of half a percent or one makes them answer before. */
const A_DAY = 25 * HOURS;

/** What the feed of a chain's native token may say, by chain id: bounds beyond which a fault is likelier than a price, and how old its answers may be (docs.chain.link, data.chain.link): of most it is a guess how often they have to come, so an answer of more than an hour has to agree with the market too (decision 130). */
export const FEED_LIMITS: ReadonlyMap<number, FeedLimits> = new Map([
  ...[1, 8453, 42161, 10].map((chainId) => [chainId, { minimumUsd: 50, maximumUsd: 500_000, maximumAgeSeconds: TWO_HOURS }] as const),
  [56, { minimumUsd: 5, maximumUsd: 100_000, maximumAgeSeconds: TWO_HOURS }],
  [43114, { minimumUsd: 0.5, maximumUsd: 10_000, maximumAgeSeconds: TWO_HOURS }],
  [137, { minimumUsd: 0.005, maximumUsd: 500, maximumAgeSeconds: TWO_HOURS }],
  ...[59144, 534352, 1868].map((chainId) => [chainId, { minimumUsd: 50, maximumUsd: 500_000, maximumAgeSeconds: A_DAY }] as const),
  ...[5000, 146, 42220].map((chainId) => [chainId, { minimumUsd: 0.001, maximumUsd: 500, maximumAgeSeconds: A_DAY }] as const),
]);

/** Where pools are announced beside what packages list. */
export const VENUES_BY_HAND = [
  // aerodrome-finance/contracts, README.md, "Deployment"; velodrome-finance/contracts, script/constants/output/DeployVelodromeV2-Optimism.json.
  { chainId: 8453, venue: 'solidly', family: 'aerodrome', factory: '0x420DD381b31aEf6683db6B902084cB0FFECe40Da' },
  { chainId: 10, venue: 'solidly', family: 'velodrome_v2', factory: '0xF1046053aa5682b4F9a81b5481394DA16BE5FF5a' },
  // Curve's registries of stable pools, then of crypto pools (decision 96).
  { chainId: 1, venue: 'curve', family: 'curve', factory: '0x90E00ACe148ca3b23Ac1bC8C240C2a7Dd9c2d7f5' },
  { chainId: 42161, venue: 'curve', family: 'curve', factory: '0x445FE580eF8d70FF569aB36e80c647af338db351' },
  { chainId: 10, venue: 'curve', family: 'curve', factory: '0xC5cfaDA84E902aD92DD40194f0883ad49639b023' },
  { chainId: 137, venue: 'curve', family: 'curve', factory: '0x094d12e5b541784701FD8d65F11fc0598FBC6332' },
  { chainId: 1, venue: 'curve_crypto', family: 'curve_crypto', factory: '0x8F942C20D02bEfc377D41445793068908E2250D0' },
  { chainId: 42161, venue: 'curve_crypto', family: 'curve_crypto', factory: '0x0E9fBb167DF83EdE3240D6a5fa5d40c6C6851e15' },
  { chainId: 10, venue: 'curve_crypto', family: 'curve_crypto', factory: '0x7DA64233Fefb352f8F501B357c018158ED8aA455' },
  { chainId: 137, venue: 'curve_crypto', family: 'curve_crypto', factory: '0x47bB542B9dE58b970bA50c9dae444DDB4c16751a' },
  // Its first factory of crypto pools (decision 112).
  { chainId: 1, venue: 'curve_crypto', family: 'curve_crypto', factory: '0xF18056Bbd320E96A48e3Fbf8bC061322531aac99' },
  ...[42161, 43114, 137].map((chainId) => ({
    chainId,
    venue: 'curve_crypto',
    family: 'curve_crypto',
    factory: '0xE5De15A9C9bBedb4F5EC13B131E61245f2983A69',
  })),
] as const;

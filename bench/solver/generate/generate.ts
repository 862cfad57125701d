import { createRandom, type Random } from '../random.ts';
import { dollarsByToken } from './dollars-by-token.ts';
import { type GeneratedPool, generatePool } from './pools.ts';
import { type GeneratedRequest, generateRequests } from './requests.ts';
import { type GeneratedToken, generateTokens, popularityOf, strangeHubs } from './tokens.ts';

/** `hubs`: so many of the most popular tokens are on one side of most pools. `joined`: every token has a pool with one of them, so that all pools lie behind the same hubs. */
export const SIZES = {
  M: { pools: 1000, tokens: 200, hubs: 5, joined: false },
  L: { pools: 10_000, tokens: 1500, hubs: 5, joined: false },
  XL: { pools: 100_000, tokens: 20_000, hubs: 8, joined: true },
} as const;
export type Size = keyof typeof SIZES;

export function isSize(text: string): text is Size {
  return Object.hasOwn(SIZES, text);
}

export type SetOptions = {
  readonly size: Size;
  readonly seed: number;
  readonly requests: number;
  /** Pools added among tokens of their own, joined to the set by one pool: no route between the set's tokens leads through them. */
  readonly outside: number;
};

export type GeneratedSet = {
  readonly poolSet: {
    readonly chainId: 1;
    readonly source: string;
    readonly gasPriceWei: string;
    readonly tokens: Record<string, unknown>;
    readonly pools: GeneratedPool[];
  };
  readonly requests: { readonly requests: readonly GeneratedRequest[] };
};

const GAS_PRICE_WEI = '5000000000';

/** A set whose prices agree but for small mispricings, with heavy-tailed liquidity around a few hub tokens. The same options give the same set. */
export function generateSet({ size, seed, requests, outside }: SetOptions): GeneratedSet {
  const random = createRandom(seed * 7919 + SIZES[size].pools);
  const { hubs, joined } = SIZES[size];
  const tokens = generateTokens(random, SIZES[size].tokens, 'T');
  const pools = generatePools(random, tokens, { count: SIZES[size].pools, hubs, joined });
  const asked = generateRequests(createRandom(seed * 7919 + 1), requests, tokens, dollarsByToken(tokens, pools));
  const strangers = createRandom(seed * 7919 + 2);
  const strangeTokens = outside === 0 ? [] : generateTokens(strangers, Math.max(10, Math.ceil(outside / 8)), 'X', strangeHubs(strangers));
  const strangePools = outside === 0 ? [] : generatePools(strangers, strangeTokens, { count: outside - 1, hubs, joined });
  const bridge = outside === 0 ? [] : [generatePool(strangers, [tokens.at(-1) as GeneratedToken, strangeTokens.at(-1) as GeneratedToken], [], 1e5)];
  return {
    poolSet: {
      chainId: 1,
      source: `generated: size ${size}, seed ${seed}, ${outside} pools outside`,
      gasPriceWei: GAS_PRICE_WEI,
      tokens: Object.fromEntries([...tokens, ...strangeTokens].map(({ address, symbol, decimals, usd }) => [address, { symbol, decimals, usd }])),
      pools: [...pools, ...bridge, ...strangePools],
    },
    requests: { requests: asked },
  };
}

type Crowd = { readonly count: number; readonly hubs: number; readonly joined: boolean };

/** Every token gets a pool, most of them with a hub; the rest join tokens by popularity. */
function generatePools(random: Random, tokens: readonly GeneratedToken[], { count, hubs, joined }: Crowd): GeneratedPool[] {
  const popularity = popularityOf(tokens);
  const hubPopularity = popularityOf(tokens.slice(0, hubs));
  const draw = (): number => random.weighted(popularity);
  return Array.from({ length: count }, (_, index) => {
    const first = index < tokens.length ? index : draw();
    const atHub = (joined && index < tokens.length) || random.chance(0.8);
    let second = atHub ? random.weighted(hubPopularity) : draw();
    while (second === first) second = random.weighted(hubPopularity);
    const others = [tokens[draw()], tokens[draw()]].filter((token) => token !== undefined);
    const pair = [tokens[first] as GeneratedToken, tokens[second] as GeneratedToken] as const;
    return generatePool(random, pair, others, liquidityOf(random, pair));
  });
}

/** Dollars in a pool: log-normal with a long tail, more between popular tokens. */
function liquidityOf(random: Random, [a, b]: readonly [GeneratedToken, GeneratedToken]): number {
  const drawn = 2500 * Math.sqrt(Math.min(a.popularity, 200) * Math.min(b.popularity, 200)) * Math.exp(2 * random.normal());
  return Math.min(Math.max(drawn, 200), 4e8);
}

import type { Random } from '../random.ts';
import { concentratedFields } from './concentrated.ts';
import { dollarsByToken } from './dollars-by-token.ts';
import { constantProduct, type GeneratedPool, weighted } from './pools.ts';
import { type GeneratedToken, generateTokens, unitsWorth } from './tokens.ts';

/** A small market and one trade in it. */
export type Mesh = {
  readonly tokens: readonly GeneratedToken[];
  /** The first tokens − 1 join all of them; the last is one of the others. */
  readonly pools: readonly GeneratedPool[];
  readonly sell: GeneratedToken;
  readonly buy: GeneratedToken;
  /** Base units of the sell token. */
  readonly amount: bigint;
};

/** Simple routes through so few tokens are within every hop limit that matters. */
const TOKENS = { least: 3, most: 7 } as const;
/** Dollars in a pool. */
const LIQUIDITY = { least: 500, most: 50_000 } as const;
/** Below half of the lowest fee that is drawn (500 ppm): no cycle gains, so that a bound counts the trade alone. */
const MISPRICING = 0.0002;

/** `share`: the trade's size as a share of what the pools hold of its scarcer token, drawn between both ends. */
export function generateMesh(random: Random, share: { readonly least: number; readonly most: number }): Mesh {
  const count = random.integer(TOKENS.least, TOKENS.most);
  const tokens = generateTokens(random, count, 'S');
  const total = count - 1 + random.integer(1, 2 * count);
  const pools = Array.from({ length: total }, (_, index) => {
    const second = index < count - 1 ? index + 1 : random.integer(1, count - 1);
    return meshPool(random, tokens[random.integer(0, second - 1)] as GeneratedToken, tokens[second] as GeneratedToken);
  });
  const sell = tokens[random.integer(0, count - 1)] as GeneratedToken;
  const buy = random.pick(tokens.filter((token) => token !== sell) as [GeneratedToken, ...GeneratedToken[]]);
  const held = dollarsByToken(tokens, pools);
  const dollars = Math.min(held.get(sell.address) ?? 0, held.get(buy.address) ?? 0) * random.logUniform(share.least, share.most);
  return { tokens, pools, sell, buy, amount: unitsWorth(sell, dollars) + 1n };
}

function meshPool(random: Random, left: GeneratedToken, right: GeneratedToken): GeneratedPool {
  const [a, b] = left.address < right.address ? [left, right] : [right, left];
  const id = `0x${random.hex(40)}`;
  const liquidity = random.logUniform(LIQUIDITY.least, LIQUIDITY.most);
  const mispricing = MISPRICING * (2 * random.unit() - 1);
  const kind = random.pick(['constantProduct', 'concentrated', 'weighted'] as const);
  if (kind === 'weighted') return weighted(random, id, [a, b], liquidity, mispricing);
  const fields = kind === 'concentrated' ? concentratedFields(random, a, b, liquidity, mispricing, false) : null;
  if (fields === null) return constantProduct(random, id, a, b, liquidity, mispricing);
  return { id, kind, venue: 'uniswap_v3', tokens: [a.address, b.address], ...fields };
}

/** Some of a mesh's pools as a pool set. */
export function meshPoolSet({ tokens }: Mesh, pools: readonly GeneratedPool[]) {
  return { chainId: 1, tokens: Object.fromEntries(tokens.map(({ address, symbol, decimals, usd }) => [address, { symbol, decimals, usd }])), pools };
}

import { createRandom } from '../random.ts';
import { dollarsByToken } from './dollars-by-token.ts';
import type { GeneratedSet } from './generate.ts';
import { generatePool } from './pools.ts';
import { generateRequests } from './requests.ts';
import { type GeneratedToken, generateTokens } from './tokens.ts';

const POOLS = 6000;
/** Dollars in a pool: no pair is much deeper than another, so that price leaves little out. */
const LIQUIDITY = { least: 5e4, most: 5e5 } as const;

export type HostileOptions = { readonly tokens: number; readonly seed: number; readonly requests: number };

/** Few tokens and pools between any two of them: a market that somebody deploys to keep a solver busy, since ways multiply with every hop. */
export function generateHostile({ tokens: count, seed, requests }: HostileOptions): GeneratedSet {
  const random = createRandom(seed * 7919 + count);
  const tokens = generateTokens(random, count, 'H');
  const draw = (): GeneratedToken => tokens[random.integer(0, count - 1)] as GeneratedToken;
  const pools = Array.from({ length: POOLS }, () => {
    const first = draw();
    let second = draw();
    while (second === first) second = draw();
    return generatePool(random, [first, second], [draw(), draw()], random.logUniform(LIQUIDITY.least, LIQUIDITY.most));
  });
  const asked = generateRequests(createRandom(seed * 7919 + 1), requests, tokens, dollarsByToken(tokens, pools));
  return {
    poolSet: {
      chainId: 1,
      source: `generated: hostile, ${count} tokens, seed ${seed}`,
      gasPriceWei: '5000000000',
      tokens: Object.fromEntries(tokens.map(({ address, symbol, decimals, usd }) => [address, { symbol, decimals, usd }])),
      pools,
    },
    requests: { requests: asked },
  };
}

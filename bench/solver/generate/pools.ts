import type { Random } from '../random.ts';
import { concentratedFields } from './concentrated.ts';
import { floatToInteger, type GeneratedToken, unitsWorth } from './tokens.ts';

/** A pool as a pool set has it (design/pool-set). */
export type GeneratedPool = { readonly id: string; readonly kind: string; readonly venue: string; readonly tokens: readonly string[] } & Readonly<
  Record<string, unknown>
>;

const ONE = 10n ** 18n;

/** A pool between two tokens, holding `liquidity` dollars in all, at prices that are off the tokens' own by `mispricing` (a natural logarithm). */
export function generatePool(
  random: Random,
  tokens: readonly [GeneratedToken, GeneratedToken],
  others: readonly GeneratedToken[],
  liquidity: number,
): GeneratedPool {
  const [a, b] = tokens[0].address < tokens[1].address ? tokens : ([tokens[1], tokens[0]] as const);
  const mispricing = random.normal() * (liquidity > 1e6 ? 0.0006 : 0.002) * (random.chance(0.01) ? 10 : 1);
  const id = `0x${random.hex(40)}`;
  const pegged = a.group !== null && a.group === b.group;
  const kind = random.unit();
  if (pegged && kind < 0.35) return stable(random, id, [a, b, ...others.filter(({ group }) => group === a.group)], liquidity, mispricing);
  if (!pegged && kind < 0.1) return weighted(random, id, [a, b, ...others], liquidity, mispricing);
  if (kind < 0.55) {
    const fields = concentratedFields(random, a, b, liquidity, mispricing, pegged);
    if (fields !== null)
      return { id, kind: 'concentrated', venue: random.pick(['uniswap_v3', 'uniswap_v3', 'pancakeswap_v3']), tokens: [a.address, b.address], ...fields };
  }
  return constantProduct(random, id, a, b, liquidity, mispricing);
}

/** Between two sorted tokens. */
export function constantProduct(random: Random, id: string, a: GeneratedToken, b: GeneratedToken, liquidity: number, mispricing: number): GeneratedPool {
  const reserves = [unitsWorth(a, liquidity / 2), unitsWorth(b, (liquidity / 2) * Math.exp(mispricing))];
  const [venue, feeBps] = random.pick([
    ['uniswap_v2', 30],
    ['uniswap_v2', 30],
    ['sushiswap_v2', 30],
    ['pancakeswap_v2', 25],
  ] as const);
  return { id, kind: 'constantProduct', venue, tokens: [a.address, b.address], reserves: reserves.map((reserve) => String(reserve + 1n)), feeBps };
}

/** Of the first two to four candidates. */
export function weighted(random: Random, id: string, candidates: readonly GeneratedToken[], liquidity: number, mispricing: number): GeneratedPool {
  const tokens = distinct(candidates).slice(0, random.pick([2, 2, 2, 3, 4]));
  const raw =
    tokens.length === 2
      ? random.pick([
          [80, 20],
          [50, 50],
          [20, 80],
          [60, 40],
        ])
      : tokens.map(() => random.pick([10, 20, 30]));
  const total = raw.reduce((sum, weight) => sum + weight, 0);
  const weights = raw.map((weight) => (BigInt(weight) * ONE) / BigInt(total));
  weights[0] = (weights[0] ?? 0n) + ONE - weights.reduce((sum, weight) => sum + weight, 0n);
  const balances = tokens.map((token, slot) => unitsWorth(token, ((liquidity * (raw[slot] ?? 0)) / total) * Math.exp(slot === 0 ? mispricing : 0)) + 1n);
  const swapFee = BigInt(random.pick([10, 25, 30, 30, 100])) * 10n ** 14n;
  return {
    ...identity(id, 'weighted', 'balancer_v2', tokens),
    balances: balances.map(String),
    weights: weights.map(String),
    swapFee: String(swapFee),
  };
}

/** Balances up to three to one apart: what a stable pool is for. */
function stable(random: Random, id: string, candidates: readonly GeneratedToken[], liquidity: number, mispricing: number): GeneratedPool {
  const tokens = distinct(candidates).slice(0, random.pick([2, 2, 3]));
  const balances = tokens.map((token) => unitsWorth(token, (liquidity / tokens.length) * Math.exp(0.3 * random.normal() + mispricing)) + 1n);
  // The rate makes a token's upscaled worth that of the group's own unit: 1e18 for a whole token at the peg.
  const anchor = tokens[0] as GeneratedToken;
  const scalingRates = tokens.map((token) => floatToInteger(10 ** token.decimals * (anchor.usd / token.usd)));
  return {
    ...identity(id, 'stable', random.pick(['balancer_v2', 'curve']), tokens),
    balances: balances.map(String),
    amp: String(random.pick([50, 100, 200, 200, 1000])),
    swapFee: String(BigInt(random.pick([1, 4, 4, 10])) * 10n ** 14n),
    scalingRates: scalingRates.map(String),
  };
}

function identity(id: string, kind: string, venue: string, tokens: readonly GeneratedToken[]): GeneratedPool {
  return { id, kind, venue, tokens: tokens.map(({ address }) => address) };
}

function distinct(tokens: readonly GeneratedToken[]): readonly GeneratedToken[] {
  return [...new Set(tokens)];
}

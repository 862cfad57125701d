import { cumulativeOf, type Random } from '../random.ts';

/** A token of a generated set. `group` joins tokens that are worth about the same, which stable pools are made of. */
export type GeneratedToken = {
  readonly address: string;
  readonly symbol: string;
  readonly decimals: number;
  readonly usd: number;
  readonly group: 'dollar' | 'ether' | 'bitcoin' | null;
  /** How often pools and requests pick it. */
  readonly popularity: number;
};

/** The tokens that most pools have on one side, best known first, with their real addresses. */
const HUBS: readonly GeneratedToken[] = [
  hub('0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2', 'WETH', 18, 2110.5, 'ether', 400),
  hub('0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48', 'USDC', 6, 1, 'dollar', 180),
  hub('0xdac17f958d2ee523a2206206994597c13d831ec7', 'USDT', 6, 1, 'dollar', 140),
  hub('0x6b175474e89094c44da98b954eedeac495271d0f', 'DAI', 18, 1, 'dollar', 60),
  hub('0x2260fac5e5542a773aa44fbcfedf7c193bc2c599', 'WBTC', 8, 71_250, 'bitcoin', 50),
];

function hub(address: string, symbol: string, decimals: number, usd: number, group: GeneratedToken['group'], popularity: number): GeneratedToken {
  return { address, symbol, decimals, usd, group, popularity };
}

/** Tokens in order of popularity, the hubs first. A twentieth are dollars, staked ether or wrapped bitcoin. `prefix` names the rest. */
export function generateTokens(random: Random, count: number, prefix: string, hubs = HUBS): readonly GeneratedToken[] {
  const tokens = [...hubs].slice(0, count);
  for (let rank = tokens.length; rank < count; rank++) {
    const group = random.chance(0.05) ? random.pick(['dollar', 'dollar', 'ether', 'bitcoin'] as const) : null;
    const usd = group === null ? random.logUniform(1e-5, 3000) : peg(group) * (1 + 0.02 * random.unit() * (group === 'dollar' ? 0.05 : 1));
    const decimals = random.chance(0.8) ? 18 : random.pick([6, 8, 9, 9, 12]);
    tokens.push({ address: `0x${random.hex(40)}`, symbol: `${prefix}${rank}`, decimals, usd, group, popularity: 40 / (rank - 2) ** 0.8 });
  }
  return tokens;
}

/** Hubs of a market of its own, which shares no token with the real ones. */
export function strangeHubs(random: Random): readonly GeneratedToken[] {
  return HUBS.map((known) => ({ ...known, address: `0x${random.hex(40)}`, symbol: `x${known.symbol}` }));
}

function peg(group: 'dollar' | 'ether' | 'bitcoin'): number {
  const values = { dollar: 1, ether: 2110.5, bitcoin: 71_250 };
  return values[group];
}

export function popularityOf(tokens: readonly GeneratedToken[]): Float64Array {
  return cumulativeOf(tokens.map(({ popularity }) => popularity));
}

/** Base units of a token that are worth so many dollars, rounded down. */
export function unitsWorth({ decimals, usd }: GeneratedToken, dollars: number): bigint {
  return floatToInteger((dollars / usd) * 10 ** decimals);
}

export function floatToInteger(value: number): bigint {
  return value >= 1 && value < Number.MAX_VALUE ? BigInt(Math.floor(value)) : 0n;
}

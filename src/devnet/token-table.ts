/**
 * How a token differs from the standard. 'bytes32': name and symbol are bytes32. 'no-decimals': decimals() reverts. 'taxed', 'guarded', 'shares': what is sent is not what arrives, or does not arrive
 * at all.
 */
export type TokenKind = 'wrapped' | 'standard' | 'no-return' | 'bytes32' | 'no-decimals' | 'taxed' | 'guarded' | 'shares';

export type TokenSpec = {
  readonly symbol: string;
  readonly name: string;
  /** What decimals() answers; what amounts are counted in where it reverts. */
  readonly decimals: number;
  readonly kind: TokenKind;
  /** The price table of the local chain, USD per whole token: pools start near it and bots trade back to it. */
  readonly usd: number;
  /** How far, as a fraction, bots let the market of the token stray from the table. */
  readonly sway: number;
  /** What its transfers do other than moving all of what is sent, for people. Absent: nothing, they are plain. */
  readonly oddTransfers?: string;
};

const STABLE_SWAY = 0.0008;
const SWAY = 0.015;

export const TOKEN_TABLE: readonly TokenSpec[] = [
  { symbol: 'WETH', name: 'Wrapped Ether', decimals: 18, kind: 'wrapped', usd: 2500, sway: SWAY },
  { symbol: 'USDC', name: 'USD Coin', decimals: 6, kind: 'standard', usd: 1, sway: STABLE_SWAY },
  { symbol: 'USDT', name: 'Tether USD', decimals: 6, kind: 'no-return', usd: 1, sway: STABLE_SWAY },
  { symbol: 'DAI', name: 'Dai Stablecoin', decimals: 18, kind: 'standard', usd: 1, sway: STABLE_SWAY },
  { symbol: 'WBTC', name: 'Wrapped BTC', decimals: 8, kind: 'standard', usd: 65_000, sway: SWAY },
  { symbol: 'GUSD', name: 'Gemini Dollar', decimals: 2, kind: 'standard', usd: 1, sway: STABLE_SWAY },
  { symbol: 'BSC-USD', name: 'Binance-Peg BSC-USD', decimals: 18, kind: 'standard', usd: 1, sway: STABLE_SWAY },
  { symbol: 'SEAT', name: 'Theatre Seat', decimals: 0, kind: 'standard', usd: 40, sway: SWAY },
  { symbol: 'LINK', name: 'ChainLink Token', decimals: 18, kind: 'standard', usd: 14, sway: SWAY },
  { symbol: 'UNI', name: 'Uniswap', decimals: 18, kind: 'standard', usd: 7.5, sway: SWAY },
  { symbol: 'AAVE', name: 'Aave Token', decimals: 18, kind: 'standard', usd: 150, sway: SWAY },
  { symbol: 'MKR', name: 'Maker', decimals: 18, kind: 'bytes32', usd: 1500, sway: SWAY },
  { symbol: 'CRV', name: 'Curve DAO Token', decimals: 18, kind: 'standard', usd: 0.6, sway: SWAY },
  { symbol: 'LDO', name: 'Lido DAO Token', decimals: 18, kind: 'standard', usd: 1.2, sway: SWAY },
  { symbol: 'PEPE', name: 'Pepe', decimals: 18, kind: 'standard', usd: 0.00001, sway: SWAY },
  { symbol: 'NEAR', name: 'NEAR', decimals: 24, kind: 'standard', usd: 3.2, sway: SWAY },
  { symbol: 'MUTE', name: 'Mute Token', decimals: 18, kind: 'no-decimals', usd: 0.25, sway: SWAY },
  { symbol: 'RPL', name: 'Rocket Pool Protocol', decimals: 18, kind: 'standard', usd: 9, sway: SWAY },
];

/** Long-tail tokens that a larger set adds per unit of scale above 1. */
const TOKENS_PER_SCALE = 12;

/** The table, with TOKENS_PER_SCALE further long-tail tokens for each unit of scale above 1. */
export function tokensAtScale(scale: number): readonly TokenSpec[] {
  const count = Math.max(0, Math.round((scale - 1) * TOKENS_PER_SCALE));
  const tail = Array.from({ length: count }, (_, index): TokenSpec => {
    const symbol = `TAIL${index + 1}`;
    return { symbol, name: `Long Tail ${index + 1}`, decimals: 18, kind: 'standard', usd: 0.05 * 1.7 ** (index % 12), sway: SWAY };
  });
  return [...TOKEN_TABLE, ...tail];
}

/** Base units of an amount worth `usd` at the table's price, at least 1. Float precision: seeds of pools, never prices of trades. */
export function approxBaseUnits(token: TokenSpec, usd: number): bigint {
  const whole = usd / token.usd;
  // Split so that 24 decimals do not push the float past its 53 exact bits more than once.
  const micro = BigInt(Math.round(whole * 1e6));
  const units = (micro * 10n ** BigInt(token.decimals)) / 1_000_000n;
  return units > 0n ? units : 1n;
}

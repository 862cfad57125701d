import type { CryptoPool } from '../../../src/venues/curve_crypto/crypto-pool.ts';
import type { TwoCoinCase } from './random-two-coin-pool.ts';

/** What a pool's contract says and does in one state: a file of these is `test/fixtures/two-coin-exchanges.json.gz`. */
export type TwoCoinAnswers = {
  /** Seconds, of the block. */
  readonly now: number;
  readonly pool: CryptoPool;
  /** Fee, worth of a share, average price; null where the contract reverts. */
  readonly views: readonly (bigint | null)[];
  /** In pairs: the second in the state that the first left, or, where that reverts, in the same. */
  readonly exchanges: readonly TwoCoinAnswer[];
};

/** `promised`: by get_dy before. `state`: all that `visibleOf` lists, after. null where the contract reverts. */
export type TwoCoinAnswer = TwoCoinCase & { readonly promised: bigint | null; readonly amountOut: bigint | null; readonly state: readonly bigint[] };

const INTEGER = /^-?\d+n$/;

/** What views show of a pool, as the test contract lists it. */
export function visibleOf({ claim, ...pool }: CryptoPool): readonly bigint[] {
  const prices = [pool.priceScale, pool.priceOracle, pool.lastPrices].flat();
  const moved = [pool.lastPricesAt, pool.rampEndsAt, pool.invariant, pool.profit, pool.virtualPrice, claim?.profitClaimed ?? -1n, pool.shares];
  return [...pool.balances, ...prices, ...moved];
}

export function textOf(answers: readonly TwoCoinAnswers[]): string {
  return `${JSON.stringify(answers, (_, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value))}\n`;
}

/** The inverse of `textOf`. */
export function answersIn(text: string): readonly TwoCoinAnswers[] {
  return JSON.parse(text, (_, value: unknown) => (typeof value === 'string' && INTEGER.test(value) ? BigInt(value.slice(0, -1)) : value));
}

import type { AmplificationAndGamma } from './crypto-maths.ts';
import type { CryptoPool } from './crypto-pool.ts';

/** A pool as it is in the block that it was read at, with what it says of itself there. */
export type PoolReading = {
  readonly pool: CryptoPool;
  readonly now: AmplificationAndGamma;
  /** A share with ten decimals. */
  readonly fee: bigint;
  /** Of a share, with 18 decimals. */
  readonly virtualPrice: bigint;
  /** The averages in the block; null where the pool shows none but those of its last exchange. */
  readonly averages: readonly bigint[] | null;
};

/** Answered with one word, without an argument, by pools of any number of coins. */
export const COMMON_VIEWS = [
  'last_prices_timestamp',
  'A',
  'gamma',
  'initial_A_gamma',
  'future_A_gamma',
  'initial_A_gamma_time',
  'future_A_gamma_time',
  'D',
  'mid_fee',
  'out_fee',
  'fee_gamma',
  'allowed_extra_profit',
  'adjustment_step',
  'ma_half_time',
  'xcp_profit',
  'virtual_price',
  'fee',
  'get_virtual_price',
] as const;

export type CommonSaid = Readonly<Record<(typeof COMMON_VIEWS)[number], bigint>>;
/** What the pool says in lists, and what others say of it. */
type Beside = Pick<CryptoPool, 'balances' | 'priceScale' | 'priceOracle' | 'lastPrices' | 'shares' | 'claim'>;

const HALF = (1n << 128n) - 1n;

/** What a pool says, put together. `decimals` are the traits of a discovered pool. */
export function readingFrom(said: CommonSaid, decimals: string, beside: Beside, averages: PoolReading['averages']): PoolReading {
  const pool: CryptoPool = {
    ...beside,
    precisions: decimals.split(',').map((places) => 10n ** BigInt(18 - Number(places))),
    lastPricesAt: said.last_prices_timestamp,
    from: unpacked(said.initial_A_gamma),
    to: unpacked(said.future_A_gamma),
    rampStartsAt: said.initial_A_gamma_time,
    rampEndsAt: said.future_A_gamma_time,
    invariant: said.D,
    midFee: said.mid_fee,
    outFee: said.out_fee,
    feeGamma: said.fee_gamma,
    allowedExtraProfit: said.allowed_extra_profit,
    adjustmentStep: said.adjustment_step,
    averageHalfTime: said.ma_half_time,
    profit: said.xcp_profit,
    virtualPrice: said.virtual_price,
    adjusting: false,
  };
  return { pool, now: { amplification: said.A, gamma: said.gamma }, fee: said.fee, virtualPrice: said.get_virtual_price, averages };
}

/** Both lie in one word. */
function unpacked(word: bigint): AmplificationAndGamma {
  return { amplification: word >> 128n, gamma: word & HALF };
}

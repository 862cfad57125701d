import type { WordReader, WordWriter } from '../../snapshot/snapshot.ts';
import type { AmplificationAndGamma } from './crypto-maths.ts';
import type { AdminClaim, CryptoPool } from './crypto-pool.ts';

/** Limbs of 64 bits: of what the contract keeps two to a word, and of what it keeps one to a word. */
const [PRICE, WORD] = [2, 4];
const BALANCE = 2;

export function packPool(pool: CryptoPool, out: WordWriter): void {
  out.unsigned(BigInt(pool.balances.length), 1).unsigned(pool.adjusting ? 1n : 0n, 1);
  for (const balance of pool.balances) out.unsigned(balance, BALANCE);
  for (const precision of pool.precisions) out.unsigned(precision, 1);
  for (const price of [...pool.priceScale, ...pool.priceOracle, ...pool.lastPrices]) out.unsigned(price, PRICE);
  for (const { amplification, gamma } of [pool.from, pool.to]) out.unsigned(amplification, 1).unsigned(gamma, 1);
  for (const time of [pool.lastPricesAt, pool.rampStartsAt, pool.rampEndsAt, pool.averageHalfTime]) out.unsigned(time, 1);
  for (const share of [pool.midFee, pool.outFee, pool.feeGamma, pool.allowedExtraProfit, pool.adjustmentStep]) out.unsigned(share, 1);
  for (const word of [pool.invariant, pool.profit, pool.virtualPrice, pool.shares]) out.unsigned(word, WORD);
  out.unsigned(pool.claim === null ? 0n : 1n, 1);
  if (pool.claim !== null) packClaim(pool.claim, out);
}

function packClaim({ share, profitClaimed, hasReceiver, held }: AdminClaim, out: WordWriter): void {
  out
    .unsigned(share, 1)
    .unsigned(profitClaimed, WORD)
    .unsigned(hasReceiver ? 1n : 0n, 1);
  for (const balance of held) out.unsigned(balance, WORD);
}

export function unpackPool(words: WordReader): CryptoPool {
  const count = Number(words.unsigned(1));
  const adjusting = words.unsigned(1) === 1n;
  const list = (length: number, limbs: number) => Array.from({ length }, () => words.unsigned(limbs));
  const pair = (): AmplificationAndGamma => ({ amplification: words.unsigned(1), gamma: words.unsigned(1) });
  const [balances, precisions] = [list(count, BALANCE), list(count, 1)];
  const [priceScale, priceOracle, lastPrices] = [list(count - 1, PRICE), list(count - 1, PRICE), list(count - 1, PRICE)];
  const [from, to] = [pair(), pair()];
  const [lastPricesAt, rampStartsAt, rampEndsAt, averageHalfTime] = [words.unsigned(1), words.unsigned(1), words.unsigned(1), words.unsigned(1)];
  const [midFee, outFee, feeGamma] = [words.unsigned(1), words.unsigned(1), words.unsigned(1)];
  const [allowedExtraProfit, adjustmentStep] = [words.unsigned(1), words.unsigned(1)];
  const [invariant, profit, virtualPrice, shares] = [words.unsigned(WORD), words.unsigned(WORD), words.unsigned(WORD), words.unsigned(WORD)];
  const claim = words.unsigned(1) === 1n ? unpackClaim(words, count) : null;
  const prices = { priceScale, priceOracle, lastPrices, lastPricesAt };
  const ramp = { from, to, rampStartsAt, rampEndsAt };
  const fees = { midFee, outFee, feeGamma, allowedExtraProfit, adjustmentStep, averageHalfTime };
  return { balances, precisions, ...prices, ...ramp, ...fees, invariant, profit, virtualPrice, adjusting, shares, claim };
}

function unpackClaim(words: WordReader, count: number): AdminClaim {
  const [share, profitClaimed, hasReceiver] = [words.unsigned(1), words.unsigned(WORD), words.unsigned(1) === 1n];
  return { share, profitClaimed, hasReceiver, held: Array.from({ length: count }, () => words.unsigned(WORD)) };
}

import { LIMITS } from '../config/limits.ts';
import type { Dice } from './dice.ts';

const { reachWei, minimums, doublings } = LIMITS.measuring.probe.tips;
const THIRDS = 3;

/**
 * What the three requests of a measurement pay, in wei per gas: what a block asks for and a tip, which may be nothing, of any size with the same chance by its logarithm, one of each third of that in an order that nobody
 * can foresee. Tips reach as far as those of wallets, which are no part of a base fee that is next to nothing. `minimum`: less the chain takes from nobody.
 */
export function drawGasPrices(baseFeePerGas: bigint | null, minimum: bigint, dice: Dice): readonly [bigint, bigint, bigint] {
  const asked = larger(baseFeePerGas ?? 0n, minimum);
  const reach = larger(larger(baseFeePerGas ?? 0n, reachWei), minimums * minimum);
  const priceOf = (third: number): bigint => {
    if (third === 0 && dice.unit() < 0.5) return asked;
    const parts = 2 ** (20 + (doublings * (third - THIRDS + dice.unit())) / THIRDS);
    return asked + 1n + ((reach * BigInt(Math.floor(parts))) >> 20n);
  };
  const first = Math.floor(THIRDS * dice.unit());
  const step = dice.unit() < 0.5 ? 1 : 2;
  return [priceOf(first), priceOf((first + step) % THIRDS), priceOf((first + 2 * step) % THIRDS)];
}

function larger(one: bigint, other: bigint): bigint {
  return one > other ? one : other;
}

import type { WordReader, WordWriter } from '../../snapshot/snapshot.ts';
import type { ConcentratedState } from './concentrated-state.ts';

const TRUNCATED = 1n << 63n;

/**
 * Layout in 64-bit limbs: sqrt price 3, liquidity 2, tick 1, fee · 2^32 + spacing with the window flag in the top bit 1, count of ticks 1, then per
 * initialised tick 1 for the tick and 2 for the net liquidity.
 */
export function packConcentrated(state: ConcentratedState, out: WordWriter): void {
  const traits = (BigInt(state.feePpm) << 32n) | BigInt(state.tickSpacing) | (state.truncated ? TRUNCATED : 0n);
  out.unsigned(state.sqrtPriceX96, 3).unsigned(state.liquidity, 2).signed(BigInt(state.tick), 1).unsigned(traits, 1);
  const { indices, liquidityNet } = state.ticks;
  out.unsigned(BigInt(indices.length), 1);
  for (let i = 0; i < indices.length; i++) out.signed(BigInt(indices[i] as number), 1).signed(liquidityNet[i] as bigint, 2);
}

/** Reads what packConcentrated wrote. */
export function unpackConcentrated(words: WordReader): ConcentratedState {
  const sqrtPriceX96 = words.unsigned(3);
  const liquidity = words.unsigned(2);
  const tick = Number(words.signed(1));
  const traits = words.unsigned(1);
  const count = Number(words.unsigned(1));
  const indices = new Int32Array(count);
  const liquidityNet = new Array<bigint>(count);
  for (let i = 0; i < count; i++) {
    indices[i] = Number(words.signed(1));
    liquidityNet[i] = words.signed(2);
  }
  return {
    feePpm: Number((traits >> 32n) & 0xffffffn),
    tickSpacing: Number(traits & 0xffffffffn),
    sqrtPriceX96,
    liquidity,
    tick,
    ticks: { indices, liquidityNet },
    truncated: (traits & TRUNCATED) !== 0n,
  };
}

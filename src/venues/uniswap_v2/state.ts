import type { EdgeCurve } from '../../snapshot/snapshot.ts';
import { type PoolSetEntry, readInteger, readList, readUnsigned } from '../pool-set-entry.ts';
import { PoolRefused, type PoolSetStateFacet } from '../venue.ts';
import { UNISWAP_V2_GAS, venue } from './venue.ts';

/** Exact state of a Uniswap V2 pair. Reserves are uint112; the fee is in millionths of the input. */
export type UniswapV2State = { readonly reserve0: bigint; readonly reserve1: bigint; readonly feePpm: number };

export const MAX_RESERVE = (1n << 112n) - 1n;

/** Throws PoolRefused where the state is not one of a pair, or can not be routed: for whoever builds a state from outside. */
export function validateState({ reserve0, reserve1, feePpm }: UniswapV2State): void {
  for (const reserve of [reserve0, reserve1]) {
    if (reserve < 0n || reserve > MAX_RESERVE) throw new PoolRefused('malformed', `a reserve is not a uint112: ${reserve}`);
  }
  if (!Number.isInteger(feePpm) || feePpm < 0 || feePpm >= 1_000_000)
    throw new PoolRefused('malformed', `the fee is not below 1,000,000 millionths: ${feePpm}`);
  if (reserve0 === 0n || reserve1 === 0n) throw new PoolRefused('not-routable', 'a reserve is zero');
}

export const state: PoolSetStateFacet<UniswapV2State> = {
  pack({ reserve0, reserve1, feePpm }, out) {
    out.unsigned(reserve0, 2).unsigned(reserve1, 2).unsigned(BigInt(feePpm), 1);
  },
  unpack(words) {
    return { reserve0: words.unsigned(2), reserve1: words.unsigned(2), feePpm: Number(words.unsigned(1)) };
  },
  curves({ reserve0, reserve1, feePpm }) {
    return [edge(0, 1, reserve0, reserve1, feePpm), edge(1, 0, reserve1, reserve0, feePpm)];
  },
  fromPoolSet(entry, tokenCount) {
    if (tokenCount !== 2) throw new PoolRefused('malformed', `a constant-product pool has two tokens, not ${tokenCount}`);
    const reserves = readList(entry.reserves, 'reserves');
    if (reserves.length !== 2) throw new PoolRefused('malformed', `two reserves are needed, not ${reserves.length}`);
    const pool: UniswapV2State = {
      reserve0: readUnsigned(reserves[0], 'reserves[0]', 112),
      reserve1: readUnsigned(reserves[1], 'reserves[1]', 112),
      feePpm: readFee(entry),
    };
    validateState(pool);
    return pool;
  },
};

/** `feePpm`, else `feeBps`, else what the family's contract fixes. */
function readFee(entry: PoolSetEntry): number {
  if (entry.feePpm !== undefined) return readInteger(entry.feePpm, 'feePpm', 0, 999_999);
  if (entry.feeBps !== undefined) return readInteger(entry.feeBps, 'feeBps', 0, 9_999) * 100;
  const fixed = venue.families.find(({ family }) => family === entry.venue)?.feePpm;
  if (fixed === undefined || fixed === null) throw new PoolRefused('malformed', 'neither feePpm nor feeBps is given');
  return fixed;
}

/** One piece. The pair refuses an input that lifts its balance above a uint112, which is the capacity. */
function edge(slotIn: number, slotOut: number, reserveIn: bigint, reserveOut: bigint, feePpm: number): EdgeCurve {
  const columns = Float64Array.of(0, 0, Number(reserveIn), Number(reserveOut));
  const capacity = Number(MAX_RESERVE - reserveIn) * (1 - Number.EPSILON);
  return {
    slotIn,
    slotOut,
    curve: { kind: 'segments', keep: (1_000_000 - feePpm) / 1_000_000, capacity, gas: UNISWAP_V2_GAS, gasPerPiece: 0, gasPerLogPrice: 0, columns },
  };
}

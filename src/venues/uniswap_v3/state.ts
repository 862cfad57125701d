import type { EdgeCurve } from '../../snapshot/snapshot.ts';
import { checkConcentratedState } from '../concentrated/check-concentrated-state.ts';
import { concentratedCurve } from '../concentrated/concentrated-curve.ts';
import { type ConcentratedState, tickTable } from '../concentrated/concentrated-state.ts';
import { consistentWindow } from '../concentrated/consistent-window.ts';
import { packConcentrated, unpackConcentrated } from '../concentrated/pack-concentrated.ts';
import { MAX_TICK, MIN_TICK } from '../concentrated/tick-math.ts';
import { type PoolSetEntry, readInteger, readList, readSigned, readUnsigned } from '../pool-set-entry.ts';
import { PoolRefused, type PoolSetStateFacet } from '../venue.ts';
import { UNISWAP_V3_GAS } from './venue.ts';

/** Exact state of a Uniswap V3 pool. */
export type UniswapV3State = ConcentratedState;

/** Throws PoolRefused where the state breaks an invariant of the contract or can not be routed: for whoever builds a state from outside. */
export function validateState(state: UniswapV3State): void {
  checkConcentratedState(state);
}

export const state: PoolSetStateFacet<UniswapV3State> = {
  pack: packConcentrated,
  unpack: unpackConcentrated,
  curves,
  fromPoolSet,
};

function curves(pool: UniswapV3State): readonly EdgeCurve[] {
  const down = concentratedCurve(pool, true, UNISWAP_V3_GAS);
  const up = concentratedCurve(pool, false, UNISWAP_V3_GAS);
  return [...(down ? [{ slotIn: 0, slotOut: 1, curve: down }] : []), ...(up ? [{ slotIn: 1, slotOut: 0, curve: up }] : [])];
}

function fromPoolSet(entry: PoolSetEntry, tokenCount: number): UniswapV3State {
  if (tokenCount !== 2) throw new PoolRefused('malformed', `a concentrated pool has two tokens, not ${tokenCount}`);
  if (entry.ticksMissing === true) throw new PoolRefused('not-routable', 'the ticks are missing');
  const pairs = readList(entry.ticks, 'ticks').map((pair, i) => readTick(pair, `ticks[${i}]`));
  const known: UniswapV3State = {
    feePpm: readInteger(entry.feePpm, 'feePpm', 0, 999_999),
    tickSpacing: readInteger(entry.tickSpacing, 'tickSpacing', 1, MAX_TICK),
    sqrtPriceX96: readUnsigned(entry.sqrtPriceX96, 'sqrtPriceX96', 160),
    liquidity: readUnsigned(entry.liquidity, 'liquidity', 128),
    tick: readInteger(entry.tick, 'tick', MIN_TICK - 1, MAX_TICK),
    ticks: tickTable(pairs),
    truncated: entry.truncated === true,
  };
  const pool = entry.ticksConsistent === false ? consistentWindow(known) : known;
  validateState(pool);
  return pool;
}

function readTick(pair: unknown, name: string): readonly [number, bigint] {
  const [tick, net] = readList(pair, name);
  return [readInteger(tick, `${name}[0]`, MIN_TICK, MAX_TICK), readSigned(net, `${name}[1]`, 128)];
}

import { toEventSelector } from 'viem';
import { addressAt, signedAt, wordAt } from '../abi-words.ts';
import { checkConcentratedState } from '../concentrated/check-concentrated-state.ts';
import { tickTable } from '../concentrated/concentrated-state.ts';
import { changePosition, type LedgerState } from '../concentrated/tick-ledger.ts';
import type { Applied, ChainLog, DiscoveredPool, TrackFacet } from '../track.ts';
import { glanceAtPools, loadLedgers } from './load-ledger.ts';

const POOL_CREATED = toEventSelector('PoolCreated(address,address,uint24,int24,address)');
const INITIALIZE = toEventSelector('Initialize(uint160,int24)');
const MINT = toEventSelector('Mint(address,address,int24,int24,uint128,uint256,uint256)');
const BURN = toEventSelector('Burn(address,int24,int24,uint128,uint256,uint256)');
const SWAP = toEventSelector('Swap(address,address,int256,int256,uint160,uint128,int24)');
/** PancakeSwap V3 appends the protocol fees of both tokens. */
const PANCAKE_SWAP = toEventSelector('Swap(address,address,int256,int256,uint160,uint128,int24,uint128,uint128)');

/** Follows concentrated-liquidity pools. `Collect` and `Flash` change nothing that a swap sees. */
export const track: TrackFacet<LedgerState> = {
  discoveryTopics: [POOL_CREATED],
  stateTopics: [INITIALIZE, MINT, BURN, SWAP, PANCAKE_SWAP],
  discover(deployment, log) {
    const [topic0, token0, token1, fee] = log.topics;
    if (
      log.address !== deployment.factory ||
      topic0 !== POOL_CREATED ||
      token0 === undefined ||
      token1 === undefined ||
      fee === undefined ||
      log.data.length !== 130
    )
      return null;
    const address = addressAt(log.data, 1);
    return {
      key: address,
      address,
      hook: null,
      protocol: deployment.family,
      source: deployment.family,
      tokens: [addressAt(token0), addressAt(token1)],
      traits: { feePpm: Number(fee), tickSpacing: signedAt(log.data, 0) },
    };
  },
  load: loadLedgers,
  glance: glanceAtPools,
  poolsOf: ({ address }) => [address],
  apply(pool, state, log) {
    switch (log.topics[0]) {
      case INITIALIZE:
        return log.data.length === 2 + 2 * 64 ? { kind: 'state', state: initialState(pool, log) } : { kind: 'reload' };
      case MINT:
        // sender, amount, amount0, amount1
        return state === null || log.data.length !== 2 + 4 * 64 ? { kind: 'reload' } : position(state, log, 2, wordAt(log.data, 1));
      case BURN:
        // amount, amount0, amount1
        return state === null || log.data.length !== 2 + 3 * 64 ? { kind: 'reload' } : position(state, log, 2, -wordAt(log.data, 0));
      case SWAP:
      case PANCAKE_SWAP:
        return state === null || log.data.length < 2 + 5 * 64 ? { kind: 'reload' } : { kind: 'state', state: afterSwap(state, log) };
      default:
        return { kind: 'ignored' };
    }
  },
  check: checkConcentratedState,
};

function initialState(pool: DiscoveredPool, log: ChainLog): LedgerState {
  return {
    feePpm: Number(pool.traits.feePpm),
    tickSpacing: Number(pool.traits.tickSpacing),
    sqrtPriceX96: wordAt(log.data, 0),
    liquidity: 0n,
    tick: signedAt(log.data, 1),
    ticks: tickTable([]),
    truncated: false,
    liquidityGross: [],
  };
}

/** The event carries price, liquidity and tick after the swap; ticks themselves never change in one. */
function afterSwap(state: LedgerState, log: ChainLog): LedgerState {
  return { ...state, sqrtPriceX96: wordAt(log.data, 2), liquidity: wordAt(log.data, 3), tick: signedAt(log.data, 4) };
}

/** Mint and Burn name the owner in topic 1 and the ticks in the topics after it. A burn of nothing only collects fees. */
function position(state: LedgerState, log: ChainLog, firstTickTopic: number, delta: bigint): Applied<LedgerState> {
  const lower = log.topics[firstTickTopic];
  const upper = log.topics[firstTickTopic + 1];
  if (lower === undefined || upper === undefined) return { kind: 'reload' };
  const next = changePosition(state, signedAt(lower, 0), signedAt(upper, 0), delta);
  if (next === state) return { kind: 'ignored' };
  return next === null ? { kind: 'reload' } : { kind: 'state', state: next };
}

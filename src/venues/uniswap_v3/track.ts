import { toEventSelector, toFunctionSelector } from 'viem';
import type { Address } from '../../units/units.ts';
import { addressAt, addressOfWord, callData, onlyWord, signedAt, wordAt } from '../abi-words.ts';
import { checkConcentratedState } from '../concentrated/check-concentrated-state.ts';
import { tickTable } from '../concentrated/concentrated-state.ts';
import { changePosition, type LedgerState } from '../concentrated/tick-ledger.ts';
import type { Applied, ChainLog, DiscoveredPool, TokenPair, TrackFacet, VenueDeployment } from '../track.ts';
import { glanceAtPools, loadLedgers } from './load-ledger.ts';

/** Fees that factories of the family are known to have, those that a vote added included: which of them one has it says itself. */
const FEES_PPM = [100n, 200n, 300n, 400n, 500n, 2500n, 3000n, 10_000n];
const TICK_SPACING_OF = toFunctionSelector('feeAmountTickSpacing(uint24)');
const GET_POOL = toFunctionSelector('getPool(address,address,uint24)');
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
    return poolOf(deployment, addressAt(log.data, 1), [addressAt(token0), addressAt(token1)], { feePpm: Number(fee), tickSpacing: signedAt(log.data, 0) });
  },
  async findPools(deployment, pairs, read) {
    const { factory } = deployment;
    const spacings = await read(FEES_PPM.map((fee) => ({ to: factory, data: callData(TICK_SPACING_OF, fee), answerBytes: 32 })));
    const tiers = FEES_PPM.map((fee, at) => ({ fee, spacing: onlyWord(spacings[at]) ?? 0n })).filter(({ spacing }) => spacing !== 0n);
    const asked = pairs.flatMap((tokens) => tiers.map((tier) => ({ tokens, ...tier })));
    const answers = await read(asked.map(({ tokens, fee }) => ({ to: factory, data: callData(GET_POOL, ...tokens, fee), answerBytes: 32 })));
    return asked.flatMap(({ tokens, fee, spacing }, at) => {
      const address = addressOfWord(onlyWord(answers[at]));
      return address === null ? [] : [poolOf(deployment, address, tokens, { feePpm: Number(fee), tickSpacing: Number(spacing) })];
    });
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

function poolOf({ family }: VenueDeployment, address: Address, tokens: TokenPair, traits: DiscoveredPool['traits']): DiscoveredPool {
  return { key: address, address, hook: null, protocol: family, source: family, tokens, traits };
}

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

import { onlyWord } from '../abi-words.ts';
import { describeVaultPools, type PoolKind } from '../balancer/describe-vault-pools.ts';
import { ONE } from '../balancer/fixed-point.ts';
import { readAnswer } from '../balancer/read-answer.ts';
import { POOL_ABI } from '../balancer/vault-abi.ts';
import { announcedBy, BALANCE_CHANGED, balancesAfter, FEE_CHANGED, POOL_CREATED, poolsOfLog, STATE_TOPICS, SWAP } from '../balancer/vault-logs.ts';
import { askCommon, askPool, COMMON_CALLS, commonOf, contractOf } from '../balancer/vault-pool.ts';
import type { ChainAnswer, ChainLog, DiscoveredPool, TrackFacet } from '../track.ts';
import { validateState, type WeightedState } from './state.ts';

/** Pools built since September 2022, which multiply powers of 1, 2 and 4 out: older ones and bootstrapping ones have no view of the rates that they owe fees on. */
const KIND: PoolKind = { views: ['getNormalizedWeights', 'getScalingFactors', 'getATHRateProduct'], traits: () => ({}) };

const CALLS = COMMON_CALLS + 2;
/** A pause ends without a log, with its window. */
const REREAD_SECONDS = 3600;

/** Follows weighted pools of the vault. Its logs tell every change of balances, the pool's own those of the fee. */
export const track: TrackFacet<WeightedState> = {
  discoveryTopics: [POOL_CREATED],
  stateTopics: STATE_TOPICS,
  discover: announcedBy,
  describe: (announced, read) => describeVaultPools(KIND, announced, read),
  async load(pools, read) {
    const answers = await read(
      pools.flatMap((pool) => {
        const contract = contractOf(pool.key);
        return [...askCommon(pool), askPool(contract, 'getNormalizedWeights'), askPool(contract, 'getScalingFactors')];
      }),
    );
    return pools.map((pool, at) => stateOf(pool, answers.slice(at * CALLS, (at + 1) * CALLS)));
  },
  rereading: () => ({ kind: 'age', seconds: REREAD_SECONDS }),
  poolsOf: poolsOfLog,
  apply(pool, state, log) {
    const next = state === null ? null : changed(pool, state, log);
    return next === null ? { kind: 'reload' } : { kind: 'state', state: next };
  },
  check: validateState,
};

function changed(pool: DiscoveredPool, state: WeightedState, log: ChainLog): WeightedState | null {
  switch (log.topics[0]) {
    case SWAP:
    case BALANCE_CHANGED: {
      const balances = balancesAfter(pool, state.balances, log);
      return balances === null ? null : { ...state, balances };
    }
    case FEE_CHANGED: {
      const swapFee = onlyWord(log.data);
      return swapFee === null ? null : { ...state, swapFee };
    }
    default:
      return null;
  }
}

/** null where a contract reverts, what it says is no pool, or trade is paused. */
function stateOf(pool: DiscoveredPool, answers: readonly (ChainAnswer | undefined)[]): WeightedState | null {
  const common = commonOf(pool, answers);
  const weights = readAnswer(POOL_ABI, 'getNormalizedWeights', answers[COMMON_CALLS]);
  const factors = readAnswer(POOL_ABI, 'getScalingFactors', answers[COMMON_CALLS + 1]);
  if (common === null || weights?.length !== pool.tokens.length || factors?.length !== pool.tokens.length) return null;
  // A factor is 10^(18 − decimals) with 18 decimals of its own.
  return { ...common, lifts: factors.map((factor) => factor / ONE), weights, powers: 'multiplied' };
}

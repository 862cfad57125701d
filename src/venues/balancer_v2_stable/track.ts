import { encodeFunctionData } from 'viem';
import { asAddress, ZERO_ADDRESS } from '../../units/units.ts';
import { describeVaultPools, type PoolKind } from '../balancer/describe-vault-pools.ts';
import { ONE } from '../balancer/fixed-point.ts';
import { readAnswer } from '../balancer/read-answer.ts';
import { POOL_ABI, RATE_PROVIDER_ABI } from '../balancer/vault-abi.ts';
import { announcedBy, POOL_CREATED, poolsOfLog, STATE_TOPICS } from '../balancer/vault-logs.ts';
import { askCommon, askPool, COMMON_CALLS, commonOf, contractOf } from '../balancer/vault-pool.ts';
import type { QuoteMoment } from '../quote-moment.ts';
import type { TokenScale } from '../scaled/token-scale.ts';
import type { ChainAnswer, ChainCall, DiscoveredPool, TrackFacet } from '../track.ts';
import { AMP_PRECISION } from './stable-math.ts';
import { type StableState, validateState } from './state.ts';

/** Composable pools, which hold their own token and round their invariant down. */
const KIND: PoolKind = {
  views: ['getScalingFactors', 'getAmplificationParameter', 'getBptIndex', 'getRateProviders'],
  traits(answers, tokens) {
    const providers = readAnswer(POOL_ABI, 'getRateProviders', answers[3]);
    return providers?.length === tokens.length ? { rateProviders: providers.map(asAddress).join(' ') } : null;
  },
};

const OWN_CALLS = 2;
/** For a token with a rate provider: what the pool remembers of the rate, and what the provider says. */
const CALLS_PER_RATE = 2;
/** The pool keeps rates in so many bits and reverts on more. */
const RATE_LIMIT = 1n << 96n;
/** Above, an amount of 112 bits times the factor may leave 256. */
const FACTOR_LIMIT = 1n << 144n;

/**
 * Follows composable stable pools of the vault. A ramp of the amplification, the end of a remembered rate and what a provider then says change what a pool pays without a log: each pool is
 * read at each block, as the contract would compute it at that block's time.
 */
export const track: TrackFacet<StableState> = {
  discoveryTopics: [POOL_CREATED],
  stateTopics: STATE_TOPICS,
  discover: announcedBy,
  describe: (announced, read) => describeVaultPools(KIND, announced, read),
  async load(pools, read, at) {
    const calls = pools.map(callsOf);
    const answers = await read(calls.flat());
    let first = 0;
    return pools.map((pool, index) => {
      const own = answers.slice(first, first + (calls[index]?.length ?? 0));
      first += own.length;
      return stateOf(pool, own, at);
    });
  },
  rereading: () => ({ kind: 'each-block' }),
  poolsOf: poolsOfLog,
  apply: () => ({ kind: 'reload' }),
  check: validateState,
};

function callsOf(pool: DiscoveredPool): readonly ChainCall[] {
  const contract = contractOf(pool.key);
  const rates = ratedSlots(pool).flatMap(({ slot, provider }): readonly ChainCall[] => [
    {
      to: contract,
      data: encodeFunctionData({ abi: POOL_ABI, functionName: 'getTokenRateCache', args: [pool.tokens[slot] ?? ZERO_ADDRESS] }),
      answerBytes: 128,
    },
    { to: provider, data: encodeFunctionData({ abi: RATE_PROVIDER_ABI }), answerBytes: 32 },
  ]);
  return [...askCommon(pool), askPool(contract, 'getScalingFactors'), askPool(contract, 'getAmplificationParameter'), ...rates];
}

/** Slots whose tokens have a rate provider. */
function ratedSlots({ traits }: DiscoveredPool) {
  const providers = String(traits.rateProviders).split(' ').map(asAddress);
  return providers.map((provider, slot) => ({ slot, provider })).filter(({ provider }) => provider !== ZERO_ADDRESS);
}

/** null where a contract reverts, what it says is no pool, trade is paused, or a swap would have to ask a rate provider that can not be asked. */
function stateOf(pool: DiscoveredPool, answers: readonly (ChainAnswer | undefined)[], at: QuoteMoment): StableState | null {
  const common = commonOf(pool, answers);
  const factors = readAnswer(POOL_ABI, 'getScalingFactors', answers[COMMON_CALLS]);
  const amplification = readAnswer(POOL_ABI, 'getAmplificationParameter', answers[COMMON_CALLS + 1]);
  if (common === null || factors?.length !== pool.tokens.length || amplification?.[2] !== AMP_PRECISION) return null;
  const scales: (TokenScale | null)[] = factors.map((numerator) => ({ numerator, denominator: ONE }));
  for (const [index, { slot }] of ratedSlots(pool).entries()) {
    const first = COMMON_CALLS + OWN_CALLS + CALLS_PER_RATE * index;
    const factor = factorAt(factors[slot] ?? 0n, answers[first], answers[first + 1], at);
    if (factor === null) return null;
    scales[slot] = { numerator: factor, denominator: ONE };
  }
  if (scales.some((scale) => scale === null || scale.numerator === 0n || scale.numerator >= FACTOR_LIMIT)) return null;
  // The pool's own token takes no part in its mathematics.
  const own = pool.tokens.indexOf(contractOf(pool.key));
  return { ...common, scales: scales.map((scale, slot) => (slot === own ? null : scale)), amplification: amplification[0], rule: 'down' };
}

/** The scaling factor by which a swap of that moment goes: that of the remembered rate, or, where it has expired, of the rate that the provider says. */
function factorAt(factor: bigint, cacheAnswer: ChainAnswer | undefined, rateAnswer: ChainAnswer | undefined, at: QuoteMoment): bigint | null {
  const cache = readAnswer(POOL_ABI, 'getTokenRateCache', cacheAnswer);
  if (cache === null) return null;
  const [remembered, , , expires] = cache;
  if (BigInt(at.timestamp) <= expires) return factor;
  const rate = readAnswer(RATE_PROVIDER_ABI, 'getRate', rateAnswer);
  if (rate === null || remembered === 0n || rate === 0n || rate >= RATE_LIMIT) return null;
  // The factor is the lift to 18 decimals times the remembered rate, exactly.
  return (factor / remembered) * rate;
}

import { encodeFunctionData } from 'viem';
import { type Address, asAddress } from '../../units/units.ts';
import type { ChainAnswer, ChainCall, DiscoveredPool } from '../track.ts';
import { readAnswer } from './read-answer.ts';
import { POOL_ABI, VAULT_ABI } from './vault-abi.ts';

const WORD_BYTES = 32;
const ADDRESS_CHARACTERS = 42;

/** The contract of a pool that the vault knows by this id: its first 20 bytes. */
export function contractOf(poolId: string): Address {
  return asAddress(poolId.slice(0, ADDRESS_CHARACTERS));
}

/** Views of a pool's contract without arguments, with the words that each answers at most. */
const VIEW_WORDS = {
  getPoolId: 1,
  getVault: 1,
  getPausedState: 3,
  getSwapFeePercentage: 1,
  getScalingFactors: 10,
  getNormalizedWeights: 10,
  getATHRateProduct: 1,
  getAmplificationParameter: 3,
  getBptIndex: 1,
  getRateProviders: 10,
} as const;
export type PoolView = keyof typeof VIEW_WORDS;

export function askPool(pool: Address, functionName: PoolView): ChainCall {
  return { to: pool, data: encodeFunctionData({ abi: POOL_ABI, functionName }), answerBytes: WORD_BYTES * VIEW_WORDS[functionName] };
}

export function askPoolTokens(vault: Address, poolId: string, tokenCount: number): ChainCall {
  const answerBytes = WORD_BYTES * (5 + 2 * tokenCount);
  return { to: vault, data: encodeFunctionData({ abi: VAULT_ABI, functionName: 'getPoolTokens', args: [poolId as `0x${string}`] }), answerBytes };
}

/** What every pool of the vault is asked for its state: two calls for whether it trades, one for its balances, one for its fee. */
export const COMMON_CALLS = 4;

export function askCommon(pool: DiscoveredPool): readonly ChainCall[] {
  const contract = contractOf(pool.key);
  const vaultPause = { to: pool.address, data: askPool(contract, 'getPausedState').data, answerBytes: WORD_BYTES * VIEW_WORDS.getPausedState };
  return [
    vaultPause,
    askPool(contract, 'getPausedState'),
    askPoolTokens(pool.address, pool.key, pool.tokens.length),
    askPool(contract, 'getSwapFeePercentage'),
  ];
}

/** null: the vault or the pool is paused, or something was not answered. A pause ends by itself with its window, which the contracts know. */
export function commonOf(
  pool: DiscoveredPool,
  answers: readonly (ChainAnswer | undefined)[],
): { readonly balances: readonly bigint[]; readonly swapFee: bigint } | null {
  const [vaultPause, poolPause] = [answers[0], answers[1]].map((answer) => readAnswer(POOL_ABI, 'getPausedState', answer));
  const tokens = readAnswer(VAULT_ABI, 'getPoolTokens', answers[2]);
  const swapFee = readAnswer(POOL_ABI, 'getSwapFeePercentage', answers[3]);
  if (vaultPause?.[0] !== false || poolPause?.[0] !== false || tokens === null || swapFee === null) return null;
  const [listed, balances] = tokens;
  if (listed.length !== pool.tokens.length || listed.some((token, slot) => asAddress(token) !== pool.tokens[slot])) return null;
  return { balances, swapFee };
}

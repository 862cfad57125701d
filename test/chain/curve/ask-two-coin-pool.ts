import type { Hex } from 'viem';
import { compileSolidity } from '../../../scripts/solidity.ts';
import type { CryptoPool } from '../../../src/venues/curve_crypto/crypto-pool.ts';
import type { OracleChain } from '../../support/oracle-chain.ts';
import type { TwoCoinCase } from './random-two-coin-pool.ts';
import type { TwoCoinAnswers } from './two-coin-answers.ts';
import { type PlacedTwoCoinPool, twoCoinOverrides } from './two-coin-storage.ts';

/** Asks a pool in a state for its views and for pairs of exchanges, in a block of that time, or in one of now where none is said. */
export type AskTwoCoinPool = (state: CryptoPool, cases: readonly TwoCoinCase[], now?: number) => Promise<TwoCoinAnswers>;

type Said = { readonly ok: boolean; readonly value: bigint };
type Answered = { readonly promised: Said; readonly ok: boolean; readonly amountOut: bigint; readonly state: readonly bigint[] };

export async function askTwoCoinPool(chain: OracleChain, placed: PlacedTwoCoinPool): Promise<AskTwoCoinPool> {
  const { CurveCryptoTwoOracle: oracle } = await compileSolidity('contracts/devnet/oracle');
  if (oracle === undefined) throw new Error('CurveCryptoTwoOracle is not among the compiled contracts');
  const address: Hex = await chain.deploy(oracle.abi, oracle.bytecode, []);
  return async (state, cases, now) => {
    const args = [placed.pool, placed.coins, state.claim?.held, cases];
    const answer = await chain.ask(address, oracle.abi, 'answer', args, twoCoinOverrides(placed, state), now);
    const [timestamp, views, answers] = answer as readonly [bigint, readonly Said[], readonly Answered[]];
    return {
      now: Number(timestamp),
      pool: state,
      views: views.map(valueIn),
      exchanges: answers.map(({ promised, ok, amountOut, state: left }, at) => ({
        ...(cases[at] as TwoCoinCase),
        promised: valueIn(promised),
        amountOut: ok ? amountOut : null,
        state: left,
      })),
    };
  };
}

function valueIn({ ok, value }: Said): bigint | null {
  return ok ? value : null;
}

import { type Hex, numberToHex, type StateOverride } from 'viem';
import { compileSolidity } from '../../../scripts/solidity.ts';
import type { CompiledContract } from '../../../src/devnet/solidity.ts';
import type { CryptoPool } from '../../../src/venues/curve_crypto/crypto-pool.ts';
import { devnetContracts } from '../../support/devnet-contracts.ts';
import type { OracleChain } from '../../support/oracle-chain.ts';

/** Where a contract of shares keeps how many there are, and who makes them. */
export type SharePlaces = { readonly supply: bigint; readonly minter: bigint };

/** A pool of two coins on a chain, Curve's own or the devnet's port: both keep what they have at the same places, but for their shares. */
export type PlacedTwoCoinPool = { readonly pool: Hex; readonly share: Hex; readonly coins: readonly Hex[]; readonly sharePlaces: SharePlaces };

type Deployable = Pick<CompiledContract, 'abi' | 'bytecode'>;

const NOBODY = '0x00000000000000000000000000000000000000ee';
/** Gives what is in its first place to whoever asks it anything: the factory, which is asked for the receiver of fees. */
const ANSWERS = '0x60005460005260206000f3';

/** Deploys a pool and its share over coins of their own, none of which is the wrapped native token. */
export async function placeTwoCoinPool(chain: OracleChain, pool: Deployable, share: Deployable, sharePlaces: SharePlaces): Promise<PlacedTwoCoinPool> {
  const { PlainToken } = await compileSolidity('contracts/devnet/oracle');
  if (PlainToken === undefined) throw new Error('PlainToken is not among the compiled contracts');
  return {
    pool: await chain.deploy(pool.abi, pool.bytecode, [NOBODY]),
    share: await chain.deploy(share.abi, share.bytecode, []),
    coins: [await chain.deploy(PlainToken.abi, PlainToken.bytecode, []), await chain.deploy(PlainToken.abi, PlainToken.bytecode, [])],
    sharePlaces,
  };
}

/** The devnet's port, without its factory. */
export async function placePortedTwoCoinPool(chain: OracleChain): Promise<PlacedTwoCoinPool> {
  const { CryptoSwapTwo, CryptoShare } = await devnetContracts('curve_crypto');
  if (CryptoSwapTwo === undefined || CryptoShare === undefined) throw new Error('CryptoSwapTwo or CryptoShare is not among the compiled contracts');
  return placeTwoCoinPool(chain, CryptoSwapTwo, CryptoShare, { minter: 0n, supply: 1n });
}

/** What the contracts see when their storage says this state: the places are those that Vyper 0.3.1 gives the pool. */
export function twoCoinOverrides({ pool, share, coins, sharePlaces }: PlacedTwoCoinPool, state: CryptoPool): StateOverride {
  const [from, to] = [state.from, state.to].map(({ amplification, gamma }) => (amplification << 128n) | gamma);
  const [first = 1n, second = 1n] = state.precisions;
  const decimals = (precision: bigint) => BigInt(String(precision).length - 1);
  const values: Readonly<Record<number, bigint | undefined>> = {
    ...{ 1: BigInt(share), 2: BigInt(coins[0] ?? 0), 3: BigInt(coins[1] ?? 0), 4: state.priceScale[0], 5: state.priceOracle[0], 6: state.lastPrices[0] },
    ...{ 7: state.lastPricesAt, 8: from, 9: to, 10: state.rampStartsAt, 11: state.rampEndsAt, 12: state.allowedExtraProfit, 14: state.feeGamma },
    ...{ 16: state.adjustmentStep, 18: state.averageHalfTime, 20: state.midFee, 21: state.outFee, 22: state.claim?.share },
    ...{ 26: state.balances[0], 27: state.balances[1], 28: state.invariant, 29: BigInt(NOBODY), 30: state.profit, 31: state.claim?.profitClaimed },
    ...{ 32: state.virtualPrice, 33: state.adjusting ? 1n : 0n, 35: decimals(first) | (decimals(second) << 8n) },
  };
  const receiver = state.claim?.hasReceiver ? BigInt(NOBODY) : 0n;
  return [
    { address: pool, stateDiff: Object.entries(values).map(([slot, value]) => place(BigInt(slot), value ?? 0n)) },
    { address: share, stateDiff: [place(sharePlaces.supply, state.shares), place(sharePlaces.minter, BigInt(pool))] },
    { address: NOBODY, code: ANSWERS, stateDiff: [place(0n, receiver)] },
  ];
}

function place(slot: bigint, value: bigint): { readonly slot: Hex; readonly value: Hex } {
  return { slot: numberToHex(slot, { size: 32 }), value: numberToHex(value, { size: 32 }) };
}

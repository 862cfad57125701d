import { type Hex, numberToHex, type StateOverride } from 'viem';
import { compileSolidity } from '../../../scripts/solidity.ts';
import type { CryptoPool } from '../../../src/venues/curve_crypto/crypto-pool.ts';
import { devnetContracts } from '../../support/devnet-contracts.ts';
import type { OracleChain } from '../../support/oracle-chain.ts';

/** The devnet's crypto pool on a chain, over coins of its own. */
export type PortedCryptoPool = { readonly address: Hex; readonly coins: readonly Hex[]; override(state: CryptoPool): StateOverride };

/** Deploys it with these precisions. What the contract sees is what `override` says: the place of each value is its place in `contracts/devnet/curve/CryptoPrices.sol`. */
export async function deployPortedCryptoPool(chain: OracleChain, precisions: readonly bigint[]): Promise<PortedCryptoPool> {
  const [{ CryptoSwapThree }, { PlainToken }] = await Promise.all([devnetContracts('curve_crypto'), compileSolidity('contracts/devnet/oracle')]);
  if (CryptoSwapThree === undefined || PlainToken === undefined) throw new Error('CryptoSwapThree or PlainToken is not among the compiled contracts');
  const coins: Hex[] = [];
  for (const _ of precisions) coins.push(await chain.deploy(PlainToken.abi, PlainToken.bytecode, []));
  const one = 10n ** 18n;
  const address = await chain.deploy(CryptoSwapThree.abi, CryptoSwapThree.bytecode, [coins, precisions, 270_000n, 10n ** 12n, [0n, 0n, 0n], [one, one]]);
  return {
    address,
    coins,
    override: (state) => [{ address, stateDiff: wordsOf(state).map((value, slot) => ({ slot: word(BigInt(slot)), value: word(value) })) }],
  };
}

function wordsOf(state: CryptoPool): readonly bigint[] {
  const parameters = [state.from, state.to].map(({ amplification, gamma }) => (amplification << 128n) | gamma);
  const { allowedExtraProfit, feeGamma, adjustmentStep, averageHalfTime, midFee, outFee } = state;
  return [
    ...[state.balances, state.priceScale, state.priceOracle, state.lastPrices].flat(),
    ...[state.lastPricesAt, ...parameters, state.rampStartsAt, state.rampEndsAt],
    ...[allowedExtraProfit, feeGamma, adjustmentStep, averageHalfTime, midFee, outFee, 0n],
    ...[state.invariant, state.profit, 0n, state.virtualPrice, state.adjusting ? 1n : 0n, state.shares],
  ];
}

function word(value: bigint): Hex {
  return numberToHex(value, { size: 32 });
}

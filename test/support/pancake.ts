import { type Abi, encodeDeployData, type Hex } from 'viem';
import type { CompiledContracts } from '../../src/devnet/solidity.ts';
import { npmArtifact } from './artifacts.ts';
import { devnetContracts } from './devnet-contracts.ts';

const CORE = '@pancakeswap/v3-core/artifacts/contracts';

/** What PancakeSwap V3 is made of: its own factory and pool, and our deployer between them. */
export type PancakeV3Code = {
  readonly deployer: { readonly abi: Abi; readonly bytecode: Hex; readonly args: readonly [poolCode: Hex] };
  /** Mints and swaps for a caller. */
  readonly periphery: CompiledContracts[string];
  readonly factoryAbi: Abi;
  readonly poolAbi: Abi;
  factoryCode(deployer: Hex): Hex;
};

export async function pancakeV3Code(): Promise<PancakeV3Code> {
  const factory = npmArtifact(`${CORE}/PancakeV3Factory.sol/PancakeV3Factory.json`);
  const pool = npmArtifact(`${CORE}/PancakeV3Pool.sol/PancakeV3Pool.json`);
  const { PancakeV3PoolDeployer, PancakeV3Periphery } = await devnetContracts('pancakeswap_v3');
  if (PancakeV3PoolDeployer === undefined || PancakeV3Periphery === undefined) throw new Error('the contracts in contracts/devnet/pancake are not compiled');
  return {
    deployer: { abi: PancakeV3PoolDeployer.abi, bytecode: PancakeV3PoolDeployer.bytecode, args: [pool.bytecode] },
    periphery: PancakeV3Periphery,
    factoryAbi: factory.abi,
    poolAbi: pool.abi,
    factoryCode: (deployer) => encodeDeployData({ ...factory, args: [deployer] }),
  };
}

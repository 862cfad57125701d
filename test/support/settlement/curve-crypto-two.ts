import { encodeDeployData, erc20Abi, maxUint256, parseAbi } from 'viem';
import { type Address, asAddress } from '../../../src/units/units.ts';
import type { DiscoveredPool } from '../../../src/venues/venues.ts';
import { devnetContracts } from '../devnet-contracts.ts';
import { contractOf, type Ground, ONE } from './ground.ts';

const POOL = parseAbi(['function add_liquidity(uint256[2] amounts, uint256 least) payable', 'function token() view returns (address)']);
/** Multicall3's place. */
const NATIVE_TELLER = '0xca11bde05977b3631167028862be2a173976ca11';
const DEPTH = 1_000_000n * ONE;
/** Of Curve's own pools of the kind, but for the price: the second coin is worth two of the first. */
export const TWO_COIN_NUMBERS = [
  400_000n,
  145n * 10n ** 12n,
  26n * 10n ** 6n,
  45n * 10n ** 6n,
  2n * 10n ** 12n,
  23n * 10n ** 13n,
  146n * 10n ** 12n,
  5n * 10n ** 9n,
  600n,
  2n * ONE,
];

/** The devnet's port of a crypto pool of two coins, as its factory makes it. Of them one may be the wrapped native token, which the pool keeps unwrapped. */
export async function layPortedTwoCoinPool(ground: Ground, coins: readonly [Address, Address]): Promise<DiscoveredPool> {
  const { chain, accounts, tokens, contracts, wrappedNative } = ground;
  const { deployer } = accounts;
  const port = await devnetContracts('curve_crypto');
  for (const contract of Object.values(port)) chain.know(contract.abi);
  const maker = contractOf(port, 'CryptoFactory');
  const swap = await chain.deploy(deployer, encodeDeployData({ ...contractOf(port, 'CryptoSwapTwo'), args: [wrappedNative] }));
  const share = await chain.deploy(deployer, contractOf(port, 'CryptoShare').bytecode);
  const factory = await chain.deploy(deployer, encodeDeployData({ ...maker, args: [deployer, swap, share] }));
  await chain.rpc.request('anvil_setCode', NATIVE_TELLER, contractOf(port, 'NativeTeller').deployedBytecode);
  await chain.write(deployer, factory, maker.abi, 'deploy_pool', [coins, TWO_COIN_NUMBERS]);
  const address = asAddress((await chain.read(factory, maker.abi, 'pool_list', [0n])) as string);
  for (const token of coins) {
    if (token !== tokens.weth) await chain.write(deployer, token, contractOf(contracts, 'TrickToken').abi, 'mint', [[deployer], DEPTH]);
    await chain.write(deployer, token, erc20Abi, 'approve', [address, maxUint256]);
  }
  await chain.write(deployer, address, POOL, 'add_liquidity', [[DEPTH, DEPTH / 2n], 0n]);
  const token = asAddress((await chain.read(address, POOL, 'token', [])) as string);
  const traits = { factory, token, decimals: '18,18', native: coins.indexOf(wrappedNative) };
  return { key: address, address, hook: null, protocol: 'curve_crypto', source: 'curve_crypto', tokens: coins, traits };
}

import { type Address, asAddress } from '../units/units.ts';
import type { Chain } from './chain.ts';

const GWEI = 1_000_000_000n;

/**
 * Every chain the service knows by name. Wrapped native tokens are written in checksummed form as `@uniswap/sdk-core` 7.19.4 (WETH9) lists them;
 * gnosis, xlayer, scroll, mantle, sonic and berachain, which it does not list, as `sushi` 7.3.15 (WNATIVE_ADDRESS) does. Celo has none: its native token
 * is itself an ERC-20. A gas price floor is 0 where no package documents one.
 */
export const CATALOGUE: readonly Chain[] = [
  entry(1, 'ethereum', ['eth'], '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2'),
  entry(8453, 'base', [], '0x4200000000000000000000000000000000000006'),
  entry(42161, 'arbitrum', [], '0x82aF49447D8a07e3bd95BD0d56f35241523fBab1'),
  entry(56, 'bsc', ['bnb'], '0xbb4CdB9CBd36B01bD1cBaEBF2De08d9173bc095c'),
  entry(43114, 'avalanche', ['avax'], '0xB31f66AA3C1e785363F0875A1B74E27b85FD66c7'),
  entry(196, 'xlayer', [], '0xe538905cf8410324e03A5A23C1c177a474D59b2b'),
  entry(137, 'polygon', [], '0x0d500B1d8E8eF31E21C99d1Db9A6444d3ADf1270'),
  entry(10, 'optimism', [], '0x4200000000000000000000000000000000000006'),
  entry(100, 'gnosis', [], '0xe91D153E0b41518A2Ce8Dd3D7944Fa863463a97d'),
  entry(59144, 'linea', [], '0xe5D7C2a44FfDDf6b295A15c148167daaAf5Cf34f'),
  entry(534352, 'scroll', [], '0x5300000000000000000000000000000000000004'),
  entry(130, 'unichain', [], '0x4200000000000000000000000000000000000006'),
  entry(81457, 'blast', [], '0x4300000000000000000000000000000000000004'),
  entry(5000, 'mantle', [], '0x78c1b0C915c4FAA5FffA6CAbf0219DA63d7f4cb8'),
  entry(146, 'sonic', [], '0x039e2fB66102314Ce7b64Ce5Ce3E5183bc94aD38'),
  entry(80094, 'berachain', [], '0x6969696969696969696969696969696969696969'),
  entry(480, 'worldchain', [], '0x4200000000000000000000000000000000000006'),
  entry(57073, 'ink', [], '0x4200000000000000000000000000000000000006'),
  entry(1868, 'soneium', [], '0x4200000000000000000000000000000000000006'),
  entry(42220, 'celo', [], null),
  { ...entry(31337, 'devnet', [], null), minimumGasPriceWei: GWEI },
];

function entry(chainId: number, name: string, aliases: readonly string[], wrappedNative: string | null): Chain {
  const wrapped: Address | null = wrappedNative === null ? null : asAddress(wrappedNative);
  return { chainId, name, aliases, wrappedNative: wrapped, minimumGasPriceWei: 0n };
}

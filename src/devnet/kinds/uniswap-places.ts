const V3_PERIPHERY = '@uniswap/v3-periphery/artifacts/contracts';

/** Where npm packages have Uniswap's contracts compiled. */
export const UNISWAP_V2_PLACES = {
  factory: '@uniswap/v2-core/build/UniswapV2Factory.json',
  router: '@uniswap/v2-periphery/build/UniswapV2Router02.json',
} as const;

export const UNISWAP_V3_PLACES = {
  factory: '@uniswap/v3-core/artifacts/contracts/UniswapV3Factory.sol/UniswapV3Factory.json',
  positionManager: `${V3_PERIPHERY}/NonfungiblePositionManager.sol/NonfungiblePositionManager.json`,
  swapRouter: `${V3_PERIPHERY}/SwapRouter.sol/SwapRouter.json`,
  quoterV2: `${V3_PERIPHERY}/lens/QuoterV2.sol/QuoterV2.json`,
} as const;

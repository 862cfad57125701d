import { parseAbi } from 'viem';

/** What is read of the vault, and the logs by which it speaks of its pools: `poolId` is the first topic after the event's. */
export const VAULT_ABI = parseAbi([
  'function getPoolTokens(bytes32 poolId) view returns (address[] tokens, uint256[] balances, uint256 lastChangeBlock)',
  'function getPoolTokenInfo(bytes32 poolId, address token) view returns (uint256 cash, uint256 managed, uint256 lastChangeBlock, address assetManager)',
  'event Swap(bytes32 indexed poolId, address indexed tokenIn, address indexed tokenOut, uint256 amountIn, uint256 amountOut)',
  'event PoolBalanceChanged(bytes32 indexed poolId, address indexed liquidityProvider, address[] tokens, int256[] deltas, uint256[] protocolFeeAmounts)',
  'event PoolBalanceManaged(bytes32 indexed poolId, address indexed assetManager, address indexed token, int256 cashDelta, int256 managedDelta)',
]);

/** What is read of the contracts of pools, whatever their kind, and of both kinds. */
export const POOL_ABI = parseAbi([
  'function getPoolId() view returns (bytes32)',
  'function getVault() view returns (address)',
  'function getPausedState() view returns (bool paused, uint256 pauseWindowEndTime, uint256 bufferPeriodEndTime)',
  'function getSwapFeePercentage() view returns (uint256)',
  'function getScalingFactors() view returns (uint256[])',
  'function getNormalizedWeights() view returns (uint256[])',
  'function getATHRateProduct() view returns (uint256)',
  'function getAmplificationParameter() view returns (uint256 value, bool isUpdating, uint256 precision)',
  'function getBptIndex() view returns (uint256)',
  'function getRateProviders() view returns (address[])',
  'function getTokenRateCache(address token) view returns (uint256 rate, uint256 oldRate, uint256 duration, uint256 expires)',
  'event SwapFeePercentageChanged(uint256 swapFeePercentage)',
  'event PausedStateChanged(bool paused)',
  'event AmpUpdateStarted(uint256 startValue, uint256 endValue, uint256 startTime, uint256 endTime)',
  'event AmpUpdateStopped(uint256 currentValue)',
  'event TokenRateCacheUpdated(uint256 indexed tokenIndex, uint256 rate)',
]);

export const FACTORY_ABI = parseAbi(['event PoolCreated(address indexed pool)']);

export const RATE_PROVIDER_ABI = parseAbi(['function getRate() view returns (uint256)']);

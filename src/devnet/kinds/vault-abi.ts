import { parseAbi } from 'viem';

/** Of Balancer's vault and factories, as far as the devnet makes pools and trades in them. */
export const VAULT_ABI = parseAbi([
  'struct Request { address[] assets; uint256[] limits; bytes userData; bool internalBalance; }',
  'function joinPool(bytes32 poolId, address sender, address recipient, Request request) payable',
  'function exitPool(bytes32 poolId, address sender, address recipient, Request request)',
  'struct SingleSwap { bytes32 poolId; uint8 kind; address assetIn; address assetOut; uint256 amount; bytes userData; }',
  'struct Funds { address sender; bool fromInternalBalance; address recipient; bool toInternalBalance; }',
  'function swap(SingleSwap singleSwap, Funds funds, uint256 limit, uint256 deadline) payable returns (uint256)',
  'struct Step { bytes32 poolId; uint256 assetInIndex; uint256 assetOutIndex; uint256 amount; bytes userData; }',
  'function queryBatchSwap(uint8 kind, Step[] swaps, address[] assets, Funds funds) returns (int256[] assetDeltas)',
  'function getPool(bytes32 poolId) view returns (address pool, uint8 specialization)',
]);

export const WEIGHTED_FACTORY_ABI = parseAbi([
  'function create(string name, string symbol, address[] tokens, uint256[] normalizedWeights, address[] rateProviders, uint256 swapFeePercentage, address owner) returns (address)',
]);

export const COMPOSABLE_FACTORY_ABI = parseAbi([
  'function create(string name, string symbol, address[] tokens, uint256 amplificationParameter, address[] rateProviders, uint256[] tokenRateCacheDurations, bool[] exemptFromYieldProtocolFeeFlags, uint256 swapFeePercentage, address owner) returns (address)',
]);

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { FACTORY_ADDRESS_MAP as PANCAKE_V2, INIT_CODE_HASH_MAP as PANCAKE_V2_HASHES } from '@pancakeswap/v2-sdk';
import { DEPLOYER_ADDRESSES, FACTORY_ADDRESSES as PANCAKE_V3, POOL_INIT_CODE_HASHES } from '@pancakeswap/v3-sdk';
import * as sushi from 'sushi/evm';
import { checksummed } from './addresses.mjs';
import { NETWORKS } from './networks.mjs';
// Only its constants: what is around them talks to a chain.
import { NETWORK_CONSTANTS as CURVE } from './node_modules/@curvefi/api/lib/constants/network_constants.js';

const require = createRequire(import.meta.url);
const { CHAIN_TO_ADDRESSES_MAP: UNISWAP, V2_FACTORY_ADDRESSES: UNISWAP_V2 } = require('@uniswap/sdk-core');
const { INIT_CODE_HASH: UNISWAP_V2_HASH } = require('@uniswap/v2-sdk');
const { poolInitCodeHash } = require('@uniswap/v3-sdk');

/** Factories of Balancer V2 whose pools are followed (src/venues/README.md), by the deployments' own names. */
const BALANCER_TASKS = [
  { task: '20220908-weighted-pool-v2', contract: 'WeightedPoolFactory', venue: 'balancer_v2_weighted' },
  { task: '20230206-weighted-pool-v3', contract: 'WeightedPoolFactory', venue: 'balancer_v2_weighted' },
  { task: '20220906-composable-stable-pool', contract: 'ComposableStablePoolFactory', venue: 'balancer_v2_stable' },
  { task: '20221122-composable-stable-pool-v2', contract: 'ComposableStablePoolFactory', venue: 'balancer_v2_stable' },
  { task: '20230206-composable-stable-pool-v3', contract: 'ComposableStablePoolFactory', venue: 'balancer_v2_stable' },
];

/** Where each chain's pools are announced, and how their addresses follow from their tokens where they do. Rows of one chain are together. */
export function gatherVenues() {
  return NETWORKS.flatMap(({ chainId, balancer }) => [
    ...created(chainId, 'uniswap_v2', 'uniswap_v2', agreed(chainId, UNISWAP_V2[chainId], sushi.UNISWAP_V2_FACTORY_ADDRESS[chainId]), UNISWAP_V2_HASH),
    ...created(chainId, 'uniswap_v2', 'sushiswap_v2', sushi.SUSHISWAP_V2_FACTORY_ADDRESS[chainId], sushi.SUSHISWAP_V2_INIT_CODE_HASH[chainId]),
    ...created(chainId, 'uniswap_v2', 'pancakeswap_v2', PANCAKE_V2[chainId], PANCAKE_V2_HASHES[chainId]),
    ...created(
      chainId,
      'uniswap_v3',
      'uniswap_v3',
      agreed(chainId, UNISWAP[chainId]?.v3CoreFactoryAddress, sushi.UNISWAP_V3_FACTORY_ADDRESS[chainId]),
      poolInitCodeHash(chainId),
    ),
    ...created(chainId, 'uniswap_v3', 'sushiswap_v3', sushi.SUSHISWAP_V3_FACTORY_ADDRESS[chainId], sushi.SUSHISWAP_V3_INIT_CODE_HASH[chainId]),
    ...created(chainId, 'uniswap_v3', 'pancakeswap_v3', PANCAKE_V3[chainId], POOL_INIT_CODE_HASHES[chainId], DEPLOYER_ADDRESSES[chainId]),
    ...announced(chainId, 'uniswap_v4', 'uniswap_v4', UNISWAP[chainId]?.v4PoolManagerAddress),
    ...BALANCER_TASKS.flatMap(({ task, contract, venue }) => announced(chainId, venue, 'balancer_v2', deployed(task, balancer)?.[contract])),
    ...['factory', 'stable_ng_factory'].flatMap((name) => announced(chainId, 'curve', 'curve', CURVE[chainId]?.ALIASES[name])),
  ]);
}

/** A factory that makes its pools with CREATE2; `deployer` where another contract makes them for it. */
function created(chainId, venue, family, factory, initCodeHash, deployer = factory) {
  if (factory === undefined) return [];
  if (!/^0x[0-9a-f]{64}$/.test(initCodeHash ?? '')) throw new Error(`${family} of chain ${chainId} has no init code hash`);
  return [{ chainId, venue, family, factory: checksummed(factory), pools: { deployer: checksummed(deployer), initCodeHash } }];
}

function announced(chainId, venue, family, factory) {
  if (factory === undefined || factory === '' || /^0x0{40}$/.test(factory)) return [];
  return [{ chainId, venue, family, factory: checksummed(factory), pools: null }];
}

/** What the protocol's own package says, or where it is silent another one. Both have to say the same. */
function agreed(chainId, own, other) {
  if (own !== undefined && other !== undefined && own.toLowerCase() !== other.toLowerCase())
    throw new Error(`chain ${chainId}: the packages disagree about a factory of Uniswap: ${own}, ${other}`);
  return own ?? other;
}

function deployed(task, network) {
  if (network === undefined) return undefined;
  const folder = path.join(path.dirname(require.resolve('@balancer-labs/v2-deployments/package.json')), 'dist/tasks');
  if (!readdirSync(folder).includes(task)) throw new Error(`the deployments of Balancer have no ${task}`);
  const file = path.join(folder, task, 'output', `${network}.json`);
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
}

import { toEventSelector } from 'viem';
import { addressAt } from '../abi-words.ts';
import type { TrackFacet } from '../track.ts';
import { type CryptoState, validateState } from './crypto-state.ts';
import { announcementIn, describePools, POOL_ADDED, POOL_DEPLOYED } from './describe-pools.ts';
import { loadPools } from './load-pools.ts';

const POOL_REMOVED = toEventSelector('PoolRemoved(address)');
/** What a pool says when it changes. No log says all of it. */
const CHANGES = [
  'TokenExchange(address,uint256,uint256,uint256,uint256)',
  'AddLiquidity(address,uint256[2],uint256,uint256)',
  'AddLiquidity(address,uint256[3],uint256,uint256)',
  'RemoveLiquidity(address,uint256[2],uint256)',
  'RemoveLiquidity(address,uint256[3],uint256)',
  'RemoveLiquidityOne(address,uint256,uint256,uint256)',
  'RampAgamma(uint256,uint256,uint256,uint256,uint256,uint256)',
  'StopRampA(uint256,uint256,uint256)',
  'NewParameters(uint256,uint256,uint256,uint256,uint256,uint256,uint256)',
  'ClaimAdminFee(address,uint256)',
].map(toEventSelector);

/** Follows crypto pools. A log of an exchange says nothing of the averages and the pool's own prices, and what the admin claims or was given to the pool needs no log: pools are read in each block. */
export const track: TrackFacet<CryptoState> = {
  discoveryTopics: [...POOL_ADDED, POOL_DEPLOYED],
  stateTopics: [...POOL_ADDED, POOL_REMOVED, ...CHANGES],
  discover: announcementIn,
  describe: describePools,
  load: loadPools,
  rereading: () => ({ kind: 'each-block' }),
  poolsOf({ address, topics: [topic = '0x', pool] }) {
    return topic === POOL_REMOVED || POOL_ADDED.includes(topic) ? [addressAt(pool ?? '0x')] : [address];
  },
  apply: () => ({ kind: 'reload' }),
  check: validateState,
};

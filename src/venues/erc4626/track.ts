import { toEventSelector } from 'viem';
import type { PoolAnnouncement, TrackFacet } from '../track.ts';
import { describeVaults } from './describe-vaults.ts';
import { answersOf, callsOf, stateOf, supposedCallsOf } from './read-vault.ts';
import { type VaultState, validateState } from './state.ts';

const DEPOSIT = toEventSelector('Deposit(address,address,uint256,uint256)');
const WITHDRAW = toEventSelector('Withdraw(address,address,address,uint256,uint256)');

/**
 * Follows vaults. No factory announces them and none of their code is alike, so a deployment is one vault: its `factory` is the vault. What it gives may change in every block without
 * a log, so it is read again in each.
 */
export const track: TrackFacet<VaultState> = {
  discoveryTopics: [DEPOSIT],
  stateTopics: [DEPOSIT, WITHDRAW],
  /** A vault that was not there yet, or not one, when it was asked is asked again once somebody deposits. */
  discover: ({ factory }, log) => (log.address === factory && log.topics[0] === DEPOSIT ? VAULT : null),
  listed: () => VAULT,
  describe: describeVaults,
  async load(pools, read) {
    const supposing = pools.flatMap((pool, at) => supposedCallsOf(pool).map((call) => ({ at, call })));
    const [answers, supposed] = await Promise.all([read(pools.flatMap(callsOf)), read(supposing.map(({ call }) => call))]);
    const bySupposing = new Map(supposing.map(({ at }, index) => [at, supposed[index]]));
    return pools.map((pool, at) => stateOf(pool, answersOf(answers, at), bySupposing.get(at)));
  },
  rereading: () => ({ kind: 'each-block' }),
  poolsOf: ({ address }) => [address],
  apply: () => ({ kind: 'reload' }),
  check: validateState,
};

const VAULT: PoolAnnouncement = { announces: 'vault', facts: {} };

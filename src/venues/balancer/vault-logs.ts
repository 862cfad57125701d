import { decodeEventLog, toEventSelector } from 'viem';
import { asAddress } from '../../units/units.ts';
import { addressAt } from '../abi-words.ts';
import type { ChainLog, ConcernedPools, DiscoveredPool, PoolAnnouncement, VenueDeployment } from '../track.ts';
import { FACTORY_ABI, POOL_ABI, VAULT_ABI } from './vault-abi.ts';

export const POOL_CREATED = topicOf(FACTORY_ABI, 'PoolCreated');
export const SWAP = topicOf(VAULT_ABI, 'Swap');
export const BALANCE_CHANGED = topicOf(VAULT_ABI, 'PoolBalanceChanged');
export const FEE_CHANGED = topicOf(POOL_ABI, 'SwapFeePercentageChanged');
const BALANCE_MANAGED = topicOf(VAULT_ABI, 'PoolBalanceManaged');
const PAUSE_CHANGED = topicOf(POOL_ABI, 'PausedStateChanged');
const RAMP_STARTED = topicOf(POOL_ABI, 'AmpUpdateStarted');
const RAMP_STOPPED = topicOf(POOL_ABI, 'AmpUpdateStopped');
const RATE_UPDATED = topicOf(POOL_ABI, 'TokenRateCacheUpdated');

/** Logs of the vault and of the pools themselves. */
export const STATE_TOPICS: readonly `0x${string}`[] = [
  SWAP,
  BALANCE_CHANGED,
  BALANCE_MANAGED,
  FEE_CHANGED,
  PAUSE_CHANGED,
  RAMP_STARTED,
  RAMP_STOPPED,
  RATE_UPDATED,
];
const OF_THE_VAULT = new Set([SWAP, BALANCE_CHANGED, BALANCE_MANAGED]);

/** The contract that a factory's log names: all that it says. */
export function announcedBy({ factory }: VenueDeployment, { address, topics: [topic0, pool] }: ChainLog): PoolAnnouncement | null {
  if (address !== factory || topic0 !== POOL_CREATED || pool === undefined) return null;
  return { announces: addressAt(pool), facts: {} };
}

/** The vault's logs name a pool's id. A pool names nothing: its log concerns all that it governs, which is itself. The vault's own pause is of all its pools. */
export function poolsOfLog({ topics: [topic0, poolId] }: ChainLog): ConcernedPools {
  if (topic0 === undefined || !OF_THE_VAULT.has(topic0)) return 'deployment';
  if (poolId === undefined) throw new RangeError('no pool is named');
  return [poolId];
}

/** Balances after a swap, or after liquidity was added or removed. null: the log can not be applied to them. */
export function balancesAfter(pool: DiscoveredPool, balances: readonly bigint[], log: ChainLog): readonly bigint[] | null {
  const changes = changesIn(pool, log);
  const after = changes?.map((change, slot) => (balances[slot] ?? 0n) + change) ?? null;
  return after === null || after.some((balance) => balance < 0n) ? null : after;
}

/** By slot; null where the log is not about the pool's tokens. */
function changesIn({ tokens }: DiscoveredPool, { topics, data }: ChainLog): readonly bigint[] | null {
  const [topic0, ...rest] = topics;
  if (topic0 === undefined) return null;
  try {
    if (topic0 === SWAP) {
      const { args } = decodeEventLog({ abi: VAULT_ABI, eventName: 'Swap', topics: [topic0, ...rest], data });
      const [slotIn, slotOut] = [tokens.indexOf(asAddress(args.tokenIn)), tokens.indexOf(asAddress(args.tokenOut))];
      if (slotIn < 0 || slotOut < 0) return null;
      return tokens.map((_, slot) => (slot === slotIn ? args.amountIn : slot === slotOut ? -args.amountOut : 0n));
    }
    if (topic0 === BALANCE_CHANGED) {
      const { args } = decodeEventLog({ abi: VAULT_ABI, eventName: 'PoolBalanceChanged', topics: [topic0, ...rest], data });
      if (args.tokens.length !== tokens.length || args.tokens.some((token, slot) => asAddress(token) !== tokens[slot])) return null;
      return tokens.map((_, slot) => (args.deltas[slot] ?? 0n) - (args.protocolFeeAmounts[slot] ?? 0n));
    }
    return null;
  } catch {
    return null;
  }
}

function topicOf(abi: readonly { readonly type: string; readonly name?: string }[], name: string): `0x${string}` {
  const event = abi.find((item) => item.type === 'event' && item.name === name);
  if (event === undefined) throw new TypeError(`no event ${name}`);
  return toEventSelector(event as Parameters<typeof toEventSelector>[0]);
}

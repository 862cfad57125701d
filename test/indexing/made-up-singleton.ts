import { type Address, asAddress } from '../../src/units/units.ts';
import type { ChainLog, DiscoveredPool, IndexerVenue, TrackFacet } from '../../src/venues/venues.ts';

export const OPENED = topicOf(1);
export const MOVED = topicOf(2);
export const FEE_CHANGED = topicOf(3);

/** The contract that all pools live in. */
export const MANAGER = addressOf(100);

/** A state by which tests see what was applied: the last price, and the factory's fee. */
export type SingletonState = { readonly price: number; readonly fee: number };

/**
 * A venue whose pools all live in one contract and go by an id, as those of V4's PoolManager and Balancer's Vault do: topic 1 of a log is the id, its data a number. `Opened` announces a
 * pool and gives its first price; `FeeChanged` concerns them all.
 */
export function madeUpSingleton(name = 'singleton', changes: Partial<TrackFacet<SingletonState>> = {}): IndexerVenue {
  const track: TrackFacet<SingletonState> = {
    discoveryTopics: [OPENED],
    stateTopics: [OPENED, MOVED, FEE_CHANGED],
    discover: ({ venue, family, factory }, log) => {
      const key = log.topics[1];
      // Odd ids are another folder's, as the pools of one vault are of several kinds.
      if (key === undefined || (Number(BigInt(key) % 2n) === 1) !== (venue === 'odd_singleton')) return null;
      return { key, address: factory, hook: null, protocol: family, source: family, tokens: [addressOf(1), addressOf(2)], traits: {} };
    },
    load: async (pools) => pools.map(() => ({ price: -1, fee: 0 })),
    poolsOf: ({ topics: [topic, key] }) => {
      if (topic === FEE_CHANGED) return 'deployment';
      if (key === undefined) throw new RangeError('no pool is named');
      return [key];
    },
    apply: (_pool, state, { topics: [topic], data }) => {
      if (topic === FEE_CHANGED) return state === null ? { kind: 'ignored' } : { kind: 'state', state: { ...state, fee: Number(data) } };
      return { kind: 'state', state: { price: Number(data), fee: state?.fee ?? 0 } };
    },
    check: () => undefined,
    ...changes,
  };
  const state = { pack: () => undefined, unpack: () => ({ price: 0, fee: 0 }), curves: () => [] };
  // What IndexerVenues hold is opaque outside its own venue.
  return { venue: { name, families: [{ family: name, feePpm: null }] }, state, track: track as TrackFacet<unknown> };
}

export function addressOf(id: number): Address {
  return asAddress(`0x${id.toString(16).padStart(40, '0')}`);
}

export function idOf(id: number): DiscoveredPool['key'] & `0x${string}` {
  return topicOf(id);
}

export function logOf(address: Address, data: number, ...topics: readonly `0x${string}`[]): ChainLog {
  return { address, topics, data: `0x${data.toString(16)}`, blockHash: topicOf(9), blockNumber: 1, logIndex: 0 };
}

function topicOf(id: number): `0x${string}` {
  return `0x${id.toString(16).padStart(64, '0')}`;
}

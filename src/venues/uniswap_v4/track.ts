import { toEventSelector } from 'viem';
import { type Address, ZERO_ADDRESS } from '../../units/units.ts';
import { addressAt, exactWords, signedAt, wordAt } from '../abi-words.ts';
import { tickTable } from '../concentrated/concentrated-state.ts';
import { glanceAtLedgers, loadLedgersFrom } from '../concentrated/load-ledgers.ts';
import { changePosition, type LedgerState } from '../concentrated/tick-ledger.ts';
import type { Applied, ChainLog, DiscoveredPool, TokenPair, TrackFacet, VenueDeployment } from '../track.ts';
import { findUsualPools } from './find-pools.ts';
import { DYNAMIC_FEE } from './hook-permissions.ts';
import { HOOK_MODELS, modelOf } from './known-hooks.ts';
import { MANAGER_STORAGE } from './manager-storage.ts';
import { type UniswapV4State, validateState } from './uniswap-v4-pool.ts';

/** As the indexer follows it: with the gross liquidity of each tick. */
export type UniswapV4Ledger = UniswapV4State<LedgerState>;

const INITIALIZE = toEventSelector('Initialize(bytes32,address,address,uint24,int24,address,uint160,int24)');
const MODIFY_LIQUIDITY = toEventSelector('ModifyLiquidity(bytes32,address,int24,int24,int256,bytes32)');
const SWAP = toEventSelector('Swap(bytes32,address,int128,int128,uint160,uint128,int24,uint24)');
const PROTOCOL_FEE = toEventSelector('ProtocolFeeUpdated(bytes32,uint24)');

/** Variants that no model has. Pools of the first have no hook; those of the others are known, and never routed. */
const PLAIN = '';
const UNKNOWN = 'unknown';
/** Of the native token with its own wrapped form: one node of the search, so no edge. */
const FORM_ONLY = 'form-only';

/** Follows the pools of a manager. `Donate` gives to liquidity providers and changes nothing that a swap sees. */
export const track: TrackFacet<UniswapV4Ledger> = {
  discoveryTopics: [INITIALIZE],
  stateTopics: [INITIALIZE, MODIFY_LIQUIDITY, SWAP, PROTOCOL_FEE],
  discover({ factory, family }, log, { chainId, wrappedNative }) {
    const [topic0, id, currency0, currency1] = log.topics;
    if (log.address !== factory || topic0 !== INITIALIZE || id === undefined || currency0 === undefined || currency1 === undefined) return null;
    if (!hasWords(log, 5)) return null;
    const [first, second] = [addressAt(currency0), addressAt(currency1)];
    const [fee, tickSpacing] = [Number(wordAt(log.data, 0)), signedAt(log.data, 1)];
    const hook = addressAt(log.data, 2);
    const variant = hook === ZERO_ADDRESS ? PLAIN : (modelOf(chainId, hook, fee)?.variant ?? UNKNOWN);
    return poolOf({ id, factory, family, currencies: [first, second], fee, tickSpacing, hook, variant }, wrappedNative);
  },
  findPools(deployment, pairs, read, chain) {
    const { factory, family } = deployment;
    return findUsualPools(deployment, pairs, read, chain, (currencies, fee, tickSpacing, id) =>
      poolOf({ id, factory, family, currencies, fee, tickSpacing, hook: ZERO_ADDRESS, variant: PLAIN }, chain.wrappedNative),
    );
  },
  async load(pools, read) {
    const routed = pools.filter(isRouted);
    const loaded = await loadLedgersFrom(MANAGER_STORAGE, routed, read);
    const states = new Map(routed.map((pool, at) => [pool, loaded[at] ?? null]));
    return pools.map((pool) => {
      const found = states.get(pool) ?? null;
      return found === null ? null : stateOf(pool, found.ledger, found.head);
    });
  },
  async glance(pools, read) {
    const routed = pools.filter(isRouted);
    const seen = await glanceAtLedgers(MANAGER_STORAGE, routed, read);
    const heads = new Map(routed.map((pool, at) => [pool, seen[at] ?? null]));
    return pools.map((pool) => {
      const head = heads.get(pool) ?? null;
      return head === null ? null : { pool: head };
    });
  },
  rereading: (pool) => (isRouted(pool) && isDynamic(pool) ? { kind: 'each-block' } : { kind: 'logs' }),
  poolsOf({ topics }) {
    if (topics[1] === undefined) throw new RangeError('a log that names no pool');
    return [topics[1]];
  },
  apply(pool, state, log) {
    if (!isRouted(pool)) return { kind: 'ignored' };
    if (log.topics[0] === INITIALIZE) return hasWords(log, 5) ? { kind: 'state', state: initialState(pool, log) } : { kind: 'reload' };
    if (state === null) return { kind: 'reload' };
    switch (log.topics[0]) {
      case MODIFY_LIQUIDITY:
        return hasWords(log, 4) ? position(state, log) : { kind: 'reload' };
      case SWAP:
        return hasWords(log, 6) ? { kind: 'state', state: afterSwap(state, log) } : { kind: 'reload' };
      case PROTOCOL_FEE:
        return hasWords(log, 1) ? { kind: 'state', state: { ...state, protocolFee: Number(wordAt(log.data, 0)) } } : { kind: 'reload' };
      default:
        return { kind: 'ignored' };
    }
  },
  check: validateState,
};

type OpenedPool = Pick<VenueDeployment, 'factory' | 'family'> & {
  readonly id: `0x${string}`;
  readonly currencies: TokenPair;
  readonly fee: number;
  readonly tickSpacing: number;
  readonly hook: Address;
  readonly variant: string;
};

function poolOf({ id, factory, family, currencies: [first, second], fee, tickSpacing, hook, variant }: OpenedPool, wrappedNative: Address): DiscoveredPool {
  const native = first === ZERO_ADDRESS;
  return {
    key: id,
    address: factory,
    hook: hook === ZERO_ADDRESS ? null : hook,
    protocol: family,
    source: variant === PLAIN ? family : `${family}:${variant}`,
    tokens: [native ? wrappedNative : first, second],
    traits: { fee, tickSpacing, native: Number(native), variant: native && second === wrappedNative ? FORM_ONLY : variant },
  };
}

function isRouted({ traits: { variant } }: DiscoveredPool): boolean {
  return variant === PLAIN || HOOK_MODELS.has(String(variant));
}

/** Whether no log of the manager tells what a swap would cost. */
function isDynamic({ traits: { fee, variant } }: DiscoveredPool): boolean {
  return fee === DYNAMIC_FEE || HOOK_MODELS.get(String(variant))?.reading !== undefined;
}

type BesideTicks = Pick<UniswapV4State, 'protocolFee' | 'parameters'>;

function stateOf({ traits: { fee, native, variant } }: DiscoveredPool, pool: LedgerState, { protocolFee, parameters }: BesideTicks): UniswapV4Ledger {
  return { pool, protocolFee, dynamicFee: fee === DYNAMIC_FEE, native: native === 1, variant: variant === PLAIN ? null : String(variant), parameters };
}

/** A dynamic fee begins at zero, and is read before it counts, as is what the hook keeps. */
function initialState(pool: DiscoveredPool, log: ChainLog): UniswapV4Ledger {
  const { fee, tickSpacing } = pool.traits;
  const ledger: LedgerState = {
    feePpm: fee === DYNAMIC_FEE ? 0 : Number(fee),
    tickSpacing: Number(tickSpacing),
    sqrtPriceX96: wordAt(log.data, 3),
    liquidity: 0n,
    tick: signedAt(log.data, 4),
    ticks: tickTable([]),
    truncated: false,
    liquidityGross: [],
  };
  return stateOf(pool, ledger, { protocolFee: 0, parameters: [] });
}

/** The log carries price, liquidity and tick after the swap; ticks themselves never change in one. */
function afterSwap(state: UniswapV4Ledger, log: ChainLog): UniswapV4Ledger {
  return { ...state, pool: { ...state.pool, sqrtPriceX96: wordAt(log.data, 2), liquidity: wordAt(log.data, 3), tick: signedAt(log.data, 4) } };
}

function position(state: UniswapV4Ledger, log: ChainLog): Applied<UniswapV4Ledger> {
  const pool = changePosition(state.pool, signedAt(log.data, 0), signedAt(log.data, 1), BigInt.asIntN(256, wordAt(log.data, 2)));
  if (pool === state.pool) return { kind: 'ignored' };
  return pool === null ? { kind: 'reload' } : { kind: 'state', state: { ...state, pool } };
}

function hasWords({ data }: ChainLog, count: number): boolean {
  return exactWords(data, count) !== null;
}

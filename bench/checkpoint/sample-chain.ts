import { toEventSelector } from 'viem';
import type { ChainHeader } from '../../src/indexing/header.ts';
import type { TrackedPool } from '../../src/indexing/tracked-pool.ts';
import { type Address, asAddress, type EpochSeconds } from '../../src/units/units.ts';
import { tickTable } from '../../src/venues/concentrated/concentrated-state.ts';
import type { ChainLog } from '../../src/venues/venues.ts';

/** What came since the checkpoint: its depth, and a minute of one-second blocks and more. */
export const GAP_BLOCKS = 128;
const LOGS_PER_BLOCK = 40;
const SYNC = toEventSelector('Sync(uint112,uint112)');
const FIRST_POOL = 1_000_000;
const POSITIONS = 40;
const Q96 = 2n ** 96n;

export function sampleAddress(id: number): Address {
  return asAddress(`0x${id.toString(16).padStart(40, '0')}`);
}

export function hashOf(number: number): `0x${string}` {
  return `0x${(number + 1).toString(16).padStart(64, '0')}`;
}

/** Pools of a large chain: seven of ten constant-product pairs, the rest concentrated with as many ticks as much-used pools have. */
export function samplePools(count: number): readonly TrackedPool[] {
  return Array.from({ length: count }, (_, id) => (id % 10 < 7 ? pair(id) : concentrated(id)));
}

function pair(id: number): TrackedPool {
  const state = { reserve0: 10n ** 20n + BigInt(id), reserve1: 10n ** 21n, feePpm: 3000 };
  return tracked(id, 'uniswap_v2', sampleAddress(1), { feePpm: 3000 }, state);
}

/** Positions around the price, each wider than the one before. */
function concentrated(id: number): TrackedPool {
  const liquidity = 10n ** 18n + BigInt(id);
  const lower = Array.from({ length: POSITIONS }, (_, at) => [-60 * (POSITIONS - at), liquidity] as const);
  const upper = Array.from({ length: POSITIONS }, (_, at) => [60 * (at + 1), -liquidity] as const);
  const ticks = [...lower, ...upper];
  const state = {
    feePpm: 3000,
    tickSpacing: 60,
    sqrtPriceX96: Q96,
    liquidity: liquidity * BigInt(POSITIONS),
    tick: 0,
    ticks: tickTable(ticks),
    truncated: false,
    liquidityGross: ticks.map(() => liquidity),
  };
  return tracked(id, 'uniswap_v3', sampleAddress(2), { feePpm: 3000, tickSpacing: 60 }, state);
}

function tracked(id: number, venue: string, factory: Address, traits: TrackedPool['pool']['traits'], state: unknown): TrackedPool {
  const address = sampleAddress(FIRST_POOL + id);
  const tokens = [sampleAddress(10 + (id % 5000)), sampleAddress(6000 + (id % 7))];
  const pool = { key: address, address, hook: null, protocol: venue, source: venue, tokens, traits };
  return { pool, venue, factory, state, stale: false, rereading: { kind: 'logs' }, read: null };
}

/** A block of trades with pairs. */
export function gapBlock(number: number): { readonly header: ChainHeader; readonly logs: readonly ChainLog[] } {
  const blockHash = hashOf(number);
  const header = {
    number,
    hash: blockHash,
    parentHash: hashOf(number - 1),
    timestamp: (1_700_000_000 + number) as EpochSeconds,
    baseFeePerGas: null,
    logsBloom: '0x' as const,
  };
  const logs = Array.from({ length: number === 0 ? 0 : LOGS_PER_BLOCK }, (_, logIndex): ChainLog => {
    const id = ((number * 31 + logIndex * 7) % 900) * 10;
    const data: `0x${string}` = `0x${[10n ** 20n + BigInt(number), 10n ** 21n].map((reserve) => reserve.toString(16).padStart(64, '0')).join('')}`;
    return { address: sampleAddress(FIRST_POOL + id), topics: [SYNC], data, blockHash, blockNumber: number, logIndex };
  });
  return { header, logs };
}

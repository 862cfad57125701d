import { encodeAbiParameters, keccak256 } from 'viem';
import { type Address, ZERO_ADDRESS } from '../../units/units.ts';
import { firstWords } from '../abi-words.ts';
import type { ChainIdentity, DiscoveredPool, PinnedReader, TokenPair, VenueDeployment } from '../track.ts';
import { MANAGER_STORAGE } from './manager-storage.ts';

/** Fees that interfaces offer, with the tick spacings that go with them. A pool may be opened with any other, which only its log tells. */
const USUAL_FEES = [
  [100, 1],
  [500, 10],
  [3000, 60],
  [10_000, 200],
] as const;
const KEY = ['address', 'address', 'uint24', 'int24', 'address'].map((type) => ({ type }));

/** What a key makes of a pool. */
export type OpenPool = (currencies: TokenPair, fee: number, tickSpacing: number, id: `0x${string}`) => DiscoveredPool;

/** Pools without a hook and of usual fees: a pool's id follows from its key, and the manager's storage says whether it has a price. A pair of the wrapped native token is also one of the native token itself. */
export async function findUsualPools(
  { factory }: VenueDeployment,
  pairs: readonly TokenPair[],
  read: PinnedReader,
  { wrappedNative }: ChainIdentity,
  open: OpenPool,
): Promise<readonly DiscoveredPool[]> {
  const currencies = pairs.flatMap((pair) => [pair, ...nativePair(pair, wrappedNative)]);
  const pools = currencies.flatMap((pair) =>
    USUAL_FEES.map(([fee, spacing]) => open(pair, fee, spacing, keccak256(encodeAbiParameters(KEY, [...pair, fee, spacing, ZERO_ADDRESS])))),
  );
  const answers = await read(pools.flatMap((pool) => MANAGER_STORAGE.headCalls({ ...pool, address: factory }).slice(0, 1)));
  return pools.filter((_, at) => (firstWords(answers[at], 1)?.[0] ?? 0n) !== 0n);
}

function nativePair(pair: TokenPair, wrappedNative: Address): readonly TokenPair[] {
  const other = pair.find((token) => token !== wrappedNative);
  return pair.includes(wrappedNative) && other !== undefined ? [[ZERO_ADDRESS, other]] : [];
}

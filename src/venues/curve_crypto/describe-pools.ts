import { encodeFunctionData, parseAbi, toEventSelector, toFunctionSelector } from 'viem';
import { type Address, asAddress } from '../../units/units.ts';
import { addressAt, addressOfWord, firstWords, onlyWord } from '../abi-words.ts';
import type {
  AnnouncedBy,
  ChainAnswer,
  ChainCall,
  ChainIdentity,
  ChainLog,
  DiscoveredPool,
  PinnedReader,
  PoolAnnouncement,
  VenueDeployment,
} from '../track.ts';

/** Of the registry of crypto pools, whose log says nothing more, and of the one of all pools, whose log says how a lending protocol is asked for its rate. */
export const POOL_ADDED: readonly `0x${string}`[] = ['PoolAdded(address)', 'PoolAdded(address,bytes)'].map(toEventSelector);
/** Of the first factory of pools of two coins: it names the contract of the pool's shares first, and the pool nowhere. */
export const POOL_DEPLOYED = toEventSelector(`CryptoPoolDeployed(address,address[2],${'uint256,'.repeat(10)}address)`);

const ABI = parseAbi(['function coins(uint256 i) view returns (address)', 'function decimals() view returns (uint8)']);
const [TOKEN, MINTER] = [toFunctionSelector('token()'), toFunctionSelector('minter()')];
const WORD_BYTES = 32;
/** Balances are brought to 18. */
const MOST_DECIMALS = 18;
const NATIVE = '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee';
/** One more than pools of a registry have: another one's fourth coin is asked for too. */
const PLACES = 4;

/** A registry's log names the pool, the factory's its shares, and neither more. */
export function announcementIn(
  { factory }: VenueDeployment,
  { address, topics: [topic, pool], data }: ChainLog,
  chain: ChainIdentity,
): PoolAnnouncement | null {
  if (address !== factory || topic === undefined) return null;
  if (POOL_ADDED.includes(topic) && pool !== undefined) return { announces: addressAt(pool), facts: {} };
  const share = topic === POOL_DEPLOYED ? addressOfWord(firstWords(data, 1)?.[0] ?? null) : null;
  return share === null ? null : { announces: share, facts: { wrappedNative: chain.wrappedNative } };
}

/** Pools of three coins of a registry, and of two coins of the factory, with the contract of their shares. What else a registry lists is none of this venue's. */
export async function describePools(announced: readonly AnnouncedBy[], read: PinnedReader): Promise<readonly (readonly DiscoveredPool[] | null)[]> {
  const named = await poolsNamed(announced, read);
  const answers = await read(named.flatMap((pool) => (pool === null ? [] : callsAbout(pool))));
  let asked = 0;
  const found = announced.map((one, at) => {
    const pool = named[at] ?? null;
    if (pool === null) return null;
    const [token, ...places] = answers.slice(asked, asked + PLACES + 1).map(addressOf);
    asked += PLACES + 1;
    const coins = coinsIn(places, isOfFactory(one) ? 2 : 3);
    // The factory's log names the shares: another contract's pool that says it has them is none of the factory's.
    return !token || coins === null || (isOfFactory(one) && token !== one.announcement.announces) ? null : { one, pool, token, coins };
  });
  const digits = await read(
    found.flatMap((pool) => (pool === null ? [] : pool.coins.map((coin) => call(coin, encodeFunctionData({ abi: ABI, functionName: 'decimals' }))))),
  );
  let next = 0;
  return found.map((pool) => {
    if (pool === null) return null;
    const decimals = digits.slice(next, next + pool.coins.length).map(onlyWord);
    next += pool.coins.length;
    return decimals.every((places) => places !== null && places <= MOST_DECIMALS) ? [poolOf({ ...pool, decimals: decimals.join() })] : null;
  });
}

/** The addresses of the pools: shares are made by their pool. */
async function poolsNamed(announced: readonly AnnouncedBy[], read: PinnedReader): Promise<readonly (Address | null)[]> {
  const shares = announced.filter(isOfFactory);
  const makers = shares.length === 0 ? [] : await read(shares.map(({ announcement }) => call(asAddress(announcement.announces), MINTER)));
  const pools = new Map(shares.map((one, at) => [one, addressOf(makers[at])]));
  return announced.map((one) => (isOfFactory(one) ? (pools.get(one) ?? null) : asAddress(one.announcement.announces)));
}

function isOfFactory({ announcement: { facts } }: AnnouncedBy): boolean {
  return facts.wrappedNative !== undefined;
}

function callsAbout(pool: Address): readonly ChainCall[] {
  const places = Array.from({ length: PLACES }, (_, place) => call(pool, encodeFunctionData({ abi: ABI, functionName: 'coins', args: [BigInt(place)] })));
  return [call(pool, TOKEN), ...places];
}

/** null where there are more or fewer, one twice, or the native token itself, which is sent along instead of approved: pools with it are not followed. */
function coinsIn(places: readonly (Address | null)[], count: number): readonly Address[] | null {
  const coins = places.slice(0, count).flatMap((coin) => coin ?? []);
  return places[count] || coins.length !== count || new Set(coins).size !== count || coins.includes(asAddress(NATIVE)) ? null : coins;
}

type Found = { readonly one: AnnouncedBy; readonly pool: Address; readonly token: Address; readonly coins: readonly Address[]; readonly decimals: string };

function poolOf({ one, pool: address, token, coins, decimals }: Found): DiscoveredPool {
  const { factory, family } = one.deployment;
  const { wrappedNative } = one.announcement.facts;
  const traits = { factory, token, decimals, ...(wrappedNative === undefined ? {} : { native: coins.indexOf(asAddress(String(wrappedNative))) }) };
  return { key: address, address, emitters: [address, factory], hook: null, protocol: family, source: family, tokens: coins, traits };
}

function call(to: Address, data: `0x${string}`): ChainCall {
  return { to, data, answerBytes: WORD_BYTES };
}

function addressOf(answer: ChainAnswer | undefined): Address | null {
  return addressOfWord(onlyWord(answer));
}

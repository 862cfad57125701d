import { encodeFunctionData, parseAbi, toEventSelector, toFunctionSelector } from 'viem';
import { type Address, asAddress } from '../../units/units.ts';
import { addressAt, addressOfWord, onlyWord } from '../abi-words.ts';
import type { AnnouncedBy, ChainAnswer, ChainCall, ChainLog, DiscoveredPool, PinnedReader, PoolAnnouncement, VenueDeployment } from '../track.ts';
import { COINS } from './crypto-state.ts';

/** Of the registry of crypto pools, whose log says nothing more, and of the one of all pools, whose log says how a lending protocol is asked for its rate. */
export const POOL_ADDED: readonly `0x${string}`[] = ['PoolAdded(address)', 'PoolAdded(address,bytes)'].map(toEventSelector);

const ABI = parseAbi(['function coins(uint256 i) view returns (address)', 'function decimals() view returns (uint8)']);
const TOKEN = toFunctionSelector('token()');
const WORD_BYTES = 32;
/** Balances are brought to 18. */
const MOST_DECIMALS = 18;
const NATIVE = '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee';
/** One more than a pool has: another one's fourth coin is asked for too. */
const PLACES = COINS + 1;

/** A registry's log names the pool, and no more. */
export function announcementIn({ factory }: VenueDeployment, { address, topics: [topic, pool] }: ChainLog): PoolAnnouncement | null {
  if (address !== factory || topic === undefined || pool === undefined || !POOL_ADDED.includes(topic)) return null;
  return { announces: addressAt(pool), facts: {} };
}

/** Pools of three coins, with the contract of their shares. What else a registry lists is none of this venue's. */
export async function describePools(announced: readonly AnnouncedBy[], read: PinnedReader): Promise<readonly (readonly DiscoveredPool[] | null)[]> {
  const answers = await read(announced.flatMap(callsAbout));
  const found = announced.map((one, at) => {
    const [token, ...places] = answers.slice((PLACES + 1) * at, (PLACES + 1) * (at + 1)).map(addressOf);
    const coins = coinsIn(places);
    return !token || coins === null ? null : { one, token, coins };
  });
  const digits = await read(
    found.flatMap((pool) => (pool === null ? [] : pool.coins.map((coin) => call(coin, encodeFunctionData({ abi: ABI, functionName: 'decimals' }))))),
  );
  let next = 0;
  return found.map((pool) => {
    if (pool === null) return null;
    const decimals = digits.slice(next, next + COINS).map(onlyWord);
    next += COINS;
    return decimals.every((places) => places !== null && places <= MOST_DECIMALS) ? [poolOf(pool.one, pool.coins, pool.token, decimals.join())] : null;
  });
}

function callsAbout({ announcement: { announces } }: AnnouncedBy): readonly ChainCall[] {
  const pool = asAddress(announces);
  const places = Array.from({ length: PLACES }, (_, place) => call(pool, encodeFunctionData({ abi: ABI, functionName: 'coins', args: [BigInt(place)] })));
  return [call(pool, TOKEN), ...places];
}

/** null where there are more or fewer than three, one twice, or the native token itself, which is sent along instead of approved: pools with it are not followed. */
function coinsIn(places: readonly (Address | null)[]): readonly Address[] | null {
  const coins = places.slice(0, COINS).flatMap((coin) => coin ?? []);
  return places[COINS] || coins.length !== COINS || new Set(coins).size !== COINS || coins.includes(asAddress(NATIVE)) ? null : coins;
}

function poolOf({ announcement, deployment: { factory, family } }: AnnouncedBy, tokens: readonly Address[], token: Address, decimals: string): DiscoveredPool {
  const address = asAddress(announcement.announces);
  return { key: address, address, emitters: [address, factory], hook: null, protocol: family, source: family, tokens, traits: { factory, token, decimals } };
}

function call(to: Address, data: `0x${string}`): ChainCall {
  return { to, data, answerBytes: WORD_BYTES };
}

function addressOf(answer: ChainAnswer | undefined): Address | null {
  return addressOfWord(onlyWord(answer));
}

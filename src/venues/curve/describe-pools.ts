import { encodeFunctionData, parseAbi, toEventSelector } from 'viem';
import { LIMITS } from '../../config/limits.ts';
import { type Address, asAddress } from '../../units/units.ts';
import { addressAt, addressOfWord, firstWords, onlyWord } from '../abi-words.ts';
import type { AnnouncedBy, ChainAnswer, ChainCall, ChainLog, DiscoveredPool, PinnedReader, PoolAnnouncement, VenueDeployment } from '../track.ts';

const POOL_ADDED = toEventSelector('PoolAdded(address,bytes)');
/** The first factory's, whose list has room for four coins, and that of the new generation. */
const POOL_DEPLOYED = ['PlainPoolDeployed(address[4],uint256,uint256,address)', 'PlainPoolDeployed(address[],uint256,uint256,address)'].map(toEventSelector);
export const DISCOVERY_TOPICS: readonly `0x${string}`[] = [POOL_ADDED, ...POOL_DEPLOYED];

const ABI = parseAbi([
  'function pool_count() view returns (uint256)',
  'function pool_list(uint256 i) view returns (address)',
  'function is_meta(address pool) view returns (bool)',
  'function coins(uint256 i) view returns (address)',
  'function decimals() view returns (uint8)',
]);
const WORD_BYTES = 32;
/** Of a list of a factory, the oldest: more than any has that nobody has filled on purpose. What is beyond is not followed, and costs those before it nothing. */
const MOST_POOLS = 10_000;
/** Its rates are 10^(36 − decimals). */
const MOST_DECIMALS = 18;
const NATIVE = '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee';
/** Stands for all that a factory lists. */
const LIST = 'list';

/** Who announced a pool decides what is known of it: `registry` lists pools of any kind, a factory those that it made itself. */
export type Announcer = 'registry' | 'factory';

/** A registry's log names the pool. A factory's names neither pool nor kind: what it lists now, and did not before, is meant. */
export function announcementIn({ factory }: VenueDeployment, { address, topics, data }: ChainLog): PoolAnnouncement | null {
  const [topic, pool] = topics;
  if (address !== factory || topic === undefined) return null;
  if (topic === POOL_ADDED && pool !== undefined) {
    // A method that says a rate: a pool of shares in a lending protocol, whose mathematics are others.
    return hasRateMethod(data) ? null : poolAnnouncement(addressAt(pool), 'registry');
  }
  return POOL_DEPLOYED.includes(topic) ? { announces: LIST, facts: {} } : null;
}

/** Pools of a factory's list that are not known yet, as announcements of their own; of each of these, the pool. */
export async function describePools(
  announced: readonly AnnouncedBy[],
  read: PinnedReader,
  isKnown: (key: string) => boolean,
): Promise<readonly (readonly (DiscoveredPool | PoolAnnouncement)[] | null)[]> {
  const lists = await listPools(
    announced.filter(({ announcement }) => announcement.announces === LIST),
    read,
    isKnown,
  );
  const pools = await describeEach(
    announced.filter(({ announcement }) => announcement.announces !== LIST),
    read,
  );
  return announced.map((one) => lists.get(one) ?? pools.get(one) ?? null);
}

type Described = ReadonlyMap<AnnouncedBy, readonly (DiscoveredPool | PoolAnnouncement)[]>;

async function listPools(announced: readonly AnnouncedBy[], read: PinnedReader, isKnown: (key: string) => boolean): Promise<Described> {
  if (announced.length === 0) return new Map();
  const counts = await read(announced.map(({ deployment }) => call(deployment.factory, encodeFunctionData({ abi: ABI, functionName: 'pool_count' }))));
  const described = new Map<AnnouncedBy, readonly PoolAnnouncement[]>();
  for (const [at, one] of announced.entries()) {
    const count = onlyWord(counts[at]);
    if (count === null) continue;
    const listed = count < MOST_POOLS ? Number(count) : MOST_POOLS;
    const places = Array.from({ length: listed }, (_, place) =>
      call(one.deployment.factory, encodeFunctionData({ abi: ABI, functionName: 'pool_list', args: [BigInt(place)] })),
    );
    const addresses = (await read(places)).flatMap((answer) => addressOf(answer) ?? []);
    described.set(
      one,
      addresses.filter((address) => !isKnown(address)).map((address) => poolAnnouncement(address, 'factory')),
    );
  }
  return described;
}

async function describeEach(announced: readonly AnnouncedBy[], read: PinnedReader): Promise<Described> {
  const most = LIMITS.venues.tokensPerPool;
  const answers = await read(announced.flatMap(callsAbout));
  const size = most + 1;
  const found = announced.flatMap((one, at) => {
    const [meta, ...places] = answers.slice(size * at, size * (at + 1));
    const coins = coinsIn(places);
    // A pool over another pool's shares: its prices are those of both.
    return onlyWord(meta) === 1n || coins === null ? [] : [{ one, coins }];
  });
  const digits = await read(found.flatMap(({ coins }) => coins.map((coin) => call(coin, encodeFunctionData({ abi: ABI, functionName: 'decimals' })))));
  let at = 0;
  const described = new Map<AnnouncedBy, readonly DiscoveredPool[]>();
  for (const { one, coins } of found) {
    const decimals = digits.slice(at, at + coins.length).map(onlyWord);
    at += coins.length;
    if (decimals.every((places) => places !== null && places <= MOST_DECIMALS)) described.set(one, [poolOf(one, coins, decimals.join(','))]);
  }
  return described;
}

function callsAbout({ announcement, deployment }: AnnouncedBy): readonly ChainCall[] {
  const pool = asAddress(announcement.announces);
  const coins = Array.from({ length: LIMITS.venues.tokensPerPool }, (_, at) =>
    call(pool, encodeFunctionData({ abi: ABI, functionName: 'coins', args: [BigInt(at)] })),
  );
  return [call(deployment.factory, encodeFunctionData({ abi: ABI, functionName: 'is_meta', args: [pool] })), ...coins];
}

/** null where there are fewer than two, one twice, or the native token itself, which is sent along instead of approved: pools with it are not followed. */
function coinsIn(places: readonly ChainAnswer[]): readonly Address[] | null {
  const end = places.findIndex((answer) => addressOf(answer) === null);
  const coins = places.slice(0, end === -1 ? places.length : end).flatMap((answer) => addressOf(answer) ?? []);
  return coins.length < 2 || new Set(coins).size !== coins.length || coins.includes(asAddress(NATIVE)) ? null : coins;
}

function poolOf({ announcement, deployment: { factory, family } }: AnnouncedBy, tokens: readonly Address[], decimals: string): DiscoveredPool {
  const address = asAddress(announcement.announces);
  const announcer = String(announcement.facts.announcer);
  // Pools of both factories pay whom their caller names. Those of a registry may be of before that.
  const traits = { factory, announcer, decimals, paysReceiver: announcer === 'factory' ? 1 : 0 };
  return { key: address, address, emitters: [address, factory], hook: null, protocol: family, source: family, tokens, traits };
}

function poolAnnouncement(pool: Address, announcer: Announcer): PoolAnnouncement {
  return { announces: pool, facts: { announcer } };
}

/** A registry cuts the method's four bytes out of a word (Registry.vy, add_pool): where there is no method they are zeros, four of them all the same. They lie behind their place and length. */
function hasRateMethod(data: `0x${string}`): boolean {
  return (firstWords(data, 3)?.[2] ?? 0n) !== 0n;
}

function call(to: Address, data: `0x${string}`): ChainCall {
  return { to, data, answerBytes: WORD_BYTES };
}

function addressOf(answer: ChainAnswer | undefined): Address | null {
  return addressOfWord(onlyWord(answer));
}

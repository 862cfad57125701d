import { encodeFunctionData, hexToBytes, parseAbi, size } from 'viem';
import { LIMITS } from '../../config/limits.ts';
import type { Address } from '../../units/units.ts';
import { addressOfWord, firstWords, onlyWord, wordAt } from '../abi-words.ts';
import type { Listing, ListingFacet, RegistryEntry } from '../listing.ts';
import type { ListedSource, OutsideSource } from '../outside.ts';
import type { ChainAnswer, ChainCall } from '../track.ts';
import { type ListedUrl, readListedUrl } from './listed-url.ts';

const REGISTRY_ABI = parseAbi([
  'function getStakersForProtocol(bytes4 protocol) view returns (address[])',
  'function supportsProtocol(address staker, bytes4 protocol) view returns (bool)',
  'function stakerServerURLs(address staker) view returns (string)',
]);
/** What stakers list who answer requests for quotes of ERC-20 orders. */
const ORDERS_BY_REQUEST = '0x02ad05d3';

const { entries: MOST_ENTRIES, urlBytes: URL_BYTES } = LIMITS.outbound.registry;
/** Of a list or a text, before its parts: where it begins, and how long it is. */
const HEAD_WORDS = 2;
const HEAD_BYTES = 64;
const LIST_AT = 32n;

/** What a staker listed; `url` null: nothing that could be asked. */
export type StakerEntry = { readonly staker: Address; readonly url: ListedUrl | null };

/**
 * AirSwap's registry: whoever stakes lists the address of a server, and the protocols that it speaks. Anybody may stake so often that the list can not be read, or list an address that is too long to be: the first costs those
 * makers whose staker is not named, the second whoever did it.
 */
export const listing: ListingFacet = {
  async read(registry, makers, read) {
    const named = [...new Set(makers.flatMap(({ staker }) => staker ?? []))];
    const isListWanted = makers.some(({ staker }) => staker === null);
    const answers = await read([...(isListWanted ? [stakersCall(registry)] : []), ...named.map((staker) => supportCall(registry, staker))]);
    const list = isListWanted ? readStakers(answers[0]) : NO_STAKERS;
    const supports = new Map(named.map((staker, at) => [staker, onlyWord(answers[at + (isListWanted ? 1 : 0)])]));
    // Whoever is named is read also where the list is longer than is read of it.
    const stakers = [...new Set([...(list ?? NO_STAKERS).stakers, ...named.filter((staker) => supports.get(staker) === 1n)])];
    const texts = stakers.length === 0 ? [] : await read(stakers.map((staker) => urlCall(registry, staker)));
    const entries = stakers.map((staker, at): StakerEntry => ({ staker, url: readListedUrl(readText(texts[at])) }));
    const isRead = ({ staker }: ListedSource): boolean => (staker === null ? list !== null : supports.get(staker) !== null);
    const unread = makers.filter((maker) => !isRead(maker)).map(({ name }) => name);
    return { ...listedBy(entries, makers.filter(isRead), list?.beyond ?? 0), unread };
  },
};

/** Which makers the entries list, and what became of each entry. No maker is served elsewhere than at its own origin. */
export function listedBy(entries: readonly StakerEntry[], makers: readonly ListedSource[], beyond: number): Omit<Listing, 'unread'> {
  const counts: Record<RegistryEntry, number> = { served: 0, foreign: 0, malformed: 0, contested: 0, beyond };
  const became = new Map<StakerEntry, RegistryEntry>(entries.map((entry) => [entry, entry.url === null ? 'malformed' : 'foreign']));
  const sources: OutsideSource[] = [];
  for (const { name, origin, contract, staker, signer, screens } of makers) {
    const theirs = entries.filter((entry) => entry.url?.origin === origin && (staker === null || entry.staker === staker));
    const [only] = theirs;
    if (only?.url && theirs.length === 1) {
      became.set(only, 'served');
      sources.push({ name, origin, path: only.url.path, contract, signer: signer ?? only.staker, ...(screens === undefined ? {} : { screens }) });
    } else {
      for (const entry of theirs) if (became.get(entry) !== 'served') became.set(entry, 'contested');
    }
  }
  for (const outcome of became.values()) counts[outcome]++;
  return { sources, entries: counts };
}

function stakersCall(to: Address): ChainCall {
  const data = encodeFunctionData({ abi: REGISTRY_ABI, functionName: 'getStakersForProtocol', args: [ORDERS_BY_REQUEST] });
  return { to, data, answerBytes: HEAD_BYTES + 32 * MOST_ENTRIES };
}

function supportCall(to: Address, staker: Address): ChainCall {
  return { to, data: encodeFunctionData({ abi: REGISTRY_ABI, functionName: 'supportsProtocol', args: [staker, ORDERS_BY_REQUEST] }) };
}

function urlCall(to: Address, staker: Address): ChainCall {
  return { to, data: encodeFunctionData({ abi: REGISTRY_ABI, functionName: 'stakerServerURLs', args: [staker] }), answerBytes: HEAD_BYTES + URL_BYTES };
}

const NO_STAKERS = { stakers: [] as readonly Address[], beyond: 0 };

/** As many as are read; an answer is cut to that. null: it is no list. */
function readStakers(answer: ChainAnswer | undefined): typeof NO_STAKERS | null {
  const [at, length] = firstWords(answer, HEAD_WORDS) ?? [];
  if (!answer || at !== LIST_AT || length === undefined || length > BigInt(Number.MAX_SAFE_INTEGER)) return null;
  const count = Math.min(Number(length), MOST_ENTRIES);
  if (size(answer) < HEAD_BYTES + 32 * count) return null;
  const stakers = Array.from({ length: count }, (_, index) => addressOfWord(wordAt(answer, HEAD_WORDS + index)));
  if (stakers.includes(null)) return null;
  return { stakers: stakers.filter((staker) => staker !== null), beyond: Number(length) - count };
}

/** Empty where there is no text, or a longer one than any address that is asked. Each byte is a character: what is not ASCII is no address in any case. */
function readText(answer: ChainAnswer | undefined): string {
  const [at, length] = firstWords(answer, HEAD_WORDS) ?? [];
  if (!answer || at !== LIST_AT || length === undefined || length > URL_BYTES) return '';
  return String.fromCharCode(...hexToBytes(answer).subarray(HEAD_BYTES, HEAD_BYTES + Number(length)));
}

import { encodeFunctionData, parseAbi, toFunctionSelector } from 'viem';
import { asAddress } from '../../units/units.ts';
import { allWords, onlyWord } from '../abi-words.ts';
import type { ChainAnswer, ChainCall, DiscoveredPool } from '../track.ts';
import { COMMON_VIEWS, type CommonSaid, type PoolReading, readingFrom } from './pool-reading.ts';

const ABI = parseAbi([
  'function balances(uint256 i) view returns (uint256)',
  'function price_scale(uint256 k) view returns (uint256)',
  'function price_oracle(uint256 k) view returns (uint256)',
  'function last_prices(uint256 k) view returns (uint256)',
  'function get_coins(address pool) view returns (address[8])',
]);
const COINS = 3;
/** Lists of a price each: one fewer than coins. */
const PRICES = COINS - 1;
const VIEWS = [...COMMON_VIEWS, 'is_killed'] as const;
const SELECTORS = VIEWS.map((view) => toFunctionSelector(`${view}()`));
const TOTAL_SUPPLY = toFunctionSelector('totalSupply()');
const WORD_BYTES = 32;

/** What is asked of a pool of three coins, its share and its registry. */
export function callsOfThree({ address, traits }: DiscoveredPool): readonly ChainCall[] {
  const listed = (functionName: 'balances' | 'price_scale' | 'price_oracle' | 'last_prices', count: number) =>
    Array.from({ length: count }, (_, place) => encodeFunctionData({ abi: ABI, functionName, args: [BigInt(place)] }));
  const lists = [...listed('balances', COINS), ...listed('price_scale', PRICES), ...listed('price_oracle', PRICES), ...listed('last_prices', PRICES)];
  const words = [...lists, ...SELECTORS].map((data) => ({ to: address, data, answerBytes: WORD_BYTES }));
  const supply = { to: asAddress(String(traits.token)), data: TOTAL_SUPPLY, answerBytes: WORD_BYTES };
  // A registry forgets the coins of a pool that it removes.
  const listing = {
    to: asAddress(String(traits.factory)),
    data: encodeFunctionData({ abi: ABI, functionName: 'get_coins', args: [address] }),
    answerBytes: 8 * WORD_BYTES,
  };
  return [...words, supply, listing];
}

/** null where it does not answer, was killed, or its registry has forgotten it. */
export function readingOfThree({ traits }: DiscoveredPool, answers: readonly ChainAnswer[]): PoolReading | null {
  const words = answers.slice(0, -1).map(onlyWord);
  const isListed = (allWords(answers.at(-1))?.[0] ?? 0n) !== 0n;
  if (!isListed || !words.every((word) => word !== null)) return null;
  const said = Object.fromEntries(VIEWS.map((view, at) => [view, words[COINS + 3 * PRICES + at]])) as CommonSaid & { readonly is_killed: bigint };
  if (said.is_killed !== 0n) return null;
  const prices = (list: number) => words.slice(COINS + PRICES * list, COINS + PRICES * (list + 1));
  const lists = { balances: words.slice(0, COINS), priceScale: prices(0), priceOracle: prices(1), lastPrices: prices(2) };
  return readingFrom(said, String(traits.decimals), { ...lists, shares: words.at(-1) ?? 0n, claim: null }, null);
}

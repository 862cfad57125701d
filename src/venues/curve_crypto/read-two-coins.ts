import { encodeFunctionData, numberToHex, parseAbi, toFunctionSelector } from 'viem';
import { type Address, asAddress } from '../../units/units.ts';
import { onlyWord } from '../abi-words.ts';
import type { ChainAnswer, ChainCall, DiscoveredPool } from '../track.ts';
import { COMMON_VIEWS, type CommonSaid, type PoolReading, readingFrom } from './pool-reading.ts';

const ABI = parseAbi([
  'function balances(uint256 i) view returns (uint256)',
  'function balanceOf(address account) view returns (uint256)',
  'function getEthBalance(address account) view returns (uint256)',
]);
const COINS = 2;
const VIEWS = [...COMMON_VIEWS, 'price_scale', 'price_oracle', 'last_prices', 'xcp_profit_a', 'admin_fee'] as const;
const SELECTORS = VIEWS.map((view) => toFunctionSelector(`${view}()`));
const TOTAL_SUPPLY = toFunctionSelector('totalSupply()');
const FEE_RECEIVER = toFunctionSelector('fee_receiver()');
const PRICE_ORACLE = toFunctionSelector('price_oracle()');
/** Multicall3, at one address on every chain: it tells what an account has of the native token. */
const NATIVE_TELLER = asAddress('0xca11bde05977b3631167028862be2a173976ca11');
/** Where the compiled pool keeps the time of its last prices, and a time that no block has reached. */
const [LAST_PRICES_AT, AFTER_ALL_BLOCKS] = [numberToHex(7, { size: 32 }), numberToHex((1n << 64n) - 1n, { size: 32 })];
const WORD_BYTES = 32;

/** What is asked of a pool of two coins, its share, its factory and its coins. */
export function callsOfTwo({ address, tokens, traits }: DiscoveredPool): readonly ChainCall[] {
  const balances = Array.from({ length: COINS }, (_, at) => encodeFunctionData({ abi: ABI, functionName: 'balances', args: [BigInt(at)] }));
  return [
    ...[...balances, ...SELECTORS].map((data) => call(address, data)),
    call(asAddress(String(traits.token)), TOTAL_SUPPLY),
    call(asAddress(String(traits.factory)), FEE_RECEIVER),
    ...tokens.map((coin, at) => heldCall(address, coin, at === traits.native)),
  ];
}

/** The average that it keeps: its view gives that of the block, unless its last prices were later. */
export function storedAverageOf({ address }: DiscoveredPool): ChainCall {
  return { ...call(address, PRICE_ORACLE), supposing: { contract: address, slots: { [LAST_PRICES_AT]: AFTER_ALL_BLOCKS } } };
}

/** The pool keeps the wrapped native token unwrapped. */
function heldCall(pool: Address, coin: Address, unwrapped: boolean): ChainCall {
  return unwrapped
    ? call(NATIVE_TELLER, encodeFunctionData({ abi: ABI, functionName: 'getEthBalance', args: [pool] }))
    : call(coin, encodeFunctionData({ abi: ABI, functionName: 'balanceOf', args: [pool] }));
}

/** null where one of them does not answer. */
export function readingOfTwo({ traits }: DiscoveredPool, answers: readonly ChainAnswer[], storedAverage: ChainAnswer | undefined): PoolReading | null {
  const [average, ...words] = [storedAverage, ...answers].map(onlyWord);
  if (average === null || average === undefined || !words.every((word) => word !== null)) return null;
  type Said = CommonSaid & Readonly<Record<(typeof VIEWS)[number], bigint>>;
  const said = Object.fromEntries(VIEWS.map((view, at) => [view, words[COINS + at]])) as Said;
  const [shares = 0n, receiver = 0n, ...held] = words.slice(COINS + VIEWS.length);
  const claim = { share: said.admin_fee, profitClaimed: said.xcp_profit_a, hasReceiver: receiver !== 0n, held };
  const prices = { priceScale: [said.price_scale], priceOracle: [average], lastPrices: [said.last_prices] };
  return readingFrom(said, String(traits.decimals), { balances: words.slice(0, COINS), ...prices, shares, claim }, [said.price_oracle]);
}

function call(to: Address, data: `0x${string}`): ChainCall {
  return { to, data, answerBytes: WORD_BYTES };
}

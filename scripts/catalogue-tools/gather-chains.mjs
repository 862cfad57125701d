import { createRequire } from 'node:module';
import * as chainlink from '@aave-dao/aave-address-book';
import { DAI_ADDRESS, USDC_ADDRESS, USDT_ADDRESS, WBTC_ADDRESS, WETH9_ADDRESS, WNATIVE_ADDRESS } from 'sushi/evm';
import * as viemChains from 'viem/chains';
import { checksummed, withoutRepeats } from './addresses.mjs';
import { NETWORKS } from './networks.mjs';

// Uniswap's packages come as modules that only bundlers read, and as CommonJS that Node does.
const require = createRequire(import.meta.url);
const { WETH9 } = require('@uniswap/sdk-core');
const tokenList = require('@uniswap/default-token-list');
const BOOKS = new Map(Object.entries(chainlink));

/** What the packages know of each chain itself; null and empty where they know nothing. */
export function gatherChains() {
  return NETWORKS.map(({ chainId, chainlink: book, nativeFeed }) => {
    const definition = definitionOf(chainId);
    const feeds = book === undefined ? {} : BOOKS.get(`Chainlink${book}`);
    const wrappedNative = checksummed(WETH9[chainId]?.address ?? WNATIVE_ADDRESS[chainId]);
    const stablecoins = stablecoinsOf(chainId);
    return {
      chainId,
      nativeSymbol: definition.nativeCurrency.symbol,
      nativeDecimals: definition.nativeCurrency.decimals,
      blockTimeMs: definition.blockTime ?? null,
      wrappedNative,
      stablecoins,
      baseTokens: withoutRepeats([wrappedNative, tokenOf(chainId, WETH9_ADDRESS, 'WETH'), tokenOf(chainId, WBTC_ADDRESS, 'WBTC'), ...stablecoins]),
      nativeFeed: feedOf(feeds, nativeFeed),
      sequencerFeed: checksummed(feeds.L2_Sequencer_Uptime_Status_Feed),
    };
  });
}

function definitionOf(chainId) {
  const found = Object.values(viemChains).find((chain) => chain.id === chainId && chain.testnet !== true);
  if (found === undefined) throw new Error(`viem does not know chain ${chainId}`);
  return found;
}

function feedOf(feeds, name) {
  if (name === undefined) return null;
  const feed = checksummed(feeds[name]);
  if (feed === null) throw new Error(`the address book has no ${name}`);
  return feed;
}

/** USDC, USDT and DAI as SushiSwap knows them, and what Uniswap's list has beside them: Tether's later form, or bridged USDC where there is no other. */
function stablecoinsOf(chainId) {
  const known = [USDC_ADDRESS, USDT_ADDRESS, DAI_ADDRESS].map((addresses) => checksummed(addresses[chainId]));
  const listed = ['USDC', 'USDT', 'USDT0', 'DAI'].map((symbol) => listedToken(chainId, symbol));
  const coins = withoutRepeats([...known, ...listed]);
  return known[0] === null && listed[0] === null ? withoutRepeats([listedToken(chainId, 'USDC.e'), ...coins]) : coins;
}

function tokenOf(chainId, addresses, symbol) {
  return checksummed(addresses[chainId]) ?? listedToken(chainId, symbol);
}

function listedToken(chainId, symbol) {
  return checksummed(tokenList.tokens.find((token) => token.chainId === chainId && token.symbol === symbol)?.address);
}

import { concatHex, encodeAbiParameters, encodeFunctionData, parseAbi } from 'viem';
import { DEFAULT_MINIMUM_DEPTH_USD, type PriceSources } from '../chains/chains.ts';
import { type Address, asAddress } from '../units/units.ts';
import type { PlacedToken } from './deploy-contracts.ts';
import { DevnetError } from './devnet-error.ts';
import type { NodeRpc } from './node-rpc.ts';
import type { CompiledContracts } from './solidity.ts';
import { type TransactionScript, toHex } from './transaction-script.ts';

/** Where the contract of the local chain's feeds is. */
export const PRICE_FEED_SOURCE = 'contracts/devnet/feeds/PriceFeed.sol';

/** Tokens with a feed, and those that are a dollar without one. */
const FED = ['WETH'] as const;
const DOLLARS = ['USDC', 'USDT', 'DAI'] as const;

const DECIMALS = 8;
const ABI = parseAbi(['function transmit(int256 answer)']);
const GAS = 200_000;

/** As real feeds do: an answer when the market has moved so far, and after so long at the latest. */
const DEVIATION = 0.002;
const HEARTBEAT_SECONDS = 1800;
/** Twice the heartbeat. */
const MAXIMUM_AGE_SECONDS = 3600;

/** A feed of the local chain, and the token that it is about. */
export type PlacedFeed = { readonly token: PlacedToken; readonly address: Address };

/** The last of the deployer's contracts: no other moves when a feed comes to be. */
export function placeFeeds(script: TransactionScript, tokens: readonly PlacedToken[], compiled: CompiledContracts): readonly PlacedFeed[] {
  const code = compiled.PriceFeed?.bytecode;
  if (code === undefined) throw new DevnetError(`${PRICE_FEED_SOURCE} has no contract PriceFeed`);
  return FED.map((symbol) => {
    const token = tokens.find((one) => one.symbol === symbol);
    if (token === undefined) throw new DevnetError(`a feed is about an unknown token: ${symbol}`);
    const parameters = encodeAbiParameters([{ type: 'uint8' }, { type: 'int256' }], [DECIMALS, answerOf(token.usd)]);
    return { token, address: script.deploy(`feed of ${symbol}`, concatHex([code, parameters])) };
  });
}

/** What the service's prices start from on the local chain. */
export function priceSourcesOf(feeds: readonly PlacedFeed[], tokens: readonly PlacedToken[]): PriceSources {
  return {
    feeds: feeds.map(({ token, address }) => ({
      token: asAddress(token.address),
      feed: address,
      maximumAgeSeconds: MAXIMUM_AGE_SECONDS,
      minimumUsd: token.usd / 100,
      maximumUsd: token.usd * 100,
    })),
    stablecoins: DOLLARS.flatMap((symbol) => tokens.find((token) => token.symbol === symbol)?.address ?? []).map(asAddress),
    minimumDepthUsd: DEFAULT_MINIMUM_DEPTH_USD,
  };
}

/** Answers of the local chain's feeds. */
export type FeedKeeper = {
  /** To be called once per new head: gives the answers that are due. `wanted`: what the market is after, over the table's price. */
  tick(wanted: (token: Address) => number): Promise<void>;
  /** Gives all answers anew, in the next block. */
  answerAll(): Promise<void>;
};

/** The last answer, and when it was sent by the wall clock, in milliseconds. */
type Given = { readonly usd: number; readonly at: number };

export function createFeedKeeper(rpc: NodeRpc, feeds: readonly PlacedFeed[], owner: Address, maxFeePerGas: bigint): FeedKeeper {
  const given = new Map<Address, Given>();
  /** Nonces are given, as those of the bots are: after a rollback the node counts transactions that can never be mined. */
  const answer = async (due: readonly { readonly feed: PlacedFeed; readonly usd: number }[]): Promise<void> => {
    if (due.length === 0) return;
    const nonce = Number(await rpc.request('eth_getTransactionCount', owner, 'latest'));
    for (const [at, { feed, usd }] of due.entries()) {
      const data = encodeFunctionData({ abi: ABI, functionName: 'transmit', args: [answerOf(usd)] });
      const fees = { maxFeePerGas: toHex(maxFeePerGas), maxPriorityFeePerGas: '0x0', gas: toHex(GAS) };
      await rpc.request('eth_sendTransaction', { from: owner, to: feed.address, data, nonce: toHex(nonce + at), ...fees });
      given.set(feed.token.address, { usd, at: Date.now() });
    }
  };
  return {
    async tick(wanted) {
      const now = feeds.map((feed) => ({ feed, usd: feed.token.usd * wanted(feed.token.address) }));
      await answer(now.filter(({ feed, usd }) => isDue(given.get(feed.token.address), usd)));
    },
    async answerAll() {
      await answer(feeds.map((feed) => ({ feed, usd: feed.token.usd })));
    },
  };
}

function isDue(last: Given | undefined, usd: number): boolean {
  return last === undefined || Date.now() - last.at >= HEARTBEAT_SECONDS * 1000 || Math.abs(usd / last.usd - 1) >= DEVIATION;
}

function answerOf(usd: number): bigint {
  return BigInt(Math.round(usd * 10 ** DECIMALS));
}

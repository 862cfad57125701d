import { isDeepStrictEqual } from 'node:util';
import { expect } from 'chai';
import { createPublicClient, http } from 'viem';
import { plainMarket } from '../../src/devnet/devnet.ts';
import type { Braid } from '../../src/main.ts';
import { NATIVE_TOKEN } from '../../src/units/units.ts';
import { validatorOf } from '../schemas/schema-validators.ts';
import { fetchPatiently } from '../support/fetch-patiently.ts';
import { SEED, type SeededRandom, seededRandom } from '../support/seeded-random.ts';
import { until } from '../support/until.ts';
import { chainPrices } from './chain-prices.ts';
import { type PriceHop, replayRoute, servesSeveralPairs, shapeFaults, type WireHop, withRepeats } from './replay.ts';
import { newRouteTally, type RouteTally, tallyRoute } from './route-facts.ts';

/** What a batch of quotes came to. */
export type QuoteTally = RouteTally & {
  answered: number;
  noRoute: number;
  split: number;
  multiHop: number;
  native: number;
  buys: number /** Hops that are of the state of the next block. */;
  early: number;
};

type WireQuote = {
  readonly sellToken: string;
  readonly buyToken: string;
  readonly sellAmount: string;
  readonly buyAmount: string;
  readonly blockNumber: number;
  readonly route: readonly WireHop[];
};

/** Families that price by a secret. */
const MAKERS: ReadonlySet<string> = new Set(['fermi', 'kipseli']);

const isQuoteResponse = validatorOf('quote-response');

/**
 * Asks for random quotes, sells and buys, native on either side, dust to more than the pools hold, and replays each answer on the chain at its block through the venues' own contracts: every amount
 * has to agree to the wei. The devnet's key has no fee, so what the route yields is what is quoted.
 */
export async function checkRandomQuotes(braid: Braid, count: number, name: string): Promise<QuoteTally> {
  const { devnet, apiKey } = braid;
  if (devnet === null || apiKey === null) throw new Error('only on the devnet');
  const random = seededRandom(name);
  const tally: QuoteTally = { ...newRouteTally(), answered: 0, noRoute: 0, split: 0, multiHop: 0, native: 0, buys: 0, early: 0 };
  const tokens = [
    ...plainMarket(devnet).tokens.map(({ address, decimals, usd }) => ({ address, decimals: decimals ?? 18, usd })),
    { address: NATIVE_TOKEN, decimals: 18, usd: 2500 },
  ];
  for (let i = 0; i < count; i++) {
    const [sell, buy] = pickPair(tokens, random);
    const mode = random.chance(0.5) ? 'sell' : 'buy';
    const anchor = mode === 'sell' ? sell : buy;
    const amount = (BigInt(Math.max(1, Math.round((10 ** (random.unit() * 8 - 1) / anchor.usd) * 1e6))) * 10n ** BigInt(anchor.decimals)) / 1_000_000n || 1n;
    const query = new URLSearchParams({
      chainId: String(devnet.chainId),
      mode,
      sellToken: sell.address,
      buyToken: buy.address,
      [`${mode}Amount`]: String(amount),
    });
    const context = `seed ${SEED}, ${name}, quote ${i}: ${query}`;
    const response = await fetchPatiently(`${braid.publicUrl}/v1/quote?${query}`, { headers: { 'x-api-key': apiKey } });
    if (response.status === 404) {
      tally.noRoute++;
      continue;
    }
    expect(response.status, `${context} ${response.status === 200 ? '' : await response.clone().text()}`).to.equal(200);
    const quote = (await response.json()) as WireQuote;
    expect(isQuoteResponse(quote), `${context} ${JSON.stringify(isQuoteResponse.errors)}`).to.equal(true);
    tally.early += await checkQuote(braid, quote, mode, amount, context);
    tally.answered++;
    tallyRoute(tally, quote.route, devnet.wrappedNative);
    if (mode === 'buy') tally.buys++;
    if (quote.route.some(({ bps }) => bps !== 10_000)) tally.split++;
    if (quote.route.filter(({ protocol }) => protocol !== 'WRAP').length > 1) tally.multiHop++;
    if (quote.route.some(({ protocol }) => protocol === 'WRAP')) tally.native++;
  }
  return tally;
}

/** For the next block. */
const PATIENCE_MS = 30_000;

/** Returns how many of its hops are of the state of the next block. */
async function checkQuote({ devnet }: Braid, quote: WireQuote, mode: 'sell' | 'buy', amount: bigint, context: string): Promise<number> {
  if (devnet === null) return 0;
  const { route, sellToken, buyToken } = quote;
  expect(mode === 'sell' ? quote.sellAmount : quote.buyAmount, context).to.equal(String(amount));
  expect(shapeFaults(route, sellToken, buyToken, devnet.wrappedNative), context).to.deep.equal([]);
  const price = chainPrices(devnet, quote.blockNumber);
  const listed = route.map(({ amountIn, amountOut }) => ({ amountIn: BigInt(amountIn), amountOut: BigInt(amountOut) }));
  const replayed = () => replayRoute(route, sellToken, BigInt(quote.sellAmount), withRepeats(price));
  // While the local node makes a block, it answers about its newest one from the state of the one that is made, though it is asked by its hash (decision 178). So may it have answered us: once it is an older block, it is asked about that
  // block alone; and where the service asked, what it was told is just what the next block says.
  const first = await replayed();
  let early = 0;
  const again = async () => {
    await until(async () => (await createPublicClient({ transport: http(devnet.rpcUrl) }).getBlockNumber()) > BigInt(quote.blockNumber) + 1n, PATIENCE_MS);
    const next = chainPrices(devnet, quote.blockNumber + 1);
    const ofEither: PriceHop = async (hop, amountIn) => {
      const own = await price(hop, amountIn);
      const listedOut = BigInt(hop.amountOut);
      if (own === listedOut || !MAKERS.has(hop.protocol) || (await next(hop, amountIn)) !== listedOut) return own;
      early++;
      return listedOut;
    };
    return await replayRoute(route, sellToken, BigInt(quote.sellAmount), withRepeats(ofEither));
  };
  const replay = isDeepStrictEqual(first.hops, listed) ? first : await again();
  expect(replay.hops, context).to.deep.equal(listed);
  const delivered = replay.held.get(buyToken.toLowerCase()) ?? 0n;
  for (const [token, held] of replay.held) if (token !== buyToken.toLowerCase()) expect(held, `${context}: ${token} is left over`).to.equal(0n);
  if (mode === 'sell') {
    expect(delivered, context).to.equal(BigInt(quote.buyAmount));
    return early;
  }
  expect(delivered >= amount, `${context}: delivers ${delivered}`).to.equal(true);
  // What such a pool would give for another amount is not known without executing; and of a maker only what it was asked for (decision 137).
  if (servesSeveralPairs(route) || route.some(({ protocol }) => MAKERS.has(protocol))) return early;
  expect(await missesWith(BigInt(quote.sellAmount) - 1n), `${context}: one wei less does not miss`).to.equal(true);
  return early;

  async function missesWith(input: bigint): Promise<boolean> {
    if (input === 0n) return true;
    try {
      const { held } = await replayRoute(route, sellToken, input, withRepeats(price));
      return (held.get(buyToken.toLowerCase()) ?? 0n) < amount;
    } catch {
      // A venue that refuses the smaller amount (nothing in, nothing out) delivers nothing.
      return true;
    }
  }
}

function pickPair<Token>(tokens: readonly Token[], random: SeededRandom): readonly [Token, Token] {
  const first = random.integer(0, tokens.length - 1);
  const second = (first + random.integer(1, tokens.length - 1)) % tokens.length;
  return [tokens[first] as Token, tokens[second] as Token];
}

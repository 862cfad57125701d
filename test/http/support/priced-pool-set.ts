// A pool set with prices in which sizes in USD are known by construction: what a devnet, which has no prices of its own, can not show.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { issueKey } from '../../../src/metering/metering.ts';
import { startTestBraid } from '../../support/braid.ts';

export type PricedToken = { readonly symbol: string; readonly address: string; readonly decimals: number; readonly usd: number; readonly unpriced?: true };

const address = (index: number) => `0x${index.toString(16).padStart(40, '0')}`;
const token = (index: number, symbol: string, decimals: number, usd: number): PricedToken => ({ symbol, address: address(index), decimals, usd });

export const WETH: PricedToken = { symbol: 'WETH', address: '0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2', decimals: 18, usd: 2000 };
/** One token of each number of decimals that occurs, and a dollar of 18 decimals that its name would let one take for 6. */
export const TOKENS: readonly PricedToken[] = [
  WETH,
  token(0xd0, 'SEAT', 0, 40),
  token(0xd2, 'GUSD', 2, 1),
  token(0xd6, 'USDC', 6, 1),
  token(0xd8, 'WBTC', 8, 50_000),
  token(0xd18, 'USDT', 18, 1),
  token(0xd24, 'NEAR', 24, 2.5),
  // The file gives no price of these two; the pools are as if they were worth that much.
  { ...token(0xe1, 'DARK', 18, 4), unpriced: true },
  { ...token(0xe2, 'DIM', 18, 5), unpriced: true },
  // A chain of tokens, each traded against the next only: every further one is a hop away.
  ...Array.from({ length: 6 }, (_, i) => token(0xc0 + i, `LINK${i}`, 18, 1)),
];

/** Base units of an amount of USD. */
export function worth({ decimals, usd }: PricedToken, dollars: number): bigint {
  return (BigInt(Math.round((dollars / usd) * 1e6)) * 10n ** BigInt(decimals)) / 1_000_000n;
}

function pool(index: number, venue: string, [left, right]: readonly [PricedToken, PricedToken], dollars: number) {
  return {
    kind: 'constantProduct',
    id: address(0xf000 + index),
    venue,
    tokens: [left.address, right.address],
    reserves: [worth(left, dollars), worth(right, dollars)].map(String),
    feeBps: 30,
  };
}

function pools() {
  const of = (symbol: string) => tokenNamed(symbol);
  const spokes = ['SEAT', 'GUSD', 'USDC', 'WBTC', 'USDT', 'NEAR'].map(of);
  const links = TOKENS.filter(({ symbol }) => symbol.startsWith('LINK'));
  const pairs: (readonly [PricedToken, PricedToken])[] = [
    ...spokes.map((spoke) => [WETH, spoke] as const),
    ...spokes.filter(({ symbol }) => symbol !== 'USDC').map((spoke) => [of('USDC'), spoke] as const),
    ...links.map((link, i) => [links[i - 1] ?? of('USDC'), link] as const),
    [of('USDC'), of('DARK')],
    [of('DARK'), of('DIM')],
  ];
  return pairs.flatMap((pair, i) => [pool(2 * i, 'uniswap_v2', pair, 200_000_000), pool(2 * i + 1, 'sushiswap_v2', pair, 30_000_000)]);
}

export function tokenNamed(symbol: string): PricedToken {
  const found = TOKENS.find((entry) => entry.symbol === symbol);
  if (found === undefined) throw new Error(`no token ${symbol}`);
  return found;
}

/** Starts the service on that pool set, with a key of 1,000 requests per second; stop() also takes the files away. */
export async function startPricedBraid(): Promise<{ readonly url: string; readonly key: string; stop(): Promise<void> }> {
  const folder = mkdtempSync(path.join(tmpdir(), 'braid-priced-'));
  const [poolSet, keys] = ['pool-set.json', 'keys.json'].map((name) => path.join(folder, name)) as [string, string];
  const tokens = Object.fromEntries(
    TOKENS.map(({ address: key, symbol, decimals, usd, unpriced }) => [key, { symbol, decimals, ...(unpriced ? {} : { usd }) }]),
  );
  writeFileSync(poolSet, JSON.stringify({ chainId: 1, block: 100, timestamp: 1_700_000_000, gasPriceWei: '1000000000', tokens, pools: pools() }));
  const { key, entry } = issueKey({ rps: 1000, partnerId: 'sizes' }, new Date(0));
  writeFileSync(keys, JSON.stringify({ keys: [entry] }));
  const braid = await startTestBraid({ argv: ['--pool-set', poolSet], env: { KEYS_FILE: keys } });
  return {
    url: braid.publicUrl,
    key,
    async stop() {
      await braid.stop();
      rmSync(folder, { recursive: true });
    },
  };
}

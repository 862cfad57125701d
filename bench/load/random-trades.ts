import { type Devnet, plainMarket } from '../../src/devnet/devnet.ts';
import { NATIVE_TOKEN } from '../../src/units/units.ts';
import { seededRandom } from '../../test/support/seeded-random.ts';
import type { TradeQuery } from './arrivals.ts';

/** Any pairs of the devnet, from ten dollars to a million: the same for the same seed. */
export function randomTrades(devnet: Devnet, count: number, seed = 1): readonly TradeQuery[] {
  const random = seededRandom('trades', seed);
  const tokens = [
    ...plainMarket(devnet).tokens.map(({ address, decimals, usd }) => ({ address: address as string, decimals: decimals ?? 18, usd })),
    { address: NATIVE_TOKEN as string, decimals: 18, usd: 2500 },
  ];
  return Array.from({ length: count }, () => {
    const first = random.integer(0, tokens.length - 1);
    const [sell, buy] = [tokens[first], tokens[(first + random.integer(1, tokens.length - 1)) % tokens.length]];
    if (sell === undefined || buy === undefined) throw new Error('no tokens');
    const mode = random.chance(0.8) ? 'sell' : 'buy';
    const anchor = mode === 'sell' ? sell : buy;
    const amount = (BigInt(Math.max(1, Math.round((10 ** (1 + random.unit() * 5) / anchor.usd) * 1e6))) * 10n ** BigInt(anchor.decimals)) / 1_000_000n || 1n;
    return { chainId: String(devnet.chainId), mode, sellToken: sell.address, buyToken: buy.address, [`${mode}Amount`]: String(amount) };
  });
}

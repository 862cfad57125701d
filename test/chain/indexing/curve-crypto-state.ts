import type { PublicClient } from 'viem';
import type { DevnetPool } from '../../../src/devnet/devnet.ts';
import type { CryptoPool } from '../../../src/venues/curve_crypto/crypto-pool.ts';
import type { CryptoState } from '../../../src/venues/curve_crypto/crypto-state.ts';

/** Words of storage, as `contracts/devnet/curve/CryptoPrices.sol` lists them. */
const WORDS = 27;
/** After them: coins and precisions, then the flag of being killed. */
const PRECISIONS_AT = 30;
const KILLED_AT = 33;
const HALF = (1n << 128n) - 1n;

/** What a pool of the devnet has in its storage at the head, without its views; null while it does not trade. Of the way to the average prices, which is in a word too, nobody who asks its views knows. */
export async function cryptoStateOf(client: PublicClient, { address }: Pick<DevnetPool, 'address'>): Promise<CryptoState | null> {
  const { number } = await client.getBlock({ blockTag: 'latest' });
  const wordAt = async (slot: number) => BigInt((await client.getStorageAt({ address, slot: `0x${slot.toString(16)}`, blockNumber: number })) ?? '0x0');
  const words = await Promise.all(Array.from({ length: WORDS }, (_, slot) => wordAt(slot)));
  const precisions = await Promise.all([0, 1, 2].map((coin) => wordAt(PRECISIONS_AT + coin)));
  if ((await wordAt(KILLED_AT)) !== 0n) return null;
  const at = (slot: number) => words[slot] ?? 0n;
  const parameters = (word: bigint) => ({ amplification: word >> 128n, gamma: word & HALF });
  const pool: CryptoPool = {
    ...{
      balances: words.slice(0, 3),
      precisions,
      priceScale: words.slice(3, 5),
      priceOracle: words.slice(5, 7),
      lastPrices: words.slice(7, 9),
      lastPricesAt: at(9),
    },
    ...{ from: parameters(at(10)), to: parameters(at(11)), rampStartsAt: at(12), rampEndsAt: at(13) },
    ...{ allowedExtraProfit: at(14), feeGamma: at(15), adjustmentStep: at(16), averageHalfTime: at(17), midFee: at(18), outFee: at(19) },
    ...{ invariant: at(21), profit: at(22), virtualPrice: at(24), shares: at(26), adjusting: false, claim: null },
  };
  return { possible: [pool, { ...pool, adjusting: true }] };
}

import type { PublicClient } from 'viem';
import { parseAbi } from 'viem';
import type { Devnet, DevnetPool } from '../../../src/devnet/devnet.ts';
import type { CryptoPool } from '../../../src/venues/curve_crypto/crypto-pool.ts';
import type { CryptoState } from '../../../src/venues/curve_crypto/crypto-state.ts';

/** Words of storage, as `contracts/devnet/curve/CryptoPrices.sol` lists them. */
const WORDS = 27;
/** After them: coins and precisions, then the flag of being killed. */
const PRECISIONS_AT = 30;
const KILLED_AT = 33;
/** The same of `CryptoPricesTwo.sol`; how many shares there are in `CryptoShare.sol`. */
const [WORDS_OF_TWO, SUPPLY_AT] = [36, 1];
const HALF = (1n << 128n) - 1n;
const TOKEN = parseAbi(['function balanceOf(address account) view returns (uint256)']);
const FACTORY = parseAbi(['function fee_receiver() view returns (address)']);

/** What a pool of the devnet has in its storage at the head, without its views; null while it does not trade. Of the way to the average prices, which is in a word too, nobody who asks its views knows. */
export async function cryptoStateOf(client: PublicClient, devnet: Devnet, pool: Pick<DevnetPool, 'address' | 'tokens'>): Promise<CryptoState | null> {
  const { number } = await client.getBlock({ blockTag: 'latest' });
  const known = pool.tokens.length === 2 ? await poolOfTwo(client, devnet, pool, number) : await poolOfThree(client, pool, number);
  return known === null ? null : { possible: [known, { ...known, adjusting: true }] };
}

type Block = bigint;

async function wordsOf(client: PublicClient, address: `0x${string}`, from: number, count: number, blockNumber: Block): Promise<readonly bigint[]> {
  const slots = Array.from({ length: count }, (_, at) => from + at);
  return Promise.all(slots.map(async (slot) => BigInt((await client.getStorageAt({ address, slot: `0x${slot.toString(16)}`, blockNumber })) ?? '0x0')));
}

function parametersIn(word: bigint) {
  return { amplification: word >> 128n, gamma: word & HALF };
}

async function poolOfThree(client: PublicClient, { address }: Pick<DevnetPool, 'address'>, number: Block): Promise<CryptoPool | null> {
  const words = await wordsOf(client, address, 0, WORDS, number);
  const precisions = await wordsOf(client, address, PRECISIONS_AT, 3, number);
  if ((await wordsOf(client, address, KILLED_AT, 1, number))[0] !== 0n) return null;
  const at = (slot: number) => words[slot] ?? 0n;
  return {
    ...{ balances: words.slice(0, 3), precisions, priceScale: words.slice(3, 5), priceOracle: words.slice(5, 7), lastPrices: words.slice(7, 9) },
    lastPricesAt: at(9),
    ...{ from: parametersIn(at(10)), to: parametersIn(at(11)), rampStartsAt: at(12), rampEndsAt: at(13) },
    ...{ allowedExtraProfit: at(14), feeGamma: at(15), adjustmentStep: at(16), averageHalfTime: at(17), midFee: at(18), outFee: at(19) },
    ...{ invariant: at(21), profit: at(22), virtualPrice: at(24), shares: at(26), adjusting: false, claim: null },
  };
}

async function poolOfTwo(
  client: PublicClient,
  devnet: Devnet,
  { address, tokens }: Pick<DevnetPool, 'address' | 'tokens'>,
  number: Block,
): Promise<CryptoPool> {
  const words = await wordsOf(client, address, 0, WORDS_OF_TWO, number);
  const at = (slot: number) => words[slot] ?? 0n;
  const [shares = 0n] = await wordsOf(client, `0x${at(1).toString(16).padStart(40, '0')}`, SUPPLY_AT, 1, number);
  const receiver = await client.readContract({
    address: devnet.contract('curveCryptoFactory'),
    abi: FACTORY,
    functionName: 'fee_receiver',
    blockNumber: number,
  });
  const held = await Promise.all(
    tokens.map((token) =>
      token === devnet.wrappedNative
        ? client.getBalance({ address, blockNumber: number })
        : client.readContract({ address: token, abi: TOKEN, functionName: 'balanceOf', args: [address], blockNumber: number }),
    ),
  );
  return {
    ...{ balances: words.slice(26, 28), precisions: [10n ** (at(35) & 255n), 10n ** (at(35) >> 8n)] },
    ...{ priceScale: [at(4)], priceOracle: [at(5)], lastPrices: [at(6)], lastPricesAt: at(7) },
    ...{ from: parametersIn(at(8)), to: parametersIn(at(9)), rampStartsAt: at(10), rampEndsAt: at(11) },
    ...{ allowedExtraProfit: at(12), feeGamma: at(14), adjustmentStep: at(16), averageHalfTime: at(18), midFee: at(20), outFee: at(21) },
    ...{ invariant: at(28), profit: at(30), virtualPrice: at(32), shares, adjusting: false },
    claim: { share: at(22), profitClaimed: at(31), hasReceiver: BigInt(receiver) !== 0n, held },
  };
}

import { expect } from 'chai';
import { encodeFunctionData, type Hex, parseAbi, toEventSelector, toFunctionSelector } from 'viem';
import { asAddress, type EpochSeconds } from '../../src/units/units.ts';
import type { CryptoPool } from '../../src/venues/curve_crypto/crypto-pool.ts';
import { type CryptoState, validateState } from '../../src/venues/curve_crypto/crypto-state.ts';
import { encode } from '../../src/venues/curve_crypto/encode.ts';
import { exchange, feeOf, openPool } from '../../src/venues/curve_crypto/exchange.ts';
import { evenWorth } from '../../src/venues/curve_crypto/move-prices.ts';
import { track } from '../../src/venues/curve_crypto/track.ts';
import { momentOf } from '../../src/venues/quote-moment.ts';
import { type ChainAnswer, type ChainLog, type DiscoveredPool, PoolRefused } from '../../src/venues/venues.ts';
import { MadeUpContracts, wordsOf } from './made-up-contracts.ts';
import { cryptoStateOf } from './samples/curve_crypto.ts';

const ABI = parseAbi([
  'function coins(uint256 i) view returns (address)',
  'function decimals() view returns (uint8)',
  'function balances(uint256 i) view returns (uint256)',
  'function price_scale(uint256 k) view returns (uint256)',
  'function price_oracle(uint256 k) view returns (uint256)',
  'function last_prices(uint256 k) view returns (uint256)',
  'function get_dy(uint256 i, uint256 j, uint256 dx) view returns (uint256)',
  'function get_coins(address pool) view returns (address[8])',
]);
const of = (digit: string) => asAddress(`0x${digit.repeat(40)}`);
const [REGISTRY, POOL, SHARE, A, B, C, STRANGER] = [of('1'), of('2'), of('3'), of('4'), of('5'), of('6'), of('7')];
const COINS = [A, B, C];
const DEPLOYMENT = { venue: 'curve_crypto', family: 'curve_crypto', factory: REGISTRY, fromBlock: 0 };
const ONE = 10n ** 18n;
const NOW = momentOf({ number: 9, timestamp: 1000 as EpochSeconds });
const [STANDING] = cryptoStateOf({
  ...{ decimals: [6, 8, 18], parts: [100, 103, 98], dollars: 1_000_000, prices: [30_000, 2_000], known: true },
  ...{ amplification: 1_707_629n, gamma: 11_809_167_828_997n, midFee: 3_000_000n, outFee: 30_000_000n },
}).possible;
const DISCOVERED: DiscoveredPool = {
  ...{ key: POOL, address: POOL, emitters: [POOL, REGISTRY], hook: null, protocol: 'curve_crypto', source: 'curve_crypto', tokens: COINS },
  traits: { factory: REGISTRY, token: SHARE, decimals: '6,8,18' },
};

function asked(functionName: string, ...args: readonly unknown[]): Hex {
  return encodeFunctionData({ abi: ABI, functionName, args } as unknown as Parameters<typeof encodeFunctionData>[0]);
}

/** A view without an argument. */
function plain(name: string): Hex {
  return toFunctionSelector(`${name}()`);
}

describe('which crypto pools of Curve are followed', () => {
  const [ADDED, ADDED_WITH_RATE] = ['PoolAdded(address)', 'PoolAdded(address,bytes)'].map(toEventSelector) as [Hex, Hex];
  const REMOVED = toEventSelector('PoolRemoved(address)');
  const logOf = (topics: readonly Hex[], address = REGISTRY): ChainLog => ({ address, topics, data: '0x', blockHash: '0x', blockNumber: 1, logIndex: 0 });
  const described = async (contracts: MadeUpContracts) =>
    (await track.describe?.([{ announcement: { announces: POOL, facts: {} }, deployment: DEPLOYMENT }], contracts.read, () => false))?.[0] ?? null;
  const contractsWith = (coins: readonly string[], decimals: readonly (number | null)[] = [6, 8, 18], token: string = SHARE) => {
    const contracts = new MadeUpContracts().says(POOL, plain('token'), wordsOf(token));
    for (const [at, coin] of coins.entries()) contracts.says(POOL, asked('coins', BigInt(at)), wordsOf(coin));
    for (const [at, coin] of COINS.entries()) contracts.says(coin, asked('decimals'), decimals[at] == null ? null : wordsOf(decimals[at]));
    return contracts;
  };

  it('those that their registry adds, and nothing that another contract or another log says', () => {
    const discover = (log: ChainLog) => track.discover(DEPLOYMENT, log, { chainId: 1, wrappedNative: C });
    for (const topic of [ADDED, ADDED_WITH_RATE]) expect(discover(logOf([topic, wordsOf(POOL)]))).to.deep.equal({ announces: POOL, facts: {} });
    for (const log of [logOf([ADDED, wordsOf(POOL)], STRANGER), logOf([ADDED]), logOf([]), logOf([REMOVED, wordsOf(POOL)])])
      expect(discover(log)).to.equal(null);
  });

  it('a log of the registry concerns the pool that it names, every other one its own contract, and all ask for a reading', () => {
    for (const topic of [ADDED, REMOVED]) expect(track.poolsOf(logOf([topic, wordsOf(POOL)]))).to.deep.equal([POOL]);
    expect(track.poolsOf(logOf([toEventSelector('TokenExchange(address,uint256,uint256,uint256,uint256)')], POOL))).to.deep.equal([POOL]);
    expect(() => track.poolsOf(logOf([REMOVED]))).to.throw(RangeError);
    expect(track.apply(DISCOVERED, null, logOf([ADDED]))).to.deep.equal({ kind: 'reload' });
    expect(track.rereading?.(DISCOVERED)).to.deep.equal({ kind: 'each-block' });
  });

  it('pools of three different coins that are contracts and have at most 18 decimals, and no other', async () => {
    expect(await described(contractsWith(COINS))).to.deep.equal([DISCOVERED]);
    for (const coins of [COINS.slice(0, 2), [...COINS, STRANGER], [A, B, B], [A, B, of('e')], [A, B, '0x0'], []])
      expect(await described(contractsWith(coins)), coins.join()).to.equal(null);
    for (const decimals of [
      [6, 8, 19],
      [6, null, 18],
    ])
      expect(await described(contractsWith(COINS, decimals))).to.equal(null);
    expect(await described(contractsWith(COINS, [6, 8, 18], '0x0'))).to.equal(null);
    expect(await described(new MadeUpContracts())).to.equal(null);
  });
});

describe('the state of a crypto pool of Curve as it is read', () => {
  type Said = Readonly<Record<string, ChainAnswer>>;

  const prices = (pool: CryptoPool): readonly bigint[] =>
    pool.balances.map((balance, slot) => exchange(pool, slot, (slot + 1) % 3, balance / 8n + 1n, NOW)?.amountOut ?? 0n);

  /** What a contract says that has this state, but for what `said` says instead. */
  function contractsOf(pool: CryptoPool, said: Said = {}, given: readonly bigint[] = prices(pool)): MadeUpContracts {
    const contracts = new MadeUpContracts();
    const word = ({ amplification, gamma }: CryptoPool['to']) => (amplification << 128n) | gamma;
    const singles: Readonly<Record<string, bigint>> = {
      last_prices_timestamp: pool.lastPricesAt,
      A: pool.to.amplification,
      gamma: pool.to.gamma,
      initial_A_gamma: word(pool.from),
      future_A_gamma: word(pool.to),
      initial_A_gamma_time: pool.rampStartsAt,
      future_A_gamma_time: pool.rampEndsAt,
      D: pool.invariant,
      mid_fee: pool.midFee,
      out_fee: pool.outFee,
      fee_gamma: pool.feeGamma,
      allowed_extra_profit: pool.allowedExtraProfit,
      adjustment_step: pool.adjustmentStep,
      ma_half_time: pool.averageHalfTime,
      xcp_profit: pool.profit,
      virtual_price: pool.virtualPrice,
      is_killed: 0n,
      fee: feeOf(pool, openPool({ ...pool, rampEndsAt: 0n }, pool.to).worth),
      get_virtual_price: (ONE * evenWorth(pool.invariant, pool.priceScale)) / (pool.shares === 0n ? 1n : pool.shares),
    };
    for (const [name, value] of Object.entries(singles)) contracts.says(POOL, plain(name), name in said ? (said[name] ?? null) : wordsOf(value));
    const lists = { balances: pool.balances, price_scale: pool.priceScale, price_oracle: pool.priceOracle, last_prices: pool.lastPrices };
    for (const [name, list] of Object.entries(lists)) for (const [at, value] of list.entries()) contracts.says(POOL, asked(name, BigInt(at)), wordsOf(value));
    for (const [slot, balance] of pool.balances.entries())
      contracts.says(POOL, asked('get_dy', BigInt(slot), BigInt((slot + 1) % 3), balance / 8n + 1n), wordsOf(given[slot] ?? 0n));
    contracts.says(REGISTRY, asked('get_coins', POOL), wordsOf(A, B, C, 0, 0, 0, 0, 0));
    return contracts.says(SHARE, plain('totalSupply'), wordsOf(pool.shares));
  }
  const load = async (contracts: MadeUpContracts): Promise<CryptoState | null> => (await track.load([DISCOVERED], contracts.read, NOW))[0] ?? null;

  it('is what the contract says, on its way to its average prices or not', async () => {
    const contracts = contractsOf(STANDING);
    expect(await load(contracts)).to.deep.equal({ possible: [STANDING, { ...STANDING, adjusting: true }] });
    expect(contracts.rounds).to.deep.equal([30, 3]);
  });

  it('is none where a view reverts, says nothing or says too much, where the pool was killed, and where the registry has forgotten it', async () => {
    for (const view of ['D', 'A', 'fee', 'get_virtual_price', 'is_killed', 'ma_half_time', 'future_A_gamma'])
      for (const answer of [null, '0x', wordsOf(1, 2)] as const) expect(await load(contractsOf(STANDING, { [view]: answer })), view).to.equal(null);
    expect(await load(contractsOf(STANDING, { is_killed: wordsOf(1) }))).to.equal(null);
    expect(await load(contractsOf(STANDING).says(REGISTRY, asked('get_coins', POOL), wordsOf(0, 0, 0, 0, 0, 0, 0, 0)))).to.equal(null);
    expect(await load(contractsOf(STANDING).says(SHARE, plain('totalSupply'), null))).to.equal(null);
  });

  it('is none where the fee, the worth of a share or one price is not what the mathematics give, by a unit', async () => {
    const [fee, worth] = [feeOf(STANDING, openPool(STANDING, STANDING.to).worth), (ONE * evenWorth(STANDING.invariant, STANDING.priceScale)) / STANDING.shares];
    for (const off of [1n, -1n]) {
      expect(await load(contractsOf(STANDING, { fee: wordsOf(fee + off) }))).to.equal(null);
      expect(await load(contractsOf(STANDING, { get_virtual_price: wordsOf(worth + off) }))).to.equal(null);
      for (const slot of [0, 1, 2]) {
        const given = prices(STANDING);
        expect(await load(contractsOf(STANDING, {}, given.with(slot, (given[slot] ?? 0n) + off))), `price ${slot}`).to.equal(null);
      }
    }
  });

  it('may have its view go by the invariant of its last change or by that of now while its parameters move', async () => {
    const moving: CryptoPool = { ...STANDING, from: STANDING.to, rampStartsAt: 500n, rampEndsAt: 5000n, invariant: STANDING.invariant - 10n ** 20n };
    const still = { ...moving, rampEndsAt: 0n };
    const read = { possible: [moving, { ...moving, adjusting: true }] };
    const byLast = moving.balances.map(
      (balance, slot) => exchange({ ...still, virtualPrice: 1n }, slot, (slot + 1) % 3, balance / 8n + 1n, NOW)?.amountOut ?? 0n,
    );
    expect(byLast).to.not.deep.equal(prices(moving));
    expect(await load(contractsOf(moving, {}, byLast))).to.deep.equal(read);
    expect(await load(contractsOf(moving, {}, prices(moving)))).to.deep.equal(read);
    expect(await load(contractsOf(moving, {}, byLast.with(0, 1n)))).to.equal(null);
  });

  it('is refused where it can be no pool, or none to trade with', () => {
    const refused = (change: Partial<CryptoPool>) => () => validateState({ possible: [{ ...STANDING, ...change }] });
    validateState({ possible: [STANDING] });
    for (const change of [
      { midFee: STANDING.outFee + 1n },
      { outFee: 10n ** 10n + 1n },
      { feeGamma: 1n << 64n },
      { priceScale: [1n << 128n, ONE] },
      { precisions: [0n, 1n, 1n] },
      { averageHalfTime: 0n },
      { shares: 0n },
      { invariant: 0n },
      { balances: [0n, 1n, 1n] },
      { balances: [1n << 128n, 1n, 1n] },
      { balances: STANDING.balances.slice(1) },
      { balances: STANDING.balances.with(0, 1n), rampEndsAt: 1n },
      { to: { amplification: 1n, gamma: 1n }, rampEndsAt: 1n },
    ])
      expect(refused(change), JSON.stringify(Object.keys(change))).to.throw(PoolRefused);
  });

  it('is encoded by places, as far as they fit', () => {
    const hop = {
      family: 'curve_crypto',
      poolAddress: POOL,
      poolKey: POOL,
      hook: null,
      legFacts: {},
      tokenIn: A,
      tokenOut: C,
      leastOut: 0n,
      taxedInput: false,
    };
    expect(encode.legData({ ...hop, slotIn: 0, slotOut: 2 })).to.equal('0x020002');
    expect(() => encode.legData({ ...hop, slotIn: 0, slotOut: 256 })).to.throw(RangeError);
  });
});

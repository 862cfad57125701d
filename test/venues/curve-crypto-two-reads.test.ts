import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { expect } from 'chai';
import { encodeFunctionData, type Hex, parseAbi, toEventSelector, toFunctionSelector } from 'viem';
import { asAddress, type EpochSeconds } from '../../src/units/units.ts';
import { type CryptoState, validateState } from '../../src/venues/curve_crypto/crypto-state.ts';
import { encode } from '../../src/venues/curve_crypto/encode.ts';
import { track } from '../../src/venues/curve_crypto/track.ts';
import { momentOf } from '../../src/venues/quote-moment.ts';
import { isLetPass } from '../../src/venues/venue.ts';
import { type ChainAnswer, type ChainLog, type DiscoveredPool, PoolRefused } from '../../src/venues/venues.ts';
import { answersIn, type TwoCoinAnswers } from '../chain/curve/two-coin-answers.ts';
import { MadeUpContracts, wordsOf } from './made-up-contracts.ts';

const ABI = parseAbi([
  'function coins(uint256 i) view returns (address)',
  'function decimals() view returns (uint8)',
  'function balances(uint256 i) view returns (uint256)',
  'function balanceOf(address account) view returns (uint256)',
  'function getEthBalance(address account) view returns (uint256)',
  'function get_dy(uint256 i, uint256 j, uint256 dx) view returns (uint256)',
]);
const of = (digit: string) => asAddress(`0x${digit.repeat(40)}`);
const [FACTORY, POOL, SHARE, A, B, STRANGER] = [of('1'), of('2'), of('3'), of('4'), of('5'), of('7')];
const NATIVE_TELLER = asAddress('0xca11bde05977b3631167028862be2a173976ca11');
const DEPLOYMENT = { venue: 'curve_crypto', family: 'curve_crypto', factory: FACTORY, fromBlock: 0 };
const DISCOVERED: DiscoveredPool = {
  ...{ key: POOL, address: POOL, emitters: [POOL, FACTORY], hook: null, protocol: 'curve_crypto', source: 'curve_crypto', tokens: [A, B] },
  traits: { factory: FACTORY, token: SHARE, decimals: '18,18', native: 1 },
};
/** Answers of Curve's own contract. */
const RECORDED = answersIn(gunzipSync(readFileSync(new URL('../fixtures/two-coin-exchanges.json.gz', import.meta.url))).toString());

function asked(functionName: string, ...args: readonly unknown[]): Hex {
  return encodeFunctionData({ abi: ABI, functionName, args } as unknown as Parameters<typeof encodeFunctionData>[0]);
}

/** A view without an argument. */
function plain(name: string): Hex {
  return toFunctionSelector(`${name}()`);
}

describe('which pools of two coins are followed', () => {
  const DEPLOYED = toEventSelector(`CryptoPoolDeployed(address,address[2],${'uint256,'.repeat(10)}address)`);
  const logOf = (topics: readonly Hex[], data: Hex, address = FACTORY): ChainLog => ({ address, topics, data, blockHash: '0x', blockNumber: 1, logIndex: 0 });
  const discover = (log: ChainLog) => track.discover(DEPLOYMENT, log, { chainId: 1, wrappedNative: B });
  const announcement = { announces: SHARE, facts: { wrappedNative: B } };
  const described = async (contracts: MadeUpContracts) =>
    (await track.describe?.([{ announcement, deployment: DEPLOYMENT }], contracts.read, () => false))?.[0] ?? null;
  const contractsWith = (coins: readonly string[], share: string = SHARE, digits: readonly number[] = [18, 18]) => {
    const contracts = new MadeUpContracts().says(SHARE, plain('minter'), wordsOf(POOL)).says(POOL, plain('token'), wordsOf(share));
    for (const [at, coin] of coins.entries()) contracts.says(POOL, asked('coins', BigInt(at)), wordsOf(coin));
    for (const [at, coin] of [A, B].entries()) contracts.says(coin, asked('decimals'), wordsOf(digits[at] ?? 0));
    return contracts;
  };

  it('those that their factory made, by the contract of their shares, and nothing that another contract says', () => {
    expect(discover(logOf([DEPLOYED], wordsOf(SHARE, A, B)))).to.deep.equal(announcement);
    for (const log of [
      logOf([DEPLOYED], wordsOf(SHARE, A, B), STRANGER),
      logOf([DEPLOYED], '0x'),
      logOf([DEPLOYED], wordsOf(0, A, B)),
      logOf([], wordsOf(SHARE)),
    ])
      expect(discover(log)).to.equal(null);
    expect(track.discoveryTopics).to.include(DEPLOYED);
  });

  it('those of two different coins whose shares are the ones that they were made with, with the place of the wrapped native token', async () => {
    expect(await described(contractsWith([A, B]))).to.deep.equal([DISCOVERED]);
    for (const coins of [[A], [A, A], [A, B, STRANGER], [A, of('e')], []]) expect(await described(contractsWith(coins)), coins.join()).to.equal(null);
    expect(await described(contractsWith([A, B], STRANGER))).to.equal(null);
    expect(await described(contractsWith([A, B], SHARE, [18, 19]))).to.equal(null);
    expect(await described(new MadeUpContracts())).to.equal(null);
  });

  it('beside pools of a registry, each by its own number of coins', async () => {
    const contracts = contractsWith([A, B]).says(STRANGER, plain('token'), wordsOf(SHARE));
    for (const [at, coin] of [A, B].entries()) contracts.says(STRANGER, asked('coins', BigInt(at)), wordsOf(coin));
    const listed = { announcement: { announces: STRANGER, facts: {} }, deployment: DEPLOYMENT };
    const announced = [listed, { announcement, deployment: DEPLOYMENT }, listed];
    expect(await track.describe?.(announced, contracts.read, () => false)).to.deep.equal([null, [DISCOVERED], null]);
  });
});

describe('the state of a pool of two coins as it is read', () => {
  type Said = Readonly<Record<string, ChainAnswer>>;

  const answer = (value: bigint | null): ChainAnswer => (value === null ? null : wordsOf(value));

  /** What the contract said that was recorded, but for what `said` says instead. */
  function contractsOf({ pool, views: [fee = null, worth = null, average = null], exchanges }: TwoCoinAnswers, said: Said = {}): MadeUpContracts {
    const word = ({ amplification, gamma }: typeof pool.to) => (amplification << 128n) | gamma;
    const singles: Readonly<Record<string, bigint | null>> = {
      ...{ price_scale: pool.priceScale[0] ?? 0n, price_oracle: average, last_prices: pool.lastPrices[0] ?? 0n, last_prices_timestamp: pool.lastPricesAt },
      ...{ A: pool.to.amplification, gamma: pool.to.gamma, initial_A_gamma: word(pool.from), future_A_gamma: word(pool.to) },
      ...{ initial_A_gamma_time: pool.rampStartsAt, future_A_gamma_time: pool.rampEndsAt, D: pool.invariant, mid_fee: pool.midFee, out_fee: pool.outFee },
      ...{ fee_gamma: pool.feeGamma, allowed_extra_profit: pool.allowedExtraProfit, adjustment_step: pool.adjustmentStep, ma_half_time: pool.averageHalfTime },
      ...{ xcp_profit: pool.profit, xcp_profit_a: pool.claim?.profitClaimed ?? 0n, admin_fee: pool.claim?.share ?? 0n, virtual_price: pool.virtualPrice },
      ...{ fee, get_virtual_price: worth },
    };
    const contracts = new MadeUpContracts();
    for (const [name, value] of Object.entries(singles)) contracts.says(POOL, plain(name), name in said ? (said[name] ?? null) : answer(value));
    for (const [at, balance] of pool.balances.entries()) contracts.says(POOL, asked('balances', BigInt(at)), wordsOf(balance));
    // The first and the third of the recorded exchanges are of the amounts that the venue asks for.
    for (const probe of [exchanges[0], exchanges[2]]) {
      const { indexIn = 0, indexOut = 0, amountIn = 0n, promised = null } = probe ?? {};
      contracts.says(POOL, asked('get_dy', BigInt(indexIn), BigInt(indexOut), amountIn), said[`get_dy${indexIn}`] ?? answer(promised));
    }
    const [first = 0n, second = 0n] = pool.claim?.held ?? [];
    return contracts
      .saysSupposing(POOL, plain('price_oracle'), said.stored ?? wordsOf(pool.priceOracle[0] ?? 0n))
      .says(SHARE, plain('totalSupply'), wordsOf(pool.shares))
      .says(FACTORY, plain('fee_receiver'), wordsOf(pool.claim?.hasReceiver ? STRANGER : 0n))
      .says(A, asked('balanceOf', POOL), wordsOf(first))
      .says(NATIVE_TELLER, asked('getEthBalance', POOL), 'native' in said ? (said.native ?? null) : wordsOf(second));
  }

  const decimalsOf = ({ pool: { precisions } }: TwoCoinAnswers) => precisions.map((precision) => 18 - (String(precision).length - 1)).join();
  const load = async (recorded: TwoCoinAnswers, said?: Said): Promise<CryptoState | null> => {
    const pool = { ...DISCOVERED, traits: { ...DISCOVERED.traits, decimals: decimalsOf(recorded) } };
    const at = momentOf({ number: 9, timestamp: recorded.now as EpochSeconds });
    return (await track.load([pool], contractsOf(recorded, said).read, at))[0] ?? null;
  };
  /** Those that can be traded with: their parameters stand, and every view answers. */
  const standing = RECORDED.filter(({ pool, views, exchanges }) => {
    const promises = [exchanges[0]?.promised, exchanges[2]?.promised];
    return pool.rampEndsAt === 0n && ![...views, ...promises].includes(null) && isLetPass(() => validateState({ possible: [pool] }));
  });
  const moved = standing.filter(({ now, pool }) => pool.lastPricesAt < BigInt(now) - 1n && pool.averageHalfTime === 600n);
  const [one] = moved;
  if (one === undefined) throw new Error('no recorded pool stands');

  it("is what Curve's own contract said, on its way to its average price or not, with the average that it keeps", async () => {
    expect(standing.length).to.be.greaterThan(10);
    for (const recorded of standing) {
      const pool = { ...recorded.pool, adjusting: false };
      expect(await load(recorded)).to.deep.equal({ possible: [pool, { ...pool, adjusting: true }] });
    }
  });

  it('is none where a view reverts or one of what it says is another by a unit: fee, worth of a share, average, a price', async () => {
    for (const name of ['D', 'admin_fee', 'xcp_profit_a', 'price_scale', 'native', 'fee']) expect(await load(one, { [name]: null }), name).to.equal(null);
    const [fee = 0n, worth = 0n, average = 0n] = one.views.map((value) => value ?? 0n);
    const prices = [one.exchanges[0]?.promised ?? 0n, one.exchanges[2]?.promised ?? 0n];
    for (const off of [1n, -1n]) {
      expect(await load(one, { fee: wordsOf(fee + off) })).to.equal(null);
      expect(await load(one, { get_virtual_price: wordsOf(worth + off) })).to.equal(null);
      expect(await load(one, { price_oracle: wordsOf(average + off) })).to.equal(null);
      for (const [slot, price] of prices.entries()) expect(await load(one, { [`get_dy${slot}`]: wordsOf(price + off) })).to.equal(null);
    }
    // A pool that keeps its words in other places answers a supposed call as any other.
    expect(await load(one, { stored: wordsOf(average) })).to.equal(null);
  });

  it('is refused where it can be no pool of two coins', () => {
    const [pool] = standing.map((recorded) => recorded.pool);
    if (pool?.claim == null) throw new Error('no recorded pool has a claim');
    validateState({ possible: [pool] });
    for (const change of [
      { claim: null },
      { claim: { ...pool.claim, held: [] } },
      { claim: { ...pool.claim, share: 10n ** 10n + 1n } },
      { balances: pool.balances.slice(1) },
      { to: { ...pool.to, gamma: 3n * 10n ** 16n }, rampEndsAt: 1n },
    ])
      expect(() => validateState({ possible: [{ ...pool, ...change }] }), Object.keys(change).join()).to.throw(PoolRefused);
  });

  it('is encoded as a pool of three coins is', () => {
    const hop = {
      family: 'curve_crypto',
      poolAddress: POOL,
      poolKey: POOL,
      hook: null,
      legFacts: {},
      tokenIn: A,
      tokenOut: B,
      leastOut: 0n,
      taxedInput: false,
    };
    expect(encode.legData({ ...hop, slotIn: 1, slotOut: 0 })).to.equal('0x020100');
  });
});

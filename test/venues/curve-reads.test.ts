import { expect } from 'chai';
import { encodeFunctionData, type Hex, parseAbi, toEventSelector } from 'viem';
import { asAddress, type EpochSeconds } from '../../src/units/units.ts';
import type { CurveState } from '../../src/venues/curve/curve-state.ts';
import { price } from '../../src/venues/curve/price.ts';
import { invariantOf } from '../../src/venues/curve/stable-swap.ts';
import { upscaledBalances } from '../../src/venues/curve/state.ts';
import { track } from '../../src/venues/curve/track.ts';
import { momentOf } from '../../src/venues/quote-moment.ts';
import type { AnnouncedBy, ChainAnswer, ChainLog, DiscoveredPool } from '../../src/venues/venues.ts';
import { MadeUpContracts, wordsOf } from './made-up-contracts.ts';

const ABI = parseAbi([
  'function pool_count() view returns (uint256)',
  'function pool_list(uint256 i) view returns (address)',
  'function is_meta(address pool) view returns (bool)',
  'function coins(uint256 i) view returns (address)',
  'function decimals() view returns (uint8)',
  'function balances(uint256 i) view returns (uint256)',
  'function get_dy(int128 i, int128 j, uint256 dx) view returns (uint256)',
  'function get_coins(address pool) view returns (address[8])',
  'function stored_rates() view returns (uint256[])',
  'function fee() view returns (uint256)',
  'function admin_fee() view returns (uint256)',
  'function A() view returns (uint256)',
  'function A_precise() view returns (uint256)',
  'function initial_A() view returns (uint256)',
  'function future_A() view returns (uint256)',
  'function initial_A_time() view returns (uint256)',
  'function future_A_time() view returns (uint256)',
  'function is_killed() view returns (bool)',
  'function offpeg_fee_multiplier() view returns (uint256)',
  'function get_virtual_price() view returns (uint256)',
  'function totalSupply() view returns (uint256)',
]);
const of = (digit: string) => asAddress(`0x${digit.repeat(40)}`);
const [FACTORY, POOL, A, B, STRANGER] = [of('1'), of('2'), of('3'), of('4'), of('5')];
const NATIVE = of('e');
const LIST = { announces: 'list', facts: {} };
const DEPLOYMENT = { venue: 'curve', family: 'curve', factory: FACTORY, fromBlock: 0 };
const NOW = momentOf({ number: 9, timestamp: 1000 as EpochSeconds });

function asked(functionName: string, ...args: readonly unknown[]): Hex {
  return encodeFunctionData({ abi: ABI, functionName, args } as unknown as Parameters<typeof encodeFunctionData>[0]);
}

function logOf(topics: readonly Hex[], data: Hex, address = FACTORY): ChainLog {
  return { address, topics, data, blockHash: `0x${'0'.repeat(64)}`, blockNumber: 1, logIndex: 0 };
}

describe('which pools of Curve are announced', () => {
  const ADDED = toEventSelector('PoolAdded(address,bytes)');
  const DEPLOYED = ['PlainPoolDeployed(address[4],uint256,uint256,address)', 'PlainPoolDeployed(address[],uint256,uint256,address)'].map(toEventSelector);
  const discover = (log: ChainLog) => track.discover(DEPLOYMENT, log, { chainId: 1, wrappedNative: A });
  // A registry always says four bytes, zeros where there is no method; the one of the devnet says none.
  const bytes = (...words: readonly (bigint | number)[]) => wordsOf(32, ...words);

  it('those that a registry adds, unless a method says their rate; a factory means its list; others say nothing', () => {
    const added = { announces: POOL, facts: { announcer: 'registry' } };
    for (const data of ['0x', bytes(), bytes(0), bytes(4, 0)] as Hex[]) expect(discover(logOf([ADDED, wordsOf(POOL)], data)), data).to.deep.equal(added);
    for (const data of [bytes(4, 0x1825_8f06n << 224n), bytes(4, 1n << 224n)]) expect(discover(logOf([ADDED, wordsOf(POOL)], data)), data).to.equal(null);
    for (const topic of DEPLOYED) expect(discover(logOf([topic], '0x'))).to.deep.equal(LIST);
    const nothing = [logOf([ADDED, wordsOf(POOL)], '0x', STRANGER), logOf([DEPLOYED[0] as Hex], '0x', STRANGER), logOf([], '0x'), logOf([ADDED], '0x')];
    for (const log of [...nothing, logOf([wordsOf(7)], '0x')]) expect(discover(log)).to.equal(null);
  });

  const described = async (announces: string, contracts: MadeUpContracts, announcer = 'factory', known: readonly string[] = []) => {
    const announced: AnnouncedBy = { announcement: { announces, facts: announces === 'list' ? {} : { announcer } }, deployment: DEPLOYMENT };
    return (await track.describe?.([announced], contracts.read, (key) => known.includes(key)))?.[0] ?? null;
  };

  it('of a list: every place that holds an address of a pool not known; nothing where the list is none; the oldest of one that somebody has filled', async () => {
    const list = (count: ChainAnswer, ...places: readonly ChainAnswer[]) => {
      const contracts = new MadeUpContracts().says(FACTORY, asked('pool_count'), count);
      for (const [at, place] of places.entries()) contracts.says(FACTORY, asked('pool_list', BigInt(at)), place);
      return contracts;
    };
    const announced = [A, B].map((announces) => ({ announces, facts: { announcer: 'factory' } }));
    const places = [A, 0, B, 1n << 160n, POOL].map((place) => wordsOf(place));
    expect(await described('list', list(wordsOf(5), ...places), 'factory', [POOL])).to.deep.equal(announced);
    expect(await described('list', list(wordsOf(6), ...places, null), 'factory', [POOL])).to.deep.equal(announced);
    expect(await described('list', list(wordsOf(1), ...places))).to.deep.equal(announced.slice(0, 1));
    expect(await described('list', list(wordsOf(0)))).to.deep.equal([]);
    for (const count of [null, '0x', wordsOf(1, 1)] as const) expect(await described('list', list(count, ...places)), String(count)).to.equal(null);
    for (const count of [10_000n, 10_001n, (1n << 256n) - 1n]) {
      const longest = list(wordsOf(count), ...places);
      expect(await described('list', longest, 'factory', [POOL])).to.deep.equal(announced);
      expect(longest.rounds.slice(0, 2)).to.deep.equal([1, 10_000]);
    }
  });

  it('of a pool: two coins and more, each once, none of them native, of at most 18 decimals, and not over another pool', async () => {
    const pool = (coins: readonly (bigint | number | string)[], decimals: readonly ChainAnswer[], meta: ChainAnswer = wordsOf(0)) => {
      const contracts = new MadeUpContracts().says(FACTORY, asked('is_meta', POOL), meta);
      for (const [at, coin] of coins.entries()) contracts.says(POOL, asked('coins', BigInt(at)), wordsOf(coin));
      for (const [at, digits] of decimals.entries()) contracts.says(asAddress(String(coins[at])), asked('decimals'), digits);
      return contracts;
    };
    const both = [wordsOf(6), wordsOf(18)];
    const traits = { factory: FACTORY, announcer: 'factory', decimals: '6,18', paysReceiver: 1 };
    const plain = { key: POOL, address: POOL, emitters: [POOL, FACTORY], hook: null, protocol: 'curve', source: 'curve', tokens: [A, B], traits };
    expect(await described(POOL, pool([A, B], both))).to.deep.equal([plain]);
    expect(await described(POOL, pool([A, B], both, null)), 'a registry that does not know').to.deep.equal([plain]);
    expect(await described(POOL, pool([A, B], both), 'registry')).to.deep.equal([{ ...plain, traits: { ...traits, announcer: 'registry', paysReceiver: 0 } }]);
    expect(await described(POOL, pool([A, B, 0, STRANGER], both)), 'its coins end with the first that is none').to.deep.equal([plain]);
    const eight = ['3', '4', '5', '6', '7', '8', '9', 'a'].map(of);
    const many = await described(
      POOL,
      pool(
        eight,
        eight.map(() => wordsOf(0)),
      ),
    );
    expect((many?.[0] as DiscoveredPool | undefined)?.tokens, 'eight coins, and no ninth place is asked for').to.deep.equal(eight);
    const refused = [
      pool([A, B], both, wordsOf(1)),
      pool([A], both.slice(0, 1)),
      pool([], []),
      pool([A, A], both),
      pool([A, B, A], both),
      pool([A, NATIVE], both),
      pool([0, A, B], []),
      pool([A, B], [wordsOf(6), wordsOf(19)]),
      pool([A, B], [wordsOf(6), null]),
      pool([A, B], [wordsOf(6), wordsOf(1, 1)]),
    ];
    for (const [at, contracts] of refused.entries()) expect(await described(POOL, contracts), `case ${at}`).to.equal(null);
  });
});

describe('what contracts of Curve say of a pool’s state', () => {
  const UNIT = 10n ** 18n;
  const balances = [1_000_000n * 10n ** 6n, 900_000n * UNIT];
  const plain: CurveState = {
    form: 'plain',
    balances,
    scales: [
      { numerator: 10n ** 12n, denominator: 1n },
      { numerator: 1n, denominator: 1n },
    ],
    amplification: 20_000n,
    ramp: null,
    fee: 4_000_000n,
    adminFee: 5_000_000_000n,
    offpegFeeMultiplier: 0n,
  };
  const views = {
    fee: plain.fee,
    admin_fee: plain.adminFee,
    A: 200n,
    A_precise: 20_000n,
    initial_A: 20_000n,
    future_A: 20_000n,
    initial_A_time: 0n,
    future_A_time: 0n,
  };
  type Views = Partial<Record<keyof typeof views | 'is_killed' | 'offpeg_fee_multiplier' | 'get_virtual_price' | 'totalSupply', bigint | null>>;
  const followed = (announcer: 'factory' | 'registry'): DiscoveredPool => {
    return {
      key: POOL,
      address: POOL,
      hook: null,
      protocol: 'curve',
      source: 'curve',
      tokens: [A, B],
      traits: { factory: FACTORY, announcer, decimals: '6,18' },
    };
  };
  /** What the pool computes with. */
  const now = (changes: Partial<CurveState> = {}): CurveState => ({ ...plain, ...changes });
  const dy = (state: CurveState, slot: number) => {
    const quote = price.exactIn(state, slot, 1 - slot, (state.balances[slot] as bigint) / 8n + 1n, NOW);
    return quote.ok ? quote.amountOut : 0n;
  };
  const pool = (changes: Views = {}, off: readonly [bigint, bigint] = [0n, 0n], state = now()) => {
    const contracts = new MadeUpContracts();
    for (const [name, value] of Object.entries({ ...views, ...changes })) contracts.says(POOL, asked(name), value === null ? null : wordsOf(value));
    for (const [slot, balance] of state.balances.entries()) {
      contracts.says(POOL, asked('balances', BigInt(slot)), wordsOf(balance));
      contracts.says(POOL, asked('get_dy', BigInt(slot), BigInt(1 - slot), balance / 8n + 1n), wordsOf(dy(state, slot) + (off[slot] as bigint)));
    }
    return contracts.says(FACTORY, asked('get_coins', POOL), wordsOf(A, B, 0, 0, 0, 0, 0, 0));
  };
  const loaded = async (contracts: MadeUpContracts, announcer: 'factory' | 'registry' = 'factory') =>
    (await track.load([followed(announcer)], contracts.read, NOW))[0] ?? null;

  it('counts where the mathematics give the pool’s own answers, a unit more or less, in every direction', async () => {
    for (const off of [-1n, 0n, 1n]) {
      expect(await loaded(pool({}, [off, 0n]))).to.deep.equal(plain);
      expect(await loaded(pool({}, [0n, off]))).to.deep.equal(plain);
    }
    for (const off of [-2n, 2n, 10n ** 9n]) {
      expect(await loaded(pool({}, [off, 0n])), `${off}`).to.equal(null);
      expect(await loaded(pool({}, [0n, off])), `${off}`).to.equal(null);
    }
    expect(await loaded(pool().says(POOL, asked('get_dy', 1n, 0n, (balances[1] as bigint) / 8n + 1n), null)), 'one direction reverts').to.equal(null);
  });

  it('of several pools each has its own answers', async () => {
    const others = [followed('factory'), { ...followed('factory'), key: STRANGER, address: STRANGER }, followed('factory')];
    expect(await track.load(others, pool().read, NOW)).to.deep.equal([plain, null, plain]);
  });

  it('has none where something was not answered, trade is killed, or a rate is no rate', async () => {
    for (const view of ['fee', 'admin_fee', 'A', 'initial_A', 'future_A', 'initial_A_time', 'future_A_time'] as const) {
      expect(await loaded(pool({ [view]: null })), view).to.equal(null);
    }
    for (const slot of [0n, 1n]) expect(await loaded(pool().says(POOL, asked('balances', slot), null)), `balance ${slot}`).to.equal(null);
    expect(await loaded(pool({ is_killed: 1n }))).to.equal(null);
    expect(await loaded(pool({ is_killed: 0n }))).to.deep.equal(plain);
    const rates = (...values: readonly bigint[]) => pool().says(POOL, asked('stored_rates'), wordsOf(32, values.length, ...values));
    expect(await loaded(rates(10n ** 30n, UNIT))).to.deep.equal({
      ...plain,
      scales: [
        { numerator: 10n ** 30n, denominator: UNIT },
        { numerator: UNIT, denominator: UNIT },
      ],
    });
    for (const values of [[10n ** 30n], [10n ** 30n, UNIT, UNIT], [10n ** 30n, 0n], [1n << 160n, UNIT]]) {
      expect(await loaded(rates(...values)), String(values)).to.equal(null);
    }
    expect(await loaded(pool().says(POOL, asked('stored_rates'), '0x')), 'a fallback that says nothing').to.deep.equal(plain);
  });

  it('of a registry: has to be in its list, and to have nothing that moves by itself', async () => {
    expect(await loaded(pool(), 'registry')).to.deep.equal(plain);
    for (const listing of [null, '0x', wordsOf(0, 0, 0, 0, 0, 0, 0, 0)] as const) {
      expect(await loaded(pool().says(FACTORY, asked('get_coins', POOL), listing), 'registry')).to.equal(null);
      expect(await loaded(pool().says(FACTORY, asked('get_coins', POOL), listing)), 'a factory has none').to.deep.equal(plain);
    }
    expect(await loaded(pool({ offpeg_fee_multiplier: 1n }), 'registry')).to.equal(null);
    expect(await loaded(pool().says(POOL, asked('stored_rates'), wordsOf(32, 2, 10n ** 30n, UNIT)), 'registry')).to.equal(null);
  });

  it('ramps between two amplifications that differ, while it has not begun, lasts or is over; older pools count in whole ones', async () => {
    const ramp = { unit: 1n, from: 10_000n, startsAt: 5n, endsAt: 6n };
    const moving: Views = { initial_A: 10_000n, initial_A_time: 5n, future_A_time: 6n };
    expect(await loaded(pool(moving))).to.deep.equal({ ...plain, ramp });
    expect(await loaded(pool({ ...moving, initial_A: 20_000n })), 'to where it was').to.deep.equal(plain);
    expect(await loaded(pool({ ...moving, future_A_time: 5n })), 'in no time').to.deep.equal(plain);
    expect(await loaded(pool({ ...moving, future_A_time: 4n }))).to.deep.equal(plain);
    const old = { A_precise: null, initial_A: 100n, future_A: 200n, initial_A_time: 5n, future_A_time: 6n };
    expect(await loaded(pool(old))).to.deep.equal({ ...plain, ramp: { ...ramp, unit: 100n } });
    const halfway = pool({ ...moving, A_precise: 15_000n }, [0n, 0n], now({ amplification: 15_000n }));
    expect(await loaded(halfway), 'its answers are those of now').to.deep.equal({ ...plain, ramp });
    expect(await loaded(pool({ ...moving, A_precise: 15_000n })), 'its answers are those of the end').to.equal(null);
  });

  it('of the new generation: the form whose invariant the shares are worth, to the unit', async () => {
    const supply = 1_900_000n * UNIT;
    for (const form of ['ng', 'early-ng'] as const) {
      const invariant = invariantOf(plain.amplification, upscaledBalances({ ...plain, form }), form) as bigint;
      const worth = (invariant * UNIT) / supply;
      const shares = (changes: Views = {}) =>
        loaded(pool({ offpeg_fee_multiplier: 2n * 10n ** 10n, totalSupply: supply, get_virtual_price: worth, ...changes }));
      const state = await shares();
      expect({ ...state, form: '' }).to.deep.equal({ ...plain, form: '', offpegFeeMultiplier: 2n * 10n ** 10n });
      expect(state?.form).to.be.oneOf(['ng', form]);
      for (const changes of [{ get_virtual_price: worth + 1n }, { get_virtual_price: null }, { totalSupply: null }, { totalSupply: 0n }]) {
        expect(await shares(changes), String(Object.entries(changes))).to.equal(null);
      }
    }
  });
});

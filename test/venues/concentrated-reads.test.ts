import { expect } from 'chai';
import { concatHex, type Hex, keccak256, toFunctionSelector } from 'viem';
import { asAddress, ZERO_ADDRESS } from '../../src/units/units.ts';
import { loadLedgers } from '../../src/venues/uniswap_v3/load-ledger.ts';
import { track } from '../../src/venues/uniswap_v4/track.ts';
import type { ChainAnswer, DiscoveredPool } from '../../src/venues/venues.ts';
import { MOMENT } from '../support/moment.ts';
import { MadeUpContracts, wordsOf } from './made-up-contracts.ts';

const of = (digit: string) => asAddress(`0x${digit.repeat(40)}`);
const [POOL, MANAGER, A, B] = [of('1'), of('2'), of('3'), of('4')];
const ID: Hex = `0x${'5'.repeat(64)}`;
const SPACING = 60;
const PRICE = 2n ** 96n + 12_345n;
const LIQUIDITY = 7n * 10n ** 18n;

type Tick = { readonly tick: number; readonly gross: bigint; readonly net: bigint };
/** In words of the bitmap on both sides of zero, the first and the last bit of one among them; a net of nothing, and a negative one. */
const TICKS: readonly Tick[] = [
  { tick: -887_220, gross: 5n, net: 5n },
  { tick: -256 * SPACING, gross: 9n, net: 0n },
  { tick: -SPACING, gross: LIQUIDITY, net: LIQUIDITY - 5n },
  { tick: 255 * SPACING, gross: 2n ** 127n, net: -(2n ** 126n) },
  { tick: 256 * SPACING, gross: 3n, net: 3n },
];
const WHOLE = {
  feePpm: 3000,
  tickSpacing: SPACING,
  sqrtPriceX96: PRICE,
  liquidity: LIQUIDITY,
  tick: -7,
  ticks: { indices: Int32Array.from(TICKS, ({ tick }) => tick), liquidityNet: TICKS.map(({ net }) => net) },
  truncated: false,
  liquidityGross: TICKS.map(({ gross }) => gross),
};

/** Words of the bitmap by their place, as TickBitmap.sol lays them out. */
function bitmapOf(ticks: readonly Tick[]): ReadonlyMap<number, bigint> {
  const words = new Map<number, bigint>();
  for (let word = Math.floor(-887_272 / SPACING / 256); word <= Math.floor(887_272 / SPACING / 256); word++) words.set(word, 0n);
  for (const { tick } of ticks) {
    const compressed = tick / SPACING;
    const word = Math.floor(compressed / 256);
    words.set(word, (words.get(word) ?? 0n) | (1n << BigInt(compressed - 256 * word)));
  }
  return words;
}

/** How the two contracts tell of one pool: where they are asked for what, and how they put it. */
type Teller = {
  readonly head: readonly Hex[];
  readonly bitmap: (word: number) => Hex;
  readonly tick: (tick: number) => Hex;
  readonly tellHead: (price: bigint) => readonly Hex[];
  readonly tellTick: (tick: Tick) => Hex;
  readonly at: typeof POOL;
  readonly load: (pools: number, contracts: MadeUpContracts) => Promise<readonly unknown[]>;
};

const selector = (signature: string) => toFunctionSelector(signature);
const extsload = (place: bigint): Hex => concatHex([selector('extsload(bytes32)'), wordsOf(place)]);
const placeIn = (key: bigint | number, place: bigint) => BigInt(keccak256(wordsOf(key, place)));
const POOL_PLACE = placeIn(BigInt(ID), 6n);
const protocolFee = 300 + 200 * 4096;

const pool: DiscoveredPool = {
  key: POOL,
  address: POOL,
  hook: null,
  protocol: 'v3',
  source: 'v3',
  tokens: [A, B],
  traits: { feePpm: 3000, tickSpacing: SPACING },
};
const inManager: DiscoveredPool = { ...pool, key: ID, address: MANAGER, traits: { fee: 3000, tickSpacing: SPACING, native: 0, variant: '' } };

const TELLERS: Readonly<Record<string, Teller>> = {
  uniswap_v3: {
    at: POOL,
    head: [selector('slot0()'), selector('liquidity()')],
    tellHead: (price) => [wordsOf(price, -7, 0, 1, 1, 0, 1), wordsOf(LIQUIDITY)],
    bitmap: (word) => concatHex([selector('tickBitmap(int16)'), wordsOf(word)]),
    tick: (tick) => concatHex([selector('ticks(int24)'), wordsOf(tick)]),
    tellTick: ({ gross, net }) => wordsOf(gross, net, 1, 2, 3),
    load: (pools, contracts) =>
      loadLedgers(
        Array.from({ length: pools }, () => ({ ...pool })),
        contracts.read,
      ),
  },
  uniswap_v4: {
    at: MANAGER,
    head: [extsload(POOL_PLACE), extsload(POOL_PLACE + 3n)],
    tellHead: (price) => {
      const tick = BigInt.asUintN(24, -7n);
      return [wordsOf(price | (tick << 160n) | (BigInt(protocolFee) << 184n) | (3000n << 208n)), wordsOf(LIQUIDITY | (1n << 128n))];
    },
    bitmap: (word) => extsload(placeIn(word, POOL_PLACE + 5n)),
    tick: (tick) => extsload(placeIn(tick, POOL_PLACE + 4n)),
    tellTick: ({ gross, net }) => wordsOf(gross | (BigInt.asUintN(128, net) << 128n)),
    load: (pools, contracts) =>
      track.load(
        Array.from({ length: pools }, () => ({ ...inManager })),
        contracts.read,
        MOMENT,
      ),
  },
};

for (const [name, teller] of Object.entries(TELLERS)) {
  const answers: readonly (readonly [Hex, Hex])[] = [
    ...teller.tellHead(PRICE).map((answer, at) => [teller.head[at] as Hex, answer] as const),
    ...[...bitmapOf(TICKS)].map(([word, bits]) => [teller.bitmap(word), wordsOf(bits)] as const),
    ...TICKS.map((tick) => [teller.tick(tick.tick), teller.tellTick(tick)] as const),
  ];
  const madeUp = () => answers.reduce((contracts, [question, answer]) => contracts.says(teller.at, question, answer), new MadeUpContracts());
  const loaded = async (contracts: MadeUpContracts) => {
    const [state] = await teller.load(1, contracts);
    return name === 'uniswap_v4' && state !== null ? (state as { pool: unknown }).pool : state;
  };

  describe(`what contracts of ${name} say of a pool`, () => {
    it('is its head and every initialised tick of its bitmap', async () => {
      expect(await loaded(madeUp())).to.deep.equal(WHOLE);
    });

    it('is nothing where the pool is not initialised, or an answer is missing or cut', async () => {
      expect(await loaded(madeUp().says(teller.at, teller.head[0] as Hex, teller.tellHead(0n)[0] as Hex))).to.equal(null);
      const contracts = madeUp();
      // Of the bitmap some words are enough.
      const questions = answers.filter((_, at) => at < 2 || at % 60 === 0 || at >= answers.length - TICKS.length);
      for (const [question, told] of questions) {
        for (const answer of [null, '0x', wordsOf(1).slice(0, -2)] as ChainAnswer[]) {
          expect(await loaded(contracts.says(teller.at, question, answer)), `${question} ${answer}`).to.equal(null);
        }
        contracts.says(teller.at, question, told);
      }
      expect(await loaded(contracts)).to.deep.equal(WHOLE);
    });

    it('is nothing where the bitmap names a tick that no position refers to', async () => {
      expect(await loaded(madeUp().says(teller.at, teller.tick(-SPACING), teller.tellTick({ tick: -SPACING, gross: 0n, net: 0n })))).to.equal(null);
    });

    it('is asked for together, in three rounds', async () => {
      const contracts = madeUp();
      const states = await teller.load(3, contracts);
      expect(states.map((state) => state !== null)).to.deep.equal([true, true, true]);
      expect(contracts.rounds).to.deep.equal([3 * teller.head.length, 3 * bitmapOf(TICKS).size, 3 * TICKS.length]);
    });
  });
}

describe('pools of concentrated liquidity', () => {
  it('with many words of bitmap are asked for in parts: the third pool of spacing 1 ends one', async () => {
    const fine = { ...pool, traits: { feePpm: 100, tickSpacing: 1 } };
    const contracts = new MadeUpContracts();
    const { head, tellHead } = TELLERS.uniswap_v3 as Teller;
    for (const [at, answer] of tellHead(PRICE).entries()) contracts.says(POOL, head[at] as Hex, answer);
    await loadLedgers([fine, fine, fine, fine], contracts.read);
    expect(contracts.rounds).to.deep.equal([8, 3 * 6932, 0, 6932, 0]);
  });

  it('have a tick below zero or a negative net as the contract has it, in 24 and 128 bits', async () => {
    const { head, tellHead, tick, bitmap } = TELLERS.uniswap_v3 as Teller;
    const contracts = new MadeUpContracts();
    for (const [at, answer] of tellHead(PRICE).entries()) contracts.says(POOL, head[at] as Hex, answer);
    for (const [word, bits] of bitmapOf(TICKS.slice(0, 1))) contracts.says(POOL, bitmap(word), wordsOf(bits));
    contracts.says(POOL, tick(TICKS[0]?.tick as number), wordsOf(1, BigInt.asUintN(128, -1n)));
    expect((await loadLedgers([pool], contracts.read))[0]?.ticks.liquidityNet).to.deep.equal([-1n]);
  });

  it('of V4 have the protocol’s fees of both directions, the pool’s own fee, and what its key says', async () => {
    const { head, tellHead, bitmap } = TELLERS.uniswap_v4 as Teller;
    const contracts = new MadeUpContracts();
    for (const [at, answer] of tellHead(PRICE).entries()) contracts.says(MANAGER, head[at] as Hex, answer);
    for (const word of bitmapOf([]).keys()) contracts.says(MANAGER, bitmap(word), wordsOf(0));
    const dynamic = { ...inManager, tokens: [A, ZERO_ADDRESS], traits: { ...inManager.traits, fee: 0x800000, native: 1 } };
    const states = await track.load([inManager, dynamic], contracts.read, MOMENT);
    const shown = states.map((state) => state && [state.protocolFee, state.pool.feePpm, state.dynamicFee, state.native, state.variant, state.parameters]);
    expect(shown).to.deep.equal([
      [protocolFee, 3000, false, false, null, []],
      [protocolFee, 3000, true, true, null, []],
    ]);
  });
});

import { expect } from 'chai';
import { decodeFunctionData, encodeAbiParameters, numberToHex, parseAbi } from 'viem';
import { asAddress, asBlockNumber, type EpochSeconds } from '../../src/units/units.ts';
import { price } from '../../src/venues/prop_amm/price.ts';
import type { MakerState } from '../../src/venues/prop_amm/state.ts';
import { track } from '../../src/venues/prop_amm/track.ts';
import type { ChainAnswer, ChainLog, DiscoveredPool, PinnedReader } from '../../src/venues/venues.ts';
import { MOMENT } from '../support/moment.ts';

const MAKER = asAddress(`0x${'a'.repeat(40)}`);
const ROUTER = '0x4ddf368080cd7946db5b459ad591c350158175e1';
const [ONE, OTHER, THIRD] = [asAddress(`0x${'1'.repeat(40)}`), asAddress(`0x${'2'.repeat(40)}`), asAddress(`0x${'3'.repeat(40)}`)];
const DEPLOYMENT = { venue: 'prop_amm', family: 'fermi', factory: MAKER, fromBlock: 1 };
const CHAIN = { chainId: 1, wrappedNative: asAddress(`0x${'1'.repeat(40)}`) };
const AT = { blockNumber: asBlockNumber(50), timestamp: 500 as EpochSeconds };
const QUOTE = parseAbi(['function quoteVenueV1(address venue, address tokenIn, address tokenOut, uint256 amount) returns (uint256)']);
const PAIRS = [{ type: 'tuple[]', components: [{ type: 'address' }, { type: 'address' }] }] as const;
const SWAPPED = '0x';

/** A maker that says this of an amount of the first token, and nothing of the other way; whether its router is paused. */
function saying(gives: (amountIn: bigint) => bigint | null, paused: ChainAnswer = numberToHex(0, { size: 32 })): PinnedReader {
  return async (calls) =>
    calls.map(({ to, data }) => {
      expect(to).to.equal(ROUTER);
      if (data.length === 10) return paused;
      const [maker, tokenIn, , amount] = decodeFunctionData({ abi: QUOTE, data }).args;
      expect(maker.toLowerCase()).to.equal(MAKER);
      const given = tokenIn.toLowerCase() === ONE ? gives(amount) : null;
      return given === null ? null : numberToHex(given, { size: 32 });
    });
}

const described = async (answer: ChainAnswer) =>
  (
    await track.describe?.(
      [{ announcement: { announces: 'pairs', facts: {} }, deployment: DEPLOYMENT }],
      async () => [answer],
      () => false,
    )
  )?.[0];
const poolOf = async () => ((await described(encodeAbiParameters(PAIRS, [[[ONE, OTHER]]])))?.[0] ?? null) as DiscoveredPool;
const load = async (read: PinnedReader) => (await track.load([await poolOf()], read, AT))[0] as MakerState | null;

describe('what is read of proprietary market makers', () => {
  it('a maker lists its pairs, sorted whatever it says, without what is none; what is not a list is no pair', async () => {
    const pairs = (list: readonly (readonly [string, string])[]) => encodeAbiParameters(PAIRS, [list as never]);
    const found = await described(pairs([[OTHER, ONE] as never, [ONE, ONE] as never, [ONE, `0x${'0'.repeat(40)}`] as never, [OTHER, THIRD] as never]));
    expect(found?.map((pool) => ('tokens' in pool ? pool.tokens : []))).to.deep.equal([
      [ONE, OTHER],
      [OTHER, THIRD],
    ]);
    for (const answer of [null, '0x', numberToHex(7, { size: 32 }), numberToHex(1n << 255n, { size: 64 })] as const)
      expect(await described(answer), String(answer)).to.equal(null);
    // A list that says it is longer than what came of it.
    const long = pairs([[ONE, OTHER] as never]);
    expect(await described(`${long.slice(0, 66)}${'f'.repeat(64)}${long.slice(130)}` as `0x${string}`)).to.have.length(1);
  });

  it('a pair that came later is met when somebody trades it with the maker, and with nobody else', async () => {
    const topics = [track.discoveryTopics[0], MAKER, ONE, OTHER].map((topic, at) =>
      at === 0 ? topic : `0x${'0'.repeat(24)}${topic?.slice(2)}`,
    ) as readonly `0x${string}`[];
    const log: ChainLog = { address: MAKER, topics, data: SWAPPED, blockHash: '0x1', blockNumber: 1, logIndex: 0 };
    const pool = await poolOf();
    expect(track.discover(DEPLOYMENT, log, CHAIN)).to.deep.equal(pool);
    expect(track.poolsOf(log)).to.deep.equal([pool.key]);
    expect(track.discover(DEPLOYMENT, { ...log, address: asAddress(ROUTER) }, CHAIN)).to.equal(null);
    expect(track.discover(DEPLOYMENT, { ...log, topics: topics.slice(0, 3) }, CHAIN)).to.equal(null);
    expect(() => track.poolsOf({ ...log, topics: topics.slice(0, 2) })).to.throw(RangeError);
  });

  it('quotes run from next to nothing to the most that the maker takes, and hold for the block and the next', async () => {
    const most = 7_654_321_000n;
    const state = await load(saying((amount) => (amount > most ? null : (amount * 3n * 10n ** 12n) / (10n ** 12n + amount))));
    if (state === null) throw new Error('no state');
    track.check(state);
    expect([state.maker, state.until, state.ladders[1]]).to.deep.equal([MAKER, 51, []]);
    const [ladder] = state.ladders;
    const last = ladder.at(-1)?.amountIn ?? 0n;
    expect(last <= most && last > (most * 3n) / 4n, `${last}`).to.equal(true);
    expect((ladder[0]?.amountIn ?? 0n) < most / 500n).to.equal(true);
    // Never more than the maker gives, and hardly less.
    for (let amount = 1_000n; amount < last; amount = (amount * 13n) / 10n) {
      const exact = (amount * 3n * 10n ** 12n) / (10n ** 12n + amount);
      const quote = price.exactIn(state, 0, 1, amount, MOMENT);
      const estimate = quote.ok ? quote.amountOut : 0n;
      expect(estimate <= exact && estimate >= exact - exact / 10_000n - 2n, `${amount}: ${estimate} of ${exact}`).to.equal(true);
    }
    expect(price.exactIn(state, 0, 1, last + 1n, MOMENT).ok).to.equal(false);
  });

  it('of several pairs each has its own ladders, one for either way', async () => {
    const rates = new Map([
      [`${ONE} ${OTHER}`, 2n],
      [`${OTHER} ${ONE}`, 3n],
      [`${OTHER} ${THIRD}`, 5n],
      [`${THIRD} ${OTHER}`, 7n],
    ]);
    const read: PinnedReader = async (calls) =>
      calls.map(({ data }) => {
        if (data.length === 10) return numberToHex(0, { size: 32 });
        const [, tokenIn, tokenOut, amount] = decodeFunctionData({ abi: QUOTE, data }).args;
        return numberToHex(amount * (rates.get(`${tokenIn} ${tokenOut}`.toLowerCase()) ?? 0n), { size: 32 });
      });
    const pairs: readonly (readonly [string, string])[] = [
      [ONE, OTHER],
      [OTHER, THIRD],
    ];
    const pools = (await described(encodeAbiParameters(PAIRS, [pairs as never]))) as readonly DiscoveredPool[];
    const states = (await track.load(pools, read, AT)) as readonly (MakerState | null)[];
    const rateOf = (state: MakerState | null | undefined, slotIn: 0 | 1) =>
      new Set(state?.ladders[slotIn].map(({ amountIn, amountOut }) => amountOut / amountIn));
    expect(states.map((state) => [rateOf(state, 0), rateOf(state, 1)])).to.deep.equal([
      [new Set([2n]), new Set([3n])],
      [new Set([5n]), new Set([7n])],
    ]);
  });

  it('what makers should never say makes no state that lies, and no load that throws', async () => {
    for (const [name, gives] of Object.entries<(amount: bigint) => bigint | null>({
      nothing: () => null,
      zero: () => 0n,
      'the same for any amount': () => 5n,
      'less for more': (amount) => 10n ** 30n / amount,
      'a fixed fee': (amount) => (amount < 10n ** 9n ? null : amount - 10n ** 8n),
      'more than there is': () => (1n << 256n) - 1n,
      'now this, now that': (amount) => (amount % 3n === 0n ? amount * 7n : amount),
      'a better price for more': (amount) => (amount > 10n ** 18n ? null : (amount * amount) / 10n ** 12n),
    })) {
      const state = await load(saying(gives));
      if (state === null) continue;
      track.check(state);
      expect(state.ladders.flat().length, name).to.be.within(1, 60);
    }
    expect(await load(saying(() => null))).to.equal(null);
  });

  it('a router that is paused, or not there, gives no state: it still quotes', async () => {
    for (const paused of [numberToHex(1, { size: 32 }), null, '0x'] as const)
      expect(await load(saying((amount) => amount, paused)), String(paused)).to.equal(null);
  });

  it('what the contract said is what is given for that amount, in either place of the ladder, and nothing is given after a swap', async () => {
    const state = await load(saying((amount) => (amount > 10n ** 12n ? null : amount * 2n)));
    if (state === null || price.informed === undefined) throw new Error('no state');
    const informed = price.informed(state, [
      { slotIn: 0, slotOut: 1, amountIn: 123_456_789n, amountOut: 250_000_000n },
      { slotIn: 0, slotOut: 1, amountIn: state.ladders[0][3]?.amountIn ?? 0n, amountOut: 1n },
    ]);
    const given = (amountIn: bigint) => price.exactIn(informed, 0, 1, amountIn, MOMENT);
    expect(given(123_456_789n)).to.deep.include({ ok: true, amountOut: 250_000_000n });
    expect(given(state.ladders[0][3]?.amountIn ?? 0n)).to.deep.include({ ok: true, amountOut: 1n });
    const swapped = given(123_456_789n);
    expect(swapped.ok && price.exactIn(swapped.next, 0, 1, 10n ** 6n, MOMENT)).to.deep.equal({ ok: false, reason: 'reverts' });
  });
});

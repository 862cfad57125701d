import type { WordReader, WordWriter } from '../../src/snapshot/snapshot.ts';
import { asBlockNumber, type EpochSeconds } from '../../src/units/units.ts';
import { priceLadder } from '../../src/venues/ladder/price-ladder.ts';
import type { PriceFacet, QuoteMoment, SolverVenue, StateFacet } from '../../src/venues/venues.ts';

/**
 * A maker that sells slot 1 for slot 0 out of a balance, one way, as long as it lasts. A unit costs 10^9 / rate units; the rate of the instant `since` falls by `fade` a second, as an auction's
 * does. Zero stands for what a maker does not say.
 */
export type MakerState = {
  readonly rate: bigint;
  readonly fade: bigint;
  readonly since: bigint;
  readonly balance: bigint;
  /** The last block and second at which the price holds. */
  readonly lastBlock: bigint;
  readonly lastSecond: bigint;
  /** Number of the inventory that the balance is of. */
  readonly inventory: bigint;
  /** 1: only one pool of the inventory serves in a route. */
  readonly once: bigint;
};

export const MAKER_GAS = 80_000;
const UNIT = 10n ** 9n;

const FIELDS = ['rate', 'fade', 'since', 'balance', 'lastBlock', 'lastSecond', 'inventory', 'once'] as const;

export function rateAt({ rate, fade, since }: MakerState, at: Pick<QuoteMoment, 'timestamp'>): bigint {
  return rate - fade * (BigInt(at.timestamp) - since);
}

export function makerGives(maker: MakerState, amountIn: bigint, at: Pick<QuoteMoment, 'timestamp'>): bigint {
  return (amountIn * rateAt(maker, at)) / UNIT;
}

const state: StateFacet<MakerState> = {
  pack(maker, out: WordWriter) {
    for (const field of FIELDS) out.unsigned(maker[field], 2);
  },
  unpack(words: WordReader) {
    const [rate = 0n, fade = 0n, since = 0n, balance = 0n, lastBlock = 0n, lastSecond = 0n, inventory = 0n, once = 0n] = FIELDS.map(() => words.unsigned(2));
    return { rate, fade, since, balance, lastBlock, lastSecond, inventory, once };
  },
  traits({ lastBlock, lastSecond, inventory, once }) {
    const blockNumber = lastBlock === 0n ? {} : { blockNumber: asBlockNumber(Number(lastBlock)) };
    const pricesEnd = { ...blockNumber, ...(lastSecond === 0n ? {} : { timestamp: Number(lastSecond) as EpochSeconds }) };
    return { pricesEnd, ...(inventory === 0n ? {} : { inventory: `desk ${inventory}`, inventoryServesOnce: once === 1n }) };
  },
  curves({ rate, balance }) {
    const price = Number(rate) / Number(UNIT);
    return balance === 0n ? [] : [{ slotIn: 0, slotOut: 1, curve: priceLadder([{ price, size: (Number(balance) / price) * (1 - 1e-12) }], MAKER_GAS) }];
  },
};

const price: PriceFacet<MakerState> = {
  exactIn(maker, slotIn, slotOut, amountIn, at) {
    const amountOut = makerGives(maker, amountIn, at);
    if (slotIn !== 0 || slotOut !== 1 || amountOut <= 0n || amountOut > maker.balance) return { ok: false, reason: 'reverts' };
    return { ok: true, amountIn, amountOut, next: { ...maker, balance: maker.balance - amountOut }, gas: MAKER_GAS };
  },
};

export const MAKER: SolverVenue = {
  venue: { name: 'maker', families: [{ family: 'maker', feePpm: null, pricing: 'off-chain-quote' }] },
  state: state as StateFacet<unknown>,
  price: price as PriceFacet<unknown>,
};

/** A maker that pays `permille` thousandths of a unit for a unit. */
export function maker(permille: bigint, balance: bigint, more: Partial<MakerState> = {}): MakerState {
  return { rate: (UNIT * permille) / 1000n, fade: 0n, since: 0n, balance, lastBlock: 0n, lastSecond: 0n, inventory: 0n, once: 0n, ...more };
}

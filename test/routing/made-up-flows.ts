import type { HopFlow } from '../../src/routing/execute/hop-flows.ts';
import { ExactQuotes } from '../../src/routing/market/exact-quotes.ts';
import { type Curve, NO_LEG_FACTS, type PoolView } from '../../src/snapshot/snapshot.ts';
import { priceLadder } from '../../src/venues/ladder/price-ladder.ts';
import type { PriceFacet } from '../../src/venues/venues.ts';
import { MOMENT } from '../support/moment.ts';
import { makerAddress } from './made-up-world.ts';

/** A hop of a pool that pays `price` for whatever it takes. Amounts in base units, tokens as snapshot ids. */
export type MadeUpHop = {
  readonly id: number;
  readonly ends: readonly [number, number];
  /** What the model means it to take, and the most that the model thinks it takes. */
  readonly input: number;
  readonly capacity?: number;
  /** The most that it really takes; absent: anything. */
  readonly takes?: bigint;
  readonly price?: number;
  readonly worth?: number;
  readonly curve?: Curve;
};

const PLENTY = 1e30;
/** Prices are whole thousandths. */
const UNIT = 1000;

/** The pools of some hops: the hops as the model sees them, and what the pools say when they are asked. */
export function madeUpFlows(hops: readonly MadeUpHop[]): {
  readonly flows: readonly HopFlow[];
  readonly quotes: ExactQuotes;
  readonly pools: readonly PoolView[];
} {
  const flows = hops.map(flowOf);
  const pools = flows.map(({ edge }) => edge.pool);
  const priceOf = (pool: PoolView): PriceFacet<unknown> => {
    const { takes, price = 1 } = hops[pools.indexOf(pool)] as MadeUpHop;
    return {
      exactIn(taken, _slotIn, _slotOut, amountIn) {
        const next = (taken as bigint) + amountIn;
        if (takes !== undefined && next > takes) return { ok: false, reason: 'partial' };
        return { ok: true, amountIn, amountOut: (amountIn * BigInt(Math.round(price * UNIT))) / BigInt(UNIT), gas: 1, next };
      },
    };
  };
  return { flows, pools, quotes: new ExactQuotes((pool) => ({ state: 0n, price: priceOf(pool) }), MOMENT) };
}

function flowOf({ id, ends, input, capacity = PLENTY, price = 1, worth = 1, curve: own }: MadeUpHop): HopFlow {
  const curve = own ?? priceLadder([{ price, size: capacity }], 1);
  const address = makerAddress(id);
  const named = { id, key: address, address, hook: null, protocol: 'made_up', source: 'made_up', venue: 'made_up' };
  const pool: PoolView = { ...named, tokens: ends, legFacts: NO_LEG_FACTS, words: new BigUint64Array(), curve: () => curve };
  return { edge: { pool, slotIn: 0, slotOut: 1, curve, startPrice: price }, input, capacity, worth };
}

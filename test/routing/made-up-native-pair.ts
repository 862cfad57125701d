import type { PriceFacet, SolverVenue, StateFacet } from '../../src/venues/venues.ts';
import type { MadeUpPool } from './made-up-world.ts';
import { venues } from './world.ts';

const pairs = venues.get('uniswap_v2');
if (pairs === undefined) throw new Error('no venue uniswap_v2');
const { state: pairState, price: pairPrice } = pairs;

/** A constant product, one of whose slots may be the native token itself. */
type NativePair = { readonly nativeSlot: 0 | 1 | null; readonly pair: unknown };

const state: StateFacet<NativePair> = {
  pack({ nativeSlot, pair }, out) {
    out.unsigned(nativeSlot === null ? 2n : BigInt(nativeSlot), 1);
    pairState.pack(pair, out);
  },
  unpack(words) {
    const slot = words.unsigned(1);
    return { nativeSlot: slot === 2n ? null : slot === 0n ? 0 : 1, pair: pairState.unpack(words) };
  },
  traits: ({ nativeSlot }) => (nativeSlot === null ? {} : { nativeSlot }),
  curves: ({ pair }) => pairState.curves(pair),
};

const price: PriceFacet<NativePair> = {
  exactIn({ nativeSlot, pair }, slotIn, slotOut, amountIn, at) {
    const quote = pairPrice.exactIn(pair, slotIn, slotOut, amountIn, at);
    return quote.ok ? { ...quote, next: { nativeSlot, pair: quote.next } } : quote;
  },
};

export const NATIVE_PAIR: SolverVenue = {
  venue: { name: 'native_pair', families: [{ family: 'native_pair', feePpm: null }] },
  state: state as StateFacet<unknown>,
  price: price as PriceFacet<unknown>,
};

/** A pair of tokens by number; `form` is that of token 0, where the pair has it. */
export function pairOfForm(id: number, tokens: readonly [number, number], reserves: readonly [bigint, bigint], form: 'native' | 'wrapped'): MadeUpPool {
  const slot = tokens.indexOf(0);
  const nativeSlot = form === 'native' && slot >= 0 ? slot : null;
  return { id, venue: 'native_pair', tokens, state: { nativeSlot, pair: { reserve0: reserves[0], reserve1: reserves[1], feePpm: 3000 } } };
}

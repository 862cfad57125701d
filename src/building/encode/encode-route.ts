import { concatHex } from 'viem';
import type { Address, Bps } from '../../units/units.ts';
import { LEG_KINDS } from './leg-kinds.gen.ts';
import { type Hex, packInteger } from './packed.ts';

/** A hop as the contract executes it, in execution order. */
export type Leg = {
  /** Name of the leg's file in contracts/legs/. */
  readonly leg: string;
  /** Share of what is left of tokenIn when the hop's turn comes (decisions S6). */
  readonly bps: Bps;
  readonly tokenIn: Address;
  readonly tokenOut: Address;
  /** null for WRAP, which has none. */
  readonly pool: Address | null;
  /** What the leg reads after the pool. */
  readonly data: Hex;
};

const MOST_INTERMEDIATE_TOKENS = 255 - 1;

/**
 * The route part of a payload (contracts/Router.sol): the intermediate tokens, then the hops, which name tokens by their place: the sell token, the buy
 * token, the intermediate ones. Throws RangeError on a route that no plan has: none or too many tokens, or a leg without a contract.
 */
export function encodeRoute(sellToken: Address, buyToken: Address, legs: readonly Leg[]): Hex {
  const places = new Map<Address, number>([
    [sellToken, 0],
    [buyToken, 1],
  ]);
  for (const { tokenIn, tokenOut } of legs) {
    for (const token of [tokenIn, tokenOut]) if (!places.has(token)) places.set(token, places.size);
  }
  const intermediate = [...places.keys()].slice(2);
  if (intermediate.length > MOST_INTERMEDIATE_TOKENS) throw new RangeError(`${intermediate.length} intermediate tokens in one route`);
  return concatHex([packInteger(intermediate.length, 1), ...intermediate, ...legs.map((leg) => encodeLeg(leg, places))]);
}

function encodeLeg({ leg, bps, tokenIn, tokenOut, pool, data }: Leg, places: ReadonlyMap<Address, number>): Hex {
  const kind = LEG_KINDS.get(leg);
  if (kind === undefined) throw new RangeError(`no leg is called ${leg}`);
  const [placeIn = 0, placeOut = 0] = [places.get(tokenIn), places.get(tokenOut)];
  return concatHex([packInteger(kind, 1), packInteger(bps, 2), packInteger(placeIn, 1), packInteger(placeOut, 1), pool ?? '0x', data]);
}

import { expect } from 'chai';
import type { Plan } from '../../src/routing/routing.ts';
import { WordReader } from '../../src/snapshot/snapshot.ts';
import { type Address, NATIVE_TOKEN } from '../../src/units/units.ts';
import { momentOf, type SolverVenues } from '../../src/venues/venues.ts';
import { type MadeUpPool, type MadeUpWorld, makerAddress } from './made-up-world.ts';
import { token } from './world.ts';

/**
 * Replays a plan from its bps alone (decisions S6), with native and wrapped as two balances, and fails where a hop lists another amount, takes another form than its pool has, or comes before a hop that gives what it takes
 * (S7), or where a token's last hop leaves any of it. Returns what is held in the end.
 */
export function replayForms(
  open: MadeUpWorld,
  venues: SolverVenues,
  pools: readonly MadeUpPool[],
  plan: Plan,
  sellToken: Address,
): ReadonlyMap<Address, bigint> {
  const { hops } = plan;
  const { view } = open;
  const held = new Map<Address, bigint>([[sellToken, plan.sellAmount]]);
  const states = new Map<string, unknown>();
  for (const [index, hop] of hops.entries()) {
    const before = held.get(hop.tokenIn) ?? 0n;
    const amountIn = (before * BigInt(hop.bps)) / 10_000n;
    expect(amountIn > 0n && amountIn === hop.amountIn, `hop ${index} takes ${amountIn}, listed ${hop.amountIn}`).to.equal(true);
    expect(
      hops.slice(index).every(({ tokenOut }) => tokenOut !== hop.tokenIn),
      `hop ${index} comes before its input`,
    ).to.equal(true);
    if (hops.slice(index + 1).every(({ tokenIn }) => tokenIn !== hop.tokenIn)) expect(hop.bps, `last of its token: hop ${index}`).to.equal(10_000);
    let amountOut = amountIn;
    if (hop.protocol === 'WRAP') expect([hop.tokenIn, hop.tokenOut]).to.have.members([NATIVE_TOKEN, token(0)]);
    else {
      const pool = pools.find(({ id }) => makerAddress(id) === hop.poolAddress);
      const found = Array.from({ length: view.poolCount }, (_, id) => view.pool(id)).find((each) => each?.key === hop.poolKey);
      const venue = venues.get(pool?.venue ?? '');
      if (pool === undefined || found === undefined || venue === undefined) throw new Error(`no pool ${hop.poolKey}`);
      const native = venue.state.traits?.(pool.state).nativeSlot;
      const shown = pool.tokens.map((number, slot) => (slot === native ? NATIVE_TOKEN : token(number)));
      const [slotIn, slotOut] = [shown.indexOf(hop.tokenIn), shown.indexOf(hop.tokenOut)];
      const state = states.get(hop.poolKey) ?? venue.state.unpack(new WordReader(found.words));
      const quote = venue.price.exactIn(state, slotIn, slotOut, amountIn, momentOf(view.block));
      if (!quote.ok) throw new Error(`hop ${index} refuses`);
      states.set(hop.poolKey, quote.next);
      amountOut = quote.amountOut;
    }
    expect(amountOut, `output of hop ${index}`).to.equal(hop.amountOut);
    held.set(hop.tokenIn, before - amountIn);
    held.set(hop.tokenOut, (held.get(hop.tokenOut) ?? 0n) + amountOut);
  }
  return new Map([...held].filter(([, amount]) => amount > 0n));
}

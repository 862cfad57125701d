import { expect } from 'chai';
import type { BuildResult, BuiltSwap } from '../../../src/building/building.ts';
import type { PlanHop } from '../../../src/routing/routing.ts';
import { asAddress } from '../../../src/units/units.ts';
import type { History } from './came-by.ts';
import { checkFigures } from './check-figures.ts';
import { feeOn } from './figures.ts';
import { BOUGHT, executed, isSigning, SIGNING, type Signing } from './made-up-route.ts';
import { type Call, expiryOf } from './made-up-signer.ts';
import { fixedPlaces, type World } from './made-up-world.ts';

type Answer = Pick<History, 'signed' | 'isRepriced' | 'fee' | 'isPriced'> & { readonly isHighImpact: boolean };

/** Whether an answer is what was signed and what the chain gives; says what there is to it. */
export function checkAnswer(name: string, world: World, { swap, plan }: BuildResult & { readonly ok: true }): Answer {
  const { mode, deadline, rates, calls, handed, terms } = world;
  expect(handed.hops, name).to.equal(plan.hops);
  const orders = plan.hops.flatMap((hop, place) => (isSigning(hop.venue) ? [{ place, hop, call: calls[Number(hop.legFacts.order)] as Call }] : []));
  for (const { hop, call } of orders) {
    expect(call?.venue, `${name}: signed by somebody else`).to.equal(hop.venue);
    expect(call.ended?.good, `${name}: takes what can not be used`).to.equal(true);
  }
  const fixed = orders.filter(({ place }) => fixedPlaces(plan.hops).includes(place));
  for (const { hop, call } of fixed) expect(call.ended?.answer, name).to.deep.include({ ok: true, amountIn: hop.amountIn, amountOut: hop.amountOut });
  const signed = new Map(fixed.map(({ place, hop }) => [place, hop]));
  const hops = plan.hops.map(({ poolKey: key, venue, tokenIn, tokenOut, bps }: PlanHop) => ({ key, venue, tokenIn, tokenOut, bps }));
  const run = executed(hops, plan.sellAmount, rates, signed);
  expect(run, `${name}: reverts`).to.not.equal(null);
  const gross = run?.gross ?? 0n;
  const net = gross - feeOn(gross, terms.fee?.feeBps ?? 0);
  expect(net >= BigInt(swap.minBuyAmount), `${name}: gives ${net} of at least ${swap.minBuyAmount}`).to.equal(true);
  const amounts = (some: readonly (Pick<PlanHop, 'amountIn' | 'amountOut'> | BuiltSwap['route'][number])[]) =>
    some.map(({ amountIn, amountOut }) => [String(amountIn), String(amountOut)]);
  // What was signed is shown as signed, and what is behind it as it is of that; else all as it was planned.
  if (fixed.length > 0) expect(amounts(swap.route), `${name}: is not what is told`).to.deep.equal(amounts(run?.hops ?? []));
  const told = swap.route.reduce((sum, { tokenOut, amountOut }) => (asAddress(tokenOut) === BOUGHT ? sum + BigInt(amountOut) : sum), 0n);
  const [sold, ...more] = plan.hops.filter(({ tokenIn }) => tokenIn === asAddress(swap.sellToken));
  const order = more.length === 0 ? fixed.find(({ hop }) => hop === sold) : undefined;
  if (mode === 'buy' && order !== undefined) expect(swap.sellAmount, `${name}: sells more than was signed for`).to.equal(String(order.hop.amountIn));
  const figures = checkFigures(name, world, swap, fixed.length > 0 ? gross : told);
  const expiries = (some: typeof orders) => some.map(({ hop }) => BigInt(expiryOf(Number(hop.legFacts.order)))).sort();
  expect(swap.deadline, `${name}: deadline`).to.equal([deadline, ...expiries(fixed)].sort()[0]);
  const ofMakers = orders.filter(({ hop }) => SIGNING[hop.venue as Signing] === 'order');
  expect(swap.rfqExpiry, `${name}: rfqExpiry`).to.equal(expiries(ofMakers)[0]);
  if (ofMakers.length === 0 || mode === 'buy') expect(swap.driftExposedShareBps, name).to.equal(undefined);
  else expect(swap.driftExposedShareBps, name).to.be.within(0, 10_000);
  const isRepriced = fixed.some(
    ({ call: { hop, ended } }) => ended?.answer.ok && (ended.answer.amountOut !== hop.amountOut || ended.answer.amountIn !== hop.amountIn),
  );
  const isPriced = typeof swap.priceImpact === 'number';
  return { signed: orders.length, isRepriced, fee: terms.fee !== null, isPriced, ...figures };
}

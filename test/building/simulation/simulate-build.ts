import { expect } from 'chai';
import { type BuildResult, buildSwap } from '../../../src/building/building.ts';
import { LIMITS } from '../../../src/config/config.ts';
import type { PlanHop } from '../../../src/routing/routing.ts';
import { seededRandom } from '../../support/seeded-random.ts';
import { executed, isSigning, SIGNING, type Signing } from './made-up-route.ts';
import { type Call, expiryOf } from './made-up-signer.ts';
import { type Asked, drawWorld, fixedPlaces, type World } from './made-up-world.ts';
import { VirtualTime } from './virtual-time.ts';

/** What a history came to, for a test to see that all kinds came by. */
export type History = { readonly ended: string; readonly warnings: readonly string[]; readonly signed: number };

const { firmUpMs, afterFirmUpMs, certifyMs, begunMs } = LIMITS.building;

/** Builds one swap in a world drawn from a name, in virtual time, and holds what came of it against what must be. Throws an AssertionError that names it. */
export async function simulateBuild(name: string): Promise<History> {
  const time = new VirtualTime();
  const world = drawWorld(seededRandom(name), time);
  const result = await time.passUntil(buildSwap(world.build));
  expect(time.now(), `${name}: ended late`).to.be.at.most(world.timeLimitMs + certifyMs);
  for (const { signal, startedAt } of world.calls) {
    expect(signal.aborted, `${name}: somebody is asked who is waited for no more`).to.equal(true);
    expect(startedAt, `${name}: somebody is asked for a client who had left`).to.be.at.most(world.leavesAt ?? Infinity);
  }
  const told = result.ok ? (result.swap.warnings ?? []).map(({ code }) => code) : [];
  // What a client who leaves in the middle made of it is nobody's to know.
  const warnings = world.leavesAt === null ? expectedWarnings(name, world, told) : null;
  if (!result.ok) {
    const { reason } = result.refusal;
    if (reason === 'cancelled') expect(world.leavesAt, `${name}: cancelled for nobody`).to.not.equal(null);
    else if (reason === 'no-route') expect(world.counts.noRoutes, name).to.be.above(0);
    else if (reason === 'failed') expect(world.asked.filter(({ kind }) => kind === 'solve').length, name).to.be.at.least(LIMITS.building.solves);
    else if (reason === 'expired') expect(time.now(), `${name}: given up`).to.be.at.least(world.timeLimitMs + afterFirmUpMs);
    else expect.fail(`${name}: refused as ${reason}`);
    return { ended: reason, warnings: [], signed: 0 };
  }
  if (warnings !== null) expect([...told].sort(), `${name}: warnings`).to.deep.equal([...warnings].sort());
  return { ended: 'ok', warnings: told, signed: checkAnswer(name, world, result) };
}

/** By what happened, in the order of it. */
function expectedWarnings(name: string, world: World, told: readonly string[]): ReadonlySet<string> {
  const codes = new Set<string>();
  let onChain = false;
  for (const [at, each] of world.asked.entries()) {
    const next = world.asked[at + 1];
    if (each.kind === 'certify') {
      // Where no time is left for another solve, or none may be, a route that the chain moved under is handed out as it is then.
      const noMore = each.round >= LIMITS.building.solves || each.endedAt >= world.timeLimitMs + afterFirmUpMs;
      if (next === undefined && each.stale && noMore && told.includes('STALE_STATE_RESOLVED')) codes.add('STALE_STATE_RESOLVED');
      if (next === undefined || isDropped(name, world, each, next)) continue;
      expect(each.stale || each.isWithdrawn, `${name}: solved again though nothing moved`).to.equal(true);
      if (each.stale) codes.add('STALE_STATE_RESOLVED');
      if (each.signed > 0 && world.timeLimitMs - (next as Asked).startedAt < firmUpMs + afterFirmUpMs) onChain = true;
      continue;
    }
    expect(each.onChain, `${name}: solve ${at} with what is priced off the chain, or without`).to.equal(onChain);
    const failed = failedKinds(name, world, each, next);
    for (const kind of failed) codes.add(kind === 'attestation' ? 'HOOK_ATTESTATION_UNAVAILABLE' : 'RFQ_FIRMUP_FAILED');
    if (failed.length > 0) onChain = true;
  }
  return codes;
}

/** Whether a certification that was begun beside the last checks of orders came to nothing: one of these failed, or they took so long that it was begun anew. */
function isDropped(name: string, { calls }: World, { round, startedAt }: Asked & { readonly kind: 'certify' }, next: Asked): boolean {
  const ofRound = calls.filter((call) => call.round === round);
  if (next.kind === 'certify') {
    const lastAnswer = Math.max(...ofRound.map(({ ended }) => ended?.at ?? 0));
    expect(next.round, `${name}: certified twice`).to.equal(round);
    expect(lastAnswer - startedAt, `${name}: certified twice`).to.be.above(begunMs);
    return true;
  }
  return ofRound.some(({ ended }) => ended?.good !== true);
}

/** Kinds of what was not signed after a solve: what failed first, or all that was not there in time. */
function failedKinds(name: string, world: World, { hops, endedAt, round }: Asked & { readonly kind: 'solve' }, next: Asked | undefined): readonly string[] {
  const calls = world.calls.filter((call) => call.round === round);
  const within = Math.min(firmUpMs, world.timeLimitMs - endedAt - afterFirmUpMs);
  const signers = world.signers(hops);
  expect(calls.length, `${name}: everybody is asked at once, or nobody`).to.equal(within > 0 ? signers.length : 0);
  if (within <= 0) return signers.map(({ venue }) => SIGNING[venue as Signing]);
  const first = calls.filter(({ ended }) => ended?.good === false).sort((one, other) => (one.ended?.at ?? 0) - (other.ended?.at ?? 0))[0];
  if (first !== undefined) return [SIGNING[first.venue]];
  const missing = calls.filter(({ ended }) => ended === null);
  if (missing.length > 0 || calls.length === 0) return missing.map(({ venue }) => SIGNING[venue]);
  if (next?.kind !== 'solve') return [];
  // All signed, and yet not taken: one of them gives less than another was signed for.
  const worse = calls.filter(({ ended, hop }) => ended?.answer.ok && ended.answer.amountOut < hop.amountOut);
  const fed = calls.filter(({ hop }) => worse.some((call) => call.hop.tokenOut === hop.tokenIn));
  expect(fed, `${name}: left out though all was signed`).to.not.have.lengthOf(0);
  return worse.map(({ venue }) => SIGNING[venue]);
}

/** Gives how many hops of the answer were signed. */
function checkAnswer(name: string, { mode, amount, deadline, rates, calls, handed }: World, { swap, plan }: BuildResult & { readonly ok: true }): number {
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
  expect((run?.gross ?? 0n) >= BigInt(swap.minBuyAmount), `${name}: gives ${run?.gross} of at least ${swap.minBuyAmount}`).to.equal(true);
  if (fixed.length > 0) expect(run?.gross, `${name}: is not what is told`).to.equal(plan.grossAmount);
  if (mode === 'sell') expect([swap.sellAmount, swap.buyAmount], name).to.deep.equal([String(amount), String(plan.grossAmount)]);
  else expect(swap.buyAmount, name).to.equal(String(amount));
  const expiries = (some: typeof orders) => some.map(({ hop }) => BigInt(expiryOf(Number(hop.legFacts.order)))).sort();
  expect(swap.deadline, `${name}: deadline`).to.equal([deadline, ...expiries(fixed)].sort()[0]);
  const ofMakers = orders.filter(({ hop }) => SIGNING[hop.venue as Signing] === 'order');
  expect(swap.rfqExpiry, `${name}: rfqExpiry`).to.equal(expiries(ofMakers)[0]);
  if (ofMakers.length === 0 || mode === 'buy') expect(swap.driftExposedShareBps, name).to.equal(undefined);
  else expect(swap.driftExposedShareBps, name).to.be.within(0, 10_000);
  return orders.length;
}

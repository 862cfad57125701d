import { expect } from 'chai';
import { LIMITS } from '../../../src/config/config.ts';
import { SIGNING, type Signing } from './made-up-route.ts';
import type { Asked, World } from './made-up-world.ts';

const { firmUpMs, afterFirmUpMs, begunMs } = LIMITS.building;

/** By what happened, in the order of it. */
export function expectedWarnings(name: string, world: World): Set<string> {
  const codes = new Set<string>();
  let onChain = false;
  for (const [at, each] of world.asked.entries()) {
    const next = world.asked[at + 1];
    if (each.kind === 'certify') {
      // Where no time is left for another solve, or none may be, a route that the chain moved under is handed out as it is then.
      const noMore = each.round >= LIMITS.building.solves || each.endedAt >= world.timeLimitMs + afterFirmUpMs;
      if (next === undefined) {
        if (!each.stale) continue;
        expect(noMore, `${name}: handed out though another route could be looked for`).to.equal(true);
        codes.add('STALE_STATE_RESOLVED');
        continue;
      }
      if (isDropped(name, world, each, next)) continue;
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

import { expect } from 'chai';
import { LIMITS } from '../../../src/config/config.ts';
import { SIGNING } from './made-up-route.ts';
import { signsInTime } from './made-up-signer.ts';
import type { World } from './made-up-world.ts';

const { firmUpMs, afterFirmUpMs } = LIMITS.building;

/** Of the makers of each route that has two of them, how many would not sign. */
export function failingOfTwo({ asked, calls }: World): readonly number[] {
  const rounds = asked.flatMap((each) =>
    each.kind === 'solve' ? [calls.filter(({ round, venue }) => round === each.round && SIGNING[venue] === 'order')] : [],
  );
  return rounds.flatMap((makers) => (makers.length === 2 ? [makers.filter((call) => !signsInTime(call)).length] : []));
}

/** All who are asked after a solve are told to end at the very moment at which there is nothing more to wait for, and where somebody failed the next solve begins then. Gives how many were told to for another's failure. */
export function checkEnds(name: string, { asked, calls, timeLimitMs, leavesAt }: World): number {
  let calledOff = 0;
  for (const [at, each] of asked.entries()) {
    if (each.kind !== 'solve') continue;
    const ofRound = calls.filter(({ round }) => round === each.round);
    if (ofRound.length === 0) continue;
    const late = each.endedAt + Math.min(firmUpMs, timeLimitMs - each.endedAt - afterFirmUpMs);
    const failedAt = Math.min(...ofRound.map(({ ended }) => (ended?.good === false ? ended.at : Infinity)));
    const answeredAt = Math.max(...ofRound.map(({ ended }) => ended?.at ?? Infinity));
    const over = Math.min(late, failedAt, answeredAt, leavesAt ?? Infinity);
    for (const { toldToEndAt, signal } of ofRound) {
      expect(toldToEndAt, `${name}: told to end`).to.equal(over);
      expect(signal.reason.name, `${name}: told why`).to.equal(over === late ? 'TimeoutError' : 'AbortError');
    }
    if (over === failedAt) calledOff += ofRound.filter(({ ended }) => ended === null).length;
    const again = asked.find((other) => other.kind === 'solve' && other.round === each.round + 1);
    const isLost = ofRound.some(({ ended }) => ended?.good !== true) || asked[at + 1] === again;
    if (again !== undefined && isLost) expect(again.startedAt, `${name}: solved again later than it was known to be needed`).to.equal(over);
  }
  return calledOff;
}

import { expect } from 'chai';
import { judgePools } from '../../src/market/judge-transfers.ts';
import type { Move, ProbeReading } from '../../src/market/read-probe.ts';
import { asAddress } from '../../src/units/units.ts';

const AMOUNT = 10n ** 18n;
const MOVED: Move = { ending: 'moved', asked: AMOUNT, debited: AMOUNT, credited: AMOUNT, lost: 0n };
const PLAIN: ProbeReading = {
  complete: true,
  held: 10n ** 21n,
  other: null,
  funded: false,
  trials: [{ manner: 'direct', place: 0, told: true, amount: AMOUNT, moves: [MOVED, MOVED, MOVED, MOVED] }],
};
const [deep, small] = [asAddress(`0x${'d'.repeat(40)}`), asAddress(`0x${'5'.repeat(40)}`)];

describe('what was seen of a token at its pools', () => {
  const judged = (atDeepest: ProbeReading | null) =>
    judgePools([...(atDeepest === null ? [] : [{ pool: deep, isDeepest: true, reading: atDeepest }]), { pool: small, isDeepest: false, reading: PLAIN }]);

  it('is clean where it moves at all of them', () => {
    expect(judged(PLAIN)).to.deep.equal({ verdict: { kind: 'clean' }, seenAt: [deep, small] });
    expect(judged(null)).to.deep.equal({ verdict: { kind: 'clean' }, seenAt: [small] });
  });

  it('is nothing at a pool where nothing could be bought though there was what to pay with, whichever that is; what is found against the token there counts', () => {
    const NOT_TRIED: Move = { ending: 'not-tried', asked: 0n, debited: 0n, credited: 0n, lost: 0n };
    const bought = { manner: 'swapping', place: 0, told: true, amount: AMOUNT, moves: [MOVED, NOT_TRIED, NOT_TRIED, MOVED] } as const;
    expect(judged({ ...PLAIN, funded: true })).to.deep.equal({ verdict: { kind: 'clean' }, seenAt: [small] });
    expect(judged({ ...PLAIN, funded: true, trials: [...PLAIN.trials, bought] })).to.deep.equal({ verdict: { kind: 'clean' }, seenAt: [deep, small] });
    expect(judgePools([{ pool: deep, isDeepest: true, reading: { ...PLAIN, funded: true } }])).to.deep.equal({ verdict: { kind: 'unmeasurable' } });
    const shut = {
      ...PLAIN,
      funded: true,
      trials: [...PLAIN.trials, { ...bought, moves: [MOVED, NOT_TRIED, NOT_TRIED, { ...MOVED, ending: 'refused' }] } as const],
    };
    expect(judged(shut)).to.deep.equal({ verdict: { kind: 'gated', reason: 'honeypot' } });
  });

  it('is found with little gas too where the token says that it moved what it did not, and not where it fails', () => {
    const NONE: Move = { ...MOVED, credited: 0n };
    const REFUSED: Move = { ...NONE, ending: 'refused' };
    const thrifty = (sold: Move) =>
      judged({ ...PLAIN, trials: [...PLAIN.trials, { manner: 'thrifty', place: 0, told: true, amount: AMOUNT, moves: [MOVED, MOVED, MOVED, sold] }] });
    expect(thrifty(NONE)).to.deep.equal({ verdict: { kind: 'gated', reason: 'honeypot' } });
    expect(thrifty(REFUSED)).to.deep.equal({ verdict: { kind: 'clean' }, seenAt: [deep, small] });
  });

  it('is refused where a purchase is, in a later block, of the smallest size that went a moment before as well as of another', () => {
    const NOT_TRIED: Move = { ending: 'not-tried', asked: 0n, debited: 0n, credited: 0n, lost: 0n };
    const swap = (amount: bigint) => ({ manner: 'swapping', place: 0, told: true, amount, moves: [MOVED, NOT_TRIED, NOT_TRIED, MOVED] }) as const;
    const later = (amount: bigint) =>
      ({ manner: 'later', place: null, told: true, amount, moves: [{ ...MOVED, ending: 'refused' }, NOT_TRIED, NOT_TRIED, NOT_TRIED] }) as const;
    const laterOf = (...amounts: readonly bigint[]) =>
      judged({ ...PLAIN, funded: true, trials: [...PLAIN.trials, swap(AMOUNT), swap(AMOUNT * 2n), ...amounts.map(later)] });
    expect(laterOf(AMOUNT * 2n)).to.deep.equal({ verdict: { kind: 'clean' }, seenAt: [deep, small] });
    expect(laterOf(AMOUNT * 2n, AMOUNT)).to.deep.equal({ verdict: { kind: 'gated', reason: 'blacklist' } });
  });

  it('is not refused where a purchase of more than the smallest size is, also where nothing came of that one: it may be a limit', () => {
    const NOT_TRIED: Move = { ending: 'not-tried', asked: 0n, debited: 0n, credited: 0n, lost: 0n };
    const [bought, refused] = [[MOVED, NOT_TRIED, NOT_TRIED, MOVED] as const, [{ ...MOVED, ending: 'refused' }, NOT_TRIED, NOT_TRIED, NOT_TRIED] as const];
    const swaps = (...moves: readonly (typeof bought | typeof refused | null)[]) =>
      judged({
        ...PLAIN,
        funded: true,
        trials: [
          ...PLAIN.trials,
          ...moves.flatMap((its, place) => (its === null ? [] : [{ manner: 'swapping', place, told: true, amount: AMOUNT, moves: its } as const])),
        ],
      });
    const clean = { verdict: { kind: 'clean' }, seenAt: [deep, small] };
    expect([swaps(bought, refused), swaps(null, bought, refused), swaps(null, refused, bought)]).to.deep.equal([clean, clean, clean]);
    expect(swaps(refused, bought)).to.deep.equal({ verdict: { kind: 'gated', reason: 'blacklist' } });
    // Nobody bought anything there: the pool says nothing.
    expect(swaps(null, refused)).to.deep.equal({ verdict: { kind: 'clean' }, seenAt: [small] });
  });

  it('is nothing where the token says that the deepest has none of it, or too little to move: it may hide the pool where it is traded', () => {
    for (const held of [0n, 1000n])
      expect(judged({ complete: true, held, other: null, funded: false, trials: [] })).to.deep.equal({ verdict: { kind: 'unmeasurable' } });
  });
});

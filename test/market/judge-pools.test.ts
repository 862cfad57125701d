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
  trials: [{ manner: 'direct', told: true, amount: AMOUNT, moves: [MOVED, MOVED, MOVED, MOVED] }],
};
const [deep, small] = [asAddress(`0x${'d'.repeat(40)}`), asAddress(`0x${'5'.repeat(40)}`)];

describe('what was seen of a token at its pools', () => {
  const judged = (atDeepest: ProbeReading | null) =>
    judgePools([...(atDeepest === null ? [] : [{ pool: deep, isDeepest: true, reading: atDeepest }]), { pool: small, isDeepest: false, reading: PLAIN }]);

  it('is clean where it moves at all of them', () => {
    expect(judged(PLAIN)).to.deep.equal({ verdict: { kind: 'clean' }, seenAt: [deep, small] });
    expect(judged(null)).to.deep.equal({ verdict: { kind: 'clean' }, seenAt: [small] });
  });

  it('is nothing where the token says that the deepest has none of it, or too little to move: it may hide the pool where it is traded', () => {
    for (const held of [0n, 1000n]) expect(judged({ complete: true, held, other: null, trials: [] })).to.deep.equal({ verdict: { kind: 'unmeasurable' } });
  });
});

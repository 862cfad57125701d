import { expect } from 'chai';
import sinon from 'sinon';
import { bothOff, createAttendance } from '../../src/switching/switching.ts';
import { loadVenueFacets, NOTHING_OFF, type VenueFacet } from '../../src/venues/venues.ts';

const GATE: VenueFacet = {
  name: 'gate',
  families: [{ family: 'pools', feePpm: null, variants: [{ variant: 'open' }, { variant: 'gated', pricing: 'off-chain-quote', attested: true }] }],
};

describe('labels that nobody attests', () => {
  let clock: sinon.SinonFakeTimers;
  beforeEach(() => {
    clock = sinon.useFakeTimers({ toFake: ['performance'] });
  });
  afterEach(() => clock.restore());

  it('are off where nobody is configured, and as long as whoever is, is left alone', () => {
    const attendance = createAttendance({ venues: [GATE], outside: new Map([[1, [{ venue: 'gate' }]]]) });
    const off = { venues: ['pools:gated'], pools: [] };
    expect([attendance.unattended(2), attendance.off(2)]).to.deep.equal([off, off]);
    expect([attendance.unattended(1), attendance.off(1)]).to.deep.equal([NOTHING_OFF, NOTHING_OFF]);
    attendance.leftAlone(1, 'gate', 100);
    attendance.leftAlone(1, 'gate', 10);
    attendance.leftAlone(1, 'stall', 1_000);
    clock.tick(99);
    expect([attendance.unattended(1), attendance.off(1)]).to.deep.equal([NOTHING_OFF, off]);
    clock.tick(1);
    expect(attendance.off(1)).to.deep.equal(NOTHING_OFF);
  });

  it('are those of the venues themselves: Angstrom’s pools alone', async () => {
    const attendance = createAttendance({ venues: (await loadVenueFacets()).values(), outside: new Map() });
    expect(attendance.unattended(1)).to.deep.equal({ venues: ['uniswap_v4:angstrom'], pools: [] });
  });

  it('come to what an operator has switched off, once', () => {
    const [one, other] = [
      { venues: ['a'], pools: ['0x1'] },
      { venues: ['a:b', 'c'], pools: [] },
    ];
    expect(bothOff(one, other)).to.deep.equal({ venues: ['a', 'c'], pools: ['0x1'] });
    expect(bothOff(one, NOTHING_OFF)).to.equal(one);
  });
});

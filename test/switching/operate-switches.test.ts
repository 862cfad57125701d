import { expect } from 'chai';
import type { HostedChain } from '../../src/chains/chains.ts';
import { createVenueSwitches, operateSwitches } from '../../src/switching/switching.ts';
import { loadVenueFacets, type VenueFacet } from '../../src/venues/venues.ts';

const CHAIN_ID = 1;
const VENUES: readonly VenueFacet[] = [
  { name: 'one', families: [{ family: 'one', feePpm: null, variants: [{ variant: 'attested' }] }] },
  { name: 'two', families: [{ family: 'two', feePpm: 3000 }] },
];

describe('what operators may switch off', () => {
  const hosted = (labels: readonly string[]) =>
    ({ chain: { chainId: CHAIN_ID, name: 'here', aliases: [] }, view: () => ({ labels }) }) as unknown as HostedChain;

  function operated(venues: Iterable<VenueFacet>, labels: readonly string[] = [], configured: readonly string[] = []) {
    const switches = createVenueSwitches({ configured: new Map([[CHAIN_ID, { venues: configured, pools: [] }]]), onChange: () => undefined });
    const operator = operateSwitches(switches, [hosted(labels)], venues);
    return { off: () => switches.off(CHAIN_ID).venues, switchOff: (venue: string) => operator.change({ chain: 'here', venue, on: false }).ok };
  }

  it('families, and the variants that they have', () => {
    const { off, switchOff } = operated(VENUES);
    for (const label of ['one', 'ONE:attested', 'two']) expect(switchOff(label), label).to.equal(true);
    expect(off()).to.deep.equal(['one', 'one:attested', 'two']);
  });

  it('no variant that can not exist, and no name that is near one', () => {
    const { off, switchOff } = operated(VENUES);
    for (const label of ['one:attestted', 'one:', 'two:attested', 'one:attested:', 'on', 'attested', '']) expect(switchOff(label), label).to.equal(false);
    expect(off()).to.deep.equal([]);
  });

  it('a label that a pool of the chain has, and one that the configuration switched off, whatever venues say', () => {
    const { switchOff } = operated(VENUES, ['three:odd'], ['four:odd']);
    for (const label of ['three:odd', 'four:odd']) expect(switchOff(label), label).to.equal(true);
    expect(switchOff('three')).to.equal(false);
  });

  it('of the venues that there are, the hooks of Uniswap V4 that have a model', async () => {
    const { switchOff } = operated((await loadVenueFacets()).values());
    expect(switchOff('uniswap_v4:passive')).to.equal(true);
    expect(switchOff('uniswap_v4:pasive')).to.equal(false);
  });
});

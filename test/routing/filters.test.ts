import { expect } from 'chai';
import { poolTest } from '../../src/routing/market/labels.ts';
import type { SolveJob } from '../../src/routing/routing.ts';
import { MAKER, maker } from './made-up-maker.ts';
import { openMadeUpWorld } from './made-up-world.ts';
import { job, NATIVE, openWorld, pairPool, planOf, token, venues } from './world.ts';

const E18 = 10n ** 18n;
const deep = [1_000_000n * E18, 1_000_000n * E18] as const;
const noFilter: SolveJob['filter'] = { include: null, exclude: [], excludeRfq: false, excludeRwa: false };

describe('venue filters', () => {
  const pools = [
    pairPool(0, [1, 2], deep, 30, 'uniswap_v2'),
    pairPool(1, [1, 2], deep, 30, 'sushiswap_v2'),
    pairPool(2, [1, 2], [E18, E18], 30, 'pancakeswap_v2'),
  ];
  const open = openWorld({ pools, tokenCount: 3 });
  const sources = (filter: Partial<SolveJob['filter']>) => {
    const result = open.solve(job(token(1), token(2), 10_000n * E18, { filter: { ...noFilter, ...filter } }), open.view);
    return result.ok ? [...new Set(result.plan.hops.map((hop) => hop.source))].sort() : [];
  };

  it('routes through everything but the excluded and only through the included', () => {
    expect(sources({})).to.include.members(['sushiswap_v2', 'uniswap_v2']);
    expect(sources({ exclude: ['uniswap_v2', 'unheard_of'] }))
      .to.include('sushiswap_v2')
      .and.not.include('uniswap_v2');
    expect(sources({ include: ['pancakeswap_v2'] })).to.deep.equal(['pancakeswap_v2']);
    expect(sources({ include: ['unheard_of'] })).to.deep.equal([]);
    expect(sources({ exclude: ['uniswap_v2', 'sushiswap_v2', 'pancakeswap_v2'] })).to.deep.equal([]);
  });
});

describe('venues priced or settled off the chain', () => {
  const labels = ['plain', 'maker', 'hooks', 'hooks:attested', 'desk'];
  const kinds = { offChain: ['maker', 'hooks:attested'], realWorld: ['desk'] };
  const admitted = (filter: Partial<SolveJob['filter']>) => {
    const admits = poolTest({ ...noFilter, ...filter }, kinds);
    return labels.filter((source) => admits === null || admits({ source }));
  };

  it('excludeRfq leaves out makers and attested hooks, not the family of the hook nor real-world assets; excludeRwa those alone', () => {
    const opened = { gates: { gated: [], opened: ['desk'] } };
    expect(admitted(opened)).to.deep.equal(labels);
    expect(admitted({ ...opened, excludeRfq: true })).to.deep.equal(['plain', 'hooks', 'desk']);
    expect(admitted({ ...opened, excludeRwa: true })).to.deep.equal(['plain', 'maker', 'hooks', 'hooks:attested']);
    expect(admitted({ ...opened, excludeRfq: true, excludeRwa: true })).to.deep.equal(['plain', 'hooks']);
    expect(admitted({ ...opened, excludeRfq: true, include: ['maker', 'desk'] })).to.deep.equal(['desk']);
  });

  it('real-world assets are gated whatever the configuration says: only what the filter opens is open (B19)', () => {
    const others = ['plain', 'maker', 'hooks', 'hooks:attested'];
    expect(admitted({})).to.deep.equal(others);
    expect(admitted({ include: ['desk'] })).to.deep.equal([]);
    expect(admitted({ gates: { gated: ['maker'], opened: ['maker', 'plain'] } })).to.deep.equal(others);
    expect(admitted({ gates: { gated: ['maker'], opened: ['desk'] } })).to.deep.equal(['plain', 'hooks', 'hooks:attested', 'desk']);
    expect(admitted({ gates: { gated: [], opened: ['desk'] }, switchedOff: { venues: ['desk'], pools: [] } })).to.deep.equal(others);
  });

  it('a solver knows them from its venues: a maker is left out of a route by excludeRfq, and by nothing else', () => {
    const pools = [
      { id: 0, venue: 'maker', tokens: [1, 2], state: maker(2000n, 1000n * E18) },
      { id: 1, venue: 'uniswap_v2', tokens: [1, 2], state: { reserve0: 1000n * E18, reserve1: 1000n * E18, feePpm: 3000 } },
    ] as const;
    const world = openMadeUpWorld(new Map([...venues, ['maker', MAKER]]), pools);
    const sources = (filter: Partial<SolveJob['filter']>) =>
      planOf(world.solve(job(token(1), token(2), E18, { filter: { ...noFilter, ...filter } }))).hops.map(({ source }) => source);
    expect(sources({ excludeRwa: true })).to.deep.equal(['maker']);
    expect(sources({ excludeRfq: true })).to.deep.equal(['uniswap_v2']);
  });

  it('are tested for nothing where no venue is one: such a request has no filter', () => {
    expect(poolTest({ ...noFilter, excludeRfq: true, excludeRwa: true })).to.equal(null);
  });
});

describe('what the operator has switched off', () => {
  it('is not routed through, a family with its variants and a pool by its key, whatever a request includes or its key opens', () => {
    const pools = ['plain 1', 'gold 2', 'gold:old 3', 'golden 4'].map((text) => ({ source: text.split(' ')[0] ?? '', key: text.split(' ')[1] ?? '' }));
    const admitted = (filter: Partial<SolveJob['filter']>) =>
      pools.filter((pool) => poolTest({ ...noFilter, ...filter })?.(pool) ?? true).map(({ key }) => key);
    expect(admitted({ switchedOff: { venues: ['gold'], pools: ['1'] } })).to.deep.equal(['4']);
    expect(admitted({ switchedOff: { venues: [], pools: ['3'] } })).to.deep.equal(['1', '2', '4']);
    expect(admitted({ include: ['gold'], gates: { gated: ['gold'], opened: ['gold'] }, switchedOff: { venues: ['gold:old'], pools: [] } })).to.deep.equal([
      '2',
    ]);
    expect(poolTest({ ...noFilter, switchedOff: { venues: [], pools: [] } })).to.equal(null);
  });
});

describe('gated venues', () => {
  const labels = ['plain', 'gold', 'gold:old', 'golden'];
  const admitted = (filter: Partial<SolveJob['filter']>) => {
    const admits = poolTest({ ...noFilter, ...filter });
    return labels.filter((source) => admits === null || admits({ source }));
  };
  const rows: readonly (readonly [string, readonly string[], readonly string[], readonly string[]])[] = [
    ['a gated family is closed with its variants', ['gold'], [], ['plain', 'golden']],
    ['a gated variant leaves the plain family open', ['gold:old'], [], ['plain', 'gold', 'golden']],
    ['the family opens its variants too', ['gold'], ['gold'], labels],
    ['the family opens a variant that alone is gated', ['gold:old'], ['gold'], labels],
    ['a variant opens itself alone', ['gold'], ['gold:old'], ['plain', 'gold:old', 'golden']],
    ['other labels open nothing', ['gold'], ['plain', 'golden', 'go'], ['plain', 'golden']],
  ];
  for (const [title, gated, opened, expected] of rows) {
    it(title, () => expect(admitted({ gates: { gated, opened } })).to.deep.equal(expected));
  }

  it('no include list opens a gate, and an exclude list closes an open one', () => {
    expect(admitted({ include: ['gold'], gates: { gated: ['gold'], opened: [] } })).to.deep.equal([]);
    expect(admitted({ include: ['gold'], gates: { gated: ['gold'], opened: ['gold:old'] } })).to.deep.equal(['gold:old']);
    expect(admitted({ exclude: ['gold'], gates: { gated: ['gold'], opened: ['gold'] } })).to.deep.equal(['plain', 'golden']);
  });

  it('leave the synthetic hop between native and wrapped alone', () => {
    const filter = { ...noFilter, gates: { gated: ['wrap', 'WRAP'], opened: [] } };
    const empty = openWorld({ pools: [], tokenCount: 1 });
    const plan = planOf(empty.solve(job(NATIVE, token(0), 5n, { filter }), empty.view));
    expect(plan.hops.map(({ source }) => source)).to.deep.equal(['WRAP']);
  });
});

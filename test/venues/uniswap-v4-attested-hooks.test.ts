import { expect } from 'chai';
import { attestedHooks, HOOK_MODELS } from '../../src/venues/uniswap_v4/known-hooks.ts';

describe('hooks that have to be shown attestations', () => {
  const deployed = [...HOOK_MODELS.values()].flatMap((model) => model.deployments.map((place) => ({ ...place, attested: model.attested === true })));

  for (const chainId of new Set(deployed.map((place) => place.chainId)))
    it(`are on chain ${chainId} those whose model says so, and none that swaps without`, () => {
      const here = deployed.filter((place) => place.chainId === chainId);
      expect([...attestedHooks(chainId)].sort()).to.deep.equal(here.flatMap(({ attested, address }) => (attested ? [address] : [])).sort());
    });

  it('are some, beside others, and none on a chain where nobody knows a hook', () => {
    expect(new Set(deployed.map(({ attested }) => attested))).to.deep.equal(new Set([true, false]));
    expect(attestedHooks(9_999_999)).to.deep.equal([]);
  });
});

import { createRequire } from 'node:module';
import { expect } from 'chai';
import { CATALOGUE, defaultTokensOf } from '../../src/chains/chains.ts';
import { LIMITS } from '../../src/config/limits.ts';
import { asciiLowerCase } from '../../src/units/units.ts';

type List = { readonly tokens: readonly { readonly chainId: number; readonly address: string; readonly symbol: string }[] };

describe('the default tokens', () => {
  const list = createRequire(import.meta.url)('@uniswap/default-token-list') as List;

  it('of each chain of the catalogue are those of the list, each once, and no more than are taken', () => {
    for (const { chainId } of CATALOGUE) {
      const listed = new Set(list.tokens.filter((token) => token.chainId === chainId).map(({ address }) => asciiLowerCase(address)));
      expect(defaultTokensOf(chainId), String(chainId)).to.have.members([...listed]);
      expect(listed.size).to.be.at.most(LIMITS.indexing.listedTokens);
    }
    expect(defaultTokensOf(1).length).to.be.above(300);
    expect(defaultTokensOf(31337)).to.deep.equal([]);
  });
});

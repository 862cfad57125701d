import { expect } from 'chai';
import { checkpointIdentity } from '../../src/indexing/checkpoint/identity.ts';
import type { IndexerThreadData } from '../../src/indexing/thread-data.ts';
import { addressOf } from './made-up-singleton.ts';

const V2 = { venue: 'uniswap_v2', family: 'uniswap_v2', factory: addressOf(1), fromBlock: 5 };
const V3 = { venue: 'uniswap_v3', family: 'uniswap_v3', factory: addressOf(2), fromBlock: 6 };
const data = (changes: Partial<IndexerThreadData>): IndexerThreadData =>
  ({ chainId: 1, rpcUrls: ['http://one/'], deployments: [V2, V3], wrappedNative: addressOf(9), pollMs: 1, ...changes }) as unknown as IndexerThreadData;

describe('what a checkpoint is of', () => {
  it('is the same for the same pools, whichever nodes tell of them and in whichever order deployments are named', () => {
    expect(checkpointIdentity(data({ rpcUrls: ['http://two/'], deployments: [V3, V2] }))).to.deep.equal(checkpointIdentity(data({})));
  });

  it('is another with another deployment, label or wrapped native token; first blocks stand beside it, in the same order', () => {
    const first = checkpointIdentity(data({})).configuration;
    const others = [
      data({ deployments: [V2] }),
      data({ deployments: [V2, { ...V3, family: 'pancakeswap_v3' }] }),
      data({ deployments: [V2, { ...V3, factory: addressOf(3) }] }),
      data({ wrappedNative: addressOf(8) }),
    ].map((other) => checkpointIdentity(other).configuration);
    expect(new Set([first, ...others]).size).to.equal(others.length + 1);
    const later = checkpointIdentity(data({ deployments: [{ ...V3, fromBlock: 7 }, V2] }));
    expect([later.configuration, later.firstBlocks]).to.deep.equal([first, [5, 7]]);
  });

  it('knows the code by its text', () => {
    expect(checkpointIdentity(data({})).code).to.match(/^[0-9a-f]{64}$/);
  });
});

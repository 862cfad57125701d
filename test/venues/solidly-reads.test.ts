import { expect } from 'chai';
import { encodeFunctionData, parseAbi } from 'viem';
import { asAddress, type EpochSeconds } from '../../src/units/units.ts';
import { momentOf } from '../../src/venues/quote-moment.ts';
import { track } from '../../src/venues/solidly/track.ts';
import type { ChainAnswer, DiscoveredPool } from '../../src/venues/venues.ts';
import { MadeUpContracts, wordsOf } from './made-up-contracts.ts';

const ABI = parseAbi([
  'function metadata() view returns (uint256, uint256, uint256, uint256, bool, address, address)',
  'function totalSupply() view returns (uint256)',
  'function isPaused() view returns (bool)',
  'function getFee(address pool, bool stable) view returns (uint256)',
]);
const of = (digit: string) => asAddress(`0x${digit.repeat(40)}`);
const [FACTORY, POOL, A, B] = [of('1'), of('2'), of('3'), of('4')];
const NOW = momentOf({ number: 9, timestamp: 1000 as EpochSeconds });
const LISTED: DiscoveredPool = {
  ...{ key: POOL, address: POOL, emitters: [POOL, FACTORY], hook: null, protocol: 'aerodrome', source: 'aerodrome', tokens: [A, B] },
  traits: { factory: FACTORY, stable: 1 },
};

type Said = { readonly metadata?: ChainAnswer; readonly fee?: ChainAnswer; readonly paused?: ChainAnswer; readonly supply?: ChainAnswer };

async function loaded({ metadata = wordsOf(10n ** 6n, 10n ** 18n, 7, 8, 1, A, B), fee = wordsOf(5), paused = wordsOf(0), supply = wordsOf(1000) }: Said = {}) {
  const contracts = new MadeUpContracts()
    .says(POOL, encodeFunctionData({ abi: ABI, functionName: 'metadata' }), metadata)
    .says(POOL, encodeFunctionData({ abi: ABI, functionName: 'totalSupply' }), supply)
    .says(FACTORY, encodeFunctionData({ abi: ABI, functionName: 'isPaused' }), paused)
    .says(FACTORY, encodeFunctionData({ abi: ABI, functionName: 'getFee', args: [POOL, true] }), fee);
  return track.load([LISTED], contracts.read, NOW);
}

describe('what contracts of Solidly say of a pool', () => {
  it('is a state where trade is on and all is answered', async () => {
    expect(await loaded()).to.deep.equal([{ stable: true, reserves: [7n, 8n], decimals: [6, 18], feeBps: 5 }]);
    const silent: readonly Said[] = [
      { metadata: null },
      { metadata: wordsOf(1) },
      { fee: null },
      { fee: wordsOf(10_000) },
      { paused: wordsOf(1) },
      { paused: null },
    ];
    for (const said of silent) expect(await loaded(said), JSON.stringify(said)).to.deep.equal([null]);
  });

  it('is none while nobody has a share: swaps divide their fee by the shares, though tokens and a call to sync have made reserves', async () => {
    expect(await loaded({ supply: wordsOf(0) })).to.deep.equal([null]);
    expect(await loaded({ supply: null })).to.deep.equal([null]);
    expect(await loaded({ supply: wordsOf(1) })).to.not.deep.equal([null]);
  });
});

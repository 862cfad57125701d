import { expect } from 'chai';
import type { BlockNumber, EpochSeconds } from '../../src/units/units.ts';
import { state as airswap } from '../../src/venues/airswap/state.ts';
import { state as ondo } from '../../src/venues/ondo/state.ts';
import { state as proprietary } from '../../src/venues/prop_amm/state.ts';
import { addressOf } from '../indexing/made-up-singleton.ts';

const until = 1_700_000_000 as EpochSeconds;

describe('what is quoted off the chain, or posted for some blocks', () => {
  it('ends when whoever quotes says, and is paid out of one purse where several pairs are', () => {
    const maker = addressOf(7);
    expect(airswap.traits?.({ signer: maker, until, ladders: [[], []], least: [0n, 0n] })).to.deep.equal({ pricesEnd: { timestamp: until }, inventory: maker });
    expect(ondo.traits?.({ until, ladders: [[], []] })).to.deep.equal({ pricesEnd: { timestamp: until } });
    const lastBlock = 9 as BlockNumber;
    const traits = { pricesEnd: { blockNumber: lastBlock }, inventory: maker, inventoryServesOnce: true };
    expect(proprietary.traits?.({ maker, until: lastBlock, ladders: [[], []] })).to.deep.equal(traits);
  });
});

import { expect } from 'chai';
import * as fc from 'fast-check';
import { type Placed, PlacedPools } from '../../src/indexing/placed-pools.ts';
import { check } from '../support/property.ts';
import { addressOf } from './made-up-singleton.ts';

const [A, B, C] = [addressOf(1), addressOf(2), addressOf(3)];
const SOURCES = ['uniswap_v3', 'sushiswap_v2', 'uniswap_v2'];
const pool = (contract: number, tokens: readonly `0x${string}`[], source = 'uniswap_v3', venue = source): Placed => ({
  source,
  venue,
  address: addressOf(100 + contract),
  tokens: tokens as Placed['tokens'],
});

describe('the pools that are in the snapshot', () => {
  it('trade their tokens until the last of them is gone', () => {
    const placed = new PlacedPools();
    placed.set('ab', pool(1, [A, B]));
    placed.set('ac', pool(2, [A, C]));
    placed.delete('ab');
    expect([A, B, C].map((token) => placed.isTraded(token))).to.deep.equal([true, false, true]);
    expect([placed.contractsOf(A), [...placed.keysOf(A)]]).to.deep.equal([[addressOf(102)], ['ac']]);
    placed.delete('ac');
    placed.delete('ac');
    expect([A, B, C].map((token) => placed.isTraded(token))).to.deep.equal([false, false, false]);
    expect([placed.size, placed.labels(), placed.byVenue()]).to.deep.equal([0, [], {}]);
  });

  it('trade the tokens of the pool that a key stands for now: after a reorg it may be another one with the same labels', () => {
    const placed = new PlacedPools();
    placed.set('pool', pool(1, [A, B]));
    placed.set('pool', pool(1, [A, C]));
    expect([A, B, C].map((token) => placed.isTraded(token))).to.deep.equal([true, false, true]);
    expect([placed.contractsOf(C), [...placed.keysOf(C)], placed.size]).to.deep.equal([[addressOf(101)], ['pool'], 1]);
  });

  it('hold no tokens where their contract does not: nothing is measured at them', () => {
    const placed = new PlacedPools();
    placed.set('maker', pool(1, [A, B]), false);
    expect([placed.isTraded(A), placed.contractsOf(A), placed.size]).to.deep.equal([false, [], 1]);
  });

  it('say after any changes what one would count anew', () => {
    const change = fc.record({ key: fc.nat(5), tokens: fc.subarray([A, B, C], { minLength: 2 }), source: fc.constantFrom(...SOURCES), gone: fc.boolean() });
    check(
      fc.property(fc.array(change, { maxLength: 40 }), (changes) => {
        const placed = new PlacedPools();
        const model = new Map<string, Placed>();
        for (const { key, tokens, source, gone } of changes) {
          const name = String(key);
          const one = pool(key, tokens, source, source.split('_')[0] ?? '');
          const known = model.get(name);
          const same = known?.source === source && known.tokens.join() === one.tokens.join();
          if (gone) {
            placed.delete(name);
            model.delete(name);
          } else {
            placed.set(name, one);
            if (!same) {
              model.delete(name);
              model.set(name, one);
            }
          }
          expect(placed.labels()).to.deep.equal([...new Set([...model.values()].map((each) => each.source))].sort());
        }
        const pools = [...model];
        expect([...placed.entries()]).to.deep.equal(pools);
        for (const token of [A, B, C]) {
          const trading = pools.filter(([, { tokens }]) => tokens.includes(token));
          expect(placed.isTraded(token)).to.equal(trading.length > 0);
          expect([...placed.keysOf(token)].sort()).to.deep.equal(trading.map(([key]) => key).sort());
          expect([...placed.contractsOf(token)].sort()).to.deep.equal(trading.map(([, { address }]) => address).sort());
        }
        const venues = [...new Set(pools.map(([, { venue }]) => venue))];
        expect(placed.byVenue()).to.deep.equal(Object.fromEntries(venues.map((venue) => [venue, pools.filter(([, one]) => one.venue === venue).length])));
      }),
      300,
    );
  });
});

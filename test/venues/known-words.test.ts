import { expect } from 'chai';
import { concatHex, encodeAbiParameters, type Hex, keccak256, numberToHex } from 'viem';
import { asAddress } from '../../src/units/units.ts';
import { createKnownWords } from '../../src/venues/uniswap_v4/known-words.ts';
import { MANAGER_STORAGE } from '../../src/venues/uniswap_v4/manager-storage.ts';
import type { DiscoveredPool } from '../../src/venues/venues.ts';

describe('what is known of the words of bitmaps', () => {
  it('is made once for each word of each pool', () => {
    const known = createKnownWords(100);
    const made: string[] = [];
    const of = (pool: string, word: number) =>
      known.of(pool, word, () => {
        made.push(`${pool}${word}`);
        return numberToHex(made.length);
      });
    const first = [of('a', 0), of('a', -1), of('b', 0)];
    expect(new Set(first).size).to.equal(3);
    expect([of('a', 0), of('a', -1), of('b', 0)]).to.deep.equal(first);
    expect([made, known.size()]).to.deep.equal([['a0', 'a-1', 'b0'], 3]);
  });

  it('is of as many words as were allowed: the pool that came first goes, whole, and may come again', () => {
    const known = createKnownWords(10);
    const fill = (pool: string, words: number, from = 0) => {
      for (let word = from; word < from + words; word++) known.of(pool, word, () => `0x${pool}`);
      expect(known.size()).to.be.at.most(10);
    };
    const knows = (pool: string, word: number): boolean => {
      let knew = true;
      known.of(pool, word, () => {
        knew = false;
        return '0x';
      });
      return knew;
    };
    fill('aa', 4);
    fill('bb', 6);
    expect([known.size(), knows('aa', 0), knows('bb', 0)]).to.deep.equal([10, true, true]);
    fill('cc', 1);
    expect([known.size(), knows('bb', 5), knows('cc', 0)]).to.deep.equal([7, true, true]);
    expect(knows('aa', 0)).to.equal(false);
    // A pool of more words than there may be goes while it is filled.
    fill('dd', 25);
    expect([knows('dd', 24), known.size() <= 10]).to.deep.equal([true, true]);
  });

  it('asks the manager for the word of that pool, the first time and again', () => {
    const pool = (key: Hex): DiscoveredPool => ({
      ...{ key, address: asAddress(`0x${'11'.repeat(20)}`), hook: null, protocol: 'uniswap_v4', source: 'uniswap_v4' },
      ...{ tokens: [asAddress(`0x${'22'.repeat(20)}`), asAddress(`0x${'33'.repeat(20)}`)], traits: { tickSpacing: 1 } },
    });
    const place = (key: Hex, word: number): Hex => {
      const start = BigInt(keccak256(concatHex([key, numberToHex(6, { size: 32 })])));
      return keccak256(encodeAbiParameters([{ type: 'int16' }, { type: 'uint256' }], [word, start + 5n]));
    };
    const pools = [`0x${'aa'.repeat(32)}`, `0x${'bb'.repeat(32)}`] as const;
    for (const _ of [1, 2]) {
      for (const key of pools) {
        for (const word of [-3466, -1, 0, 3465]) {
          const { to, data, answerBytes } = MANAGER_STORAGE.bitmapCall(pool(key), word);
          expect([to, data, answerBytes]).to.deep.equal([pool(key).address, `0x1e2eaeaf${place(key, word).slice(2)}`, 32]);
        }
      }
    }
  });
});

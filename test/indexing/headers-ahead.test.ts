import { expect } from 'chai';
import { LIMITS } from '../../src/config/limits.ts';
import { Ahead } from '../../src/indexing/ahead.ts';
import type { ChainHeader } from '../../src/indexing/header.ts';
import { REAL_HEIGHT } from './followed-chain.ts';
import { MadeUpChain } from './made-up-chain.ts';

describe('headers that were read ahead', () => {
  /** Reads so many headers, each by its hash as a walk down does. */
  async function readAhead(count: number) {
    const chain = new MadeUpChain(REAL_HEIGHT);
    const headers = Array.from({ length: count }, () => chain.grow());
    const ahead = new Ahead();
    /** How many of them the node is asked for. */
    const asksFor = async (some: readonly ChainHeader[]): Promise<number> => {
      const { header: before = 0 } = chain.asked;
      for (const header of some) expect(await ahead.header(chain.reader, header.hash)).to.equal(header);
      return (chain.asked.header ?? 0) - before;
    };
    expect(await asksFor(headers)).to.equal(count);
    return { ahead, headers, asksFor };
  }

  it('are not asked for again while others are taken in, and those that were taken in are forgotten', async () => {
    const { ahead, headers, asksFor } = await readAhead(5);
    for (let taken = 1; taken < headers.length; taken++) {
      ahead.forget(headers.slice(taken - 1, taken));
      expect(await asksFor(headers.slice(taken)), `after ${taken}`).to.equal(0);
    }
    expect(await asksFor(headers)).to.equal(4);
  });

  it('are kept up to as many as are caught up with, and all forgotten where they are more', async () => {
    const { catchUpBlocks } = LIMITS.indexing;
    for (const [count, again] of [
      [catchUpBlocks, 0],
      [catchUpBlocks + 1, catchUpBlocks + 1],
    ] as const) {
      const { ahead, headers, asksFor } = await readAhead(count);
      ahead.forget([]);
      expect(await asksFor(headers), `${count} read`).to.equal(again);
    }
  });
});

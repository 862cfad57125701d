import { expect } from 'chai';
import { LIMITS } from '../../src/config/limits.ts';
import { Ahead } from '../../src/indexing/ahead.ts';
import type { ChainHeader } from '../../src/indexing/header.ts';
import { RpcError } from '../../src/indexing/rpc/rpc-error.ts';
import { bent } from './bent-reader.ts';
import { follow, moved, opened, REAL_HEIGHT } from './followed-chain.ts';
import { MadeUpChain } from './made-up-chain.ts';
import { idOf } from './made-up-singleton.ts';

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

  const LIES: readonly (readonly [string, Partial<ChainHeader>])[] = [
    ['sum up logs that there are none of', { logsBloom: '0xff' }],
    ['name a parent that nobody knows', { parentHash: idOf(1) }],
  ];
  for (const [what, lie] of LIES) {
    it(`are asked for again where they ${what}: what a node said wrong once holds up nobody who says it right`, async () => {
      const chain = new MadeUpChain(REAL_HEIGHT);
      chain.grow(opened(10, 1));
      let lies = 0;
      const reader = bent(chain, ({ headerAt, logs }) => ({
        async headerAt(number) {
          const header = await headerAt(number);
          return header !== null && lies-- > 0 ? { ...header, ...lie } : header;
        },
        // As they are proven by the header.
        async logs(header) {
          if (header.logsBloom !== '0x') throw new RpcError('garbage', 'the bloom names more');
          return await logs(header);
        },
      }));
      const { step, view, rebuilds } = follow(chain, { reader, startDepthBlocks: 0 });
      await step();
      for (let price = 2; price < 6; price++) chain.grow(moved(10, price));
      lies = 3;
      expect(await step().catch(({ name }: Error) => name)).to.equal('RpcError');
      for (let poll = 0; poll < 3 && view().block !== chain.head.hash; poll++) await step().catch(() => null);
      expect(view()).to.deep.equal({ block: chain.head.hash, pools: chain.pricesAt(chain.head.hash) });
      expect(rebuilds()).to.equal(1);
    });
  }
});

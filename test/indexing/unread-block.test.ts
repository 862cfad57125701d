import { expect } from 'chai';
import sinon from 'sinon';
import { SYSTEM_CLOCK } from '../../src/indexing/clock.ts';
import type { ChainHeader } from '../../src/indexing/header.ts';
import { RpcError, type RpcFailure } from '../../src/indexing/rpc/rpc-error.ts';
import { UnreadBlock } from '../../src/indexing/unread-block.ts';

const MINUTE = 60_000;

describe('a block whose logs can not be read', () => {
  let clock: sinon.SinonFakeTimers;
  let said: sinon.SinonSpy<[number], void>;
  let unread: UnreadBlock;
  beforeEach(() => {
    clock = sinon.useFakeTimers({ toFake: ['performance'] });
    said = sinon.fake<[number], void>();
    unread = new UnreadBlock(SYSTEM_CLOCK, said);
  });
  afterEach(() => clock.restore());
  const hopelessAt = (millis: number, { hash = '0xaa', number = 7, base = 100, why = 'garbage' as RpcFailure } = {}): boolean => {
    clock.tick(millis - performance.now());
    return unread.isHopeless(new RpcError(why, 'the numbering has a hole'), { hash, number } as unknown as ChainHeader, base);
  };

  it('is given up after a minute, then after two, and so on up to an hour', () => {
    expect([hopelessAt(0), hopelessAt(MINUTE - 1), hopelessAt(MINUTE)]).to.deep.equal([false, false, true]);
    let start = MINUTE;
    for (const minutes of [2, 4, 8, 16, 32, 60, 60]) {
      const end = start + minutes * MINUTE;
      expect([hopelessAt(start), hopelessAt(end - 1), hopelessAt(end)], `${minutes} minutes`).to.deep.equal([false, false, true]);
      start = end;
    }
  });

  it('tells for how long it is there, and that it is there no more', () => {
    hopelessAt(0);
    hopelessAt(5);
    unread.clear();
    unread.clear();
    expect(said.args).to.deep.equal([[0], [5], [0]]);
  });

  it('starts its time anew with another block, and its patience with one that was taken in', () => {
    hopelessAt(0);
    expect([hopelessAt(MINUTE, { hash: '0xbb' }), hopelessAt(2 * MINUTE - 1, { hash: '0xbb' }), hopelessAt(2 * MINUTE, { hash: '0xbb' })]).to.deep.equal([
      false,
      false,
      true,
    ]);
    unread.clear();
    expect([hopelessAt(3 * MINUTE), hopelessAt(4 * MINUTE)]).to.deep.equal([false, true]);
  });

  for (const why of ['timeout', 'unavailable', 'limited', 'foreign-chain', 'starved'] as const) {
    it(`is waited for where a node says nothing of the block: ${why}`, () => {
      expect([hopelessAt(0, { why }), hopelessAt(2 * MINUTE, { why })]).to.deep.equal([false, false]);
      expect(said.args).to.deep.equal([]);
    });
  }

  it('is waited for where it lies above what could be read anew', () => {
    hopelessAt(0, { number: 101 });
    expect([hopelessAt(2 * MINUTE, { number: 101 }), hopelessAt(2 * MINUTE, { number: 100 })]).to.deep.equal([false, true]);
  });

  it('is not what a fault of our own means', () => {
    expect(unread.isHopeless(new TypeError('ours'), { hash: '0xaa', number: 7 } as unknown as ChainHeader, 100)).to.equal(false);
    expect(said.args).to.deep.equal([]);
  });
});

import { expect } from 'chai';
import sinon from 'sinon';
import { createChainReads } from '../../src/indexing/chain-reads.ts';
import { createReadRequests } from '../../src/indexing/read-requests.ts';
import { RpcError } from '../../src/indexing/rpc/rpc-error.ts';
import type { IndexerCommand } from '../../src/indexing/thread-data.ts';
import type { ChainAnswer, ChainCall } from '../../src/venues/venues.ts';
import { addressOf } from './made-up-singleton.ts';

const call = (number: number): ChainCall => ({ to: addressOf(number), data: '0x' });

describe('what is asked of contracts for requests', () => {
  it('what comes in one turn about one block is one request to the node, and each gets its own answers', async () => {
    const ask = sinon.spy(async (_hash: string, calls: readonly ChainCall[]) => calls.map(({ to }): ChainAnswer => to));
    const read = createChainReads((hash) => (calls) => ask(hash, calls));
    expect(await Promise.all([read('0x1', [call(1), call(2)]), read('0x1', [call(3)])])).to.deep.equal([[addressOf(1), addressOf(2)], [addressOf(3)]]);
    expect(await read('0x2', [call(4)])).to.deep.equal([addressOf(4)]);
    expect(ask.args.map(([hash, calls]) => [hash, calls.length])).to.deep.equal([
      ['0x1', 3],
      ['0x2', 1],
    ]);
  });

  it('a node that can not be asked gives no answers, to any of them; a bug is not hidden', async () => {
    const failing = (error: Error) => createChainReads(() => async () => Promise.reject(error));
    const read = failing(new RpcError('timeout', 'slow'));
    expect(await Promise.all([read('0x1', [call(1)]), read('0x1', [call(2)])])).to.deep.equal([null, null]);
    const bug = new TypeError('a bug');
    expect(await failing(bug)('0x1', [call(1)]).catch((error: unknown) => error)).to.equal(bug);
  });

  it('whoever waits gets the answers of its own command, or none when its time is up, the thread is gone, or there is none', async () => {
    const tell = sinon.stub<[IndexerCommand], boolean>().returns(true);
    const told = () => tell.args.flatMap(([command]) => (command.kind === 'read' ? [command] : []));
    const requests = createReadRequests(tell);
    const ending = new AbortController();
    const never = new AbortController().signal;
    const waiting = [requests.read('0x1', [call(1)], never), requests.read('0x1', [call(2)], ending.signal), requests.read('0x2', [call(3)], never)];
    expect(told().map(({ blockHash, calls }) => [blockHash, calls.length])).to.deep.equal([
      ['0x1', 1],
      ['0x1', 1],
      ['0x2', 1],
    ]);
    requests.answered(told()[0]?.id ?? 0, ['0x11']);
    ending.abort();
    requests.lost();
    // What comes after somebody has stopped waiting is nobody's.
    for (const { id } of told()) requests.answered(id, ['0x99']);
    expect(await Promise.all(waiting)).to.deep.equal([['0x11'], null, null]);
    expect(await requests.read('0x1', [call(1)], AbortSignal.abort())).to.equal(null);
    expect(told()).to.have.length(3);
    tell.returns(false);
    expect(await requests.read('0x1', [call(1)], never)).to.equal(null);
  });
});

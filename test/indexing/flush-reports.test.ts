import { expect } from 'chai';
import sinon from 'sinon';
import { createFlush } from '../../src/indexing/flush-reports.ts';
import type { IndexerReport } from '../../src/indexing/report.ts';
import type { RpcCalls } from '../../src/indexing/rpc/call-counts.ts';
import type { EndpointStanding } from '../../src/indexing/rpc/endpoint-board.ts';

const CALLS: RpcCalls = { endpoint: 1, method: 'eth_call', outcome: 'ok', durations: [3, 4] };

describe('what an indexer thread tells of its endpoints', () => {
  const standing = sinon.stub<[], EndpointStanding>();
  const calls = sinon.stub<[], readonly RpcCalls[]>();
  const announced = sinon.stub<[], readonly (number | null)[]>();
  const report = sinon.spy<(said: IndexerReport) => void>(() => undefined);
  /** The kinds of what one call tells. */
  let flush: () => readonly IndexerReport[];
  beforeEach(() => {
    for (const stub of [standing, calls, announced]) stub.reset();
    standing.returns({ followed: 0, left: [null, null] });
    calls.returns([]);
    announced.returns([null, null]);
    const told = createFlush({ standing, drainCalls: calls, drainAnnounced: announced }, 1, report);
    flush = () => {
      report.resetHistory();
      told();
      return report.args.map(([said]) => said);
    };
    flush();
  });

  it('is nothing where nothing happened', () => {
    expect(flush()).to.deep.equal([]);
  });

  it('is each kind of call, with its chain', () => {
    calls.returns([CALLS, { ...CALLS, outcome: 'timeout' }]);
    expect(flush()).to.deep.equal([
      { kind: 'rpc', chainId: 1, ...CALLS },
      { kind: 'rpc', chainId: 1, ...CALLS, outcome: 'timeout' },
    ]);
  });

  it('is which endpoint is followed, once each time that it changes', () => {
    standing.returns({ followed: 1, left: ['slow', null] });
    expect(flush()).to.deep.equal([{ kind: 'endpoints', chainId: 1, followed: 1, left: ['slow', null] }]);
    expect(flush()).to.deep.equal([]);
  });

  it('is what was announced while any endpoint announces, and once that none does any more', () => {
    for (const heads of [
      [null, 3],
      [null, 0],
      [null, null],
    ]) {
      announced.returns(heads);
      expect(flush()).to.deep.equal([{ kind: 'announced', chainId: 1, heads }]);
    }
    expect(flush()).to.deep.equal([]);
  });
});

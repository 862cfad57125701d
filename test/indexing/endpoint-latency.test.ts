import { expect } from 'chai';
import { LIMITS } from '../../src/config/limits.ts';
import { createEndpointBoard } from '../../src/indexing/rpc/endpoint-board.ts';
import { idOf } from './made-up-singleton.ts';
import { virtualClock } from './virtual-clock.ts';

const { slow } = LIMITS.indexing.rpc;

/** A board of so many endpoints, that show a block a second, each when it is asked, once a second. */
function board(count: number) {
  const clock = virtualClock();
  const endpoints = createEndpointBoard(count, clock, () => 0);
  let head = 100;
  /** A second passes: what each takes for its head, ms, and by how many blocks it is behind. */
  const second = (times: readonly number[], lags: readonly number[] = []): number => {
    clock.advance(1000);
    head++;
    for (const [at, ms] of times.entries()) {
      endpoints.took(at, ms);
      endpoints.sawHead(at, { number: head - (lags[at] ?? 0), hash: idOf(head - (lags[at] ?? 0)) });
    }
    return endpoints.followed();
  };
  const seconds = (many: number, times: readonly number[], lags: readonly number[] = []): readonly number[] =>
    Array.from({ length: many }, () => second(times, lags));
  return { endpoints, clock, second, seconds };
}

describe('an endpoint that takes far longer for its head than others do', () => {
  it('is not followed where a quicker one is there, and is again once it is quick', () => {
    const { endpoints, seconds } = board(2);
    seconds(5, [50, 60]);
    expect(endpoints.standing()).to.deep.equal({ followed: 0, left: [null, null] });
    seconds(slow.heads, [900, 60]);
    expect(endpoints.standing()).to.deep.equal({ followed: 1, left: ['slow', null] });
    seconds(slow.heads, [50, 60]);
    expect(endpoints.standing()).to.deep.equal({ followed: 0, left: [null, null] });
  });

  it('is not left for one answer that took long, nor for what no chain is too fast for', () => {
    const { seconds } = board(2);
    seconds(5, [50, 20]);
    expect(new Set(seconds(1, [1400, 20]))).to.deep.equal(new Set([0]));
    expect(new Set(seconds(10, [50, 20]))).to.deep.equal(new Set([0]));
    expect(new Set(seconds(20, [slow.left.leastMs - 1, 20]))).to.deep.equal(new Set([0]));
  });

  it('is followed or not, and not in turns, where it takes now more and now less than that', () => {
    const { second, seconds } = board(2);
    seconds(slow.heads, [700, 100]);
    const bound = slow.left.leastMs;
    const followed = Array.from({ length: 60 }, (_, at) => second([at % 7 < 4 ? bound + 20 : bound - 20, 100]));
    expect(new Set(followed)).to.deep.equal(new Set([1]));
  });

  it('is followed all the same where the quicker ones fail, or are behind', () => {
    const { endpoints, seconds } = board(2);
    seconds(8, [900, 50]);
    expect(endpoints.followed()).to.equal(1);
    endpoints.failed(1, 'fault');
    expect(endpoints.standing()).to.deep.equal({ followed: 0, left: [null, 'fault'] });
    const lagging = board(2);
    lagging.seconds(8, [900, 50], [0, 4]);
    expect(lagging.endpoints.standing()).to.deep.equal({ followed: 0, left: [null, 'behind'] });
  });

  it('is waited for by what most of its last heads took, of as many as are counted and no others', () => {
    const { patience, heads } = slow;
    const most = (heads >> 1) + 1;
    const [quick, long] = [1, 2].map((times) => times * LIMITS.indexing.rpc.headTimeoutMs) as [number, number];
    const waitedFor = (...times: readonly number[]) => {
      const { endpoints, seconds } = board(1);
      for (const ms of times) seconds(1, [ms / patience]);
      return endpoints.patienceOf(0);
    };
    const so = (many: number, ms: number) => Array.from({ length: many }, () => ms);
    expect(waitedFor(...so(most, quick), ...so(heads - most, long)), 'the oldest that counts').to.be.closeTo(quick, 1);
    expect(waitedFor(...so(most, long), ...so(heads - most, quick)), 'the oldest that counts').to.be.closeTo(long, 1);
    expect(waitedFor(...so(most, long), ...so(most, quick)), 'one that counts no more').to.be.closeTo(quick, 1);
  });

  it('counts as slow by what it took before it failed too: what was given up took all the time that it had', () => {
    const { endpoints, clock, seconds } = board(2);
    seconds(3, [50, 60]);
    for (let times = 0; times < 3; times++) {
      endpoints.took(0, LIMITS.indexing.rpc.headTimeoutMs);
      endpoints.failed(0, 'fault');
      clock.advance(LIMITS.indexing.rpc.leaveMs.longest);
      endpoints.answered(0);
    }
    expect(endpoints.standing()).to.deep.equal({ followed: 1, left: ['slow', null] });
  });
});

describe('an endpoint that failed', () => {
  it('is left no longer for what else was under way to it and fails too', () => {
    const leftFor = (failures: number): number => {
      const { endpoints, clock } = board(2);
      for (let i = 0; i < failures; i++) {
        endpoints.failed(0, 'fault');
        clock.advance(1);
      }
      let ms = failures;
      for (; !endpoints.mayBeAsked(0); ms++) clock.advance(1);
      return ms;
    };
    const once = leftFor(1);
    expect(once).to.be.above(1);
    expect([leftFor(2), leftFor(10)]).to.deep.equal([once, once]);
  });

  it('may be asked again once its time is up, and before that where it is the only one and answered meanwhile', () => {
    for (const count of [1, 2]) {
      const { endpoints, clock } = board(count);
      expect(endpoints.mayBeAsked(0)).to.equal(true);
      endpoints.failed(0, 'fault');
      expect(endpoints.mayBeAsked(0)).to.equal(false);
      endpoints.answered(0);
      expect(endpoints.mayBeAsked(0), `of ${count}`).to.equal(count === 1);
      clock.advance(LIMITS.indexing.rpc.leaveMs.longest);
      expect(endpoints.mayBeAsked(0)).to.equal(true);
    }
  });
});

describe('an endpoint that is some blocks of a second behind', () => {
  it('is left once, and not followed and left in turns, where it lacks now more and now less', () => {
    const { second, seconds } = board(2);
    seconds(6, [50, 60], [3, 0]);
    const followed = Array.from({ length: 40 }, (_, at) => second([50, 60], [at % 5 < 3 ? 2 : 3, 0]));
    expect(new Set(followed)).to.deep.equal(new Set([1]));
  });

  it('is left though the third is too slow to bear the witness of the second out in time', () => {
    const { endpoints, seconds } = board(3);
    seconds(12, [50, 900, 60], [3, 1, 0]);
    expect(endpoints.standing()).to.deep.equal({ followed: 2, left: ['behind', 'slow', null] });
  });

  it('is not left for one alone that runs ahead, where the third is slow for a moment only', () => {
    const { seconds } = board(3);
    seconds(6, [50, 60, 60]);
    expect(new Set([...seconds(1, [50, 900, 60], [0, 0, -9]), ...seconds(3, [50, 60, 60], [0, 0, -9])])).to.deep.equal(new Set([0]));
  });

  it('is followed again when it lacks nothing that was there half a second before', () => {
    const { endpoints, seconds } = board(2);
    seconds(6, [50, 60], [3, 0]);
    expect(endpoints.followed()).to.equal(1);
    seconds(1, [50, 60]);
    expect(endpoints.followed()).to.equal(0);
  });
});

describe('endpoints that are all left', () => {
  it('are asked by when their time is up, the earliest first', () => {
    const { endpoints, clock } = board(3);
    endpoints.failed(0, 'foreign');
    clock.advance(1000);
    endpoints.failed(1, 'fault');
    clock.advance(1000);
    endpoints.failed(2, 'limited', LIMITS.indexing.rpc.leaveMs.longest * 2);
    expect(endpoints.followed()).to.equal(1);
    expect(endpoints.next(new Set([1]))).to.equal(0);
  });

  it('is no witness of the chain while it is left, nor long after it showed a head', () => {
    const { endpoints, clock, seconds } = board(2);
    const witnesses = () => endpoints.witnesses().map(({ endpoint }) => endpoint);
    seconds(1, [50, 50]);
    expect(witnesses()).to.deep.equal([0, 1]);
    endpoints.failed(0, 'doubted');
    expect(witnesses()).to.deep.equal([1]);
    clock.advance(LIMITS.indexing.rpc.witnessMs + 1);
    expect(witnesses()).to.deep.equal([]);
  });
});

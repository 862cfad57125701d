import { expect } from 'chai';
import { LIMITS } from '../../src/config/config.ts';
import { MemoryWatch } from '../../src/solving/memory-watch.ts';

const { readEveryMs, patienceMs } = LIMITS.solving.memory;
const LIMIT = 1000;

describe('the watch over memory', () => {
  let watch: MemoryWatch;
  let culprits: number[];
  let [resident, now, reads] = [0, 0, 0];
  beforeEach(() => {
    [culprits, resident, now, reads] = [[], 400, 0, 0];
    watch = new MemoryWatch({
      limitBytes: LIMIT,
      onCulprit: (threadId) => culprits.push(threadId),
      residentBytes: () => {
        reads++;
        return resident;
      },
      now: () => now,
    });
  });
  afterEach(() => watch.close());

  it('ends the thread under whose job the process grew most, not before the process is too large, and one at a time', () => {
    watch.jobStarted(1);
    resident = 500;
    now += readEveryMs;
    watch.jobStarted(2);
    resident = LIMIT;
    watch.look();
    expect(culprits).to.deep.equal([]);
    resident = LIMIT + 1;
    watch.look();
    watch.look();
    expect(culprits).to.deep.equal([1]);
    watch.threadEnded(1);
    now += patienceMs;
    watch.look();
    expect(culprits).to.deep.equal([1, 2]);
  });

  it('counts what a thread held after its last job too', () => {
    watch.jobStarted(1);
    watch.jobStarted(2);
    watch.jobEnded(1, 700);
    resident = LIMIT + 1;
    watch.look();
    expect(culprits).to.deep.equal([1]);
  });

  it('reads no more often than it has to, however many jobs are begun', () => {
    for (let job = 0; job < 100; job++) watch.jobStarted(job);
    expect(reads).to.equal(1);
    now += readEveryMs - 1;
    watch.jobStarted(1);
    expect(reads).to.equal(1);
    now += 1;
    watch.jobStarted(1);
    expect(reads).to.equal(2);
  });
});

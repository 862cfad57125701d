import { expect } from 'chai';
import sinon from 'sinon';
import { admit, chainCondition, InflightCounter, inflightLimit, retryAfterSeconds, trackChain, watchEventLoopDelay } from '../../src/admission/admission.ts';
import type { DelayHistogram } from '../../src/admission/event-loop-delay.ts';
import { CATALOGUE, type Chain } from '../../src/chains/chains.ts';
import type { IndexerReport } from '../../src/indexing/indexing.ts';
import type { Outlook } from '../../src/solving/solving.ts';
import { asAddress, type DurationMs, type EpochSeconds } from '../../src/units/units.ts';
import { until } from '../support/until.ts';

const LIMITS = { waitMs: 500, suspectWaitMs: 1000, waitShare: 0.5 };
const ms = (value: number) => value as DurationMs;

const outlook = (waitMs: number, full = false, suspect = false): Outlook => ({ waitMs, full, suspect });

describe('admission', () => {
  it('what waits for nothing is admitted, however little is left: timeLimitMs=50 is never shed unloaded', () => {
    expect(admit(outlook(0), ms(1), ms(0), LIMITS).admitted).to.equal(true);
    expect(admit(outlook(0), ms(0), ms(0), LIMITS).admitted).to.equal(true);
  });

  it('sheds when the wait exceeds a share of the remaining budget', () => {
    expect(admit(outlook(40), ms(80), ms(0), LIMITS)).to.include({ admitted: true, waitLimit: 40, estimatedWait: 40 });
    expect(admit(outlook(40), ms(79), ms(0), LIMITS)).to.include({ admitted: false, reason: 'wait-too-long', retryAfterSeconds: 1 });
  });

  it('sheds when the wait exceeds the limit, however long the budget', () => {
    expect(admit(outlook(500), ms(60_000), ms(0), LIMITS)).to.include({ admitted: true, waitLimit: 500 });
    expect(admit(outlook(3450), ms(60_000), ms(0), LIMITS)).to.include({ admitted: false, reason: 'wait-too-long', waitLimit: 500, retryAfterSeconds: 4 });
  });

  it('what may kill its thread may wait longer: it has to, for a thread that can be risked', () => {
    expect(admit(outlook(1000), ms(5000), ms(0), LIMITS)).to.include({ admitted: false, reason: 'wait-too-long' });
    expect(admit(outlook(1000, false, true), ms(5000), ms(0), LIMITS)).to.include({ admitted: true, waitLimit: 1000 });
    expect(admit(outlook(1001, false, true), ms(5000), ms(0), LIMITS)).to.include({ admitted: false, reason: 'wait-too-long' });
  });

  it('sheds when the queue is full for the client or the event loop is late', () => {
    expect(admit(outlook(0.001, true), ms(5000), ms(0), LIMITS)).to.include({ admitted: false, reason: 'queue-full' });
    expect(admit(outlook(0), ms(5000), ms(10), LIMITS)).to.include({ admitted: false, reason: 'event-loop-late', retryAfterSeconds: 1 });
    expect(admit(outlook(0), ms(5000), ms(4001), LIMITS)).to.include({ retryAfterSeconds: 5 });
    expect(admit(outlook(8667), ms(5000), ms(10), LIMITS), 'the longer of the two').to.include({ retryAfterSeconds: 9 });
  });

  it('Retry-After is a whole number of seconds, at least 1', () => {
    expect([0, 1, 999, 1000, 1001, 2500].map((wait) => retryAfterSeconds(ms(wait)))).to.deep.equal([1, 1, 1, 1, 2, 3]);
  });
});

describe('the delay of the event loop', () => {
  afterEach(() => sinon.restore());

  /** A histogram of given samples, by the nearest-rank definition of a percentile. */
  function histogramOf(samplesMs: number[]): DelayHistogram & { samples: number[] } {
    return {
      samples: samplesMs,
      get count() {
        return this.samples.length;
      },
      percentile(percentile) {
        const sorted = [...this.samples].sort((a, b) => a - b);
        return (sorted[Math.max(0, Math.ceil((percentile / 100) * sorted.length) - 1)] ?? 0) * 1e6;
      },
      reset() {
        this.samples = [];
      },
    };
  }

  function watch(samplesMs: number[]) {
    const histogram = histogramOf(samplesMs);
    return { histogram, delay: watchEventLoopDelay({ boundMs: 200, leastLateTurns: 3, windowMs: 5000, histogram }) };
  }

  it('one turn of 500 ms sheds nobody (faults B11)', () => {
    expect(watch([...Array<number>(100).fill(10), 510]).delay.lateFor()).to.equal(0);
    expect(watch([510]).delay.lateFor()).to.equal(0);
    expect(watch([]).delay.lateFor()).to.equal(0);
  });

  it('turns that are late again and again do', () => {
    expect(watch(Array<number>(8).fill(310)).delay.lateFor()).to.be.greaterThan(0);
    expect(watch([...Array<number>(100).fill(10), ...Array<number>(5).fill(510)]).delay.lateFor()).to.be.greaterThan(0);
  });

  it('nothing but the fewest turns that count, all late, is too little to tell; one more is not', () => {
    expect(watch(Array<number>(3).fill(310)).delay.lateFor()).to.equal(0);
    expect(watch(Array<number>(4).fill(310)).delay.lateFor()).to.be.greaterThan(0);
  });

  it('turns within the bound do not', () => expect(watch(Array<number>(30).fill(205)).delay.lateFor()).to.equal(0));

  it('is looked at again after a moment, and forgotten with its window', () => {
    const clock = sinon.useFakeTimers({ toFake: ['performance'] });
    const { histogram, delay } = watch(Array<number>(8).fill(310));
    expect(delay.lateFor()).to.equal(5100);
    clock.tick(5000);
    expect(delay.lateFor(), 'the last look of the window').to.equal(100);
    expect(histogram.samples).to.deep.equal([]);
    clock.tick(100);
    expect(delay.lateFor()).to.equal(0);
  });

  it('is not held against whoever asks first when the window is long over', () => {
    const clock = sinon.useFakeTimers({ toFake: ['performance'] });
    const { histogram, delay } = watch(Array<number>(8).fill(310));
    const wait = delay.lateFor();
    clock.tick(wait);
    expect(delay.lateFor()).to.equal(0);
    expect(histogram.samples).to.deep.equal([]);
  });

  it('the real monitor shows next to nothing while idle, and a block when there was one', async () => {
    const delay = watchEventLoopDelay({ boundMs: 200, leastLateTurns: 3, windowMs: 5000 });
    try {
      expect(await until(() => delay.p99Ms() > 0, 30_000), 'samples').to.equal(true);
      expect(delay.p99Ms(), 'idle').to.be.below(1000);
      const end = performance.now() + 300;
      while (performance.now() < end);
      expect(await until(() => delay.p99Ms() >= 250, 30_000), 'the block is seen').to.equal(true);
      expect(delay.p99Ms()).to.be.below(3000);
    } finally {
      delay.close();
    }
  });
});

describe('the tracker of a chain', () => {
  const catalogued = CATALOGUE.find(({ name }) => name === 'ethereum');
  if (catalogued === undefined) throw new Error('the catalogue has no ethereum');
  const chain: Chain = catalogued;
  const address = asAddress('0x00000000000000000000000000000000000000aa');

  let clock: sinon.SinonFakeTimers;
  beforeEach(() => {
    clock = sinon.useFakeTimers({ toFake: ['performance'] });
  });
  afterEach(() => clock.restore());

  /** By a wall clock that stands still. */
  function tracked() {
    return trackChain({
      chain,
      wrappedNative: address,
      contracts: { router: null, allowanceHolder: null, permit2: address },
      feeCollector: address,
      freshnessBound: ms(30_000),
      gatedVenues: [],
      wellKnownTokens: { has: () => true },
      wallClock: () => 1_000_000,
    });
  }

  function published(number: number, timestamp: number, hash: `0x${string}` = `0x${number}`, chainId = 1): IndexerReport {
    const block = { number, hash, timestamp: timestamp as EpochSeconds, baseFeePerGas: null };
    const sizes = { arenaUsedBytes: 0, arenaCapacityBytes: 0, pinnedSlots: 0 };
    return { kind: 'published', chainId, epoch: number, block, labels: ['uniswap_v2'], pools: {}, publish: ms(1), ...sizes };
  }

  function ageOf(hosted: ReturnType<typeof trackChain>): number {
    const view = hosted.view();
    if (view.phase !== 'live') throw new Error(view.phase);
    return view.age;
  }

  it('is coming up until the first epoch is published', () => {
    const hosted = tracked();
    expect(chainCondition(hosted, hosted.view())).to.equal('coming-up');
    hosted.report({ kind: 'reorg', chainId: 1, depth: 1 });
    hosted.report(published(1, 1000, '0x1', 10));
    expect(hosted.view()).to.deep.equal({ phase: 'coming-up', labels: [] });
    hosted.report(published(1, 1000));
    expect(hosted.view()).to.deep.include({ phase: 'live', labels: ['uniswap_v2'] });
  });

  it('age by the wall clock: a lagging node hands out old blocks', () => {
    const hosted = tracked();
    hosted.report(published(1, 960));
    expect(ageOf(hosted)).to.equal(40_000);
    expect(chainCondition(hosted, hosted.view())).to.equal('stale');
  });

  it('age by the monotonic clock: a timestamp ahead, or a wall clock behind, never looks fresh for ever', () => {
    const hosted = tracked();
    hosted.report(published(1, 2000));
    expect(ageOf(hosted)).to.equal(0);
    clock.tick(30_000);
    expect(chainCondition(hosted, hosted.view())).to.equal('fresh');
    clock.tick(1);
    expect(chainCondition(hosted, hosted.view())).to.equal('stale');
  });

  it('the same block published again is no newer; another one is, also of the same height', () => {
    const hosted = tracked();
    hosted.report(published(1, 1000));
    clock.tick(10_000);
    hosted.report(published(1, 1000));
    expect(ageOf(hosted)).to.equal(10_000);
    hosted.report(published(1, 1000, '0xb'));
    expect(ageOf(hosted)).to.equal(0);
  });

  it('a step back, and blocks that come again, are no newer: a chain that stands still grows old whichever of its blocks is shown', () => {
    const hosted = tracked();
    hosted.report(published(7, 1000));
    hosted.report(published(9, 1000));
    for (const number of [7, 9, 7, 9, 8]) {
      clock.tick(10_000);
      hosted.report(published(number, 1000));
    }
    expect(ageOf(hosted)).to.equal(50_000);
    expect(chainCondition(hosted, hosted.view())).to.equal('stale');
    hosted.report(published(10, 1000));
    expect(ageOf(hosted)).to.equal(0);
  });

  it('a block that has left its chain is stale however young, until what takes its place is published (decisions B22)', () => {
    const hosted = tracked();
    const condition = () => chainCondition(hosted, hosted.view());
    hosted.report({ kind: 'orphaned', chainId: 1, orphaned: true });
    expect(condition(), 'nothing was ever published').to.equal('coming-up');
    hosted.report({ kind: 'orphaned', chainId: 1, orphaned: false });
    hosted.report(published(7, 1000));
    hosted.report({ kind: 'orphaned', chainId: 2, orphaned: true });
    expect(condition()).to.equal('fresh');
    hosted.report({ kind: 'orphaned', chainId: 1, orphaned: true });
    expect(condition()).to.equal('stale');
    expect(hosted.view()).to.deep.include({ broken: 'orphaned' });
    // A label is switched off meanwhile: the same block again.
    hosted.report(published(7, 1000));
    expect(condition()).to.equal('stale');
    hosted.report(published(5, 1000, '0x55'));
    hosted.report({ kind: 'orphaned', chainId: 1, orphaned: false });
    expect(condition()).to.equal('fresh');
  });

  it('pools that can not be read are told at once, and make the view stale when they are more than a quarter for longer than the bound', () => {
    const hosted = tracked();
    const waiting = (pools: number) => hosted.report({ kind: 'waiting', chainId: 1, pools, tokens: 0, announcements: 0, absent: pools });
    const seen = () => {
      const view = hosted.view();
      if (view.phase === 'coming-up') throw new Error(view.phase);
      return [view.unreadPools, view.broken, chainCondition(hosted, view)];
    };
    const pass = (ms: number) => {
      clock.tick(ms);
      hosted.report(published(performance.now(), 1000));
    };
    hosted.report(published(7, 1000));
    hosted.report({ kind: 'followed', chainId: 1, pools: { a: 30, b: 10 } });
    waiting(10);
    pass(60_000);
    expect(seen(), 'a quarter').to.deep.equal([10, undefined, 'fresh']);
    waiting(11);
    pass(30_000);
    expect(seen(), 'for as long as the bound').to.deep.equal([11, undefined, 'fresh']);
    waiting(40);
    pass(1);
    expect(seen(), 'and longer').to.deep.equal([40, 'unread', 'stale']);
    waiting(3);
    expect(seen()).to.deep.equal([3, undefined, 'fresh']);
    hosted.report({ kind: 'waiting', chainId: 1, pools: 3, tokens: 1, announcements: 2, absent: 4 });
    expect(seen(), 'an announcement stands for a pool').to.deep.equal([6, undefined, 'fresh']);
  });

  it('a pool set is always fresh', () => {
    const hosted = tracked();
    const block = { number: 0, hash: '0x' as const, timestamp: 0 as EpochSeconds, baseFeePerGas: null };
    expect(chainCondition(hosted, { phase: 'frozen', block, age: ms(1e12), labels: [] })).to.equal('fresh');
  });
});

describe('requests in flight per client', () => {
  it('are bounded, and a place that is left is free again', () => {
    const counter = new InflightCounter(10);
    expect([counter.enter('a', 2), counter.enter('a', 2), counter.enter('a', 2), counter.enter('b', 2)]).to.deep.equal([true, true, false, true]);
    counter.leave('a');
    expect(counter.enter('a', 2)).to.equal(true);
    for (const client of ['a', 'a', 'b']) counter.leave(client);
    expect(counter.clients).to.equal(0);
  });

  it('as many as the rate, within bounds', () => {
    expect([1, 16, 17, 1000, 5000].map((rps) => inflightLimit(rps, { least: 16, most: 1024 }))).to.deep.equal([16, 16, 17, 1000, 1024]);
  });
});

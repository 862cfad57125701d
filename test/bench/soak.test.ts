import { expect } from 'chai';
import type { Result } from '../../bench/load/generator.ts';
import { FAULT_KINDS, planFaults } from '../../bench/soak/fault-plan.ts';
import { judgeSoak, type Soaked } from '../../bench/soak/judge.ts';
import { growthPerTenMinutes, type Sample } from '../../bench/soak/samples.ts';
import { seededRandom } from '../support/seeded-random.ts';

const SECONDS = 300;
const answer = (second: number, part: Partial<Result> = {}): Result => ({
  atMs: second * 1000,
  client: 0,
  budgetMs: 5000,
  status: 200,
  ending: 'answered',
  ms: 20,
  fault: null,
  ...part,
});
const sampleAt = (second: number, part: Partial<Sample> = {}): Sample => ({
  second,
  residentBytes: 3e8,
  series: 1500,
  poisonRefused: 0,
  overruns: 0,
  block: second,
  chainBlock: second,
  chainAge: 1,
  ...part,
});
const quiet: Soaked = {
  seconds: SECONDS,
  results: Array.from({ length: SECONDS }, (_, second) => answer(second)),
  faults: [
    { kind: 'thread-kill', from: 60, to: 61, size: 1 },
    { kind: 'chain-stale', from: 100, to: 116, size: 0 },
  ],
  freshness: 10,
  executions: { asked: 100, noRoute: 1, notServed: 0, delivered: 9, moved: 1, unmined: 0, unfunded: 0, outOfGas: [], wrong: [] },
  samples: Array.from({ length: SECONDS / 5 }, (_, index) => sampleAt(5 * index, { residentBytes: 3e8 + (index % 3) * 1e7 })),
};
const failing = (soaked: Partial<Soaked>) =>
  judgeSoak({ ...quiet, ...soaked })
    .filter(({ ok }) => !ok)
    .map(({ what }) => what);

describe('the soak', () => {
  it('plans every kind of fault within ten minutes, with calm in between, and the same for the same seed', () => {
    for (const seed of [1, 2, 3]) {
      const plan = planFaults(600, seed);
      expect(planFaults(600, seed)).to.deep.equal(plan);
      expect(new Set(plan.map(({ kind }) => kind))).to.deep.equal(new Set(FAULT_KINDS));
      expect(plan.every(({ from }, index) => from >= (plan[index - 1]?.to ?? 34) + 6)).to.equal(true);
      expect(plan.at(-1)?.to).to.be.at.most(570);
    }
    expect(planFaults(600, 1)).not.to.deep.equal(planFaults(600, 2));
  });

  it('holds where nothing but what is allowed happened', () => {
    expect(failing({})).to.deep.equal([]);
    // One failure for the killed thread, and stale answers from the end of the freshness bound on.
    expect(
      failing({ results: [...quiet.results, answer(60, { status: 500, ending: 'failed' }), answer(112, { status: 503, ending: 'stale' })] }),
    ).to.deep.equal([]);
  });

  it('takes what a chain that is late itself, and jobs that killed twice, explain', () => {
    const stale = Array.from({ length: 15 }, (_, index) => answer(205 + index / 20, { status: 503, ending: 'stale' }));
    const withStale = (chainAge: number) =>
      failing({
        results: [...quiet.results, ...stale],
        samples: [...quiet.samples.filter(({ second }) => second !== 205), sampleAt(205, { chainAge, block: 190 })],
      });
    expect(withStale(9)).to.deep.equal([]);
    expect(withStale(1)).to.include('stale 503 without a node that failed long enough');
    const behind = judgeSoak({ ...quiet, results: [...quiet.results, ...stale], samples: [sampleAt(205, { block: 190 })] });
    expect(behind.find(({ what }) => what.startsWith('stale'))?.measured).to.equal('15 of 15, at 205 s (15 behind)');
    const failed = [answer(60, { status: 500, ending: 'failed' }), answer(70, { status: 500, ending: 'failed' })];
    const withFailures = (poisonRefused: number) =>
      failing({ results: [...quiet.results, ...failed], samples: [...quiet.samples, sampleAt(299, { poisonRefused })] });
    expect(withFailures(1)).to.deep.equal([]);
    expect(withFailures(0)).to.deep.equal(['failed requests (500)']);
  });

  it('takes threads that were ended for running past a deadline only where a machine without time explains them: in a short run', () => {
    const failed = [answer(60, { status: 500, ending: 'failed' }), answer(70, { status: 500, ending: 'failed' })];
    const samples = [...quiet.samples, sampleAt(299, { overruns: 1 })];
    expect(failing({ results: [...quiet.results, ...failed], samples })).to.deep.equal([]);
    const long = Array.from({ length: 2000 }, (_, second) => answer(second));
    expect(failing({ seconds: 2000, results: [...long, ...failed], samples })).to.include('failed requests (500)');
  });

  it('does not hold where something else did', () => {
    const more = (...results: Result[]) => failing({ results: [...quiet.results, ...results] });
    const fault = (second: number, status: number, ending: Result['ending']) => answer(second, { status, ending });
    expect(more(fault(60, 500, 'failed'), fault(60.5, 500, 'failed'))).to.deep.equal(['failed requests (500)']);
    expect(more(fault(60, 0, 'lost'))).to.deep.equal(['connections that broke']);
    // Of one request a second, ten may find the chain late on a busy machine.
    for (const second of [62, 104, 122]) {
      const stale = (count: number) => more(...Array.from({ length: count }, (_, index) => fault(second + index / 100, 503, 'stale')));
      expect(stale(11), String(second)).to.include('stale 503 without a node that failed long enough');
      expect(stale(10), String(second)).not.to.include('stale 503 without a node that failed long enough');
    }
    expect(more(...Array.from({ length: 300 }, (_, index) => fault(200 + index / 10, 503, 'shed')))).to.deep.equal(['served in time in calm seconds']);
    expect(failing({ results: quiet.results.map((result) => (result.atMs > 250_000 ? { ...result, ms: 3100 } : result)) })).to.deep.equal([
      'p99 of the last 60 s, ms',
    ]);
    expect(failing({ samples: quiet.samples.map((one) => ({ ...one, residentBytes: one.residentBytes * (1 + one.second / 100) })) })).to.have.length(1);
    expect(failing({ samples: quiet.samples.map((one) => ({ ...one, series: one.second > 200 ? 1501 : 1500 })) })).to.deep.equal(['number of metric series']);
    expect(failing({ executions: { ...quiet.executions, wrong: ['x'] } })).to.deep.equal(['swaps that went wrong']);
    // One of two hundred does: of few one may, of many a fiftieth.
    expect(failing({ executions: { ...quiet.executions, outOfGas: ['x'] } })).to.deep.equal([]);
    expect(failing({ executions: { ...quiet.executions, outOfGas: ['x', 'y'] } })).to.deep.equal(['swaps that used up the estimate and a fifth']);
    expect(failing({ executions: { ...quiet.executions, delivered: 98, outOfGas: ['x', 'y'] } })).to.deep.equal([]);
    expect(failing({ executions: { ...quiet.executions, delivered: 0 } })).to.deep.equal(['executed swaps that delivered']);
  });

  it('a long run is judged by the slope of its memory', () => {
    const samples = Array.from({ length: 400 }, (_, index) => sampleAt(5 * index, { residentBytes: 3e8 * (1 + (0.02 * 5 * index) / 600) }));
    expect(growthPerTenMinutes(samples)?.slope).to.be.within(0.018, 0.02);
    const results = Array.from({ length: 2000 }, (_, second) => answer(second));
    expect(failing({ seconds: 2000, results, samples })).to.deep.equal(['slope of resident memory per 10 min, second half']);
    // Ups and downs of a tenth hide no slope of five hundredths, and are none.
    const noise = seededRandom('soak');
    const noisy = (slope: number) =>
      samples.map((one) => ({ ...one, residentBytes: 3e8 * (1 + (slope * one.second) / 600) * (1 + 0.1 * (2 * noise.unit() - 1)) }));
    expect(failing({ seconds: 2000, results, samples: noisy(0) })).to.deep.equal([]);
    expect(failing({ seconds: 2000, results, samples: noisy(0.05) })).to.deep.equal(['slope of resident memory per 10 min, second half']);
  });
});

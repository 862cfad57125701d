import { expect } from 'chai';
import sinon from 'sinon';
import type { SolveJob } from '../../src/routing/routing.ts';
import type { SolveOutcome, Solving } from '../../src/solving/solving.ts';
import { createVenueSwitches, guardSolving } from '../../src/switching/switching.ts';
import { asWei, type InstantMs } from '../../src/units/units.ts';
import { NOTHING_OFF } from '../../src/venues/venues.ts';
import { planFor, planHop } from '../quoting/fixtures.ts';
import { accepted } from '../validation/queries.ts';

const CALLER = { client: 'c', signal: new AbortController().signal };
const JOB: SolveJob = {
  chainId: 1,
  mode: 'sell',
  sellToken: accepted({}).sellToken,
  buyToken: accepted({}).buyToken,
  amount: asWei(1n),
  maxHops: null,
  gasPriceWei: null,
  filter: { include: null, exclude: [], excludeRfq: false, excludeRwa: false },
  deadline: 0 as InstantMs,
};
const POOL = '0x00000000000000000000000000000000000000aa';

/** A plan over one pool. */
function over(source: string, poolKey = POOL): SolveOutcome {
  const request = accepted({});
  return { result: { ok: true, plan: { ...planFor(request, 5n), hops: [planHop(request, { source, protocol: source, poolKey })] } }, queueMs: 1, runMs: 2 };
}

describe('solving without what is switched off', () => {
  const switches = () => createVenueSwitches({ configured: new Map(), onChange: () => undefined });
  /** Solver threads that answer with the outcomes in turn, after what happens meanwhile. */
  const threads = (...turns: (() => SolveOutcome)[]) => {
    const solve = sinon.spy(async (_job: SolveJob) => {
      const outcome = turns.shift();
      if (outcome === undefined) throw new Error('solved too often');
      return outcome();
    });
    const certify: Solving['certify'] = async () => ({
      result: { ok: true, grossAmount: asWei(5n), block: planFor(accepted({}), 5n).block },
      queueMs: 0,
      runMs: 0,
    });
    const rest = {
      queueLimit: 1,
      longPlaces: 1,
      threads: 1,
      queueDepth: () => 0,
      inflight: () => 0,
      estimatedWaitMs: () => 0,
      outlook: () => ({ waitMs: 0, full: false, suspect: false }),
    };
    return {
      ...rest,
      solve,
      solveAgain: solve,
      certify,
      workers: () => ({ live: 1, starting: 0, reserve: 0, largestHeapBytes: 0 }),
      close: async () => undefined,
    };
  };

  it('gives jobs on as they are while nothing is off, and with what is off otherwise', async () => {
    const off = switches();
    const solving = threads(
      () => over('a'),
      () => over('a'),
    );
    const guarded = guardSolving(solving, off);
    await guarded.solve(JOB, CALLER);
    off.change({ chainId: 1, kind: 'venue', name: 'b', on: false });
    off.change({ chainId: 2, kind: 'venue', name: 'a', on: false });
    await guarded.solve(JOB, CALLER);
    const [[first] = [], [second] = []] = solving.solve.args;
    expect(first).to.equal(JOB);
    expect(second?.filter.switchedOff).to.deep.equal({ venues: ['b'], pools: [] });
  });

  for (const change of [
    { kind: 'venue', name: 'a' },
    { kind: 'pool', name: POOL },
  ] as const) {
    it(`solves again when a ${change.kind} of the plan was switched off during the solve, and adds the times up`, async () => {
      const off = switches();
      const first = () => {
        off.change({ chainId: 1, ...change, on: false });
        return over('a:variant');
      };
      const solving = threads(first, () => over('b', '0xbb'));
      const { result, queueMs, runMs } = await guardSolving(solving, off).solve(JOB, CALLER);
      expect(result.ok && result.plan.hops.map(({ source }) => source)).to.deep.equal(['b']);
      expect([queueMs, runMs, solving.solve.callCount]).to.deep.equal([2, 4, 2]);
    });
  }

  it('finds no route rather than one through what is off, whatever the threads say', async () => {
    const off = switches();
    off.change({ chainId: 1, kind: 'venue', name: 'a', on: false });
    const always = () => over('a');
    const { result } = await guardSolving(threads(always, always, always, always), off).solve(JOB, CALLER);
    expect(result).to.include({ ok: false, reason: 'no-route' });
  });

  it('a plan that is being built holds though nothing is looked for through a venue of it any more, until that is withdrawn', async () => {
    const [off, withdrawn] = [switches(), switches()];
    const guarded = guardSolving(threads(), { off: off.off, withdrawn: withdrawn.off });
    const { hops } = planFor(accepted({}), 5n);
    const job = { chainId: 1, sellToken: JOB.sellToken, buyToken: JOB.buyToken, sellAmount: asWei(1n), hops, deadline: 0 as InstantMs };
    const change = { chainId: 1, kind: 'venue', name: hops[0]?.source ?? '', on: false } as const;
    off.change(change);
    expect((await guarded.certify(job, CALLER)).result.ok).to.equal(true);
    withdrawn.change(change);
    expect((await guarded.certify(job, CALLER)).result).to.include({ ok: false, reason: 'withdrawn' });
  });

  it('a plan that is being built does not hold once a venue of it is off', async () => {
    const off = switches();
    const guarded = guardSolving(threads(), off);
    const { hops } = planFor(accepted({}), 5n);
    const job = { chainId: 1, sellToken: JOB.sellToken, buyToken: JOB.buyToken, sellAmount: asWei(1n), hops, deadline: 0 as InstantMs };
    expect((await guarded.certify(job, CALLER)).result.ok).to.equal(true);
    off.change({ chainId: 1, kind: 'venue', name: hops[0]?.source ?? '', on: false });
    expect((await guarded.certify(job, CALLER)).result).to.include({ ok: false, reason: 'withdrawn' });
  });

  it('switches are told of once, come from the configuration, and are bounded', () => {
    const onChange = sinon.spy();
    const configured = new Map([[1, { venues: ['a'], pools: [] }]]);
    const off = createVenueSwitches({ configured, onChange });
    expect(off.off(1).venues).to.deep.equal(['a']);
    expect(off.off(7)).to.equal(NOTHING_OFF);
    expect(off.change({ chainId: 1, kind: 'venue', name: 'a', on: false })).to.equal('unchanged');
    expect(off.change({ chainId: 1, kind: 'venue', name: 'b', on: true })).to.equal('unchanged');
    expect(off.change({ chainId: 1, kind: 'venue', name: 'a', on: true })).to.equal('changed');
    expect(onChange.args.map(([change, now]) => [change.name, now.venues])).to.deep.equal([['a', []]]);
    for (let at = 0; at < 1024; at++) expect(off.change({ chainId: 1, kind: 'pool', name: `#${at}`, on: false })).to.equal('changed');
    expect(off.change({ chainId: 1, kind: 'pool', name: '#1024', on: false })).to.equal('full');
  });
});

import { expect } from 'chai';
import sinon from 'sinon';
import { buildSwap } from '../../src/building/build-swap.ts';
import type { SwapBuild } from '../../src/building/swap-build.ts';
import { LIMITS } from '../../src/config/config.ts';
import type { Plan } from '../../src/routing/routing.ts';
import type { SolveOutcome } from '../../src/solving/solving.ts';
import { instantNow } from '../../src/units/units.ts';

const ENDINGS = ['no-route', 'no-snapshot', 'expired', 'failed', 'cancelled'] as const;

describe('the build of a swap', () => {
  const plan = { sellAmount: 1n, grossAmount: 1n, hops: [], block: { number: 7 } } as unknown as Plan;
  const timed = (result: unknown) => ({ result, queueMs: 0, runMs: 1 });
  const refused = (reason: string) => timed({ ok: false, reason, block: { number: 9 } });
  const built = (solving: object) =>
    buildSwap({ solving, onSolved: () => {}, job: { deadline: instantNow() }, caller: {}, request: {}, fee: null } as unknown as SwapBuild);

  for (const reason of ENDINGS) {
    it(`ends as its solve does, the first or a later one, and as its certification: '${reason}'`, async () => {
      const solve = sinon.stub().resolves(refused(reason));
      const ending = { ok: false, reason, block: reason === 'no-route' ? 9 : null };
      expect(await built({ solve })).to.deep.equal(ending);
      const solved = sinon.stub().resolves(timed({ ok: true, plan }));
      const moved = sinon.stub().resolves(refused('refused'));
      expect(await built({ solve: solved, solveAgain: solve, certify: moved })).to.deep.equal(ending);
      if (reason !== 'no-route') expect(await built({ solve: solved, certify: solve })).to.deep.equal({ ok: false, reason, block: 7 });
    });
  }

  it('solves again for a chain that moves, ahead of others and a bounded number of times, and hands out nothing', async () => {
    const plan = { sellAmount: 1n, grossAmount: 1n, hops: [], block: { number: 7 } } as unknown as Plan;
    const solved: SolveOutcome = { result: { ok: true, plan }, queueMs: 0, runMs: 1 };
    const moved = { result: { ok: false, reason: 'refused' }, queueMs: 0, runMs: 1 };
    const solving = { solve: sinon.stub().resolves(solved), solveAgain: sinon.stub().resolves(solved), certify: sinon.stub().resolves(moved) };
    const onSolved = sinon.spy();
    const build = { solving, onSolved, job: { deadline: instantNow() }, caller: {}, request: {}, fee: null } as unknown as SwapBuild;
    expect(await buildSwap(build)).to.deep.equal({ ok: false, reason: 'failed', block: 7 });
    const { solves } = LIMITS.building;
    expect([solving.solve.callCount, solving.solveAgain.callCount, solving.certify.callCount, onSolved.callCount]).to.deep.equal([
      1,
      solves - 1,
      solves,
      solves,
    ]);
  });
});

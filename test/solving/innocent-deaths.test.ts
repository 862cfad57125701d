import { expect } from 'chai';
import sinon from 'sinon';
import { createSolving } from '../../src/solving/solving.ts';
import { type InstantMs, instantNow } from '../../src/units/units.ts';
import { solveJob, tokenOf } from './solve-job.ts';
import { BEHAVIOUR, forgetRuns } from './workers/misbehaving.ts';

const DEATHS = 8;

describe('threads that die whatever they run', () => {
  it('hold back nothing that never ran before: each job is answered after its retry, though no time passes for the cap on restarts', async () => {
    const solving = await createSolving({
      threads: 2,
      workerFile: new URL('./workers/misbehaving.ts', import.meta.url),
      data: { chains: [] },
      onEvent: () => undefined,
    });
    const deadline = (instantNow() + 30_000) as InstantMs;
    const now = performance.now();
    const clock = sinon.stub(performance, 'now').returns(now);
    try {
      for (let index = 0; index < DEATHS; index++) {
        const job = solveJob({ sellToken: tokenOf(index + 1), maxHops: BEHAVIOUR.exitFirst, deadline });
        const { result } = await solving.solve(job, { client: `client ${index}`, signal: new AbortController().signal });
        expect(result, `job ${index}`).to.include({ reason: 'no-route' });
      }
    } finally {
      clock.restore();
      await solving.close();
      forgetRuns();
    }
  });
});

import { expect } from 'chai';
import sinon from 'sinon';
import { LIMITS } from '../../src/config/config.ts';
import { createSolving, type Solving, type SolvingEvent } from '../../src/solving/solving.ts';
import { asWei } from '../../src/units/units.ts';
import { until } from '../support/until.ts';
import { solveJob } from './solve-job.ts';
import { BREAKS } from './workers/breaks.ts';
import { BEHAVIOUR, forgetRuns } from './workers/misbehaving.ts';

const { signal } = new AbortController();

describe('a pool whose threads do not come back', () => {
  let solving: Solving;
  let events: SolvingEvent[];
  beforeEach(async () => {
    events = [];
    const workerFile = new URL('./workers/breaks-at-will.ts', import.meta.url);
    solving = await createSolving({ threads: 2, workerFile, data: { chains: [] }, onEvent: (event) => events.push(event) });
    expect(await until(() => solving.workers().reserve === LIMITS.solving.reserveThreads, 50_000)).to.equal(true);
    // Not before: at the start threads get the time that they need.
    sinon.stub(LIMITS.solving, 'probeMs').value(500);
    sinon.stub(LIMITS.solving, 'probeRanMs').value(0);
    sinon.stub(LIMITS.solving, 'missingThreadMs').value(0);
  });
  afterEach(async () => {
    delete process.env[BREAKS];
    sinon.restore();
    await solving.close();
    forgetRuns();
  });
  const restarts = () => events.flatMap((event) => (event.kind === 'restart' ? [event.reason] : []));
  const job = (behaviour: number, amount: number) => solveJob({ maxHops: behaviour, amount: asWei(BigInt(amount)) });

  it('is built anew, which is no fault of what ran there: it is tried again and nobody is suspected for it', async () => {
    const running = solving.solve(job(BEHAVIOUR.answer, 3000), { client: 'neighbour', signal });
    process.env[BREAKS] = 'yes';
    const doomed = solving.solve(job(BEHAVIOUR.exitFirst, 1), { client: 'poisoner', signal });
    expect(await until(() => restarts().includes('rebuild'), 10_000)).to.equal(true);
    delete process.env[BREAKS];
    sinon.stub(LIMITS.solving, 'probeMs').value(20_000);
    expect(await until(() => solving.workers().live === 2, 30_000), 'as many threads as there were').to.equal(true);
    expect(solving.outlook(job(BEHAVIOUR.answer, 2), 'neighbour').suspect).to.equal(false);
    for (const { result } of await Promise.all([running, doomed])) expect(result).to.include({ ok: false, reason: 'no-route' });
    // The thread of the neighbour went with the pool, beside the one that died.
    expect(restarts()[0]).to.equal('exit');
    expect(new Set(restarts().slice(1))).to.deep.equal(new Set(['rebuild']));
  });
});

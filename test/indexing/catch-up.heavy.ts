import { expect } from 'chai';
import { moved, opened } from './followed-chain.ts';
import { HONEST } from './simulation/backend.ts';
import { type Simulation, simulation } from './simulation/simulate.ts';

const IDS = [10, 12, 14, 16, 18, 20, 22, 24];
const logs = (count: number, value: number) => Array.from({ length: count }, (_, at) => moved(IDS[at % IDS.length] as number, value + at));

/** What is promised holds on a machine of its own: ten times as much tells a broken mechanism from a slow processor (decision 70). */
const BUSY = 10;

/** Moments of the simulation in which any of these is there. */
const PATIENCE = 80;

async function untilThere(run: Simulation): Promise<void> {
  for (let moments = 0; moments < PATIENCE && !run.isThere(); moments++) await run.moment();
  expect(run.isThere()).to.equal(true);
}

/** A follower at the head of a simulated chain, behind one honest node: requests, JSON, blooms and all. What the node takes for an answer is simulated, and no time passes for it. */
async function atHead(): Promise<Simulation> {
  const run = simulation(1, [HONEST]);
  run.chain.grow(...IDS.map((id) => opened(id, id)));
  await untilThere(run);
  return run;
}

/** What the processor takes for all of it, ms. */
async function timeOf(run: Simulation): Promise<number> {
  const began = performance.now();
  await untilThere(run);
  return performance.now() - began;
}

describe('what is read at once', () => {
  it('a block of 5,000 logs of pools is applied and published within a second (A23)', async () => {
    const run = await atHead();
    run.chain.grow(...logs(5000, 1));
    expect(await timeOf(run)).to.be.below(1000 * BUSY);
    run.close();
  });

  it('500 missed blocks with 20,000 logs are filled within five seconds, none missing (A18)', async () => {
    const run = await atHead();
    for (let block = 0; block < 500; block++) run.chain.grow(...logs(40, block));
    expect(await timeOf(run)).to.be.below(5000 * BUSY);
    expect(run.followed.of('backfilled').at(-1)?.blocks).to.be.within(498, 499);
    run.close();
  });

  it('a reorg of 64 blocks is undone and done again within half a second of the node’s answers', async () => {
    const run = await atHead();
    for (let block = 0; block < 80; block++) run.chain.grow(...logs(10, block));
    await untilThere(run);
    run.chain.back(64);
    for (let block = 0; block < 65; block++) run.chain.grow(...logs(10, 1000 + block));
    expect(await timeOf(run)).to.be.below(500 * BUSY);
    expect(run.followed.of('reorg').at(-1)?.depth).to.equal(64);
    run.close();
  });
});

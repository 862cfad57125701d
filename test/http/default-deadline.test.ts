import { expect } from 'chai';
import { LIMITS } from '../../src/config/limits.ts';
import type { EpochSeconds } from '../../src/units/units.ts';
import { type Edge, startEdge } from './support/edge.ts';
import { type RealSolving, realSolving, USDC, WETH } from './support/real-solving.ts';

const AHEAD = 4_102_444_800 as EpochSeconds;

describe('the default deadline', () => {
  let real: RealSolving;
  let edge: Edge;
  before(async () => {
    real = await realSolving();
    const { hosted, solving } = real;
    const view = hosted.view();
    if (view.phase === 'coming-up') throw new Error('a pool set is there at once');
    const ahead = { ...hosted, view: () => ({ ...view, block: { ...view.block, timestamp: AHEAD } }) };
    edge = await startEdge({ chains: [ahead], solve: (job, caller) => solving.solve(job, caller), certify: (job, caller) => solving.certify(job, caller) });
  });
  after(async () => {
    await edge.close();
    await real.solving.close();
  });

  it('is counted from the head where that leads the wall clock, on a frozen set too: sent back, it is taken (R8)', async () => {
    const taker = '0x00000000000000000000000000000000000000aa';
    const query = `chainId=1&mode=sell&sellToken=${WETH}&buyToken=${USDC}&sellAmount=1000000000000000000&taker=${taker}`;
    const ask = (more = '') => fetch(`${edge.url}/v1/swap?${query}${more}`, { headers: { 'x-api-key': edge.key(1000) } });
    const { deadline } = (await (await ask()).json()) as { readonly deadline: number };
    expect(deadline).to.equal(AHEAD + LIMITS.building.deadlineSeconds);
    expect((await ask(`&deadline=${deadline}`)).status).to.equal(200);
    expect((await ask(`&deadline=${AHEAD}`)).status).to.equal(400);
  });
});

import { expect } from 'chai';
import sinon from 'sinon';
import { LIMITS } from '../../src/config/limits.ts';
import { measuredSolving, type Solving, type TokenMeasuring } from '../../src/solving/solving.ts';
import { asAddress, type InstantMs, instantNow } from '../../src/units/units.ts';

describe('solving where tokens are measured on the way', () => {
  const [sellToken, buyToken] = ['1', '2'].map((digit) => asAddress(`0x${digit.repeat(40)}`));
  const unmeasuredAt = (number: number) => ({ result: { ok: false, reason: 'unmeasured', tokens: [sellToken], block: { number } }, queueMs: 1, runMs: 2 });
  const unmeasured = unmeasuredAt(7);
  const solved = { result: { ok: true, plan: {} }, queueMs: 1, runMs: 2 };
  const ask = async (deadline: number, late = 0, blocksCome = true) => {
    const solveAgain = sinon.stub().resolves(solved);
    for (let call = 0; call < late; call++) solveAgain.onCall(call).resolves(unmeasuredAt(blocksCome ? 8 + call : 7));
    const measuring: TokenMeasuring = { measure: async () => ({ ok: true }), wanted: () => undefined };
    const solving = measuredSolving({ solve: async () => unmeasured, solveAgain } as unknown as Solving, measuring);
    const job = { chainId: 1, sellToken, buyToken, deadline: deadline as InstantMs } as Parameters<Solving['solve']>[0];
    const { result } = await solving.solve(job, { client: 'ip:a', signal: new AbortController().signal });
    return { result, solvesAgain: solveAgain.callCount };
  };

  it('solves again with the verdict while there is time, and says after it that the token is not measured, not that the service is overloaded', async () => {
    expect(await ask(instantNow() + 60_000)).to.deep.equal({ result: solved.result, solvesAgain: 1 });
    expect(await ask(instantNow())).to.deep.equal({ result: unmeasured.result, solvesAgain: 0 });
  });

  it('measures again where a block came meanwhile, and gives up after a few', async () => {
    const { probesPerSolve } = LIMITS.measuring;
    expect(await ask(instantNow() + 60_000, probesPerSolve - 1)).to.deep.equal({ result: solved.result, solvesAgain: probesPerSolve });
    expect(await ask(instantNow() + 60_000, probesPerSolve)).to.deep.equal({ result: unmeasuredAt(7 + probesPerSolve).result, solvesAgain: probesPerSolve });
    expect(await ask(instantNow() + 60_000, probesPerSolve, false), 'no block came').to.deep.equal({ result: unmeasured.result, solvesAgain: 1 });
  });
});

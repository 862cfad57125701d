import { expect } from 'chai';
import sinon from 'sinon';
import { LIMITS } from '../../src/config/limits.ts';
import { MeasuringQueue, measuredSolving, type Solving } from '../../src/solving/solving.ts';
import { asAddress, type InstantMs, instantNow } from '../../src/units/units.ts';

describe('solving where tokens are measured on the way', () => {
  const [sellToken, buyToken] = ['1', '2'].map((digit) => asAddress(`0x${digit.repeat(40)}`));
  const unmeasuredAt = (number: number) => ({ result: { ok: false, reason: 'unmeasured', tokens: [sellToken], block: { number } }, queueMs: 1, runMs: 2 });
  const unmeasured = unmeasuredAt(7);
  const solved = { result: { ok: true, plan: {} }, queueMs: 1, runMs: 2 };
  /** `measuredAt`: the block of each probe's verdict. `late`: so many solves after a probe find it too old again, at the blocks from `since` on. */
  const ask = async (deadline: number, late = 0, since = 8, measuredAt: number | null = 7) => {
    const solveAgain = sinon.stub().resolves(solved);
    for (let call = 0; call < late; call++) solveAgain.onCall(call).resolves(unmeasuredAt(since + call));
    const measuring = new MeasuringQueue({ measure: async () => ({ ok: true, block: measuredAt }), wanted: () => undefined });
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
  });

  it('measures again where the verdict was of a block before, though none came since the first solve: a probe for somebody else was under way', async () => {
    expect(await ask(instantNow() + 60_000, 1, 7, 5)).to.deep.equal({ result: solved.result, solvesAgain: 2 });
  });

  it('does not measure again what was measured at the very block, or what no pool trades', async () => {
    const { probesPerSolve } = LIMITS.measuring;
    expect(await ask(instantNow() + 60_000, probesPerSolve, 7, 7 + probesPerSolve)).to.deep.equal({ result: unmeasured.result, solvesAgain: 1 });
    expect(await ask(instantNow() + 60_000, probesPerSolve, 8, null)).to.deep.equal({ result: unmeasuredAt(8).result, solvesAgain: 1 });
  });

  it('measures the other token of the pair too where its verdict has grown too old meanwhile', async () => {
    const solveAgain = sinon.stub().resolves(solved);
    solveAgain.onCall(0).resolves({ ...unmeasured, result: { ...unmeasured.result, tokens: [buyToken] } });
    const measure = sinon.spy(async () => ({ ok: true as const, block: 7 }));
    const solving = measuredSolving(
      { solve: async () => unmeasured, solveAgain } as unknown as Solving,
      new MeasuringQueue({ measure, wanted: () => undefined }),
    );
    const job = { chainId: 1, sellToken, buyToken, deadline: instantNow() + 60_000 } as Parameters<Solving['solve']>[0];
    const { result } = await solving.solve(job, { client: 'ip:a', signal: new AbortController().signal });
    expect(result).to.deep.equal(solved.result);
    expect(measure.args).to.deep.equal([
      [1, [sellToken]],
      [1, [buyToken]],
    ]);
  });

  it('says that the service is overloaded where there is no place to wait for a probe at', async () => {
    const solving = { solve: async () => unmeasured } as unknown as Solving;
    const queue = { wait: async () => ({ ok: false, reason: 'busy' }), wanted: () => undefined } as unknown as MeasuringQueue;
    const refused = sinon.spy();
    const job = { chainId: 5, sellToken, buyToken, deadline: instantNow() + 60_000 } as Parameters<Solving['solve']>[0];
    const { result } = await measuredSolving(solving, queue, refused).solve(job, { client: 'ip:a', signal: new AbortController().signal });
    expect(result).to.deep.equal({ ok: false, reason: 'expired' });
    expect(refused.args).to.deep.equal([[5]]);
  });

  describe('a request whose tokens are measured, and that has no route but through others that are not', () => {
    const between = ['a', 'b', 'c', 'd', 'e', 'f'].map((digit) => asAddress(`0x${digit.repeat(40)}`));
    const without = (unmeasured: readonly string[] | undefined, number = 7) => ({
      result: { ok: false, reason: 'no-route', maxHops: 3, block: { number }, ...(unmeasured === undefined ? {} : { unmeasured }) },
      queueMs: 1,
      runMs: 2,
    });
    const asked = async (first: unknown, again: readonly unknown[], wait: MeasuringQueue['wait'] = async () => ({ ok: true, block: 7 }), budgetMs = 60_000) => {
      const solveAgain = sinon.stub();
      for (const [call, outcome] of again.entries()) solveAgain.onCall(call).resolves(outcome);
      const waited = sinon.spy(wait);
      const solving = measuredSolving(
        { solve: async () => first, solveAgain } as unknown as Solving,
        { wait: waited, wanted: () => undefined } as unknown as MeasuringQueue,
      );
      const job = { chainId: 1, sellToken, buyToken, deadline: instantNow() + budgetMs } as Parameters<Solving['solve']>[0];
      const { result } = await solving.solve(job, { client: 'ip:a', signal: new AbortController().signal });
      return { result, waitedFor: waited.args.map(([, tokens]) => tokens), solvesAgain: solveAgain.callCount };
    };

    it('waits for those that come first, and has the route that their verdicts give', async () => {
      const { result, waitedFor, solvesAgain } = await asked(without(between), [solved]);
      expect([result, waitedFor, solvesAgain]).to.deep.equal([solved.result, [between.slice(0, LIMITS.measuring.betweenAtOnce)], 1]);
    });

    it('waits for the next where these gave none, and for none twice', async () => {
      const next = without(between.slice(4));
      expect(await asked(without(between), [next, solved])).to.deep.include({ result: solved.result, solvesAgain: 2 });
      const same = without(between);
      expect(await asked(same, [same, same, same])).to.deep.include({ result: same.result, solvesAgain: 1 });
      expect(await asked(same, [without(undefined, 8)])).to.deep.include({ result: without(undefined, 8).result, solvesAgain: 1 });
    });

    it('is told so, and which they are, where there is no time or no place to wait: nothing else is in its way', async () => {
      const first = without(between);
      for (const reason of ['busy', 'unavailable', 'gone'] as const) {
        expect(await asked(first, [], async () => ({ ok: false, reason }))).to.deep.include({ result: first.result, solvesAgain: 0 });
      }
      expect(await asked(first, [], undefined, -1)).to.deep.include({ result: first.result, solvesAgain: 0 });
      for (const reason of ['expired', 'failed'] as const) {
        expect(await asked(first, [{ result: { ok: false, reason }, queueMs: 0, runMs: 0 }])).to.deep.include({ result: first.result, solvesAgain: 1 });
      }
    });

    it('waits for nobody where no token is in the way', async () => {
      expect(await asked(without(undefined), [])).to.deep.include({ waitedFor: [], solvesAgain: 0 });
    });
  });
});

import { expect } from 'chai';
import sinon from 'sinon';
import { LIMITS } from '../../src/config/limits.ts';
import { Ahead } from '../../src/indexing/ahead.ts';
import type { ChainReader } from '../../src/indexing/chain-reader.ts';
import { SYSTEM_CLOCK } from '../../src/indexing/clock.ts';
import type { ChainHeader } from '../../src/indexing/header.ts';
import { HeadsAhead } from '../../src/indexing/heads-ahead.ts';
import { PoolBook } from '../../src/indexing/pool-book.ts';
import { RpcError } from '../../src/indexing/rpc/rpc-error.ts';
import type { EpochSeconds } from '../../src/units/units.ts';
import { idOf } from './made-up-singleton.ts';

const TIP = 1_000;
/** Longer than a node that is quick takes. */
const LONG_MS = LIMITS.indexing.ahead.slowMs + 50;

const header = (number: number): ChainHeader => ({
  number,
  hash: idOf(number),
  parentHash: idOf(number - 1),
  timestamp: number as EpochSeconds,
  baseFeePerGas: null,
  logsBloom: '0x',
});

describe('the head that a step goes to', () => {
  let clock: sinon.SinonFakeTimers;
  const latest = sinon.stub<[], Promise<ChainHeader>>();
  const latestToTake = sinon.stub<[], Promise<{ readonly head: ChainHeader; readonly take: () => void }>>();
  const logsSince = sinon.stub<[number], ReturnType<ChainReader['logsSince']>>();
  const headerAt = sinon.stub<[number], Promise<ChainHeader | null>>();
  const logs = sinon.stub<[ChainHeader], ReturnType<ChainReader['logs']>>();
  let ahead: Ahead;
  let heads: HeadsAhead;
  const book = new PoolBook(header(TIP), 8);

  beforeEach(() => {
    clock = sinon.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] });
    for (const stub of [latest, latestToTake, logsSince, headerAt, logs]) stub.reset();
    headerAt.resolves(null);
    logs.rejects(new RpcError('unavailable', 'not these'));
    logsSince.resolves(() => null);
    ahead = new Ahead();
    const reader = { latest, latestToTake, logsSince, headerAt, logs } as Partial<ChainReader> as ChainReader;
    heads = new HeadsAhead(reader, ahead, SYSTEM_CLOCK, () => undefined);
  });
  afterEach(() => clock.restore());

  const late = <Given>(ms: number, given: Given) => new Promise<Given>((resolve) => setTimeout(() => resolve(given), ms));
  /** Asks for one head after the other, each of which takes so long. */
  const took = async (...times: readonly number[]): Promise<void> => {
    for (const [at, ms] of times.entries()) {
      latest.onCall(at).callsFake(() => late(ms, header(TIP)));
      const head = heads.next(book);
      await clock.tickAsync(ms);
      expect(await head).to.deep.equal(header(TIP));
    }
  };

  it('is asked for once a step of a node that is quick, however long one of its answers took', async () => {
    await took(9, 10, LONG_MS);
    latest.resolves(header(TIP + 1));
    expect(await heads.next(book)).to.deep.equal(header(TIP + 1));
    expect([latest.callCount, latestToTake.callCount]).to.deep.equal([4, 0]);
  });

  it('is, of a node that is not, the highest for which all is there, and whoever gave that one hears that it was taken', async () => {
    await took(LONG_MS);
    const [first, second] = [sinon.spy(), sinon.spy()];
    latestToTake.onCall(0).resolves({ head: header(TIP + 1), take: first });
    latestToTake.onCall(1).callsFake(() => late(LONG_MS, { head: header(TIP + 2), take: second }));
    // Others wake whoever waits, and are of no use.
    latestToTake.callsFake(() => late(2 * LONG_MS, { head: header(TIP + 1), take: sinon.spy() }));
    let known = false;
    logsSince.resolves(() => (known ? [] : null));
    const next = heads.next(book);
    await clock.tickAsync(2 * LONG_MS);
    // Both heads have come, and now the logs of their blocks too.
    known = true;
    await clock.tickAsync(LONG_MS);
    expect(await next).to.deep.equal(header(TIP + 2));
    expect([first.callCount, second.callCount]).to.deep.equal([0, 1]);
  });

  /** Whether no head is asked for any more, however long it takes. */
  const isLeft = async (): Promise<boolean> => {
    const { callCount } = latestToTake;
    await clock.tickAsync(100 * LONG_MS);
    return latestToTake.callCount === callCount;
  };

  it('is asked for beside the last for as long as somebody takes those that come, and no longer', async () => {
    const { unseen, mostAtOnce } = LIMITS.indexing.ahead;
    await took(LONG_MS);
    latestToTake.callsFake(() => late(LONG_MS, { head: header(TIP + 1), take: () => undefined }));
    logsSince.resolves(() => []);
    const next = heads.next(book);
    await clock.tickAsync(LONG_MS);
    expect(await next).to.deep.equal(header(TIP + 1));
    await clock.tickAsync(unseen * LONG_MS);
    // The one that was taken, those that nobody takes, and those that were under way by then.
    expect(latestToTake.callCount).to.be.within(1 + unseen, 1 + unseen + mostAtOnce);
    expect(await isLeft()).to.equal(true);
  });

  it('is not asked for again after a fault before somebody has heard of it', async () => {
    await took(LONG_MS);
    latestToTake.callsFake(async () => {
      await late(LONG_MS, null);
      throw new RpcError('unavailable', 'HTTP 503');
    });
    const next = () =>
      heads.next(book).then(
        () => 'a head',
        ({ message }: Error) => message,
      );
    const outcome = next();
    await clock.tickAsync(LONG_MS);
    expect(await outcome).to.equal('unavailable: HTTP 503');
    await clock.tickAsync(2 * LONG_MS);
    expect(await isLeft()).to.equal(true);
    expect(await next()).to.equal('unavailable: HTTP 503');
  });

  it('is handed over to be judged however high a node says that it is, and nothing is asked for up to there', async () => {
    await took(LONG_MS);
    // No list has so many places.
    const lie = header(2 ** 40);
    latestToTake.callsFake(() => late(LONG_MS, { head: lie, take: () => undefined }));
    headerAt.resolves({ ...header(TIP + 1), parentHash: idOf(1) });
    const outcome = heads.next(book).catch((error: Error) => `${error.name}: ${error.message}`);
    await clock.tickAsync(2 * LONG_MS);
    expect(await outcome).to.equal(lie);
    expect(new Set(headerAt.args.flat())).to.deep.equal(new Set([TIP + 1]));
  });

  it('is not asked for ahead any more once nothing is known', async () => {
    await took(LONG_MS);
    latestToTake.callsFake(() => late(LONG_MS, { head: header(TIP + 1), take: () => undefined }));
    logsSince.resolves(() => []);
    const next = heads.next(book);
    await clock.tickAsync(LONG_MS);
    await next;
    latest.resolves(header(TIP + 2));
    expect(await heads.next(null)).to.deep.equal(header(TIP + 2));
    expect(await isLeft()).to.equal(true);
  });

  it('is waited for where a node does not say logs, and a fault of ours beside it is not swallowed', async () => {
    for (const [error, isOurs] of [
      [new RpcError('timeout', 'too late'), false],
      [new TypeError('a fault of ours'), true],
    ] as const) {
      latest.reset();
      heads = new HeadsAhead(
        { latest, latestToTake, logsSince, headerAt, logs } as Partial<ChainReader> as ChainReader,
        new Ahead(),
        SYSTEM_CLOCK,
        () => undefined,
      );
      await took(LONG_MS);
      latestToTake.returns(new Promise(() => undefined));
      logsSince.rejects(error);
      const outcome = heads.next(book).then(
        () => 'a head',
        (fault: Error) => fault.name,
      );
      await clock.tickAsync(LONG_MS);
      expect(
        await Promise.race([
          outcome,
          Promise.resolve()
            .then(() => clock.tickAsync(0))
            .then(() => 'waits'),
        ]),
      ).to.equal(isOurs ? 'TypeError' : 'waits');
    }
  });
});

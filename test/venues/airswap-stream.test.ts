import { expect } from 'chai';
import sinon from 'sinon';
import { asAddress, type EpochSeconds } from '../../src/units/units.ts';
import { stream } from '../../src/venues/airswap/stream.ts';
import type { AskOutside, OutsideSource } from '../../src/venues/venues.ts';

const SOURCE: OutsideSource = {
  name: 'stall',
  origin: 'http://127.0.0.1:9',
  contract: asAddress(`0x${'41'.repeat(20)}`),
  signer: asAddress(`0x${'42'.repeat(20)}`),
};
const PAIR = { baseToken: `0x${'11'.repeat(20)}`, quoteToken: `0x${'22'.repeat(20)}`, bid: [['1', '2']], ask: [['1', '3']] };
/** How long the maker takes to say what it prices. */
const TAKES = 1_800;

describe('prices of makers of AirSwap', () => {
  let clock: sinon.SinonFakeTimers;
  beforeEach(() => {
    clock = sinon.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] });
  });
  afterEach(() => clock.restore());

  it('end five seconds after they were asked for, however late the answer came', async () => {
    let asked = 0;
    const ask: AskOutside = async (_source, body, signal) => {
      asked++;
      const { id } = JSON.parse(body) as { readonly id: string };
      // It answers once.
      await new Promise<void>((resolve) => {
        if (asked === 1) setTimeout(resolve, TAKES);
        signal.addEventListener('abort', () => resolve(), { once: true });
      });
      return { ok: true, text: JSON.stringify({ jsonrpc: '2.0', id, result: [PAIR] }) };
    };
    const open = new Set<string>();
    const ends: number[] = [];
    const listening = {
      changed(pools: readonly { readonly pool: { readonly key: string }; readonly state: { readonly until: number } | null }[]): void {
        for (const { pool, state } of pools) {
          if (state === null) open.delete(pool.key);
          else {
            open.add(pool.key);
            ends.push(state.until);
          }
        }
      },
      asked: () => undefined,
    };
    const opened = stream.open(
      { chainId: 1, ask, decimalsOf: () => 18, now: () => (1_000 + Math.floor(Date.now() / 1000)) as EpochSeconds },
      [SOURCE],
      listening,
    );
    await clock.tickAsync(TAKES);
    expect([open.size, ends]).to.deep.equal([1, [1_005]]);
    await clock.tickAsync(4_999 - TAKES);
    expect(open.size).to.equal(1);
    await clock.tickAsync(1);
    expect(open.size).to.equal(0);
    await opened.close();
  });

  it('are of then where they were asked for before a pause began: what comes during it is not taken, and what is asked for after it is', async () => {
    const outcomes: string[] = [];
    const ask: AskOutside = async (_source, body) => {
      const { id } = JSON.parse(body) as { readonly id: string };
      await new Promise<void>((resolve) => void setTimeout(resolve, TAKES));
      return { ok: true, text: JSON.stringify({ jsonrpc: '2.0', id, result: [PAIR] }) };
    };
    const open = new Set<string>();
    const opened = stream.open({ chainId: 1, ask, decimalsOf: () => 18, now: () => 1_000 as EpochSeconds }, [SOURCE], {
      changed(pools) {
        for (const { pool, state } of pools) state === null ? open.delete(pool.key) : open.add(pool.key);
      },
      asked: (_source, outcome) => outcomes.push(outcome),
    });
    await clock.tickAsync(TAKES / 2);
    opened.pause('stall', 2 * TAKES);
    await clock.tickAsync(TAKES);
    expect([[...open], outcomes]).to.deep.equal([[], ['ok']]);
    await clock.tickAsync(2 * TAKES);
    expect([open.size, outcomes]).to.deep.equal([1, ['ok', 'ok']]);
    const closing = opened.close();
    await clock.tickAsync(TAKES);
    await closing;
  });

  it('are asked for ever more seldom while none come, from the third time on, or the first where the maker says that it is busy; and each second again once one did', async () => {
    type Answer = Awaited<ReturnType<AskOutside>>;
    const unreachable: Answer = { ok: false, reason: 'unreachable' };
    const busy: Answer = { ok: false, reason: 'busy', retryAfterMs: null };
    const answers: readonly (Answer | 'prices')[] = [...Array<Answer>(8).fill(unreachable), 'prices', unreachable, busy, { ...busy, retryAfterMs: 9_000 }];
    const asked: number[] = [];
    const ask: AskOutside = async (_source, body) => {
      const answer = answers[asked.push(performance.now()) - 1] ?? 'prices';
      const { id } = JSON.parse(body) as { readonly id: string };
      return answer === 'prices' ? { ok: true, text: JSON.stringify({ jsonrpc: '2.0', id, result: [PAIR] }) } : answer;
    };
    const heard = sinon.spy((_source: OutsideSource, _outcome: string, _told: { readonly pausedMs: number }) => undefined);
    const opened = stream.open({ chainId: 1, ask, decimalsOf: () => 18, now: () => 1_000 as EpochSeconds }, [SOURCE], {
      changed: () => undefined,
      asked: heard,
    });
    while (asked.length <= answers.length) await clock.tickAsync(500);
    const paused = heard.args.map(([, , { pausedMs }]) => pausedMs / 1000);
    expect(paused.slice(0, answers.length)).to.deep.equal([0, 0, 4, 8, 16, 32, 60, 60, 0, 0, 2, 9]);
    const gaps = asked.slice(1).map((at, index) => Math.round((at - (asked[index] as number)) / 1000));
    expect(gaps.slice(0, answers.length)).to.deep.equal([1, 1, 4, 8, 16, 32, 60, 60, 1, 1, 2, 9]);
    await opened.close();
  });

  it('whoever leaves the registry is closed at once and asked nothing more; whoever comes, or comes back elsewhere, is asked at once', async () => {
    const asked: string[] = [];
    const ask: AskOutside = async ({ name, path = '' }, body) => {
      asked.push(`${name}${path}`);
      const { id } = JSON.parse(body) as { readonly id: string };
      return { ok: true, text: JSON.stringify({ jsonrpc: '2.0', id, result: [PAIR] }) };
    };
    const open = new Map<string, string>();
    const opened = stream.open({ chainId: 1, ask, decimalsOf: () => 18, now: () => 1_000 as EpochSeconds }, [SOURCE], {
      changed(pools) {
        for (const { pool, state } of pools) {
          if (state === null) open.delete(pool.key);
          else open.set(pool.key, `${pool.traits.maker} ${state.signer.slice(0, 4)}`);
        }
      },
      asked: () => undefined,
    });
    const [booth, moved] = [
      { ...SOURCE, name: 'booth', path: '/one' },
      { ...SOURCE, name: 'booth', path: '/two', signer: asAddress(`0x${'43'.repeat(20)}`) },
    ];
    await clock.tickAsync(0);
    expect([...open.values()]).to.deep.equal(['stall 0x42']);
    opened.follow?.([SOURCE, booth]);
    await clock.tickAsync(0);
    // The same again changes nothing, and asks nothing.
    opened.follow?.([{ ...booth }, { ...SOURCE }]);
    await clock.tickAsync(0);
    expect([[...open.values()], asked]).to.deep.equal([
      ['stall 0x42', 'booth 0x42'],
      ['stall', 'booth/one'],
    ]);
    opened.follow?.([SOURCE, moved]);
    expect([...open.values()], 'closed before anybody answers').to.deep.equal(['stall 0x42']);
    await clock.tickAsync(0);
    expect([...open.values()]).to.deep.equal(['stall 0x42', 'booth 0x43']);
    opened.pause('booth', 5_000);
    opened.follow?.([SOURCE, booth]);
    asked.length = 0;
    await clock.tickAsync(4_999);
    expect([[...open.values()], asked.includes('booth/one')], 'left alone, wherever it is listed').to.deep.equal([['stall 0x42'], false]);
    await clock.tickAsync(1);
    expect([...open.values()]).to.deep.equal(['stall 0x42', 'booth 0x42']);
    opened.follow?.([]);
    expect(open.size).to.equal(0);
    asked.length = 0;
    await clock.tickAsync(60_000);
    expect([asked, open.size]).to.deep.equal([[], 0]);
    opened.follow?.([booth]);
    await clock.tickAsync(0);
    expect([asked, open.size]).to.deep.equal([['booth/one'], 1]);
    await opened.close();
    expect(open.size, 'closed, it tells nothing').to.equal(1);
  });
});

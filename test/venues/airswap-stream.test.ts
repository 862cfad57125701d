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
});

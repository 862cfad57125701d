import { getEventListeners } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import { within } from '../src/within.ts';
import { collectGarbage } from './support/collect-garbage.ts';

/** Work that goes on until it is told to end, as who waits for others does: nothing but the signal holds on to it. */
const untilTold = (ending: AbortSignal): Promise<string> =>
  new Promise((resolve) => {
    ending.addEventListener('abort', () => resolve('told'), { once: true });
    if (ending.aborted) resolve('told');
  });

/** What only the turn of now still holds is garbage after it. */
async function collectInAWhile(): Promise<void> {
  await setImmediate();
  collectGarbage();
}

describe('work within a time', () => {
  it('is told to end when its time is over, though garbage is collected meanwhile', async () => {
    const waiting = Array.from({ length: 50 }, () => within(60, new AbortController().signal, untilTold));
    await collectInAWhile();
    expect(await Promise.all(waiting)).to.deep.equal(waiting.map(() => 'told'));
  });

  it('is told to end where the caller goes, or has gone', async () => {
    const caller = new AbortController();
    const waiting = within(600_000, caller.signal, untilTold);
    await collectInAWhile();
    caller.abort();
    expect(await waiting).to.equal('told');
    expect(await within(600_000, caller.signal, untilTold)).to.equal('told');
  });

  it('gives what the work gives or throws, tells what still goes on to end, and leaves nothing with the caller', async () => {
    const { signal } = new AbortController();
    const endings: AbortSignal[] = [];
    const given = await within(600_000, signal, async (ending) => {
      endings.push(ending);
      return 7;
    });
    const failed = within(600_000, signal, async (ending) => {
      endings.push(ending);
      throw new Error('no');
    });
    expect(given).to.equal(7);
    expect(await failed.catch(({ message }: Error) => message)).to.equal('no');
    expect(endings.map(({ aborted }) => aborted)).to.deep.equal([true, true]);
    expect(getEventListeners(signal, 'abort')).to.deep.equal([]);
  });
});

import { expect } from 'chai';
import sinon from 'sinon';
import { LIMITS } from '../../src/config/limits.ts';
import { MeasuringQueue, type WaitOutcome } from '../../src/solving/solving.ts';
import { type Address, asAddress } from '../../src/units/units.ts';

const token = (n: number): Address => asAddress(`0x${n.toString(16).padStart(40, '0')}`);
const { handedOver, waitedFor } = LIMITS.measuring;
const CHAIN = 7;

/** A queue whose probes end when the test says so. */
function queueOf() {
  const begun: { readonly token: Address; readonly end: (block?: number | null) => void; readonly fail: () => void }[] = [];
  const queue = new MeasuringQueue({
    measure: (_chain, [its]) =>
      new Promise((resolve) => {
        begun.push({ token: its as Address, end: (block = 1) => resolve({ ok: true, block }), fail: () => resolve({ ok: false }) });
      }),
    wanted: () => undefined,
  });
  const wait = (client: string, tokens: readonly number[], signal = new AbortController().signal): Promise<WaitOutcome> =>
    queue.wait(CHAIN, tokens.map(token), { client, signal });
  return { queue, begun, wait, order: () => begun.map((one) => Number(one.token)) };
}

/** What was put off by promises that wait for nothing. */
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('the queue of those who wait for a token to be measured', () => {
  it('serves clients in turns, whatever each asks for, and hands over no more at a time than keeps the indexer busy', async () => {
    const { queue, begun, wait, order } = queueOf();
    for (let n = 0; n < 32; n++) void wait('greedy', [n]);
    for (const n of [100, 101]) void wait('modest', [n]);
    void wait('late', [200]);
    expect(order()).to.deep.equal([0, 1, 2, 3]);
    expect(queue.waiting(CHAIN)).to.equal(32 + 3 - handedOver);
    for (let ended = 0; ended < 8; ended++) {
      begun[ended]?.end();
      await turn();
      expect(begun).to.have.length(handedOver + ended + 1);
    }
    // Two of the others' first, then one of each in turn.
    expect(order().slice(handedOver, handedOver + 6)).to.include.members([100, 101, 200]);
  });

  it('has a token measured once, whoever waits for it, at the turn of the first of them', async () => {
    const { begun, wait, order } = queueOf();
    for (let n = 0; n < 20; n++) void wait('greedy', [n]);
    const shared = wait('other', [19, 50]);
    const same = wait('third', [19]);
    const told = sinon.fake<[WaitOutcome], void>();
    for (const one of [shared, same]) void one.then(told);
    begun[0]?.end();
    begun[1]?.end();
    await turn();
    expect(order().slice(handedOver)).to.include(19);
    // One that comes while it is under way waits for the same.
    const joined = wait('fourth', [19]);
    begun.find((one) => one.token === token(19))?.end(8);
    expect(await same).to.deep.equal({ ok: true, block: 8 });
    expect(await joined).to.deep.equal({ ok: true, block: 8 });
    expect(told.args).to.deep.equal([[{ ok: true, block: 8 }]]);
    for (let ended = 0; ended < begun.length; ended++) {
      begun[ended]?.end(5);
      await turn();
    }
    expect(await shared, 'of two tokens, the older verdict').to.deep.equal({ ok: true, block: 5 });
    expect(order().filter((n) => n === 19)).to.have.length(1);
  });

  it('gives up the place of a request that hangs up, unless another of that client waits there too', async () => {
    const { queue, begun, wait, order } = queueOf();
    for (let n = 0; n < handedOver; n++) void wait('busy', [n]);
    const leaving = new AbortController();
    const gone = [wait('leaver', [10, 11], leaving.signal), wait('leaver', [12], leaving.signal)];
    const stays = wait('leaver', [11]);
    expect(queue.waiting(CHAIN)).to.equal(3);
    leaving.abort();
    for (const outcome of await Promise.all(gone)) expect(outcome).to.deep.equal({ ok: false, reason: 'gone' });
    expect(queue.waiting(CHAIN)).to.equal(1);
    for (const { end } of begun) end();
    await turn();
    expect(order()).to.deep.equal([0, 1, 2, 3, 11]);
    begun.at(-1)?.end(null);
    expect(await stays).to.deep.equal({ ok: true, block: null });
    expect(await wait('leaver', [13], leaving.signal), 'gone before it came').to.deep.equal({ ok: false, reason: 'gone' });
    expect(queue.waiting(CHAIN)).to.equal(0);
  });

  it('bounds the places of a client by what it leaves free, and refuses a request as a whole', async () => {
    const { queue, begun, wait } = queueOf();
    for (let n = 0; n < handedOver; n++) void wait('first', [n]);
    const refused = sinon.fake<[WaitOutcome], void>();
    for (let n = 0; n < waitedFor; n++) void wait('greedy', [1000 + n]).then(refused);
    await turn();
    expect(queue.waiting(CHAIN)).to.equal(waitedFor / 2);
    expect(refused.args).to.deep.equal(Array(waitedFor / 2).fill([{ ok: false, reason: 'busy' }]));
    // Others still come in.
    void wait('modest', [5000, 5001]);
    expect(queue.waiting(CHAIN)).to.equal(waitedFor / 2 + 2);
    // One place, where a request needs two: it keeps none.
    for (let n = 0; queue.waiting(CHAIN) < waitedFor - 1; n++) void wait(`client ${n}`, [6000 + n]);
    expect(await wait('pair', [7000, 7001])).to.deep.equal({ ok: false, reason: 'busy' });
    expect(queue.waiting(CHAIN)).to.equal(waitedFor - 1);
    expect(begun).to.have.length(handedOver);
  });

  it('says that there is no telling where one of the tokens can not be measured, and goes on with the others', async () => {
    const { begun, wait, order } = queueOf();
    const both = wait('a', [1, 2]);
    begun[0]?.fail();
    expect(await both).to.deep.equal({ ok: false, reason: 'unavailable' });
    begun[1]?.end();
    await turn();
    const again = wait('a', [1]);
    begun[2]?.end(3);
    expect(await again).to.deep.equal({ ok: true, block: 3 });
    expect(order()).to.deep.equal([1, 2, 1]);
  });
});

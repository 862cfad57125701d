import { expect } from 'chai';
import sinon from 'sinon';
import { LIMITS } from '../../src/config/config.ts';
import { createMeasureRequests } from '../../src/indexing/measure-requests.ts';
import type { IndexerCommand } from '../../src/indexing/thread-data.ts';
import { type Address, asAddress } from '../../src/units/units.ts';
import { until } from '../support/until.ts';

const token = (n: number): Address => asAddress(`0x${n.toString(16).padStart(40, '0')}`);

describe('who waits for a verdict', () => {
  const hear = sinon.stub<[IndexerCommand], boolean>().returns(true);
  beforeEach(() => hear.resetHistory());

  it('answers each request with what the thread said of it, and where the node could not be asked with that', async () => {
    const requests = createMeasureRequests(hear);
    const first = requests.measure([token(1), token(2)]);
    const second = requests.measure([token(2)]);
    expect(hear.args).to.deep.equal([[{ kind: 'measure', id: 1, tokens: [token(1), token(2)] }], [{ kind: 'measure', id: 2, tokens: [token(2)] }]]);
    requests.answered(2, { ok: true, block: 7 });
    requests.answered(1, { ok: false, message: 'the node does not answer' });
    expect(await second).to.deep.equal({ ok: true, block: 7 });
    expect(await first).to.deep.equal({ ok: false, reason: 'unavailable', message: 'the node does not answer' });
  });

  it('answers everybody when the thread dies, at once while there is none, and works with its successor', async () => {
    let alive = true;
    const requests = createMeasureRequests((command) => alive && hear(command));
    const waiting = [requests.measure([token(1)]), requests.measure([token(1)])];
    alive = false;
    requests.lost();
    for (const outcome of await Promise.all(waiting)) expect(outcome).to.include({ ok: false, reason: 'unavailable' });
    expect(await requests.measure([token(1)])).to.include({ ok: false, reason: 'unavailable' });
    alive = true;
    // What the dead thread was asked is none of its successor's.
    requests.answered(1, { ok: true, block: 7 });
    const outcome = requests.measure([token(1)]);
    const last = hear.lastCall.args[0];
    requests.answered(last.kind === 'measure' ? last.id : 0, { ok: true, block: null });
    expect(await outcome).to.deep.equal({ ok: true, block: null });
  });

  it('tells which tokens were asked for, many at once', async () => {
    const requests = createMeasureRequests(hear);
    for (let n = 0; n < 50; n++) requests.wanted([token(n % 5), token(9)]);
    expect(hear.args).to.deep.equal([]);
    await until(() => hear.called, 60_000);
    expect(hear.args).to.deep.equal([[{ kind: 'wanted', tokens: [token(0), token(9), token(1), token(2), token(3), token(4)] }]]);
    requests.close();
  });

  it('tells of no more than so many at once', async () => {
    const requests = createMeasureRequests(hear);
    const { wantedAtOnce } = LIMITS.measuring;
    requests.wanted(Array.from({ length: wantedAtOnce + 1 }, (_, n) => token(n)));
    await until(() => hear.called, 60_000);
    expect(hear.args).to.deep.equal([[{ kind: 'wanted', tokens: Array.from({ length: wantedAtOnce }, (_, n) => token(n)) }]]);
    requests.close();
  });
});

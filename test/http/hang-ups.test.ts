import { once } from 'node:events';
import net from 'node:net';
import { expect } from 'chai';
import { type BudgetStore, MemoryBudgetStore } from '../../src/metering/metering.ts';
import { until } from '../support/until.ts';
import { type Edge, type Solve, startEdge } from './support/edge.ts';

const QUOTE =
  '/v1/quote?chainId=1&mode=sell&sellToken=0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2&buyToken=0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48&sellAmount=1';
const HEAD = 'HTTP/1.1\r\nHost: x\r\n\r\n';

/** Solves until its caller leaves. */
const untilLeft: Solve = (_job, { signal }) =>
  new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve({ result: { ok: false, reason: 'cancelled' }, queueMs: 0, runMs: 0 }));
  });

function connect(port: number): net.Socket {
  const socket = net.connect({ host: '127.0.0.1', port });
  socket.on('error', () => {});
  return socket;
}

describe('clients that hang up', () => {
  let edge: Edge;
  afterEach(() => edge.close());

  const healthy = async () => expect((await fetch(`${edge.url}/healthz`)).status).to.equal(200);
  const outcomes = () => edge.lines.map((line) => JSON.parse(line)).map(({ outcome, status }) => `${outcome} ${status}`);

  it('one that resets its connection behind a CONNECT ends that connection and nothing else', async () => {
    edge = await startEdge({ solve: untilLeft });
    const client = connect(edge.port);
    client.write(`GET ${QUOTE} ${HEAD}`);
    expect(await until(() => edge.jobs.length === 1, 30_000), 'a solve runs').to.equal(true);
    const tunnel = new Promise((resolve) => edge.publicServer.server.once('connect', resolve));
    client.write(`CONNECT example.org:443 ${HEAD}`);
    await tunnel;
    client.resetAndDestroy();
    // An error that nobody hears would be an exception that nobody catches, and mocha fails a test for it.
    expect(await until(() => edge.inflight.clients === 0, 30_000), 'its place is free').to.equal(true);
    await healthy();
  });

  it('of two requests on one connection both solves are cancelled, and neither is said to be answered', async () => {
    edge = await startEdge({ solve: untilLeft });
    const client = connect(edge.port);
    client.write(`GET ${QUOTE} ${HEAD}GET ${QUOTE} ${HEAD}`);
    expect(await until(() => edge.jobs.length === 2, 30_000), 'both run').to.equal(true);
    client.destroy();
    expect(await until(() => edge.lines.length === 2, 10_000), `${edge.lines.length} of 2 are over`).to.equal(true);
    expect([...outcomes(), edge.inflight.clients]).to.deep.equal(['client-left null', 'client-left null', 0]);
  });

  it('one that leaves while its budget is asked for is not solved for', async () => {
    const store = new MemoryBudgetStore(10);
    let asked = false;
    let answer = () => {};
    const answering = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const take: BudgetStore['take'] = async (owner, now) => {
      asked = true;
      await answering;
      return store.take(owner, now);
    };
    const distant: BudgetStore = { take, refund: (owner, now) => store.refund(owner, now), peek: (owner, now) => store.peek(owner, now) };
    edge = await startEdge({ budgets: distant });
    const accepted = new Promise<net.Socket>((resolve) => edge.publicServer.server.once('connection', resolve));
    const client = connect(edge.port);
    client.write(`GET ${QUOTE} ${HEAD}`);
    expect(await until(() => asked, 30_000), 'it is asked').to.equal(true);
    const closed = once(await accepted, 'close');
    client.destroy();
    await closed;
    answer();
    expect(await until(() => edge.lines.length === 1, 10_000), 'it is over').to.equal(true);
    expect([edge.jobs.length, ...outcomes()]).to.deep.equal([0, 'client-left null']);
  });
});

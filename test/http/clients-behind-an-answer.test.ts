import { once } from 'node:events';
import net from 'node:net';
import { expect } from 'chai';
import type { BudgetOwner, InstantMicros } from '../../src/metering/metering.ts';
import { MemoryBudgetStore } from '../../src/metering/metering.ts';
import type { SolveOutcome } from '../../src/solving/solving.ts';
import { until } from '../support/until.ts';
import { type Edge, type Solve, startEdge } from './support/edge.ts';

const QUOTE =
  '/v1/quote?chainId=1&mode=sell&sellToken=0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2&buyToken=0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48&sellAmount=1000000';

/** A solve that ends with its client alone. */
const untilGone: Solve = (_job, { signal }) =>
  new Promise<SolveOutcome>((resolve) => {
    const end = () => resolve({ result: { ok: false, reason: 'cancelled' }, queueMs: 0, runMs: 0 });
    if (signal.aborted) end();
    signal.addEventListener('abort', end);
  });

describe('a client that hangs up', () => {
  let edge: Edge;
  afterEach(() => edge.close());

  const request = () => `GET ${QUOTE} HTTP/1.1\r\nHost: x\r\nx-api-key: ${edge.key(100_000)}\r\n\r\n`;
  const outcomes = () => edge.lines.map((line) => JSON.parse(line).outcome);

  async function connect(): Promise<net.Socket> {
    const socket = net.connect({ host: '127.0.0.1', port: edge.port });
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    return socket;
  }

  it('ends its second request too, whose answer waited for that of the first: Node tells only the first that the connection closed', async () => {
    edge = await startEdge({ solve: untilGone });
    const socket = await connect();
    socket.write(request() + request());
    expect(await until(() => edge.jobs.length === 2, 10_000), 'both run').to.equal(true);
    socket.destroy();
    expect(await until(() => edge.inflight.clients === 0, 5_000), 'both have ended').to.equal(true);
    expect(outcomes()).to.deep.equal(['client-left', 'client-left']);
  });

  it('is not solved for where it did so before its request had its turn', async () => {
    let take = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      take = resolve;
    });
    let asked = 0;
    class Slow extends MemoryBudgetStore {
      override async take(owner: BudgetOwner, now: InstantMicros) {
        asked++;
        await held;
        return super.take(owner, now);
      }
    }
    edge = await startEdge({ solve: untilGone, budgets: new Slow(10) });
    let closed = 0;
    edge.publicServer.server.on('connection', (accepted: net.Socket) => accepted.once('close', () => closed++));
    const socket = await connect();
    socket.write(request());
    expect(await until(() => asked === 1, 10_000), 'it is looked at').to.equal(true);
    socket.destroy();
    expect(await until(() => closed === 1, 10_000), 'it is gone').to.equal(true);
    take();
    expect(await until(() => edge.lines.length === 1 && edge.inflight.clients === 0, 5_000), 'it has ended').to.equal(true);
    expect(outcomes()).to.deep.equal(['client-left']);
  });
});

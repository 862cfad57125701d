import { once } from 'node:events';
import net from 'node:net';
import { expect } from 'chai';
import sinon from 'sinon';
import { LIMITS } from '../../src/config/config.ts';
import type { SolveOutcome } from '../../src/solving/solving.ts';
import { BLOCK, type Edge, liveChain, startEdge } from './support/edge.ts';

const QUOTE =
  '/v1/quote?chainId=1&mode=sell&sellToken=0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2&buyToken=0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48&sellAmount=1000000&padding=';
const REQUESTS = 300;

describe('clients that send and do not read', () => {
  let edge: Edge;
  const sockets: net.Socket[] = [];

  afterEach(async () => {
    sinon.restore();
    for (const socket of sockets.splice(0)) socket.destroy();
    await edge.close();
  });

  async function connect(): Promise<net.Socket> {
    const socket = net.connect({ host: '127.0.0.1', port: edge.port });
    socket.on('error', () => undefined);
    sockets.push(socket);
    await once(socket, 'connect');
    return socket;
  }

  const request = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\nx-api-key: ${edge.key(100_000)}\r\n\r\n`;

  it('of pipelined requests only as many are begun as a connection may have open; the rest as answers leave, all in order', async () => {
    const waiting: ((outcome: SolveOutcome) => void)[] = [];
    let most = 0;
    edge = await startEdge({
      solve: () =>
        new Promise((resolve) => {
          waiting.push(resolve);
          most = Math.max(most, waiting.length);
        }),
    });
    const socket = await connect();
    let text = '';
    let answered = 0;
    socket.on('data', (data) => {
      text += data;
      answered = text.split('HTTP/1.1 404').length - 1;
    });
    // Each is longer than a piece, so that a piece holds one at most.
    socket.write(Array.from({ length: REQUESTS }, (_, index) => request(`${QUOTE}${'x'.repeat(1000)}&id=${index}`)).join(''));
    while (answered < REQUESTS) {
      await new Promise((resolve) => setImmediate(resolve));
      // Another connection's answer shows that the event loop has been round since the bytes came in.
      if (waiting.length > 0) await fetch(`${edge.url}/healthz`).then((response) => response.text());
      for (const resolve of waiting.splice(0)) resolve({ result: { ok: false, reason: 'no-route', maxHops: 3, block: BLOCK }, queueMs: 0, runMs: 0 });
    }
    expect(edge.jobs).to.have.length(REQUESTS);
    // A piece may hold the end of one request and all of the next.
    expect(most).to.be.within(2, LIMITS.http.requestsPerConnection + 1);
  });

  it('an answer that is not taken ends its connection within 30 s, and others go on', async () => {
    const live = liveChain();
    live.publish(
      {},
      Array.from({ length: 3000 }, (_, index) => `venue_${index}`),
    );
    const clock = sinon.useFakeTimers({ toFake: ['setInterval', 'performance'] });
    edge = await startEdge({ chains: [live.hosted] });
    const ends = new Map<number | undefined, Promise<unknown>>();
    edge.publicServer.server.on('connection', (other: net.Socket) => ends.set(other.remotePort, once(other, 'close')));
    const stuck = await connect();
    stuck.pause();
    stuck.write(request('/v1/eth/sources').repeat(REQUESTS));
    // Until nothing leaves any more: what the kernel takes is taken.
    for (let before = -1, now = 0; before !== now; ) {
      before = now;
      for (let i = 0; i < 20; i++) await fetch(`${edge.url}/healthz`).then((response) => response.text());
      now = edge.lines.length;
    }
    expect(edge.lines.length).to.be.below(REQUESTS);
    let closed = false;
    const gone = ends.get(stuck.localPort)?.then(() => {
      closed = true;
    });
    await clock.tickAsync(LIMITS.http.answerLeavesMs - 1000);
    await fetch(`${edge.url}/healthz`).then((response) => response.text());
    expect(closed).to.equal(false);
    await clock.tickAsync(3000);
    await gone;
    expect(LIMITS.http.answerLeavesMs + 3000).to.be.below(30_000);
    expect((await fetch(`${edge.url}/healthz`)).status).to.equal(200);
  });
});

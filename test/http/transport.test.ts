import net from 'node:net';
import { expect } from 'chai';
import { type Edge, liveChain, noRoute, startEdge } from './support/edge.ts';
import { type RawAnswer, sendRaw } from './support/raw.ts';

const QUERY = 'chainId=1&mode=sell&sellToken=0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2&buyToken=0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48&sellAmount=1000';
const SCALE = process.env.BRAID_SCALE === 'full' ? 1500 : 60;

describe('the transport', () => {
  let edge: Edge;
  beforeEach(async () => {
    edge = await startEdge({ budgetsStandStill: true });
  });
  afterEach(() => edge.close());

  function expectRefusedConnection(answer: RawAnswer, status: number): void {
    expect(answer.status, answer.text.slice(0, 300)).to.equal(status);
    expect(answer.headers.get('content-type')).to.equal('application/json; charset=utf-8');
    expect(answer.headers.get('connection')).to.equal('close');
    expect(answer.headers.get('cache-control')).to.equal('no-store');
    expect(answer.headers.get('x-content-type-options')).to.equal('nosniff');
    expect(answer.headers.get('x-ratelimit-limit')).to.equal('3');
    expect(JSON.parse(answer.body)).to.have.all.keys('error');
  }

  const healthy = async () => expect((await fetch(`${edge.url}/healthz`)).status).to.equal(200);

  describe('C14 malformed HTTP: 400/404 with a JSON body, close; nothing crashes', () => {
    it('is charged, and refused like anything else when the budget is used up (R1, R2)', async () => {
      const garbage = 'G@T / HTTP/1.1\r\n\r\n';
      const statuses: number[] = [];
      for (let i = 0; i < 6; i++) statuses.push((await sendRaw(edge.port, garbage)).status);
      // A reservoir of min(3 × 1.5, 3 + 20) = 4.5 tokens.
      expect(statuses).to.deep.equal([400, 400, 400, 400, 429, 429]);
      const refused = await sendRaw(edge.port, garbage);
      expect(refused.headers.get('retry-after')).to.equal('1');
      expect(JSON.parse(refused.body)).to.include({ code: 'rate_limited', retryAfterSeconds: 1 });
    });

    const rows: readonly (readonly [string, string, number])[] = [
      ['CL+TE', 'GET /healthz HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n', 400],
      ['two lengths', 'GET /healthz HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n', 400],
      ['obs-fold in a name', 'GET /healthz HTTP/1.1\r\n Host: x\r\n\r\n', 400],
      ['bad method', 'G@T /healthz HTTP/1.1\r\nHost: x\r\n\r\n', 400],
      ['unknown method', 'FROB /healthz HTTP/1.1\r\nHost: x\r\n\r\n', 400],
      ['no Host', 'GET /healthz HTTP/1.1\r\n\r\n', 400],
      ['two Hosts', 'GET /healthz HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n', 400],
      ['h2 preface', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
      ['TLS hello', '\u0016\u0003\u0001\u0002\u0000\u0001\u0000', 400],
      ['NUL in a header', 'GET /healthz HTTP/1.1\r\nHost: x\r\nA: b\u0000c\r\n\r\n', 400],
      ['space in the path', 'GET /health z HTTP/1.1\r\nHost: x\r\n\r\n', 400],
      ['wrong version', 'GET /healthz HTTP/9.9\r\nHost: x\r\n\r\n', 400],
      ['CONNECT', 'CONNECT example.org:443 HTTP/1.1\r\nHost: example.org\r\n\r\n', 400],
    ];
    for (const [title, payload, status] of rows) {
      it(title, async () => {
        expectRefusedConnection(await sendRaw(edge.port, payload), status);
        await healthy();
      });
    }

    for (const [title, payload] of [
      ['bare LF', 'GET /nothing HTTP/1.1\nHost: x\n\n'],
      ['absolute-form', 'GET http://evil.example/nothing HTTP/1.1\r\nHost: x\r\n\r\n'],
      ['asterisk-form', 'GET * HTTP/1.1\r\nHost: x\r\n\r\n'],
      ['backslashes', 'GET \\v1\\quote HTTP/1.1\r\nHost: x\r\n\r\n'],
      ['a fragment', 'GET /nothing#/v1/quote HTTP/1.1\r\nHost: x\r\n\r\n'],
      ['absolute-form with a host that is none', 'GET http://[bad/ HTTP/1.1\r\nHost: x\r\n\r\n'],
      ['absolute-form with half an address', 'GET http://[::1/v1/quote HTTP/1.1\r\nHost: x\r\n\r\n'],
      ['absolute-form with nothing behind the host', 'GET HTTP://x?a=b HTTP/1.1\r\nHost: x\r\n\r\n'],
      ['another scheme', 'GET javascript:alert(1) HTTP/1.1\r\nHost: x\r\n\r\n'],
      ['bytes that are no text', 'GET /v1/\u00ff/sources HTTP/1.1\r\nHost: x\r\n\r\n'],
      ['dots', 'GET /v1/../metrics HTTP/1.1\r\nHost: x\r\n\r\n'],
    ] as const) {
      it(`${title}: 400 or 404, as JSON`, async () => {
        const answer = await sendRaw(edge.port, payload);
        expect([400, 404]).to.include(answer.status);
        expect(JSON.parse(answer.body)).to.have.all.keys('error');
        await healthy();
      });
    }

    it('absolute-form of a known path is that path', async () => {
      expect((await sendRaw(edge.port, 'GET http://x/healthz HTTP/1.1\r\nHost: x\r\n\r\n')).status).to.equal(200);
    });

    it('an upgrade is not taken up', async () => {
      const payload = 'GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n';
      expect((await sendRaw(edge.port, payload)).status).to.equal(200);
    });

    it('HTTP/1.0 without Host is served', async () => {
      expect((await sendRaw(edge.port, 'GET /healthz HTTP/1.0\r\n\r\n')).status).to.equal(200);
    });
  });

  describe('C10 header > 16 KB, 200 headers, URL > 8 KB: 431/414/400 with JSON body, close', () => {
    it('headers above 16 KiB are refused by the server (431), also far above', async () => {
      for (const size of [17_000, 300_000]) {
        expectRefusedConnection(await sendRaw(edge.port, `GET /healthz HTTP/1.1\r\nHost: x\r\nA: ${'a'.repeat(size)}\r\n\r\n`), 431);
      }
    });
    it('200 headers', async () => {
      const headers = Array.from({ length: 200 }, (_, i) => `H${i}: x\r\n`).join('');
      expectRefusedConnection(await sendRaw(edge.port, `GET /healthz HTTP/1.1\r\nHost: x\r\n${headers}\r\n`), 431);
    });
    it('a query above 8 KiB', async () => {
      expect((await sendRaw(edge.port, `GET /v1/quote?${QUERY}&x=${'x'.repeat(9000)} HTTP/1.1\r\nHost: x\r\n\r\n`)).status).to.equal(400);
    });
    it('a request line above 16 KiB', async () => {
      expectRefusedConnection(await sendRaw(edge.port, `GET /v1/quote?${'x'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`), 431);
    });
    it('8 KiB of headers and an 8 KiB query together stay an answer of ours', async () => {
      expect((await sendRaw(edge.port, `GET /v1/quote?${'x'.repeat(8000)} HTTP/1.1\r\nHost: x\r\nA: ${'a'.repeat(7000)}\r\n\r\n`)).status).to.equal(400);
    });
  });

  it('refused bytes cost the caller a token: garbage is no free flood (R2)', async () => {
    const remaining: (string | undefined)[] = [];
    for (let i = 0; i < 3; i++) remaining.push((await sendRaw(edge.port, 'garbage\r\n\r\n')).headers.get('x-ratelimit-remaining'));
    expect(Number(remaining[2])).to.be.below(Number(remaining[0]));
  });

  it('garbage behind a good request does not take its answer away, and gets none of its own', async () => {
    const answer = await sendRaw(edge.port, 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n\u0000\u0001garbage\r\n\r\n', 1000);
    expect(answer.status).to.equal(200);
    expect(answer.text.match(/HTTP\/1\.1 /g)).to.have.length(1);
  });

  it('pipelined requests are answered in order', async () => {
    const answer = await sendRaw(edge.port, ['GET /nothing HTTP/1.1\r\nHost: x\r\n\r\n', 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n'].join(''));
    expect(answer.text.match(/HTTP\/1\.1 [0-9]+/g)).to.deep.equal(['HTTP/1.1 404', 'HTTP/1.1 200']);
  });

  describe('C8 a GET with a body: body ignored or socket closed; no buffering', () => {
    it('Content-Length 1e9: answered at once, and the connection closes', async () => {
      const startedAt = performance.now();
      const answer = await sendRaw(edge.port, 'GET /healthz HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000000\r\n\r\nabc', 3000);
      expect(answer.status).to.equal(200);
      expect(answer.headers.get('connection')).to.equal('close');
      expect(performance.now() - startedAt).to.be.below(1000);
    });
    it('chunked drip: answered at once, and the connection closes', async () => {
      const answer = await sendRaw(edge.port, 'GET /healthz HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n', 3000);
      expect(answer.status).to.equal(200);
      expect(answer.headers.get('connection')).to.equal('close');
    });
    it('Expect: 100-continue gets the answer, not an invitation', async () => {
      const answer = await sendRaw(edge.port, 'POST /v1/quote HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 10\r\n\r\n');
      expect(answer.status).to.equal(405);
      expect((await sendRaw(edge.port, 'GET /healthz HTTP/1.1\r\nHost: x\r\nExpect: tea\r\n\r\n')).status).to.equal(200);
    });
  });

  it(`C7 slowloris: ${SCALE} sockets with slow headers are closed within 8 s while others are served`, async function () {
    this.timeout(30_000);
    const startedAt = performance.now();
    const closed: number[] = [];
    const texts: string[] = [];
    const sockets = Array.from({ length: SCALE }, (_, i) => {
      const socket = net.connect({ host: '127.0.0.1', port: edge.port });
      // A third says nothing at all, a third half a request line, a third a header now and then.
      if (i % 3 === 1) socket.write('GET /heal');
      if (i % 3 === 2) socket.write('GET /healthz HTTP/1.1\r\n');
      const drip = i % 3 === 2 ? setInterval(() => socket.write('A: b\r\n'), 500) : undefined;
      socket.on('data', (chunk) => texts.push(chunk.toString()));
      socket.on('error', () => {});
      socket.on('close', () => {
        clearInterval(drip);
        closed.push(performance.now() - startedAt);
      });
      return socket;
    });
    const slowest: number[] = [];
    while (closed.length < SCALE && performance.now() - startedAt < 9000) {
      const askedAt = performance.now();
      await healthy();
      slowest.push(performance.now() - askedAt);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    for (const socket of sockets) socket.destroy();
    expect(closed.length).to.equal(SCALE);
    expect(Math.max(...closed)).to.be.below(8000);
    expect(texts.every((text) => text.startsWith('HTTP/1.1 408 ') && text.includes('"error"'))).to.equal(true);
    slowest.sort((a, b) => a - b);
    expect(slowest[Math.floor(slowest.length * 0.9)]).to.be.below(250);
    const fresh = await fetch(`${edge.url}/healthz`);
    expect(fresh.headers.get('x-ratelimit-remaining'), "slowness may be the network's and costs nothing").to.equal('4');
  });

  it('C13 client disconnects mid-solve: the job is cancelled, its place is free again, nothing is written', async () => {
    let cancelled = 0;
    const running = new Set<object>();
    const other = await startEdge({
      solve: (job, signal) => {
        running.add(job);
        return new Promise((resolve) => {
          signal.addEventListener('abort', () => {
            cancelled++;
            running.delete(job);
            resolve({ result: { ok: false, reason: 'cancelled' }, queueMs: 0, runMs: 0 });
          });
        });
      },
    });
    try {
      const count = 100;
      const sockets = Array.from({ length: count }, () => {
        const socket = net.connect({ host: '127.0.0.1', port: other.port });
        socket.on('error', () => {});
        socket.write(`GET /v1/quote?${QUERY} HTTP/1.1\r\nHost: x\r\nx-api-key: ${other.key(1000)}\r\n\r\n`);
        return socket;
      });
      while (other.jobs.length < count) await new Promise((resolve) => setTimeout(resolve, 5));
      for (const socket of sockets) socket.destroy();
      const end = performance.now() + 1000;
      while (cancelled < count && performance.now() < end) await new Promise((resolve) => setTimeout(resolve, 10));
      expect([cancelled, running.size, other.inflight.clients]).to.deep.equal([count, 0, 0]);
      const outcomes = other.lines.map((line) => JSON.parse(line)).map(({ outcome, status }) => `${outcome} ${status}`);
      expect([...new Set(outcomes)]).to.deep.equal(['client-left null']);
      expect(await other.metrics.registry.getSingleMetricAsString('braid_http_requests_total')).to.include(`{route="quote",status="aborted"} ${count}`);
    } finally {
      await other.close();
    }
  });

  describe('stopping', () => {
    it('accepts nothing more, finishes what is in flight, and closes idle connections', async () => {
      let release = () => {};
      const gate = new Promise<void>((resolve) => {
        release = resolve;
      });
      const other = await startEdge({
        solve: async (job) => {
          await gate;
          return noRoute(job);
        },
      });
      const url = other.url;
      // A keep-alive connection that idles.
      await fetch(`${url}/healthz`);
      const held = fetch(`${url}/v1/quote?${QUERY}`);
      while (other.jobs.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
      let stopped = false;
      const stopping = other.publicServer.stop().then(() => {
        stopped = true;
      });
      await new Promise((resolve) => setTimeout(resolve, 50));
      const refused = await sendRaw(other.port, 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
      expect(refused.text).to.equal('');
      expect(stopped).to.equal(false);
      release();
      const response = await held;
      expect(response.status).to.equal(404);
      expect(response.headers.get('connection')).to.equal('close');
      await stopping;
      await other.close();
    });
  });

  it('a port that is taken, a host that is not ours: a refusal that says so', async () => {
    const taken = await edge.publicServer.start({ host: '127.0.0.1', port: 0 }).catch((error: Error) => error);
    expect(taken, 'a listener listens once').to.be.instanceOf(Error);
    const other = await startEdge({ chains: [liveChain().hosted] });
    await other.publicServer.stop();
    expect(await other.publicServer.start({ host: '127.0.0.1', port: edge.port })).to.deep.equal({
      ok: false,
      message: `port ${edge.port} on 127.0.0.1 is taken by another program`,
    });
    expect(await other.publicServer.start({ host: '203.0.113.1', port: 0 })).to.deep.equal({
      ok: false,
      message: 'host 203.0.113.1 is not an address of this machine',
    });
    await other.close();
  });
});

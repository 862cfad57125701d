import { once } from 'node:events';
import net from 'node:net';
import { PassThrough } from 'node:stream';
import { expect } from 'chai';
import { residentAtRest } from '../support/resident-at-rest.ts';
import { until } from '../support/until.ts';
import { type Edge, startEdge } from './support/edge.ts';
import { type RawAnswer, sendRaw } from './support/raw.ts';

const QUERY = 'chainId=1&mode=sell&sellToken=0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2&buyToken=0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48&sellAmount=1000';
const FULL = process.env.BRAID_SCALE === 'full';
const SCALE = FULL ? 1500 : 60;
/** So many that what a server would keep of them is more than the noise of a process. */
const BODIES = 20;

/** Ways not to finish the headers of a request. */
const SLOWNESS = [
  { first: '', later: '' },
  { first: 'GET /heal', later: '' },
  { first: 'GET /healthz HTTP/1.1\r\n', later: 'A: b\r\n' },
  { first: '\r\n', later: '\r\n' },
] as const;

const CHUNK = Buffer.from(`10000\r\n${'0'.repeat(0x10000)}\r\n`);

/** Sends a request and a body of zeros until the server closes. The bytes that went out. */
function sendForEver(port: number, head: string): Promise<number> {
  return new Promise((resolve) => {
    const socket = net.connect({ host: '127.0.0.1', port });
    const send = () => {
      while (socket.writable && socket.write(CHUNK));
    };
    socket.write(head);
    socket.on('drain', send);
    socket.on('error', () => {});
    socket.on('close', () => resolve(socket.bytesWritten));
    socket.resume();
    send();
  });
}

/** Sends a request and the end of the stream, and reads to the server's end. */
function halfClosed(port: number, request: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = net.connect({ host: '127.0.0.1', port, allowHalfOpen: true });
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk.toString();
    });
    socket.on('error', () => {});
    socket.on('close', () => resolve(text));
    socket.end(request);
  });
}

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
      const decisions = await edge.metrics.registry.getSingleMetricAsString('braid_metering_decisions_total');
      expect(decisions).to.include('{identity="ip",decision="allowed"} 4').and.to.include('{identity="ip",decision="refused"} 3');
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
      ['HTTP/2.0 in a request line', 'GET /healthz HTTP/2.0\r\nHost: x\r\n\r\n', 400],
      ['HTTP/0.9 in a request line', 'GET /healthz HTTP/0.9\r\nHost: x\r\n\r\n', 400],
      ['no version', 'GET /healthz\r\n\r\n', 400],
      ['obs-fold of a value', 'GET /healthz HTTP/1.1\r\nHost: x\r\nA: b\r\n c\r\n\r\n', 400],
      ['a lone CR in a header', 'GET /healthz HTTP/1.1\r\nHost: x\r\nA: b\rc\r\n\r\n', 400],
      ['a space before the colon', 'GET /healthz HTTP/1.1\r\nHost : x\r\n\r\n', 400],
      ['a length that is none', 'GET /healthz HTTP/1.1\r\nHost: x\r\nContent-Length: +5\r\n\r\n', 400],
      ['an unknown transfer coding', 'GET /healthz HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked, cow\r\n\r\n', 400],
      ['bare LF', 'GET /healthz HTTP/1.1\nHost: x\n\n', 400],
      ['CONNECT', 'CONNECT example.org:443 HTTP/1.1\r\nHost: example.org\r\n\r\n', 400],
    ];
    for (const [title, payload, status] of rows) {
      it(title, async () => {
        expectRefusedConnection(await sendRaw(edge.port, payload), status);
        await healthy();
      });
    }

    for (const [title, payload] of [
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
    const answer = await sendRaw(edge.port, 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n\u0000\u0001garbage\r\n\r\n');
    expect(answer.status).to.equal(200);
    expect(answer.text.match(/HTTP\/1\.1 /g)).to.have.length(1);
  });

  it('requests and responses have the prototypes of Express from birth: getting them later would make both slow (bench/README.md, HTTP)', async () => {
    const seen: { request: object; response: object; born: readonly unknown[] }[] = [];
    edge.publicServer.server.prependListener('request', (request, response) => {
      seen.push({ request, response, born: [Object.getPrototypeOf(request), Object.getPrototypeOf(response)] });
    });
    await fetch(`${edge.url}/v1/quote`);
    const [{ request, response, born } = expect.fail('no request')] = seen;
    expect(request, 'Express had it').to.have.property('app');
    expect([Object.getPrototypeOf(request), Object.getPrototypeOf(response)].every((prototype, at) => prototype === born[at])).to.equal(true);
  });

  it('pipelined requests are answered in order', async () => {
    const answer = await sendRaw(edge.port, ['GET /nothing HTTP/1.1\r\nHost: x\r\n\r\n', 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n'].join(''));
    expect(answer.text.match(/HTTP\/1\.1 [0-9]+/g)).to.deep.equal(['HTTP/1.1 404', 'HTTP/1.1 200']);
  });

  describe('C8 a GET with a body: body ignored or socket closed; no buffering', () => {
    it('Content-Length 1e9: answered at once, and the connection closes', async () => {
      const answer = await sendRaw(edge.port, 'GET /healthz HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000000\r\n\r\nabc');
      expect(answer.status).to.equal(200);
      expect(answer.headers.get('connection')).to.equal('close');
      expect(answer.ms).to.be.below(10_000);
    });
    it('chunked drip: answered at once, and the connection closes', async () => {
      const answer = await sendRaw(edge.port, 'GET /healthz HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n');
      expect(answer.status).to.equal(200);
      expect(answer.headers.get('connection')).to.equal('close');
    });
    it('a chunk size that is none: the request has its answer, and the connection closes', async () => {
      const answer = await sendRaw(edge.port, 'GET /healthz HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n');
      expect([answer.status, answer.headers.get('connection')]).to.deep.equal([200, 'close']);
      expect(answer.text.match(/HTTP\/1\.1 /g)).to.have.length(1);
    });
    for (const [title, framing] of [
      ['with a length', 'Content-Length: 1000000000'],
      ['in chunks', 'Transfer-Encoding: chunked'],
    ] as const) {
      it(`a body without end, ${title}, is cut off after no more than sockets hold`, async () => {
        const sent = await sendForEver(edge.port, `POST /v1/quote HTTP/1.1\r\nHost: x\r\n${framing}\r\n\r\n`);
        expect(sent).to.be.below(16 * 2 ** 20);
        await healthy();
      });
    }
    it('many of them at once: resident memory grows by 16 MB at most', async () => {
      const bodies = () =>
        Promise.all(
          Array.from({ length: BODIES }, (_, index) => {
            const framing = index % 2 === 0 ? 'Content-Length: 1000000000' : 'Transfer-Encoding: chunked';
            return sendForEver(edge.port, `POST /v1/quote HTTP/1.1\r\nHost: x\r\n${framing}\r\n\r\n`);
          }),
        );
      const before = await residentAtRest();
      let most = 0;
      const look = setInterval(() => {
        most = Math.max(most, process.memoryUsage.rss());
      }, 1);
      await bodies();
      clearInterval(look);
      expect(Math.max(most, process.memoryUsage.rss()) - before).to.be.at.most(16 * 2 ** 20);
      await healthy();
    });
    it('Expect: 100-continue gets the answer, not an invitation', async () => {
      const answer = await sendRaw(edge.port, 'POST /v1/quote HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 10\r\n\r\n');
      expect(answer.status).to.equal(405);
      expect((await sendRaw(edge.port, 'GET /healthz HTTP/1.1\r\nHost: x\r\nExpect: tea\r\n\r\n')).status).to.equal(200);
    });
  });

  describe('a client that closes its sending side behind its request', () => {
    it('gets the answer to what needs no solver, and the connection closes', async () => {
      for (const [path, status] of [
        ['/healthz', 200],
        ['/v1/eth/sources', 200],
        ['/v1/quote', 400],
        ['/nothing', 404],
      ] as const) {
        const answer = await halfClosed(edge.port, `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
        expect(answer.slice(0, 12), path).to.equal(`HTTP/1.1 ${status}`);
        expect(answer, path).to.include('\r\n\r\n{"');
      }
    });
    it('counts as gone while its solve runs: over TCP it looks exactly like one that hung up', async () => {
      const other = await startEdge({
        solve: (_job, { signal }) =>
          new Promise((resolve) => {
            signal.addEventListener('abort', () => resolve({ result: { ok: false, reason: 'cancelled' }, queueMs: 0, runMs: 0 }));
          }),
      });
      try {
        expect(await halfClosed(other.port, `GET /v1/quote?${QUERY} HTTP/1.1\r\nHost: x\r\n\r\n`)).to.equal('');
        expect(await until(() => other.inflight.clients === 0, 30_000), 'its place is free').to.equal(true);
        expect(other.jobs.length).to.equal(1);
      } finally {
        await other.close();
      }
    });
  });

  it(`C7 slowloris: ${SCALE} sockets with slow headers are closed once their time is over while others are served`, async function () {
    this.timeout(300_000);
    const startedAt = performance.now();
    // Neither closes its side when the server has closed the other; one does not even read. They see no end, so the server's own sockets are looked at.
    const accepted = new Map<number | undefined, net.Socket>();
    edge.publicServer.server.on('connection', (socket) => accepted.set(socket.remotePort, socket));
    const stubborn = [0, 1].map(() => net.connect({ host: '127.0.0.1', port: edge.port, allowHalfOpen: true }));
    stubborn[0]?.resume();
    for (const socket of stubborn) socket.on('error', () => {});
    const closed: number[] = [];
    const texts: string[] = [];
    const sockets = Array.from({ length: SCALE }, (_, i) => {
      const socket = net.connect({ host: '127.0.0.1', port: edge.port });
      const slowness = SLOWNESS[i % SLOWNESS.length] ?? { first: '', later: '' };
      socket.write(slowness.first);
      const drip = slowness.later === '' ? undefined : setInterval(() => socket.write(slowness.later), 500);
      socket.on('data', (chunk) => texts.push(chunk.toString()));
      socket.on('error', () => {});
      socket.on('close', () => {
        clearInterval(drip);
        closed.push(performance.now() - startedAt);
      });
      return socket;
    });
    const slowest: number[] = [];
    const serversOwn = () => stubborn.map(({ localPort }) => accepted.get(localPort)?.destroyed);
    const allAreClosed = async () => {
      const askedAt = performance.now();
      await healthy();
      slowest.push(performance.now() - askedAt);
      return closed.length === SCALE && serversOwn().every((isDestroyed) => isDestroyed);
    };
    expect(await until(allAreClosed, 240_000), `${closed.length} of ${SCALE} and ${serversOwn()}`).to.equal(true);
    for (const socket of [...sockets, ...stubborn]) socket.destroy();
    // Five seconds and the second between two looks, for a machine that is free.
    expect(Math.min(...closed)).to.be.above(4900);
    expect(Math.max(...closed)).to.be.below(120_000);
    expect(texts.every((text) => text.startsWith('HTTP/1.1 408 ') && text.includes('"error"'))).to.equal(true);
    slowest.sort((a, b) => a - b);
    expect(slowest[Math.floor(slowest.length * 0.5)]).to.be.below(2500);
    const fresh = await fetch(`${edge.url}/healthz`);
    expect(fresh.headers.get('x-ratelimit-remaining'), "slowness may be the network's and costs nothing").to.equal('4');
  });

  it('a connection that is found slow, and sends the rest before its turn to be refused, is served like any other', async () => {
    const { server } = edge.publicServer;
    const accepted = new Promise<net.Socket>((resolve) => server.once('connection', resolve));
    const client = net.connect({ host: '127.0.0.1', port: edge.port });
    let text = '';
    client.on('data', (chunk) => {
      text += chunk.toString();
    });
    client.write('GET /healthz HTTP/1.1\r\n');
    const socket = await accepted;
    const tooSlow = () => Object.assign(new Error('too slow'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
    // Many are ahead of it.
    for (let i = 0; i < 2000; i++) server.emit('clientError', tooSlow(), new PassThrough());
    server.emit('clientError', tooSlow(), socket);
    const behind = new PassThrough();
    server.emit('clientError', tooSlow(), behind);
    client.write('Host: x\r\n\r\n');
    // Whoever comes behind it is refused, so its own turn is over.
    await once(behind, 'data');
    expect(await until(() => text.includes('HTTP/1.1 200'), 30_000), text).to.equal(true);
    client.write('GET /nothing HTTP/1.1\r\nHost: x\r\n\r\n');
    expect(await until(() => text.includes('HTTP/1.1 404'), 30_000), text).to.equal(true);
    client.destroy();
    expect(text.match(/HTTP\/1\.1 [0-9]+/g)).to.deep.equal(['HTTP/1.1 200', 'HTTP/1.1 404']);
  });

  it('C13 client disconnects mid-solve: the job is cancelled, its place is free again, nothing is written', async () => {
    let cancelled = 0;
    const running = new Set<object>();
    const other = await startEdge({
      solve: (job, { signal }) => {
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
      const count = FULL ? 500 : 100;
      const sockets = Array.from({ length: count }, () => {
        const socket = net.connect({ host: '127.0.0.1', port: other.port });
        socket.on('error', () => {});
        socket.write(`GET /v1/quote?${QUERY} HTTP/1.1\r\nHost: x\r\nx-api-key: ${other.key(1000)}\r\n\r\n`);
        return socket;
      });
      expect(await until(() => other.jobs.length === count, 30_000), 'in flight').to.equal(true);
      for (const socket of sockets) socket.destroy();
      // A second on a machine that is free.
      expect(await until(() => cancelled === count && other.lines.length === count, 60_000), `${cancelled} cancelled`).to.equal(true);
      expect([cancelled, running.size, other.inflight.clients]).to.deep.equal([count, 0, 0]);
      const outcomes = other.lines.map((line) => JSON.parse(line)).map(({ outcome, status }) => `${outcome} ${status}`);
      expect([...new Set(outcomes)]).to.deep.equal(['client-left null']);
      expect(await other.metrics.registry.getSingleMetricAsString('braid_http_requests_total')).to.include(
        `{route="quote",chain="ethereum",status="aborted"} ${count}`,
      );
    } finally {
      await other.close();
    }
  });
});

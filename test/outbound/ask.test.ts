import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createSocketServer, type Socket, type Server as SocketServer } from 'node:net';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { expect } from 'chai';
import sinon from 'sinon';
import { LIMITS as ALL } from '../../src/config/limits.ts';
import { type Asked, createAsk } from '../../src/outbound/outbound.ts';
import { asAddress } from '../../src/units/units.ts';
import type { OutsideSource } from '../../src/venues/venues.ts';

const NOBODY = asAddress('0x00000000000000000000000000000000000000aa');
const LIMITS = { deadlineMs: 400, bodyBytes: 64 * 1024, perSource: 4 };
/** Where the deadline is not what is tested. */
const PATIENT = { ...LIMITS, deadlineMs: 20_000 };
const { outbound: OUTBOUND } = ALL;
const NEVER = new AbortController().signal;

describe('asking others by HTTP', () => {
  const closing: (Server | SocketServer)[] = [];
  const sockets: Socket[] = [];

  async function serve(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<OutsideSource> {
    return await listen(createServer(answer));
  }

  async function listen(server: Server | SocketServer): Promise<OutsideSource> {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
    closing.push(server);
    server.on('connection', (socket: Socket) => {
      sockets.push(socket);
      // Whoever leaves resets it.
      socket.on('error', () => undefined);
    });
    return { name: 'stall', origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, path: '/quotes?of=all', contract: NOBODY, signer: NOBODY };
  }

  function asker(
    source: OutsideSource,
    limits = PATIENT,
  ): { ask: (signal?: AbortSignal) => ReturnType<ReturnType<typeof createAsk>>; readonly told: () => readonly Asked[] } {
    const onAsked = sinon.fake<[Asked], void>();
    const ask = createAsk({ sources: [source], limits, onAsked });
    return { ask: (signal = NEVER) => ask(source, '{"asks":1}', signal), told: () => onAsked.args.map(([asked]) => asked) };
  }

  afterEach(async () => {
    for (const server of closing.splice(0)) {
      for (const socket of sockets.splice(0)) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    }
  });

  it('posts a text to the very address that is configured, and gives the text that comes back', async () => {
    const seen: string[] = [];
    const source = await serve((request, response) => {
      request.setEncoding('utf8');
      request.on('data', (text: string) =>
        seen.push(`${request.method} ${request.url} ${request.headers['content-type']} ${request.headers['accept-encoding']} ${text}`),
      );
      request.on('end', () => response.end('{"says":"ä"}'));
    });
    const { ask, told } = asker(source);
    expect(await ask()).to.deep.equal({ ok: true, text: '{"says":"ä"}' });
    expect(seen).to.deep.equal(['POST /quotes?of=all application/json identity {"asks":1}']);
    expect(told().map(({ source: name, outcome }) => [name, outcome])).to.deep.equal([['stall', 'ok']]);
  });

  it('asks under a path of the protocol at the same origin, and with the key that is configured', async () => {
    const seen: string[] = [];
    const plain = await serve((request, response) => {
      seen.push(`${request.url} ${request.headers['x-api-key']} ${request.headers['content-type']}`);
      response.end('{}');
    });
    for (const source of [plain, { ...plain, path: '/', apiKey: 'k' }, { ...plain, path: '/at/', apiKey: 'k' }]) {
      const ask = createAsk({ sources: [source], limits: PATIENT });
      for (const under of [undefined, '/v1/attestations']) expect(await ask(source, '{}', NEVER, under)).to.deep.equal({ ok: true, text: '{}' });
    }
    // A key that no header can have is never sent, and never told.
    const broken = { ...plain, apiKey: 'k\n' };
    expect(await createAsk({ sources: [broken], limits: PATIENT })(broken, '{}', NEVER)).to.deep.equal({ ok: true, text: '{}' });
    const unsendable = { ...plain, apiKey: 'ä€' };
    expect(await createAsk({ sources: [unsendable], limits: PATIENT })(unsendable, '{}', NEVER)).to.deep.equal({ ok: false, reason: 'unreachable' });
    expect(seen).to.deep.equal([
      '/quotes?of=all undefined application/json',
      '/quotes/v1/attestations?of=all undefined application/json',
      '/ k application/json',
      '/v1/attestations k application/json',
      '/at/ k application/json',
      '/at/v1/attestations k application/json',
      '/quotes?of=all k application/json',
    ]);
  });

  it('asks nobody that is not named', async () => {
    const source = await serve((_request, response) => void response.end('{}'));
    const ask = createAsk({ sources: [source], limits: PATIENT });
    let refused: unknown;
    await ask({ ...source, name: 'another' }, '{}', NEVER).catch((error: unknown) => {
      refused = error;
    });
    expect(refused).to.be.instanceOf(RangeError);
  });

  it('asks nobody elsewhere than configured, whatever a registry lists: not another port, and no host that a path could name', async () => {
    const asked: string[] = [];
    const canary = await serve((request, response) => {
      asked.push(`canary ${request.url}`);
      response.end('{}');
    });
    const source = await serve((request, response) => {
      asked.push(String(request.url));
      response.end('{}');
    });
    const ask = createAsk({ sources: [source], limits: PATIENT });
    const refusals = await Promise.all(
      [canary.origin, `${source.origin}.`, source.origin.replace('http://', 'http://name@')].map((origin) =>
        ask({ ...source, origin }, '{}', NEVER).then(
          () => 'asked',
          (error: unknown) => (error instanceof RangeError ? 'refused' : 'failed'),
        ),
      ),
    );
    expect(refusals).to.deep.equal(['refused', 'refused', 'refused']);
    const { host } = new URL(canary.origin);
    for (const path of [`//${host}/one`, `/\\${host}/two`, `/@${host}/three`, `/../..//${host}/four`])
      expect((await ask({ ...source, path }, '{}', NEVER)).ok).to.equal(true);
    expect(asked).to.have.length(4);
    expect(asked.join()).to.not.include('canary');
  });

  it('follows no redirect, of whatever kind: a canary is never asked', async () => {
    const answer = sinon.spy((_request: IncomingMessage, response: ServerResponse) => void response.end('{}'));
    const canary = await serve(answer);
    for (const status of [301, 302, 303, 307, 308]) {
      const source = await serve((_request, response) => void response.writeHead(status, { location: `${canary.origin}/` }).end());
      expect(await asker(source).ask(), String(status)).to.deep.equal({ ok: false, reason: 'garbled' });
    }
    const refreshing = await serve(
      (_request, response) => void response.writeHead(200, { refresh: `0; url=${canary.origin}/`, 'alt-svc': `h2="${canary.origin}"` }).end('{}'),
    );
    expect(await asker(refreshing).ask()).to.deep.equal({ ok: true, text: '{}' });
    expect(answer.callCount).to.equal(0);
  });

  it('ends at its deadline, however the answer dawdles', async () => {
    const silent = await serve(() => undefined);
    const dripping = await serve((_request, response) => {
      response.writeHead(200);
      const drip = setInterval(() => response.write(' '), 20);
      response.on('close', () => clearInterval(drip));
    });
    const headless = await listen(createSocketServer((socket) => void socket.resume().write('HTTP/1.1 200 OK\r\ncontent-ty')));
    for (const source of [silent, dripping, headless]) expect(await asker(source, LIMITS).ask()).to.deep.equal({ ok: false, reason: 'unreachable' });
  });

  it('ends at once when it is called off, and asks nothing that is called off before', async () => {
    const came = sinon.spy();
    let arrived: () => void = () => undefined;
    const hasCome = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    const source = await serve(() => {
      came();
      arrived();
    });
    const { ask } = asker(source);
    const ending = new AbortController();
    const asked = ask(ending.signal);
    await hasCome;
    ending.abort();
    expect(await asked).to.deep.equal({ ok: false, reason: 'unreachable' });
    expect(await ask(AbortSignal.abort())).to.deep.equal({ ok: false, reason: 'unreachable' });
    expect(came.callCount).to.equal(1);
  });

  it('reads no more than it may, said or unsaid, and leaves the rest', async () => {
    let written = 0;
    const endless = await serve((_request, response) => {
      const chunk = Buffer.alloc(16 * 1024, 0x20);
      const more = (): void => {
        while (!response.destroyed && response.write(chunk)) written += chunk.length;
      };
      response.on('drain', more);
      more();
    });
    const said = await serve(
      (_request, response) => void response.writeHead(200, { 'content-length': String(50 * 2 ** 20) }).write(Buffer.alloc(LIMITS.bodyBytes + 1)),
    );
    for (const source of [endless, said]) expect(await asker(source).ask()).to.deep.equal({ ok: false, reason: 'garbled' });
    expect(written).to.be.below(2 ** 26);
    const exactly = await serve((_request, response) => void response.end('x'.repeat(LIMITS.bodyBytes)));
    expect(await asker(exactly).ask()).to.deep.equal({ ok: true, text: 'x'.repeat(LIMITS.bodyBytes) });
  });

  it('reads as much as the product has it read, and not a byte more: 256 KiB', async () => {
    const { bodyBytes } = OUTBOUND;
    expect(bodyBytes).to.equal(262_144);
    for (const [bytes, taken] of [
      [bodyBytes, true],
      [bodyBytes + 1, false],
    ] as const) {
      const body = Buffer.alloc(bytes, 0x20);
      const whole = await serve((_request, response) => void response.end(body));
      const inParts = await serve((_request, response) => {
        response.write(body.subarray(0, bytes - 1));
        response.end(body.subarray(bytes - 1));
      });
      for (const source of [whole, inParts])
        expect((await asker(source, { ...OUTBOUND, deadlineMs: PATIENT.deadlineMs }).ask()).ok, String(bytes)).to.equal(taken);
    }
  });

  it('decompresses nothing: a bomb stays packed', async () => {
    const bomb = Buffer.alloc(4 * 2 ** 20);
    for (const [encoding, body] of [
      ['gzip', gzipSync(bomb)],
      ['br', brotliCompressSync(bomb.subarray(0, 2 ** 18))],
      ['gzip, gzip', gzipSync(gzipSync(bomb))],
      ['deflate', Buffer.from('no')],
    ] as const) {
      const source = await serve((_request, response) => void response.writeHead(200, { 'content-encoding': encoding }).end(body));
      expect((await asker(source).ask()).ok, encoding).to.equal(false);
    }
  });

  it('tells what is no text, half an answer, a connection that is reset or refused, and no HTTP at all', async () => {
    const bytes = await serve((_request, response) => void response.end(Buffer.from([0xff, 0xfe, 0x80])));
    expect(await asker(bytes).ask()).to.deep.equal({ ok: false, reason: 'garbled' });
    const half = await serve((_request, response) => {
      response.writeHead(200, { 'content-length': '100' }).write('{"js');
      response.socket?.end();
    });
    const reset = await serve((request) => void request.socket.resetAndDestroy());
    const garbage = await listen(createSocketServer((socket) => void socket.resume().end('\u0000\u0001SSH-2.0-none\r\n\r\n')));
    const gone = await serve(() => undefined);
    await new Promise((resolve) => closing.pop()?.close(resolve));
    for (const source of [half, reset, garbage, gone]) expect(await asker(source).ask()).to.deep.equal({ ok: false, reason: 'unreachable' });
  });

  it('tells who is busy, and for how long where they say so in seconds', async () => {
    for (const [status, retryAfter, retryAfterMs] of [
      [429, '7', 7_000],
      [503, '999999', 3_600_000],
      [429, 'Wed, 21 Oct 2026 07:28:00 GMT', null],
      [503, '-1', null],
    ] as const) {
      const source = await serve((_request, response) => void response.writeHead(status, { 'retry-after': retryAfter }).end());
      expect(await asker(source).ask()).to.deep.equal({ ok: false, reason: 'busy', retryAfterMs });
    }
  });

  it('tells who would not from whose server is broken, and from who points elsewhere', async () => {
    for (const [reason, statuses] of [
      ['refused', [400, 401, 403, 404, 418, 451, 499]],
      ['unreachable', [500, 501, 502, 504, 520, 599]],
      ['garbled', [300, 304, 399]],
    ] as const) {
      for (const status of statuses) {
        const source = await serve((_request, response) => void response.writeHead(status).end(status === 304 ? undefined : '{}'));
        const { ask, told } = asker(source);
        expect(await ask(), String(status)).to.deep.equal({ ok: false, reason });
        expect(told().map(({ outcome }) => outcome)).to.deep.equal([reason]);
      }
    }
  });

  it('tells a name that nobody has as it does a place where nobody answers', async () => {
    const source: OutsideSource = { name: 'stall', origin: 'http://nobody.invalid', contract: NOBODY, signer: NOBODY };
    expect(await asker(source).ask()).to.deep.equal({ ok: false, reason: 'unreachable' });
  });

  it('has no more under way than it may, and asks again once one is answered', async () => {
    const waiting: ServerResponse[] = [];
    let most: () => void = () => undefined;
    const full = new Promise<void>((resolve) => {
      most = resolve;
    });
    const source = await serve((_request, response) => {
      waiting.push(response);
      if (waiting.length === LIMITS.perSource) most();
    });
    const { ask } = asker(source);
    const asked = Array.from({ length: LIMITS.perSource }, () => ask());
    await full;
    expect(await ask()).to.deep.equal({ ok: false, reason: 'crowded' });
    for (const response of waiting.splice(0)) response.end('{}');
    expect((await Promise.all(asked)).every(({ ok }) => ok)).to.equal(true);
    const later = ask();
    await new Promise<void>((resolve) => {
      const look = (): void => void (waiting.length > 0 ? resolve() : setImmediate(look));
      look();
    });
    for (const response of waiting) response.end('{"again":1}');
    expect(await later).to.deep.equal({ ok: true, text: '{"again":1}' });
  });
});

import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect } from 'chai';
import sinon from 'sinon';
import { LIMITS } from '../../src/config/limits.ts';
import { SYSTEM_CLOCK } from '../../src/indexing/clock.ts';
import { decodeQuantity } from '../../src/indexing/rpc/decode.ts';
import { createGate } from '../../src/indexing/rpc/gate.ts';
import { httpTransport } from '../../src/indexing/rpc/http-transport.ts';
import { backoffMs, createRpc, type Rpc } from '../../src/indexing/rpc/rpc.ts';
import { RpcError, rpcErrorOf } from '../../src/indexing/rpc/rpc-error.ts';

/** An answer of 50 MB, a part at a time. */
const CHUNK_BYTES = 2 ** 20;
const ENDLESS_BYTES = 50 * 2 ** 20;

type Call = { readonly id: number; readonly method: string };

/** A node made of a function from call to response. */
function rpcOver(respond: (url: string, call: Call) => Response | Promise<Response>, urls: readonly string[] = ['http://node.test/']): Rpc {
  const fetchFunction = async (url: string, init: RequestInit): Promise<Response> => respond(url, JSON.parse(String(init.body)) as Call);
  return createRpc({ urls, chainId: 7, fetch: fetchFunction, random: () => 0, onHead: () => undefined });
}

const answer = ({ id }: Call, result: unknown): Response => Response.json({ jsonrpc: '2.0', id, result });
const chainId = (call: Call): Response => answer(call, '0x7');

async function failure(work: Promise<unknown>): Promise<RpcError> {
  try {
    await work;
  } catch (error) {
    if (error instanceof RpcError) return error;
    throw error;
  }
  throw new Error('it did not fail');
}

describe('calls to a node', () => {
  it('read no more of a body than may be taken, and hold no more (A4)', async () => {
    let pulled = 0;
    let held = 0;
    let cancelled = false;
    const before = process.memoryUsage().arrayBuffers;
    const body = () =>
      new ReadableStream<Uint8Array>({
        pull(controller) {
          pulled += CHUNK_BYTES;
          held = Math.max(held, process.memoryUsage().arrayBuffers - before);
          controller.enqueue(new Uint8Array(CHUNK_BYTES).fill(0x20));
          if (pulled > ENDLESS_BYTES) controller.close();
        },
        cancel() {
          cancelled = true;
        },
      });
    const transport = httpTransport('http://node.test/', async () => new Response(body()), LIMITS.indexing.rpc.bodyBytes, SYSTEM_CLOCK);
    expect((await failure(transport.request('x', [], 60_000))).reason).to.equal('garbage');
    expect([cancelled, pulled <= LIMITS.indexing.rpc.bodyBytes + 4 * CHUNK_BYTES]).to.deep.equal([true, true]);
    expect(held).to.be.below(64 * 2 ** 20);
  });

  it('take whatever is no object with their id for garbage, and under a status that says so for a node that is not there', async () => {
    const bodies = ['null', '[]', '0', '"text"', 'true', '', '{', '{}', '{"id":1}', '{"id":2,"result":"0x1"}', '{"result":"0x1"}'];
    for (const body of bodies) {
      const reasons = [200, 500].map(async (status) => {
        const transport = httpTransport('http://node.test/', async () => new Response(body, { status }), LIMITS.indexing.rpc.bodyBytes, SYSTEM_CLOCK);
        return (await failure(transport.request('x', [], 60_000))).reason;
      });
      expect(await Promise.all(reasons), body).to.deep.equal(['garbage', 'unavailable']);
    }
  });

  it('ask for the chain id once, before anything else', async () => {
    const respond = sinon.spy((_url: string, call: Call) => (call.method === 'eth_chainId' ? chainId(call) : answer(call, '0x1')));
    const rpc = rpcOver(respond);
    await Promise.all([rpc.call('a', [], decodeQuantity), rpc.call('b', [], decodeQuantity)]);
    await rpc.call('c', [], decodeQuantity);
    expect(respond.args.map(([, { method }]) => method)).to.deep.equal(['eth_chainId', 'a', 'b', 'c']);
    rpc.close();
  });

  it('are retried on the next endpoint, which has to serve the same chain', async () => {
    const respond = sinon.spy((url: string, call: Call) => {
      if (url.includes('down')) return new Response('', { status: 502 });
      if (url.includes('foreign')) return answer(call, '0x1');
      return call.method === 'eth_chainId' ? chainId(call) : answer(call, '0x2a');
    });
    const rpc = rpcOver(respond, ['http://down.test/', 'http://foreign.test/', 'http://good.test/']);
    expect(await rpc.call('x', [], decodeQuantity)).to.equal(42);
    const asked = respond.args.map(([url, { method }]) => `${new URL(url).hostname} ${method}`);
    expect(asked).to.deep.equal(['down.test eth_chainId', 'foreign.test eth_chainId', 'good.test eth_chainId', 'good.test x']);
    rpc.close();
  });

  it('count their outcomes by endpoint with the time of each, and garbage as an error', async () => {
    let times = 0;
    const startedAt = performance.now();
    const rpc = rpcOver((_, call) => (call.method === 'eth_chainId' ? chainId(call) : answer(call, ++times === 1 ? 'junk' : '0x1')));
    expect(await rpc.call('x', [], decodeQuantity)).to.equal(1);
    const calls = rpc.drainCalls();
    expect(calls.map(({ durations, ...kind }) => [kind, durations.length])).to.have.deep.members([
      [{ endpoint: 0, method: 'eth_chainId', outcome: 'ok' }, 2],
      [{ endpoint: 0, method: 'x', outcome: 'error' }, 1],
      [{ endpoint: 0, method: 'x', outcome: 'ok' }, 1],
    ]);
    for (const ms of calls.flatMap(({ durations }) => durations)) expect(ms).to.be.within(0, performance.now() - startedAt);
    expect(rpc.drainCalls()).to.deep.equal([]);
    rpc.close();
  });

  it('do not repeat what the node answered with an error of its own', async () => {
    const respond = sinon.spy((_url: string, call: Call) => {
      if (call.method === 'eth_chainId') return chainId(call);
      return Response.json({ jsonrpc: '2.0', id: call.id, error: { code: -32000, message: 'header not found' } });
    });
    const rpc = rpcOver(respond);
    expect((await failure(rpc.call('x', [], decodeQuantity))).reason).to.equal('block-gone');
    expect(respond.args.map(([, { method }]) => method)).to.deep.equal(['eth_chainId', 'x']);
    rpc.close();
  });

  it('give up after a bounded number of attempts', async () => {
    const respond = sinon.stub<[string, Call], Response>().throws(new TypeError('fetch failed'));
    const rpc = rpcOver(respond);
    expect((await failure(rpc.call('x', [], decodeQuantity))).reason).to.equal('unavailable');
    expect(respond.callCount).to.equal(4);
    rpc.close();
  });

  it('end when the client is closed, also while they pause', async () => {
    const respond = sinon.spy(() => new Response('', { status: 429, headers: { 'retry-after': '30' } }));
    const rpc = rpcOver(respond);
    const call = failure(rpc.call('x', [], decodeQuantity));
    // The answer is read when the client counts it: by then it pauses, or is about to.
    while (rpc.drainCalls().length === 0) await nextTurn();
    await nextTurn();
    rpc.close();
    expect((await call).reason).to.equal('closed');
    expect(respond.callCount, 'it paused and did not ask again').to.equal(1);
  });

  it('refuse a URL that is no RPC URL, and none at all', () => {
    expect(() => createRpc({ urls: ['ftp://x/'], chainId: 7, fetch, random: Math.random, onHead: () => undefined })).to.throw(/http, https, ws or wss/);
    expect(() => createRpc({ urls: [], chainId: 7, fetch, random: Math.random, onHead: () => undefined })).to.throw(/at least one/);
  });

  it('go over HTTP for http and https, and over a socket for ws and wss', async () => {
    const fetchFunction = sinon.spy(async (_url: string, init: RequestInit) => chainId(JSON.parse(String(init.body)) as Call));
    // Nothing listens on port 9 of this machine: what goes over a socket is not answered.
    for (const scheme of ['http', 'https', 'ws', 'wss']) {
      const rpc = createRpc({ urls: [`${scheme}://127.0.0.1:9/`], chainId: 7, fetch: fetchFunction, random: () => 0, onHead: () => undefined });
      const call = rpc.call('x', [], decodeQuantity);
      if (scheme.startsWith('http')) await call;
      else expect((await failure(call)).reason, scheme).to.equal('unavailable');
      rpc.close();
    }
    const asked = fetchFunction.args.map(([url]) => url);
    expect(asked).to.deep.equal(['http', 'http', 'https', 'https'].map((scheme) => `${scheme}://127.0.0.1:9/`));
  });

  it('send credentials of the URL as a header', async () => {
    const fetchFunction = sinon.spy(async (_url: string, init: RequestInit) => chainId(JSON.parse(String(init.body)) as Call));
    const rpc = createRpc({ urls: ['http://me:p%40ss@node.test/'], chainId: 7, fetch: fetchFunction, random: () => 0, onHead: () => undefined });
    await rpc.call('x', [], decodeQuantity);
    const [url, { headers }] = fetchFunction.firstCall.args;
    expect([url, (headers as Record<string, string>).authorization]).to.deep.equal(['http://node.test/', `Basic ${Buffer.from('me:p@ss').toString('base64')}`]);
    rpc.close();
  });
});

describe('the gate in front of a node', () => {
  it('never runs more than its width, in order, and refuses what does not fit the queue', async () => {
    const gate = createGate(2, 2);
    const order: number[] = [];
    const release: (() => void)[] = [];
    const run = (id: number): Promise<void> =>
      gate.run(() => {
        order.push(id);
        return new Promise((resolve) => release.push(resolve));
      });
    const runs = [run(1), run(2), run(3), run(4)];
    await nextTurn();
    expect(order).to.deep.equal([1, 2]);
    expect((await failure(run(5))).reason).to.equal('refused');
    gate.setWidth(1);
    release.shift()?.();
    await nextTurn();
    expect(order).to.deep.equal([1, 2]);
    release.shift()?.();
    await nextTurn();
    expect(order).to.deep.equal([1, 2, 3]);
    gate.setWidth(2);
    await nextTurn();
    expect(order).to.deep.equal([1, 2, 3, 4]);
    for (const end of release) end();
    await Promise.all(runs);
    expect(gate.running).to.equal(0);
  });
});

describe('what a node says went wrong', () => {
  const WORDS: readonly (readonly [string, number, string, string])[] = [
    ['eth_getLogs', -32000, 'unknown block', 'block-gone'],
    ['eth_call', -32001, 'Resource not found', 'block-gone'],
    ['eth_call', -32000, 'missing trie node abc', 'block-gone'],
    ['eth_getBlockByNumber', 4444, 'pruned history unavailable', 'block-gone'],
    ['eth_getLogs', -32005, 'query returned more than 10000 results', 'range-too-large'],
    ['eth_getLogs', -32600, 'eth_getLogs is limited to a 500 blocks range', 'range-too-large'],
    ['eth_call', -32005, 'daily request count exceeded, request rate limited', 'limited'],
    ['eth_getLogs', -32000, 'too many requests', 'limited'],
    ['eth_getBlockByNumber', -32000, 'daily quota is used up', 'limited'],
    ['eth_call', -32000, 'out of credits', 'limited'],
    ['eth_call', -32001, 'Unauthorized: no such project id', 'unavailable'],
    ['eth_getLogs', -32000, 'Must be authenticated!', 'unavailable'],
    ['eth_call', 3, 'execution reverted', 'reverted'],
    ['eth_call', -32000, 'out of gas', 'reverted'],
    ['eth_call', -32603, 'EVM error InvalidFEOpcode', 'reverted'],
    ['eth_call', -32603, 'Internal error', 'refused'],
    ['eth_chainId', -32603, 'Internal error', 'refused'],
  ];
  for (const [method, code, message, reason] of WORDS) {
    it(`"${message}" is ${reason}`, () => expect(rpcErrorOf(method, code, message).reason).to.equal(reason));
  }
});

describe('pauses between attempts', () => {
  it('double up to a bound, between half and the whole', () => {
    expect(backoffMs(1, () => 0)).to.equal(25);
    expect(backoffMs(1, () => 1)).to.equal(50);
    expect(backoffMs(3, () => 1)).to.equal(200);
    expect(backoffMs(40, () => 1)).to.equal(1000);
  });
});

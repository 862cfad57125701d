import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { expect } from 'chai';
import { LIMITS } from '../../src/config/limits.ts';
import { decodeHex, decodeQuantity } from '../../src/indexing/rpc/decode.ts';
import { createRpc, type Rpc } from '../../src/indexing/rpc/rpc.ts';
import { RpcError } from '../../src/indexing/rpc/rpc-error.ts';
import { socketTransport } from '../../src/indexing/rpc/socket-transport.ts';
import { answering, honest, type SocketNode, type SocketRule, startSocketNode } from '../support/socket-node.ts';
import { until } from '../support/until.ts';
import { idOf } from './made-up-singleton.ts';

const PATIENCE_MS = 60_000;

describe('an endpoint behind a socket', () => {
  let node: SocketNode;
  let rpc: Rpc;
  let heard: number;
  const head = { number: 1, hash: idOf(1) };
  const right = honest(() => head);

  beforeEach(async () => {
    heard = 0;
    node = await startSocketNode(right);
    rpc = over(node.url);
  });
  afterEach(async () => {
    rpc.close();
    await node.stop();
  });
  const over = (...urls: readonly string[]) => createRpc({ urls, chainId: 7, fetch, random: () => 0, onHead: () => void heard++ });
  const call = (timeoutMs?: number) => rpc.call('eth_call', [], decodeQuantity, timeoutMs);
  const reasonOf = async (work: Promise<unknown>) => {
    const error = await work.catch((thrown: unknown) => thrown);
    return error instanceof RpcError ? error.reason : 'none';
  };
  const hears = async (count: number) => expect(await until(() => heard >= count, PATIENCE_MS), `${heard} heard`).to.equal(true);
  /** What the socket announced before has been taken in: a call's answer comes after it. */
  const takenIn = () => call();

  it('is asked for its chain first, and announces heads, each once', async () => {
    expect([await call(), node.asked]).to.deep.equal([42, ['eth_chainId', 'eth_subscribe', 'eth_call']]);
    expect(rpc.drainAnnounced()).to.deep.equal([0]);
    for (const hash of [idOf(2), idOf(2), idOf(3)]) node.announce({ number: '0x2', hash });
    await hears(2);
    expect([heard, rpc.drainAnnounced(), rpc.drainAnnounced()]).to.deep.equal([2, [2], [0]]);
  });

  it('keeps no connection that comes to be when it was closed already', async () => {
    const transport = socketTransport(node.url, 1000, () => undefined);
    const opening = transport.open(PATIENCE_MS);
    transport.close();
    await opening;
    expect(await transport.request('eth_call', [], PATIENCE_MS).catch((error: unknown) => error)).to.include({ reason: 'unavailable' });
    expect(await until(() => node.connections.ever === 1 && node.connections.now === 0, PATIENCE_MS), 'it is ended').to.equal(true);
  });

  it('is used without announcements where it takes no subscription', async () => {
    node.setRule((asked, socket) =>
      asked.method === 'eth_subscribe'
        ? JSON.stringify({ jsonrpc: '2.0', id: asked.id, error: { code: -32601, message: 'no such method' } })
        : right(asked, socket),
    );
    expect([await call(), rpc.drainAnnounced()]).to.deep.equal([42, [null]]);
  });

  it('is asked again which chain it serves after its connection was cut, and nobody is blamed for an idle one that ends', async () => {
    await call();
    node.cut();
    // Heard of by itself, before anybody asks anything.
    expect(await until(() => rpc.drainAnnounced()[0] === null, 10_000)).to.equal(true);
    expect(await until(async () => (await call()) === 42 && node.connections.ever === 2, PATIENCE_MS)).to.equal(true);
    expect([...new Set(rpc.drainCalls().map(({ outcome }) => outcome))]).to.deep.equal(['ok']);
    expect(node.asked.slice(3, 6)).to.deep.equal(['eth_chainId', 'eth_subscribe', 'eth_call']);
    expect(rpc.standing()).to.deep.equal({ followed: 0, left: [null] });
    node.announce({ hash: idOf(9) });
    await hears(1);
  });

  it('is never read from where it leads to another chain after a cut', async () => {
    await call();
    node.setRule((asked, socket) => (asked.method === 'eth_chainId' ? answering(asked, '0x8') : right(asked, socket)));
    node.cut();
    await until(() => node.connections.now === 0, PATIENCE_MS);
    const before = node.asked.length;
    expect(await until(async () => (await reasonOf(call())) === 'foreign-chain', PATIENCE_MS)).to.equal(true);
    expect([...new Set(node.asked.slice(before))]).to.deep.equal(['eth_chainId']);
  });

  const FAULTS: readonly (readonly [string, string, SocketRule])[] = [
    ['HTML', 'garbage', () => '<html>busy</html>'],
    ['a list', 'garbage', () => '[]'],
    ['an answer with an id that nobody used', 'garbage', ({ id }) => JSON.stringify({ jsonrpc: '2.0', id: id + 1000, result: '0x1' })],
    ['an answer with the id null', 'garbage', () => JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: -32700, message: 'parse error' } })],
    ['an answer with an id that is text', 'garbage', ({ id }) => JSON.stringify({ jsonrpc: '2.0', id: String(id), result: '0x2a' })],
    ['an answer with an id that is no whole number', 'garbage', ({ id }) => JSON.stringify({ jsonrpc: '2.0', id: Number(id) - 0.5, result: '0x2a' })],
    ['an announcement without contents', 'garbage', () => JSON.stringify({ jsonrpc: '2.0', method: 'eth_subscription' })],
    [
      'an error whose message is an object that is no text either',
      'garbage',
      ({ id }) => JSON.stringify({ jsonrpc: '2.0', id, error: { code: 1, message: { toString: 1 } } }),
    ],
    [
      'an announcement of a subscription that is an object',
      'garbage',
      () => JSON.stringify({ jsonrpc: '2.0', method: 'eth_subscription', params: { subscription: { toString: 1 }, result: {} } }),
    ],
    ['an answer without a result', 'garbage', ({ id }) => JSON.stringify({ jsonrpc: '2.0', id })],
    ['more than may be read', 'garbage', () => ' '.repeat(LIMITS.indexing.rpc.bodyBytes + 1)],
    [
      'the end of the connection',
      'unavailable',
      (_, socket) => {
        socket.terminate();
        return null;
      },
    ],
    ['nothing', 'timeout', () => null],
  ];
  for (const [what, reason, rule] of FAULTS) {
    it(`fails with ${reason} where it says ${what}, in bounded time, and is asked anew over another connection`, async () => {
      await call();
      node.setRule((asked, socket) => (asked.method === 'eth_call' ? rule(asked, socket) : right(asked, socket)));
      // Only silence is waited out: what is too much takes a busy machine its time.
      expect(await reasonOf(call(reason === 'timeout' ? 300 : PATIENCE_MS))).to.equal(reason);
      const { ever } = node.connections;
      expect(ever, 'each attempt over its own').to.be.greaterThan(1);
      node.setRule(right);
      expect(await call()).to.equal(42);
      expect(node.connections.now, 'none is left behind').to.be.at.most(1);
    });
  }

  it('that takes connections and never opens one is given up in bounded time, and turned away from', async () => {
    const sockets = new Set<Socket>();
    const halfOpen = createServer((socket) => {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.once('close', () => sockets.delete(socket));
      socket.resume();
    }).listen(0, '127.0.0.1');
    await once(halfOpen, 'listening');
    const both = over(`ws://127.0.0.1:${(halfOpen.address() as AddressInfo).port}`, node.url);
    try {
      expect(await both.call('eth_call', [], decodeQuantity)).to.equal(42);
      expect(both.standing()).to.deep.equal({ followed: 1, left: ['fault', null] });
      expect(await until(() => sockets.size === 0, PATIENCE_MS), 'its sockets are let go of').to.equal(true);
    } finally {
      both.close();
      halfOpen.close();
    }
  });

  it('is limited where it turns a connection away with 429', async () => {
    const { createServer: createHttpServer } = await import('node:http');
    const busy = createHttpServer().on('upgrade', (_, socket) => socket.end('HTTP/1.1 429 Too Many Requests\r\nretry-after: 1\r\nconnection: close\r\n\r\n'));
    busy.listen(0, '127.0.0.1');
    await once(busy, 'listening');
    const both = over(`ws://127.0.0.1:${(busy.address() as AddressInfo).port}`, node.url);
    try {
      expect([await both.call('eth_call', [], decodeQuantity), both.standing().left]).to.deep.equal([42, ['limited', null]]);
    } finally {
      both.close();
      busy.closeAllConnections();
      busy.close();
    }
  });

  it('that floods announcements is not listened to, and answers all the same', async () => {
    await call();
    const { perSecond } = LIMITS.indexing.rpc.announcements;
    for (let at = 0; at < 20 * perSecond; at++) node.announce({ hash: idOf(100 + at) });
    await takenIn();
    expect(heard).to.be.at.most(perSecond);
    const before = heard;
    for (let at = 0; at < 50; at++) node.announce({ hash: idOf(9000 + at) });
    await takenIn();
    expect(heard).to.equal(before);
    expect([await call(), rpc.standing().left]).to.deep.equal([42, [null]]);
  });

  it('wakes nobody by announcements that are no heads, and is not believed by those that are', async () => {
    await call();
    for (const junk of [null, 7, 'head', {}, { hash: 5 }, []]) node.announce(junk);
    await takenIn();
    expect(heard).to.equal(0);
    node.announce({ number: '0xffffff', hash: idOf(5) });
    await hears(1);
    const shown = (value: unknown) => ({
      number: decodeQuantity((value as { number: unknown }).number),
      hash: decodeHex((value as { hash: unknown }).hash, 32),
    });
    expect((await rpc.callForHead('eth_getBlockByNumber', ['latest', false], shown)).head).to.deep.equal(head);
  });
});

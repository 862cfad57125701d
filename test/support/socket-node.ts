import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';

export type SocketCall = { readonly id: number; readonly method: string; readonly params: readonly unknown[] };

/** What a node behind a socket does with a call: an answer's text, or null for none. */
export type SocketRule = (call: SocketCall, socket: WebSocket) => string | null | Promise<string | null>;

export type SocketNode = {
  readonly url: string;
  /** Connections that are open now, and how many there were. */
  readonly connections: { readonly now: number; readonly ever: number };
  readonly asked: readonly string[];
  setRule(rule: SocketRule): void;
  /** Announces to all that have subscribed, whatever it is. */
  announce(head: unknown): void;
  /** Sends a text to all that are connected. */
  send(text: string): void;
  /** Cuts all connections. */
  cut(): void;
  stop(): Promise<void>;
};

const SUBSCRIPTION = '0xabc';

export const answering = ({ id }: SocketCall, result: unknown): string => JSON.stringify({ jsonrpc: '2.0', id, result });

/** A node behind a WebSocket on a free loopback port that does as it is told. It says that it serves chain 7, and takes subscriptions. */
export async function startSocketNode(rule: SocketRule): Promise<SocketNode> {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  await once(server, 'listening');
  const asked: string[] = [];
  let current = rule;
  let ever = 0;
  server.on('connection', (socket) => {
    ever++;
    socket.on('error', () => undefined);
    socket.on('message', async (data) => {
      const call = JSON.parse(String(data)) as SocketCall;
      asked.push(call.method);
      const answer = await current(call, socket);
      if (answer !== null) socket.send(answer);
    });
  });
  const each = (work: (socket: WebSocket) => void): void => {
    for (const socket of server.clients) work(socket);
  };
  const send = (text: string): void => each((socket) => socket.send(text));
  return {
    url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`,
    connections: {
      get now() {
        return server.clients.size;
      },
      get ever() {
        return ever;
      },
    },
    asked,
    setRule(next) {
      current = next;
    },
    announce: (head) => send(JSON.stringify({ jsonrpc: '2.0', method: 'eth_subscription', params: { subscription: SUBSCRIPTION, result: head } })),
    send,
    cut: () => each((socket) => socket.terminate()),
    async stop() {
      each((socket) => socket.terminate());
      const closed = new Promise((resolve) => server.close(resolve));
      await closed;
    },
  };
}

/** As a node should: its chain's id, its head, subscriptions, and 0x2a to all else. */
export const honest =
  (head: () => { readonly number: number; readonly hash: string }): SocketRule =>
  (call) => {
    switch (call.method) {
      case 'eth_chainId':
        return answering(call, '0x7');
      case 'eth_subscribe':
        return answering(call, SUBSCRIPTION);
      case 'eth_getBlockByNumber':
        return answering(call, { number: `0x${head().number.toString(16)}`, hash: head().hash });
      default:
        return answering(call, '0x2a');
    }
  };

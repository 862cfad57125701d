import { LIMITS } from '../../config/limits.ts';
import { RpcError } from './rpc-error.ts';
import { openSocket, type SocketConnection } from './socket-connection.ts';
import type { RpcTransport } from './transport.ts';

/**
 * JSON-RPC over a WebSocket. It never connects again by itself: `onLost` hears of a connection that ended, and what is asked over it fails until another one is opened, so that whoever is behind that
 * one is asked first which chain it serves. What it announces is no more than a reason to look at the head; where it announces too much, it is not listened to for a while.
 */
export function socketTransport(url: string, bodyBytes: number, onLost: () => void): RpcTransport {
  let opening: Promise<SocketConnection> | null = null;
  let connection: SocketConnection | null = null;
  let deafUntil = 0;

  const open = async (timeoutMs: number): Promise<void> => {
    if (connection !== null) return;
    opening ??= openSocket(url, { bodyBytes, timeoutMs, onEnd: ended });
    const ours = opening;
    try {
      const opened = await ours;
      // Closed meanwhile.
      if (opening !== ours) opened.end(new RpcError('unavailable', 'the connection was dropped'));
      else connection = opened;
    } finally {
      if (opening === ours) opening = null;
    }
  };
  const ended = (which: SocketConnection): void => {
    if (connection !== which) return;
    connection = null;
    onLost();
  };
  const connected = (): SocketConnection => {
    if (connection === null) throw new RpcError('unavailable', 'the connection is lost');
    return connection;
  };
  return {
    open,
    request: async (method, params, timeoutMs) => await connected().request(method, params, timeoutMs),
    async subscribe(wake, timeoutMs) {
      const { perSecond, deafMs } = LIMITS.indexing.rpc.announcements;
      if (performance.now() < deafUntil) return false;
      let second = 0;
      let heard = 0;
      let last: unknown = null;
      const hear = (head: unknown): void => {
        const now = performance.now();
        if (now < deafUntil) return;
        if (now - second >= 1000) {
          second = now;
          heard = 0;
        }
        if (++heard > perSecond) {
          deafUntil = now + deafMs;
          return;
        }
        const hash = hashOf(head);
        if (hash === null || hash === last) return;
        last = hash;
        wake();
      };
      try {
        await connected().subscribe('newHeads', hear, timeoutMs);
        return true;
      } catch (error) {
        // Not all endpoints have subscriptions; one that does not answer at all is found out by what is asked next.
        if (error instanceof RpcError) return false;
        throw error;
      }
    },
    close() {
      const closing = connection;
      connection = null;
      opening = null;
      closing?.end(new RpcError('unavailable', 'the connection was dropped'));
    },
  };
}

function hashOf(head: unknown): string | null {
  return typeof head === 'object' && head !== null && 'hash' in head && typeof head.hash === 'string' ? head.hash : null;
}

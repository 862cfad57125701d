import { webSocket } from 'viem';
import { RpcError, rpcErrorOf } from './rpc-error.ts';
import type { RpcTransport } from './transport.ts';

/**
 * JSON-RPC over a WebSocket, through viem's socket client. It never reconnects by itself: a lost connection is a failed call, and the next call opens another one
 * after the chain id has been checked again.
 */
export function socketTransport(url: string): RpcTransport {
  const value = webSocket(url, { reconnect: false, keepAlive: false, retryCount: 0 })({ retryCount: 0 }).value;
  if (value === undefined) throw new TypeError('viem gave a WebSocket transport without a socket');
  type Client = Awaited<ReturnType<typeof value.getRpcClient>>;
  let open: Client | null = null;
  // viem keeps a dead client for the URL until it is closed.
  const drop = (): void => {
    const client = open;
    open = null;
    client?.close();
  };
  return {
    async request(method, params, timeoutMs) {
      const ask = async (): Promise<unknown> => {
        open = await value.getRpcClient();
        const { error, result } = await open.requestAsync({ body: { method, params }, timeout: timeoutMs });
        if (error !== undefined) throw rpcErrorOf(method, error.code, error.message);
        return result;
      };
      try {
        return await withDeadline(ask(), timeoutMs);
      } catch (error) {
        if (error instanceof RpcError && error.reason !== 'timeout') throw error;
        drop();
        throw error instanceof RpcError ? error : new RpcError('unavailable', `${method}: the socket failed`);
      }
    },
    async subscribe(wake, timeoutMs) {
      try {
        await withDeadline(value.subscribe({ params: ['newHeads'], onData: wake, onError: () => undefined }), timeoutMs);
        return true;
      } catch {
        return false;
      }
    },
    close: drop,
  };
}

function withDeadline<T>(work: Promise<T>, timeoutMs: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new RpcError('timeout', `no answer within ${timeoutMs} ms`)), timeoutMs);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

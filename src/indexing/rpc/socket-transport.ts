import { webSocket } from 'viem';
import { RpcError, rpcErrorOf } from './rpc-error.ts';
import type { RpcTransport } from './transport.ts';

/**
 * JSON-RPC over a WebSocket, through viem. It never reconnects by itself: a lost connection is a failed call, and the next call opens another one after the
 * chain id has been checked again.
 */
export function socketTransport(url: string): RpcTransport {
  const transport = webSocket(url, { reconnect: false, keepAlive: false, retryCount: 0 })({ retryCount: 0 });
  const value = transport.value;
  if (value === undefined) throw new TypeError('viem gave a WebSocket transport without a socket');
  const closeSocket = async (): Promise<void> => {
    const client = await value.getRpcClient();
    client.close();
  };
  return {
    async request(method, params, timeoutMs) {
      try {
        return await withDeadline(transport.request({ method, params }), timeoutMs);
      } catch (error) {
        throw asRpcError(method, error);
      }
    },
    async subscribe(wake) {
      try {
        await value.subscribe({ params: ['newHeads'], onData: wake, onError: () => undefined });
        return true;
      } catch {
        return false;
      }
    },
    close() {
      // A socket that never opened has nothing to close.
      closeSocket().catch(() => undefined);
    },
  };
}

function withDeadline<T>(work: Promise<T>, timeoutMs: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new RpcError('timeout', `no answer within ${timeoutMs} ms`)), timeoutMs);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

function asRpcError(method: string, error: unknown): RpcError {
  if (error instanceof RpcError) return error;
  if (!(error instanceof Error)) return new RpcError('unavailable', method);
  // viem gives the errors that a node answers with their numeric code, and failures of the socket without.
  if ('code' in error && typeof error.code === 'number') return rpcErrorOf(method, error.code, detailsOf(error));
  return new RpcError('unavailable', `${method}: ${detailsOf(error)}`);
}

function detailsOf(error: Error): string {
  return 'details' in error && typeof error.details === 'string' ? error.details : error.message;
}

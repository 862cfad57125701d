import { BaseError, createPublicClient, HttpRequestError, http, webSocket } from 'viem';
import type { Address } from '../units/units.ts';

/** One node, as far as it tells where code is. What it does not answer rejects. */
export type CodeReader = {
  /** Of the chain that it serves; the hash of block 0 tells chains of one id from each other. */
  identity(): Promise<{ readonly chainId: number; readonly genesis: string; readonly head: number }>;
  /** 'unknown': it keeps no states of that time. */
  presence(address: Address, block: number): Promise<'there' | 'absent' | 'unknown'>;
  /** Nothing is asked any more. */
  close(): void;
};

const TIMEOUT_MS = 5000;
/** How nodes say that they keep the states of late blocks only. */
const NO_HISTORY = /missing trie node|pruned|histor|archive|state .*(not|un)\s?available|old(er)? (block|state)/i;

/** Asks over the URL of a node, HTTP or WebSocket. Requests end with the signal. */
export function readCode(url: string, signal: AbortSignal): CodeReader {
  const transport = /^wss?:/.test(url)
    ? webSocket(url, { timeout: TIMEOUT_MS, retryCount: 0, reconnect: false, keepAlive: false })
    : http(url, { timeout: TIMEOUT_MS, retryCount: 0, fetchOptions: { signal, redirect: 'error' } });
  const client = createPublicClient({ transport });
  return {
    async identity() {
      const [chainId, first, head] = await Promise.all([
        client.getChainId(),
        client.request({ method: 'eth_getBlockByNumber', params: ['0x0', false] }),
        client.getBlockNumber({ cacheTime: 0 }),
      ]);
      if (typeof first?.hash !== 'string') throw new TypeError('the node does not know block 0');
      return { chainId, genesis: first.hash, head: Number(head) };
    },
    async presence(address, block) {
      try {
        const code = await client.request({ method: 'eth_getCode', params: [address, `0x${block.toString(16)}`] });
        if (typeof code !== 'string' || !/^0x([0-9a-fA-F]{2})*$/.test(code)) throw new TypeError('the answer is no code');
        return code === '0x' ? 'absent' : 'there';
      } catch (error) {
        if (error instanceof BaseError && NO_HISTORY.test(error.details)) return 'unknown';
        throw error;
      }
    },
    close() {
      if (!('getRpcClient' in client.transport)) return;
      client.transport.getRpcClient().then(
        (open) => open.close(),
        () => undefined,
      );
    },
  };
}

/** Why a node did not answer, in words of ours alone: what a node says may have the keys of its callers in it, and anything else. */
export function reasonOf(error: unknown): string {
  const causes = [...causesOf(error)];
  const status = causes.find((cause) => cause instanceof HttpRequestError && cause.status !== undefined);
  if (status !== undefined) return `answers HTTP ${(status as HttpRequestError).status}`;
  const code = causes.flatMap((cause) => ('code' in cause ? [cause.code] : []));
  const network = code.find((one) => typeof one === 'string' && /^E[A-Z_]+$/.test(one));
  if (network !== undefined) return `can not be reached (${network})`;
  return code.some((one) => Number.isInteger(one)) ? `refuses (JSON-RPC error ${code.find((one) => Number.isInteger(one))})` : 'gives no answer';
}

/** The errors that led to one. */
function* causesOf(error: unknown): Generator<Error> {
  for (let cause = error; cause instanceof Error; cause = cause.cause) yield cause;
}

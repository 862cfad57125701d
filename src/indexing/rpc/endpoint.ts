import { LIMITS } from '../../config/limits.ts';
import type { Clock } from '../clock.ts';
import type { CallCounts } from './call-counts.ts';
import { decodeHex, decodeObject, decodeQuantity } from './decode.ts';
import { isEndpointFault, RpcError } from './rpc-error.ts';
import type { RpcTransport } from './transport.ts';

/** A block that only this chain has: chains share ids, and a name may come to mean another node. */
export type Anchor = { readonly number: number; readonly hash: `0x${string}` };

/** What an endpoint is asked. */
export type Question<T> = {
  readonly method: string;
  readonly params: readonly unknown[];
  /** Throws garbage() on an answer that can not be what was asked for. */
  readonly decode: (result: unknown) => T;
  /** null: as long as small answers of that endpoint are waited for. */
  readonly timeoutMs: number | null;
  /** Whether all endpoints are asked the same, so that what they take can be compared. */
  readonly isHead?: boolean;
};

/** One endpoint, which is asked which chain it serves before anything else, and again after each fault: no foreign block is ever read. */
export type Endpoint = {
  readonly index: number;
  /** Asks once. Throws RpcError. */
  ask<T>(question: Question<T>): Promise<T>;
  /** Drops the connection, and what was believed of whoever it led to. */
  drop(): void;
  /** Heads that it announced since the last call of this function; null where it announces none. */
  drainAnnounced(): number | null;
};

export type EndpointParts = {
  readonly index: number;
  /** Opens its transport; `onLost`: the connection ended by itself. */
  readonly connect: (onLost: () => void) => RpcTransport;
  readonly chainId: number;
  readonly anchor: () => Anchor | null;
  readonly calls: CallCounts;
  readonly clock: Clock;
  /** How long it is waited for small answers now, ms. */
  readonly patience: () => number;
  /** A head was shown, or a small answer given up, after so long, ms. */
  readonly onTook: (ms: number) => void;
  readonly onHead: () => void;
};

export function createEndpoint({ index, connect, chainId, anchor, calls, clock, patience, onTook, onHead }: EndpointParts): Endpoint {
  let verification: Promise<void> | null = null;
  let subscribed = false;
  let announced = 0;
  const transport = connect(() => {
    verification = null;
    subscribed = false;
  });
  const request = <T>(method: string, params: readonly unknown[], decode: (result: unknown) => T, timeoutMs: number): Promise<T> =>
    calls.count(index, method, async () => decode(await transport.request(method, params, timeoutMs)));
  const small = async <T>(method: string, params: readonly unknown[], decode: (result: unknown) => T, isHead = false): Promise<T> => {
    const [began, timeoutMs] = [clock.now(), patience()];
    try {
      const answer = await request(method, params, decode, timeoutMs);
      // All are asked the same there.
      if (isHead) onTook(clock.now() - began);
      return answer;
    } catch (error) {
      if (error instanceof RpcError && error.reason === 'timeout') onTook(timeoutMs);
      throw error;
    }
  };

  /** How often in a row it had nothing to say of the anchor. */
  let silences = 0;
  const verifyAnchor = async (known: Anchor): Promise<void> => {
    const params = [`0x${known.number.toString(16)}`, false];
    const found = await small('eth_getBlockByNumber', params, decodeHashOrNull).catch((error: unknown) => {
      if (error instanceof RpcError && error.reason === 'block-gone') return null;
      throw error;
    });
    silences = found === null ? silences + 1 : 0;
    if (found === known.hash) return;
    if (found !== null) throw new RpcError('foreign-chain', `block ${known.number} of the endpoint is not this chain's`);
    // A node that has pruned the block, or has not come so far, says nothing against it; but one of another chain that hiccups says as much.
    if (silences < LIMITS.indexing.rpc.anchorSilences) throw new RpcError('unavailable', `it says nothing of block ${known.number}`);
  };

  const verify = async (): Promise<void> => {
    await transport.open(patience());
    const served = await small('eth_chainId', [], decodeQuantity);
    if (served !== chainId) throw new RpcError('foreign-chain', `the endpoint serves chain ${served}, not ${chainId}`);
    const known = anchor();
    if (known !== null) await verifyAnchor(known);
    subscribed = await transport.subscribe(() => {
      announced++;
      onHead();
    }, patience());
  };

  return {
    index,
    async ask({ method, params, decode, timeoutMs, isHead = false }) {
      const ours = verification ?? verify();
      verification = ours;
      try {
        await ours;
      } catch (error) {
        // That it would not say says nothing about the chain: it is asked again with the next call.
        if (verification === ours) verification = null;
        if (!(error instanceof RpcError) || isEndpointFault(error.reason) || error.reason === 'starved') throw error;
        throw new RpcError('unavailable', `it does not say which chain it serves: ${error.message}`);
      }
      return timeoutMs === null ? await small(method, params, decode, isHead) : await request(method, params, decode, timeoutMs);
    },
    drop() {
      verification = null;
      subscribed = false;
      // What verified it was this connection, and so was what its subscription came over.
      transport.close();
    },
    drainAnnounced() {
      const drained = announced;
      announced = 0;
      return subscribed || drained > 0 ? drained : null;
    },
  };
}

function decodeHashOrNull(value: unknown): string | null {
  return value === null ? null : decodeHex(decodeObject(value).hash, 32);
}

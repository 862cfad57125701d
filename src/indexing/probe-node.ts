import { LIMITS } from '../config/limits.ts';
import type { NodeAnswer, ProbeNode } from '../market/market.ts';
import { decodeHex } from './rpc/decode.ts';
import type { Rpc } from './rpc/rpc.ts';
import { RpcError } from './rpc/rpc-error.ts';

/** The chain's node, as measuring asks it. */
export function createProbeNode(rpc: Rpc): ProbeNode {
  const ask = async (method: string, params: readonly unknown[]): Promise<NodeAnswer> => {
    try {
      return { kind: 'answer', data: await rpc.call(method, params, (value) => decodeHex(value), LIMITS.measuring.probe.timeoutMs) };
    } catch (error) {
      if (!(error instanceof RpcError)) throw error;
      return { kind: error.reason === 'refused' || error.reason === 'reverted' ? 'refused' : 'unreachable', message: error.message };
    }
  };
  return {
    call: (call, blockHash, overrides) => ask('eth_call', [call, { blockHash }, overrides]),
    code: (account, blockHash) => ask('eth_getCode', [account, { blockHash }]),
  };
}

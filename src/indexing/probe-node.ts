import { LIMITS } from '../config/limits.ts';
import type { NodeAnswer, ProbeNode, Simulated } from '../market/market.ts';
import { decodeHex } from './rpc/decode.ts';
import type { Rpc } from './rpc/rpc.ts';
import { garbage, RpcError } from './rpc/rpc-error.ts';

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
  const { blocks: pause } = LIMITS.measuring.codes;
  /** Asked of so many blocks' worth of calls again where no node has the method: null once one answered. */
  let skips: number | null = 0;
  return {
    async simulate(blocks, blockHash) {
      if (skips !== null && skips > 0) {
        skips--;
        return null;
      }
      try {
        const said = await rpc.call('eth_simulateV1', [{ blockStateCalls: blocks }, { blockHash }], decodeSimulated, LIMITS.measuring.probe.timeoutMs);
        skips = null;
        return said;
      } catch (error) {
        if (!(error instanceof RpcError)) throw error;
        if (skips !== null && error.reason === 'refused') skips = pause;
        return null;
      }
    },
    call: (call, blockHash, overrides) => ask('eth_call', [call, { blockHash }, overrides]),
    code: (account, blockHash) => ask('eth_getCode', [account, { blockHash }]),
  };
}

function decodeSimulated(value: unknown): Simulated {
  if (!Array.isArray(value)) throw garbage('simulated blocks are a list');
  return value.map((block: unknown) => {
    const calls = (block as { readonly calls?: unknown } | null)?.calls;
    if (!Array.isArray(calls)) throw garbage('a simulated block has calls');
    return calls.map((call: unknown) => {
      const { status, returnData } = (call ?? {}) as { readonly status?: unknown; readonly returnData?: unknown };
      return { ok: status === '0x1', data: decodeHex(returnData) };
    });
  });
}

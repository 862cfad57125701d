import { LIMITS } from '../config/limits.ts';
import type { NodeAnswer, ProbeNode, RecentBlocks, Simulated } from '../market/market.ts';
import { asAddress } from '../units/units.ts';
import { decodeHex, decodeObject, decodeQuantity } from './rpc/decode.ts';
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
  let recent: { readonly hash: string; readonly blocks: RecentBlocks } | null = null;
  return {
    async recent(blockHash) {
      if (recent?.hash === blockHash) return recent.blocks;
      try {
        const read = async (hash: string) => await rpc.call('eth_getBlockByHash', [hash, false], decodeBlock, LIMITS.measuring.probe.timeoutMs);
        const block = await read(blockHash);
        const before = await read(block.parentHash);
        const { number, timestamp, feeRecipient } = block;
        const blocks = {
          ...{ number, timestamp, feeRecipient, step: Math.max(1, timestamp - before.timestamp) },
          prevRandao: block.mixHash === before.mixHash ? block.mixHash : null,
        };
        recent = { hash: blockHash, blocks };
        return blocks;
      } catch (error) {
        if (!(error instanceof RpcError)) throw error;
        return null;
      }
    },
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

type DecodedBlock = Pick<RecentBlocks, 'number' | 'timestamp' | 'feeRecipient'> & { readonly parentHash: string; readonly mixHash: `0x${string}` };

function decodeBlock(value: unknown): DecodedBlock {
  const { number, timestamp, parentHash, miner, mixHash } = decodeObject(value);
  return {
    ...{ number: decodeQuantity(number), timestamp: decodeQuantity(timestamp), parentHash: decodeHex(parentHash, 32) },
    ...{ feeRecipient: asAddress(decodeHex(miner, 20)), mixHash: decodeHex(mixHash, 32) },
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

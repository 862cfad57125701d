import { LIMITS } from '../config/limits.ts';
import type { NodeAnswer, ProbeNode, RecentBlocks, Simulated } from '../market/market.ts';
import { asAddress } from '../units/units.ts';
import { decodeHex, decodeObject, decodeQuantity } from './rpc/decode.ts';
import type { Rpc } from './rpc/rpc.ts';
import { garbage, RpcError } from './rpc/rpc-error.ts';

/** Two are measured at where a block comes while one is; a few more where some leave the chain. */
const KEPT = 4;

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
  /** Of the blocks that were measured at last: one question for all tokens of a block, which may be asked for while it is under way. */
  const recent = new Map<string, Promise<RecentBlocks | null>>();
  return {
    async recent(blockHash) {
      // Nobody needs to know what blocks to come are made alike by where they are not asked for.
      if (skips !== null && skips > 0) return null;
      const asked = recent.get(blockHash) ?? readRecent(rpc, blockHash);
      recent.delete(blockHash);
      recent.set(blockHash, asked);
      for (const [oldest] of recent) if (recent.size > KEPT) recent.delete(oldest);
      try {
        const blocks = await asked;
        if (blocks === null && recent.get(blockHash) === asked) recent.delete(blockHash);
        return blocks;
      } catch (error) {
        if (recent.get(blockHash) === asked) recent.delete(blockHash);
        throw error;
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

async function readRecent(rpc: Rpc, blockHash: string): Promise<RecentBlocks | null> {
  try {
    const read = async (hash: string) => await rpc.call('eth_getBlockByHash', [hash, false], decodeBlock, LIMITS.measuring.probe.timeoutMs);
    const block = await read(blockHash);
    const before = await read(block.parentHash);
    const { number, timestamp, feeRecipient } = block;
    return {
      ...{ number, timestamp, feeRecipient, step: Math.max(1, timestamp - before.timestamp) },
      prevRandao: block.mixHash === before.mixHash ? block.mixHash : null,
    };
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    return null;
  }
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

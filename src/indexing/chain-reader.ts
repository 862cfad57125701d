import type { Address } from '../units/units.ts';
import type { ChainLog, PinnedReader } from '../venues/venues.ts';
import { type ChainHeader, decodeHeader } from './header.ts';
import { decodeBlockLogs, decodeRangeLogs, type LogsCheck } from './logs.ts';
import { createPinnedReader } from './multicall.ts';
import type { Witness } from './rpc/endpoint-board.ts';
import type { Rpc } from './rpc/rpc.ts';
import { garbage } from './rpc/rpc-error.ts';

/** What the block loop asks of a node. Everything but `latest` names its block by hash. All throw RpcError. */
export type ChainReader = {
  latest(): Promise<ChainHeader>;
  /** null when the node does not know the block (any more). */
  header(hash: `0x${string}`): Promise<ChainHeader | null>;
  /** For filling a gap: the caller checks that the headers link. null beyond the node's head. */
  headerAt(number: number): Promise<ChainHeader | null>;
  /** All logs of a block, sorted, complete as far as the header's bloom and their numbering can tell. */
  logs(header: ChainHeader): Promise<readonly ChainLog[]>;
  /** Logs of some contracts in a range of blocks, for discovery only. Sorted. */
  logsInRange(fromBlock: number, toBlock: number, addresses: readonly Address[], topics: readonly `0x${string}`[]): Promise<readonly ChainLog[]>;
  /** Answers contract calls at that block. */
  readAt(hash: `0x${string}`): PinnedReader;
  /** Whoever gave the latest head is asked for this block, beside the chain's id, before it is believed again: and so is everybody, after each fault. */
  anchorAt(anchor: ChainHeader): void;
  /** Whoever gave the latest head is asked again which chain it serves, before it is asked for anything else. */
  recheck(): void;
  /** What the latest head leads to is not of this chain, as far as is known: whoever gave it is left, where there is another. */
  disown(): void;
  /** Which endpoint gave the latest head. */
  latestFrom(): number;
  /** The heads that endpoints showed lately, whoever gave the latest one among them. */
  witnesses(): readonly Witness[];
};

export function createChainReader(rpc: Rpc, check: LogsCheck): ChainReader {
  return {
    latest() {
      return rpc.callForHead('eth_getBlockByNumber', ['latest', false], decodeHeader);
    },
    header(hash) {
      const decode = (value: unknown): ChainHeader | null => {
        if (value === null) return null;
        const header = decodeHeader(value);
        if (header.hash !== hash) throw garbage('another block than the one asked for');
        return header;
      };
      return rpc.call('eth_getBlockByHash', [hash, false], decode, null);
    },
    headerAt(number) {
      const decode = (value: unknown): ChainHeader | null => {
        if (value === null) return null;
        const header = decodeHeader(value);
        if (header.number !== number) throw garbage('another block than the one asked for');
        return header;
      };
      return rpc.call('eth_getBlockByNumber', [quantity(number), false], decode, null);
    },
    logs(header) {
      // Every log of the block is asked for, not only those of our pools: only then can the bloom and the numbering prove that none was left out.
      return rpc.call('eth_getLogs', [{ blockHash: header.hash }], (value) => decodeBlockLogs(value, header, check));
    },
    logsInRange(fromBlock, toBlock, addresses, topics) {
      const filter = { fromBlock: quantity(fromBlock), toBlock: quantity(toBlock), address: addresses, topics: [topics] };
      return rpc.call('eth_getLogs', [filter], (value) => decodeRangeLogs(value, fromBlock, toBlock));
    },
    readAt(hash) {
      return createPinnedReader(rpc, hash);
    },
    anchorAt: ({ number, hash }) => rpc.anchorAt({ number, hash }),
    recheck: () => rpc.recheck(),
    disown: () => rpc.disown(),
    latestFrom: () => rpc.headFrom(),
    witnesses: () => rpc.witnesses(),
  };
}

function quantity(value: number): `0x${string}` {
  return `0x${value.toString(16)}`;
}

import { LIMITS } from '../config/limits.ts';
import type { Address } from '../units/units.ts';
import type { ChainLog, PinnedReader } from '../venues/venues.ts';
import { type ChainHeader, decodeHeader } from './header.ts';
import { completeLogs, decodeBlockLogs, decodeLogsByBlock, decodeRangeLogs, type LogsCheck } from './logs.ts';
import { createPinnedReader } from './multicall.ts';
import type { Witness } from './rpc/endpoint-board.ts';
import type { GivenHead, Rpc } from './rpc/rpc.ts';
import { garbage, RpcError } from './rpc/rpc-error.ts';

/** Logs that were asked for before anybody knew of which blocks they would be: those of a block, sorted, proven complete as `ChainReader.logs`; null where they are not. */
export type LogsAhead = (header: ChainHeader) => readonly ChainLog[] | null;

/** What the block loop asks of a node. Everything but `latest` names its block by hash. All throw RpcError. */
export type ChainReader = {
  latest(): Promise<ChainHeader>;
  /** As `latest`, where several are asked for at once: whoever gave one counts as who gave the latest only once it is taken. */
  latestToTake(): Promise<GivenHead<ChainHeader>>;
  /** null when the node does not know the block (any more). */
  header(hash: `0x${string}`): Promise<ChainHeader | null>;
  /** For filling a gap: the caller checks that the headers link. null beyond the node's head. */
  headerAt(number: number): Promise<ChainHeader | null>;
  /** All logs of a block, sorted, complete as far as the header's bloom and their numbering can tell. */
  logs(header: ChainHeader): Promise<readonly ChainLog[]>;
  /** The logs of all blocks from that number on, as far as the node has them by now; asked once, of whoever is followed, and not to its harm where it fails. Throws RpcError. */
  logsSince(fromBlock: number): Promise<LogsAhead>;
  /** Logs of some contracts in a range of blocks, for discovery only. Sorted. */
  logsInRange(fromBlock: number, toBlock: number, addresses: readonly Address[], topics: readonly `0x${string}`[]): Promise<readonly ChainLog[]>;
  /** Answers contract calls at that block. */
  readAt(hash: `0x${string}`): PinnedReader;
  /** Whoever gave the latest head is asked for this block, beside the chain's id, before it is believed again: and so is everybody, after each fault. */
  anchorAt(anchor: ChainHeader): void;
  /** That endpoint, else whoever gave the latest head, is asked again which chain it serves, before it is asked for anything else. */
  recheck(endpoint?: number): void;
  /** What the latest head leads to is not of this chain, as far as is known: whoever gave it is left, where there is another. */
  disown(): void;
  /** Which endpoint gave the latest head. */
  latestFrom(): number;
  /** The heads that endpoints showed lately, whoever gave the latest one among them. */
  witnesses(): readonly Witness[];
};

export function createChainReader(rpc: Rpc, check: LogsCheck): ChainReader {
  const latestToTake = () => rpc.callForHead('eth_getBlockByNumber', ['latest', false], decodeHeader);
  return {
    async latest() {
      const { head, take } = await latestToTake();
      take();
      return head;
    },
    latestToTake,
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
    async logsSince(fromBlock) {
      const filter = { fromBlock: quantity(fromBlock), toBlock: 'latest' };
      const { byBlock, highest, count } = await rpc.callOnce('eth_getLogs', [filter], decodeLogsByBlock);
      return (header) => {
        const logs = byBlock.get(header.hash);
        const mayBeCut = count >= LIMITS.indexing.ahead.logs && header.number === highest;
        if (logs === undefined || mayBeCut) return null;
        try {
          return completeLogs(logs, header, check);
        } catch (error) {
          // They are asked for once more, by the block's hash.
          if (error instanceof RpcError) return null;
          throw error;
        }
      };
    },
    logsInRange(fromBlock, toBlock, addresses, topics) {
      const filter = { fromBlock: quantity(fromBlock), toBlock: quantity(toBlock), address: addresses, topics: [topics] };
      return rpc.call('eth_getLogs', [filter], (value) => decodeRangeLogs(value, fromBlock, toBlock));
    },
    readAt(hash) {
      return createPinnedReader(rpc, hash);
    },
    anchorAt: ({ number, hash }) => rpc.anchorAt({ number, hash }),
    recheck: (endpoint) => rpc.recheck(endpoint),
    disown: () => rpc.disown(),
    latestFrom: () => rpc.headFrom(),
    witnesses: () => rpc.witnesses(),
  };
}

function quantity(value: number): `0x${string}` {
  return `0x${value.toString(16)}`;
}

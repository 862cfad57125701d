import { createPublicClient, createTestClient, encodeFunctionData, type Hex, http, type Log, parseAbi, type StateOverride } from 'viem';
import { foundry } from 'viem/chains';
import { asAddress } from '../../../src/units/units.ts';
import type { ChainLog, PinnedReader } from '../../../src/venues/venues.ts';

/** Direct access to a bare chain: code and storage as a test wants them, calls at a block, logs as the indexer has them. */
export type BareChain = {
  write(overrides: StateOverride): Promise<void>;
  /** Sends from an account that signs nothing. Throws where it reverts. Gives the block's number and the logs of the receipt. */
  send(from: Hex, to: Hex, data: Hex): Promise<{ readonly block: bigint; readonly logs: readonly ChainLog[] }>;
  readAt(block: bigint): PinnedReader;
  head(): Promise<{ readonly number: bigint; readonly timestamp: bigint }>;
  passTime(seconds: number): Promise<void>;
};

const CALL_TIMEOUT_MS = 300_000;
export const TOKEN = parseAbi(['function mint(address to, uint256 value)', 'function approve(address spender, uint256 value)']);

export function openBareChain(url: string): BareChain {
  // A busy machine may take its time: an answer that does not come in time would read as a revert.
  const transport = http(url, { retryCount: 0, timeout: CALL_TIMEOUT_MS });
  const reader = createPublicClient({ chain: foundry, transport, pollingInterval: 20, cacheTime: 0 });
  const tester = createTestClient({ mode: 'anvil', chain: foundry, transport });
  return {
    async write(overrides) {
      for (const { address, code, stateDiff = [] } of overrides) {
        if (code !== undefined) await tester.setCode({ address, bytecode: code });
        for (const { slot, value } of stateDiff) await tester.setStorageAt({ address, index: slot, value });
      }
    },
    async send(from, to, data) {
      await tester.impersonateAccount({ address: from });
      await tester.setBalance({ address: from, value: 10n ** 20n });
      const hash = (await reader.request({ method: 'eth_sendTransaction', params: [{ from, to, data, gas: '0x2dc6c0' }] } as never)) as Hex;
      const { status, blockNumber, logs } = await reader.waitForTransactionReceipt({ hash });
      if (status !== 'success') throw new Error('a transaction reverted');
      return { block: blockNumber, logs: logs.map(toChainLog) };
    },
    readAt: (blockNumber) => async (calls) =>
      Promise.all(
        calls.map(async ({ to, data, supposing }) => {
          const slots = Object.entries(supposing?.slots ?? {}).map(([slot, value]) => ({ slot: slot as Hex, value }));
          const stateOverride = supposing === undefined ? [] : [{ address: supposing.contract, stateDiff: slots }];
          try {
            return (await reader.call({ to, data, blockNumber, stateOverride })).data ?? '0x';
          } catch {
            return null;
          }
        }),
      ),
    async head() {
      const { number, timestamp } = await reader.getBlock({ blockTag: 'latest' });
      return { number, timestamp };
    },
    async passTime(seconds) {
      await tester.increaseTime({ seconds });
      await tester.mine({ blocks: 1 });
    },
  };
}

export function mintData(to: Hex, value: bigint): Hex {
  return encodeFunctionData({ abi: TOKEN, functionName: 'mint', args: [to, value] });
}

function toChainLog({ address, topics, data, blockHash, blockNumber, logIndex }: Log): ChainLog {
  return {
    address: asAddress(address.toLowerCase()),
    topics,
    data,
    blockHash: blockHash ?? '0x',
    blockNumber: Number(blockNumber),
    logIndex: logIndex ?? 0,
  };
}

import type { NodeRpc } from './node-rpc.ts';
import { toHex } from './transaction-script.ts';

export type HeartbeatOptions = {
  readonly rpc: NodeRpc;
  readonly blockTimeSeconds: number;
  readonly minimumGasPriceWei: bigint;
  /** Called once per new head, never while the last call still runs. Failures are swallowed: the next block is another chance. */
  readonly onBlock: () => Promise<void>;
};

/** Base fee of the first live block, over the chain's minimum; as high as it gets. */
export const START_BASE_FEE_OVER_MINIMUM = 2n;

export type Heartbeat = { stop(): Promise<void> };

type Head = { readonly hash: string; readonly timestamp: string; readonly baseFeePerGas: string };

/** Looks per block time: fine enough that work done on a new head is mined in the next block. */
const LOOKS_PER_BLOCK = 4;
/** Blocks may trail the clock by this much before the node's clock is put right: rollbacks set it back and it stays there. */
const TOLERATED_LAG_SECONDS = 3;

/**
 * Follows the local node's heads and keeps it like a real chain: the base fee falls in quiet blocks, as EIP-1559 has it, and is lifted again before it
 * comes near the chain's minimum; block timestamps follow the wall clock.
 */
export function startHeartbeat(options: HeartbeatOptions): Heartbeat {
  const keepBaseFee = createBaseFeeKeeper(options.rpc, options.minimumGasPriceWei);
  let stopped = false;
  let wake: () => void = () => undefined;
  const loop = async (): Promise<void> => {
    let seen = '';
    while (!stopped) {
      seen = await look(options, keepBaseFee, seen).catch(() => seen);
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, (options.blockTimeSeconds * 1000) / LOOKS_PER_BLOCK);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  };
  const done = loop();
  return {
    async stop() {
      stopped = true;
      wake();
      await done;
    },
  };
}

async function look(options: HeartbeatOptions, keepBaseFee: BaseFeeKeeper, seen: string): Promise<string> {
  const head = (await options.rpc.request('eth_getBlockByNumber', 'latest', false)) as Head;
  if (head.hash === seen) return seen;
  await keepBaseFee(BigInt(head.baseFeePerGas));
  await keepClock(options.rpc, Number(head.timestamp));
  await options.onBlock();
  return head.hash;
}

type BaseFeeKeeper = (baseFee: bigint) => Promise<void>;

/**
 * Lets the base fee fall, as quiet blocks make it, and lifts it again by the eighth per block that EIP-1559 allows at most: wallets reckon with that, and a steeper
 * rise would leave their transactions behind. Turning at 1.4 times the minimum leaves two blocks to spare; a head below the minimum was a rollback's or was mined
 * by hand.
 */
function createBaseFeeKeeper(rpc: NodeRpc, minimumGasPriceWei: bigint): BaseFeeKeeper {
  const least = (minimumGasPriceWei * 12n) / 10n;
  let rising = false;
  return async (baseFee) => {
    if (10n * baseFee < 14n * minimumGasPriceWei) rising = true;
    if (baseFee >= START_BASE_FEE_OVER_MINIMUM * minimumGasPriceWei) rising = false;
    if (!rising) return;
    const next = (baseFee * 9n) / 8n;
    await rpc.request('anvil_setNextBlockBaseFeePerGas', toHex(next > least ? next : least));
  };
}

/** Only a chain that trails is put right: whoever moves the chain's time ahead (evm_increaseTime) wants it ahead. */
async function keepClock(rpc: NodeRpc, timestamp: number): Promise<void> {
  const now = Math.floor(Date.now() / 1000);
  if (now - timestamp > TOLERATED_LAG_SECONDS) await rpc.request('evm_setTime', now);
}

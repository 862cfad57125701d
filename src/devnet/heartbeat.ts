import type { NodeRpc } from './node-rpc.ts';
import { toHex } from './transaction-script.ts';

export type HeartbeatOptions = {
  readonly rpc: NodeRpc;
  readonly blockTimeSeconds: number;
  readonly minimumGasPriceWei: bigint;
  /** Called on new heads, never while the last call still runs. Failures are swallowed: the next block is another chance. */
  readonly onBlock: () => Promise<void>;
};

export type Heartbeat = { stop(): Promise<void> };

/** Base fee of the first live block, over the chain's minimum; as high as it gets. */
export const START_BASE_FEE_OVER_MINIMUM = 2n;

type Head = { readonly hash: string; readonly timestamp: string; readonly baseFeePerGas: string };

/** Looks per block time: fine enough that what is sent on a new head is mined in the next block. */
const LOOKS_PER_BLOCK = 4;
/** Blocks may trail the clock by this much before the node's clock is put right: rollbacks set it back and it stays there. */
const TOLERATED_LAG_SECONDS = 3;
/**
 * The node's own mining interval while we mine: a day, which is as good as never. With an interval of a second anvil keeps 1,500 past states whatever it is told
 * (over a gigabyte within half an hour), so blocks are asked for one by one. Whoever sets another interval, or switches mining off, has the chain to himself.
 */
const OUR_INTERVAL_SECONDS = 86_400;

/**
 * Mines the local chain and keeps it like a real one: one block per block time; block timestamps on the wall clock; a base fee that falls in quiet
 * blocks, as EIP-1559 has it, and is lifted again before it comes near the chain's minimum.
 */
export async function startHeartbeat(options: HeartbeatOptions): Promise<Heartbeat> {
  const { rpc } = options;
  const blockTimeMs = options.blockTimeSeconds * 1000;
  const keepBaseFee = createBaseFeeKeeper(rpc, options.minimumGasPriceWei);
  const pulse = createPulse(options.onBlock);
  const sleep = createSleep();
  await rpc.request('evm_setIntervalMining', OUR_INTERVAL_SECONDS);
  let stopped = false;
  const loop = async (): Promise<void> => {
    let seen = '';
    let due = nextDue(blockTimeMs);
    while (!stopped) {
      seen = await look(rpc, keepBaseFee, pulse.beat, seen).catch(() => seen);
      await sleep.atMost(Math.min(due - Date.now(), blockTimeMs / LOOKS_PER_BLOCK));
      if (stopped || Date.now() < due) continue;
      due = nextDue(blockTimeMs);
      await mine(rpc).catch(() => undefined);
    }
  };
  const done = loop();
  return {
    async stop() {
      stopped = true;
      sleep.wake();
      await done;
      await pulse.rest();
    },
  };
}

/** Blocks fall on whole seconds of the wall clock, so that their timestamps are its. */
function nextDue(blockTimeMs: number): number {
  return (Math.floor(Date.now() / blockTimeMs) + 1) * blockTimeMs;
}

async function mine(rpc: NodeRpc): Promise<void> {
  if (Number(await rpc.request('anvil_getIntervalMining')) === OUR_INTERVAL_SECONDS) await rpc.request('evm_mine');
}

async function look(rpc: NodeRpc, keepBaseFee: BaseFeeKeeper, beat: () => void, seen: string): Promise<string> {
  const head = (await rpc.request('eth_getBlockByNumber', 'latest', false)) as Head;
  if (head.hash === seen) return seen;
  await keepBaseFee(BigInt(head.baseFeePerGas));
  await keepClock(rpc, Number(head.timestamp));
  beat();
  return head.hash;
}

/** Only a chain that trails is put right: whoever moves the chain's time ahead (evm_increaseTime) wants it ahead. */
async function keepClock(rpc: NodeRpc, timestamp: number): Promise<void> {
  const now = Math.floor(Date.now() / 1000);
  if (now - timestamp > TOLERATED_LAG_SECONDS) await rpc.request('evm_setTime', now);
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

/** Runs the callback beside the loop, so that a slow one never holds up a block. */
function createPulse(onBlock: () => Promise<void>): { beat(): void; rest(): Promise<void> } {
  let running: Promise<void> | null = null;
  return {
    beat() {
      running ??= onBlock()
        .catch(() => undefined)
        .finally(() => {
          running = null;
        });
    },
    async rest() {
      await running;
    },
  };
}

function createSleep(): { atMost(ms: number): Promise<void>; wake(): void } {
  let wake: () => void = () => undefined;
  return {
    atMost: (ms) =>
      new Promise((resolve) => {
        const timer = setTimeout(resolve, Math.max(0, ms));
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      }),
    wake: () => wake(),
  };
}

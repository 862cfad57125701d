import type { Hex } from 'viem';
import { LIMITS } from '../config/limits.ts';
import type { Address } from '../units/units.ts';
import { type BotMarket, createBotMarket, planRound } from './bot-round.ts';
import type { BotTransaction } from './devnet-venue.ts';
import type { NodeRpc } from './node-rpc.ts';
import { toHex } from './transaction-script.ts';

/** Traders that move the chain's pools block by block. */
export type Bots = {
  /** To be called once per new head. Sends the next round when the last one is mined. */
  tick(): Promise<void>;
  /** Where they want a token's price now, over the table's. */
  wanted(token: Address): number;
  /** Switches trading. Off: resolves when none of the bots' transactions is waiting to be mined. */
  set(on: boolean): Promise<void>;
};

const { patienceHeads, drainMs } = LIMITS.devnet.bots;
const DRAIN_POLL_MS = 100;
const GAS_PER_TRANSACTION = 2_500_000;
/** No tip: in a block the bots come after everybody else. */
const MAX_FEE_OVER_MINIMUM = 100n;

export type BotsOptions = BotMarket & { readonly rpc: NodeRpc; readonly seed: number; readonly minimumGasPriceWei: bigint; readonly on: boolean };

export function createBots(options: BotsOptions): Bots {
  const { rpc } = options;
  const market = createBotMarket(options, options.seed);
  const maxFeePerGas = toHex(MAX_FEE_OVER_MINIMUM * options.minimumGasPriceWei);
  let on = options.on;
  let waiting: readonly Hex[] = [];
  let headsWaited = 0;
  let working: Promise<void> = Promise.resolve();

  const takeBack = async (): Promise<void> => {
    await rpc.batch([options.trader, options.provider].map((account) => ({ method: 'anvil_removePoolTransactions', params: [account] })));
    waiting = [];
  };
  const settle = async (): Promise<void> => {
    const asked = waiting;
    const answers = await rpc.batch(asked.map((hash) => ({ method: 'eth_getTransactionByHash', params: [hash] })));
    const found = answers.map((answer) => (answer.ok ? (answer.result as { readonly blockNumber: Hex | null } | null) : null));
    const pending = new Set(asked.filter((_, index) => found[index]?.blockNumber === null));
    // A tick and a switch may both be asking: what either found settled stays settled.
    waiting = waiting.filter((hash) => pending.has(hash));
  };
  const work = async (): Promise<void> => {
    if (waiting.length > 0) {
      await settle();
      if (waiting.length > 0 && ++headsWaited < patienceHeads) return;
      // The chain was rolled back, or its base fee is out of reach.
      if (waiting.length > 0) await takeBack();
    }
    headsWaited = 0;
    if (!on) return;
    const round = await planRound(rpc, market);
    if (!on) return;
    waiting = await send(rpc, round, maxFeePerGas);
  };
  return {
    tick() {
      working = work();
      return working;
    },
    wanted: (token) => 1 + (market.sway.get(token) ?? 0),
    async set(next) {
      on = next;
      if (next) return;
      await working.catch(() => undefined);
      for (let poll = 0; waiting.length > 0 && poll < drainMs / DRAIN_POLL_MS; poll++) {
        await settle();
        if (waiting.length > 0) await new Promise((resolve) => setTimeout(resolve, DRAIN_POLL_MS));
      }
      if (waiting.length > 0) await takeBack();
    },
  };
}

/** Nonces are given, not left to the node: after a rollback its own idea of the next one counts transactions that can never be mined. */
async function send(rpc: NodeRpc, round: readonly BotTransaction[], maxFeePerGas: Hex): Promise<readonly Hex[]> {
  const senders = [...new Set(round.map((transaction) => transaction.from))];
  const counts = await rpc.batch(senders.map((sender) => ({ method: 'eth_getTransactionCount', params: [sender, 'latest'] })));
  const next = new Map<Address, number>(senders.map((sender, index) => [sender, nonceOf(counts[index])]));
  const answers = await rpc.batch(
    round.map(({ from, to, data, value = 0n }) => {
      const nonce = next.get(from) ?? 0;
      next.set(from, nonce + 1);
      const transaction = {
        from,
        to,
        data,
        value: toHex(value),
        nonce: toHex(nonce),
        gas: toHex(GAS_PER_TRANSACTION),
        maxFeePerGas,
        maxPriorityFeePerGas: '0x0',
      };
      return { method: 'eth_sendTransaction', params: [transaction] };
    }),
  );
  return answers.flatMap((answer) => (answer.ok ? [answer.result as Hex] : []));
}

function nonceOf(answer: { readonly ok: boolean; readonly result?: unknown } | undefined): number {
  return Number(answer?.result ?? 0);
}

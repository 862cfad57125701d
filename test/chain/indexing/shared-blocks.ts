import type { Address } from '../../../src/units/units.ts';
import type { Activity, Transaction } from './activity.ts';

/** A transaction of any account; what it does not name is the node's usual. */
type Sent = { readonly from: string; readonly value?: string; readonly to?: string; readonly data: string; readonly gas: string; readonly gasPrice: string };

/** Lets work that mines blocks of its own mine them together: one block holds what all of it sends. */
export type SharedBlocks = {
  /** An activity on this chain whose blocks are the common ones: `mine`, and evm_mine by `request`, wait for the next. Time that it lets pass does so for all. */
  lane(activity: Activity): Activity;
  /** Does the work of all lanes to its end. Each time that all of it waits for a block, one is mined and looked at before any goes on. */
  run(work: readonly (() => Promise<void>)[], onBlock: () => Promise<void>): Promise<void>;
};

const GAS = '0x5b8d80';
const GAS_PRICE = '0x2e90edd000';
const BASE_FEE = '0x3b9aca00';

/** In a block, transactions come in the order of the lanes, and of one lane in its own. */
export function shareBlocks(me: Address, { request }: Pick<Activity, 'request'>): SharedBlocks {
  const queues: Sent[][] = [];
  let seconds = 0;
  let waiting: (() => void)[] = [];
  let running = 0;
  let allWait: (() => void) | null = null;

  const rested = (): void => {
    if (waiting.length === running) allWait?.();
  };
  const nextBlock = (): Promise<void> =>
    new Promise((resolve) => {
      waiting.push(resolve);
      rested();
    });
  const mine = async (): Promise<void> => {
    const sent = queues.flatMap((queue) => queue.splice(0));
    const senders = [...new Set(sent.map(({ from }) => from))];
    const counts = await Promise.all(senders.map((sender) => request('eth_getTransactionCount', sender, 'latest')));
    const nonces = new Map(senders.map((sender, at) => [sender, Number(counts[at])]));
    const numbered = sent.map((one) => {
      const nonce = nonces.get(one.from) ?? 0;
      nonces.set(one.from, nonce + 1);
      return { ...one, nonce: `0x${nonce.toString(16)}` };
    });
    await Promise.all(numbered.map((transaction) => request('eth_sendTransaction', transaction)));
    // Full blocks would lift it above what the transactions pay.
    await request('anvil_setNextBlockBaseFeePerGas', BASE_FEE);
    if (seconds > 0) await request('evm_increaseTime', seconds);
    seconds = 0;
    await request('evm_mine');
  };

  return {
    lane(activity) {
      const queue: Sent[] = [];
      queues.push(queue);
      const put = (transactions: readonly Transaction[]): void => {
        for (const { value = 0n, ...rest } of transactions) queue.push({ ...rest, from: me, value: `0x${value.toString(16)}`, gas: GAS, gasPrice: GAS_PRICE });
      };
      return {
        ...activity,
        async request(method, ...params) {
          if (method === 'eth_sendTransaction') queue.push({ ...(params[0] as Sent), from: (params[0] as Sent).from.toLowerCase() });
          else if (method === 'evm_increaseTime') seconds += Number(params[0]);
          else if (method === 'evm_mine') await nextBlock();
          else return await activity.request(method, ...params);
          return null;
        },
        async mine(transactions = []) {
          put(transactions);
          await nextBlock();
        },
        async send(transactions) {
          put(transactions);
        },
      };
    },
    async run(work, onBlock) {
      running = work.length;
      const ended = Promise.all(
        work.map(async (one) => {
          await one();
          running--;
          rested();
        }),
      );
      while (running > 0) {
        const full = new Promise<void>((resolve) => {
          allWait = resolve;
        });
        rested();
        await Promise.race([full, ended]);
        allWait = null;
        if (running === 0) break;
        await mine();
        await onBlock();
        const released = waiting;
        waiting = [];
        for (const go of released) go();
      }
      await ended;
    },
  };
}

import { getContractAddress, type Hex } from 'viem';
import { LIMITS } from '../config/limits.ts';
import { type Address, asAddress } from '../units/units.ts';
import { DevnetError } from './devnet-error.ts';
import type { NodeRpc } from './node-rpc.ts';

/** Transactions of one account in a fixed order. Nothing waits for anything: nonces order them, and addresses follow from nonces. */
export type TransactionScript = {
  /** Adds a call. `label` names it in an error. */
  call(label: string, to: Address, data: Hex, value?: bigint): void;
  /** Adds a deployment and gives the address that it will have. */
  deploy(label: string, code: Hex): Address;
  /** Sends what was added since the last time, mines it, and checks that every transaction went through. Throws DevnetError otherwise. */
  run(): Promise<void>;
};

type Step = { readonly label: string; readonly to: Address | null; readonly data: Hex; readonly value: bigint };

/** Fixed, because estimating needs the earlier transactions mined. The dearest: a composable stable pool, and its factory with the code of a pool in two halves. */
const GAS_PER_CALL = 9_000_000;
const GAS_PER_DEPLOYMENT = 15_000_000;
const GAS_PRICE = 100n * 10n ** 9n;

/** `firstNonce`: how many transactions the sender has sent already. */
export function createTransactionScript(rpc: NodeRpc, sender: Address, firstNonce = 0): TransactionScript {
  let nextNonce = firstNonce;
  let sent = firstNonce;
  let pending: Step[] = [];
  return {
    call(label, to, data, value = 0n) {
      pending.push({ label, to, data, value });
      nextNonce++;
    },
    deploy(label, code) {
      pending.push({ label, to: null, data: code, value: 0n });
      return asAddress(getContractAddress({ from: sender, nonce: BigInt(nextNonce++) }));
    },
    async run() {
      const steps = pending;
      pending = [];
      const first = sent;
      sent = nextNonce;
      const hashes = await send(rpc, sender, steps, first);
      await mineUntil(rpc, sender, nextNonce);
      await checkReceipts(rpc, steps, hashes);
    },
  };
}

async function send(rpc: NodeRpc, from: Address, steps: readonly Step[], firstNonce: number): Promise<readonly Hex[]> {
  const calls = steps.map((step, index) => ({
    method: 'eth_sendTransaction',
    params: [
      {
        from,
        ...(step.to === null ? {} : { to: step.to }),
        data: step.data,
        value: toHex(step.value),
        nonce: toHex(firstNonce + index),
        gas: toHex(step.to === null ? GAS_PER_DEPLOYMENT : GAS_PER_CALL),
        gasPrice: toHex(GAS_PRICE),
      },
    ],
  }));
  const answers = await rpc.batch(calls);
  return answers.map((answer, index) => {
    if (!answer.ok) throw new DevnetError(`the local node refused "${steps[index]?.label}": ${answer.message}`);
    return answer.result as Hex;
  });
}

async function mineUntil(rpc: NodeRpc, account: Address, nonce: number): Promise<void> {
  for (let block = 0; block < LIMITS.devnet.setUpBlocks; block++) {
    await rpc.request('evm_mine');
    if (Number(await rpc.request('eth_getTransactionCount', account, 'latest')) >= nonce) return;
  }
  throw new DevnetError('the local node does not mine the set-up transactions');
}

async function checkReceipts(rpc: NodeRpc, steps: readonly Step[], hashes: readonly Hex[]): Promise<void> {
  const receipts = await rpc.batch(hashes.map((hash) => ({ method: 'eth_getTransactionReceipt', params: [hash] })));
  const failed = receipts.findIndex((receipt) => !receipt.ok || (receipt.result as { readonly status: Hex } | null)?.status !== '0x1');
  if (failed >= 0) throw new DevnetError(`a set-up transaction of the local chain failed: ${steps[failed]?.label}`);
}

/** A quantity as JSON-RPC writes it. */
export function toHex(value: bigint | number): Hex {
  return `0x${value.toString(16)}`;
}

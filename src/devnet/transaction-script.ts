import { getContractAddress, type Hex } from 'viem';
import { LIMITS } from '../config/limits.ts';
import { type Address, asAddress } from '../units/units.ts';
import { DevnetError } from './devnet-error.ts';
import type { NodeRpc } from './node-rpc.ts';

/** Transactions of one account in a fixed order. Nothing waits for anything, not even for a node: nonces order them, and addresses follow from nonces. */
export type TransactionScript = {
  /** Adds a call. `label` names it in an error. */
  call(label: string, to: Address, data: Hex, value?: bigint): void;
  /** Adds a deployment and gives the address that it will have. */
  deploy(label: string, code: Hex): Address;
  /** What was added since the last time. */
  take(): TransactionBatch;
};

/** What one account sends at once; its nonces count from `firstNonce`. */
export type TransactionBatch = { readonly sender: Address; readonly firstNonce: number; readonly steps: readonly TransactionStep[] };

/** `to`: null for a deployment. */
export type TransactionStep = { readonly label: string; readonly to: Address | null; readonly data: Hex; readonly value: bigint };

/** Fixed, because estimating needs the earlier transactions mined. The dearest: a composable stable pool, and its factory with the code of a pool in two halves. */
const GAS_PER_CALL = 9_000_000;
const GAS_PER_DEPLOYMENT = 15_000_000;
const GAS_PRICE = 100n * 10n ** 9n;

/** `firstNonce`: how many transactions the sender has sent already. */
export function createTransactionScript(sender: Address, firstNonce = 0): TransactionScript {
  let nextNonce = firstNonce;
  let pending: TransactionStep[] = [];
  return {
    call(label, to, data, value = 0n) {
      pending.push({ label, to, data, value });
      nextNonce++;
    },
    deploy(label, code) {
      pending.push({ label, to: null, data: code, value: 0n });
      return asAddress(getContractAddress({ from: sender, nonce: BigInt(nextNonce++) }));
    },
    take() {
      const batch = { sender, firstNonce: nextNonce - pending.length, steps: pending };
      pending = [];
      return batch;
    },
  };
}

/** Sends a batch, mines it, and checks that every transaction went through. Throws DevnetError otherwise. */
export async function sendBatch(rpc: NodeRpc, batch: TransactionBatch): Promise<void> {
  const calls = batch.steps.map((_, index) => ({ method: 'eth_sendTransaction', params: [transactionOf(batch, index)] }));
  const answers = await rpc.batch(calls);
  const hashes = answers.map((answer, index) => {
    if (!answer.ok) throw new DevnetError(`the local node refused "${batch.steps[index]?.label}": ${answer.message}`);
    return answer.result as Hex;
  });
  await mineUntil(rpc, batch.sender, batch.firstNonce + batch.steps.length);
  await checkReceipts(rpc, batch.steps, hashes);
}

/** One transaction of a batch, as the node is asked for it. */
export function transactionOf({ sender, firstNonce, steps }: TransactionBatch, index: number): Readonly<Record<string, string>> {
  const step = steps[index];
  if (step === undefined) throw new DevnetError(`a batch has no transaction ${index}`);
  return {
    from: sender,
    ...(step.to === null ? {} : { to: step.to }),
    data: step.data,
    value: toHex(step.value),
    nonce: toHex(firstNonce + index),
    gas: toHex(step.to === null ? GAS_PER_DEPLOYMENT : GAS_PER_CALL),
    gasPrice: toHex(GAS_PRICE),
  };
}

async function mineUntil(rpc: NodeRpc, account: Address, nonce: number): Promise<void> {
  for (let block = 0; block < LIMITS.devnet.setUpBlocks; block++) {
    await rpc.request('evm_mine');
    if (Number(await rpc.request('eth_getTransactionCount', account, 'latest')) >= nonce) return;
  }
  throw new DevnetError('the local node does not mine the set-up transactions');
}

async function checkReceipts(rpc: NodeRpc, steps: readonly TransactionStep[], hashes: readonly Hex[]): Promise<void> {
  const receipts = await rpc.batch(hashes.map((hash) => ({ method: 'eth_getTransactionReceipt', params: [hash] })));
  const failed = receipts.findIndex((receipt) => !receipt.ok || (receipt.result as { readonly status: Hex } | null)?.status !== '0x1');
  if (failed >= 0) throw new DevnetError(`a set-up transaction of the local chain failed: ${steps[failed]?.label}`);
}

/** A quantity as JSON-RPC writes it. */
export function toHex(value: bigint | number): Hex {
  return `0x${value.toString(16)}`;
}

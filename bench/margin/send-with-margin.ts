import type { Hex, TransactionReceipt } from 'viem';
import { isPriceMoved } from '../../test/e2e/price-moved.ts';
import type { Taker, WireSwap } from '../../test/e2e/swap-check.ts';

/** What is sent beyond the estimate, in percent of it: a fifth, as README says and its program does. */
export const GAS_MARGIN_PERCENT = 20n;

/**
 * What became of a swap that was estimated and sent. 'moved': a block that the service had not read moved the price past the floor, before sending or when it was mined. 'unmined': its block left the chain, or
 * none came. 'refused': the estimate failed for another reason.
 */
export type Sent =
  | { readonly kind: 'moved' | 'unmined' }
  | { readonly kind: 'refused'; readonly message: string }
  | { readonly kind: 'out-of-gas'; readonly gas: bigint }
  | { readonly kind: 'done'; readonly receipt: TransactionReceipt };

const MINED_WITHIN_MS = 15_000;

/** Sends a swap as an integrator would: its gas estimated right before, and so much more of it. */
export async function sendWithMargin({ account, reader, wallet, rpc }: Taker, swap: WireSwap, percent: bigint): Promise<Sent> {
  const { to, data } = swap.transaction;
  const value = BigInt(swap.transaction.value);
  let estimate: bigint;
  try {
    estimate = await reader.estimateGas({ account: account.address, to, data, value });
  } catch (error) {
    if (isPriceMoved(error)) return { kind: 'moved' };
    return { kind: 'refused', message: error instanceof Error ? error.message.slice(0, 600) : String(error) };
  }
  const gas = (estimate * (100n + percent)) / 100n;
  const receipt = await wallet
    .sendTransaction({ to, data, value, gas })
    .then((hash: Hex) => reader.waitForTransactionReceipt({ hash, timeout: MINED_WITHIN_MS }))
    .catch(() => null);
  if (receipt === null) return { kind: 'unmined' };
  if (receipt.status === 'success') return { kind: 'done', receipt };
  const trace = await rpc('debug_traceTransaction', receipt.transactionHash, { tracer: 'callTracer' }).catch(() => null);
  // Its block has left the chain since.
  if (trace === null) return { kind: 'unmined' };
  return ranOut(trace as Frame) ? { kind: 'out-of-gas', gas } : { kind: 'moved' };
}

type Frame = { readonly error?: string; readonly calls?: readonly Frame[] };

/** Whether any call of a transaction that reverted was one without gas. The whole need not have used up its own: a 64th is kept back at each call. */
function ranOut({ error = '', calls = [] }: Frame): boolean {
  return /out ?of ?gas/i.test(error) || calls.some(ranOut);
}

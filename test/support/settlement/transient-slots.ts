import { expect } from 'chai';
import type { Ground } from './ground.ts';
import type { Call } from './test-chain.ts';

type Trace = { readonly failed: boolean; readonly structLogs: readonly { readonly op: string; readonly stack: readonly string[] }[] };

/** What each transient slot that the taker's call writes, in whichever contract, holds at its end, by its number in hex. The call has to succeed, and is not sent. */
export async function transientSlots({ chain, accounts }: Ground, { to, data }: Call): Promise<ReadonlyMap<string, bigint>> {
  const trace = (await chain.rpc.request('debug_traceCall', { from: accounts.taker, to, data }, 'latest', { disableStorage: true })) as Trace;
  expect(trace.failed).to.equal(false);
  const slots = new Map<string, bigint>();
  for (const { op, stack } of trace.structLogs) if (op === 'TSTORE') slots.set(BigInt(stack.at(-1) ?? 0).toString(16), BigInt(stack.at(-2) ?? 0));
  return slots;
}

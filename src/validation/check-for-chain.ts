import type { HostedChain } from '../chains/chains.ts';
import type { EpochSeconds } from '../units/units.ts';
import type { TradeRequest } from './trade-request.ts';

/**
 * The rules that need the chain: who may not receive (decisions R11), and a deadline that has not passed (R8). `now` is the wall clock in unix seconds.
 * The message of the first rule broken, or null.
 */
export function checkForChain(request: TradeRequest, hosted: HostedChain, now: EpochSeconds): string | null {
  const receivers = [
    ['recipient', request.recipient],
    ['feeRecipient', request.feeRecipient],
  ] as const;
  const ours = [
    ['router', request.overrides.router ?? hosted.contracts.router],
    ['allowance holder', request.overrides.allowanceHolder ?? hosted.contracts.allowanceHolder],
  ] as const;
  for (const [name, receiver] of receivers) {
    for (const [contract, address] of ours) {
      if (receiver !== null && receiver === address) return `${name} is ${receiver}, the ${contract}; expected an address that keeps what it receives`;
    }
  }
  if (request.deadline === null) return null;
  const view = hosted.view();
  const head = view.phase === 'coming-up' ? now : view.block.timestamp;
  const latest = Math.max(now, head);
  return request.deadline <= BigInt(Math.floor(latest)) ? `deadline is ${request.deadline}; expected unix seconds after ${Math.floor(latest)}` : null;
}

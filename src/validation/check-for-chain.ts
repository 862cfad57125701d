import type { HostedChain } from '../chains/chains.ts';
import type { EpochSeconds } from '../units/units.ts';
import type { TradeRequest } from './trade-request.ts';

/** The rule that needs the time and no chain: a deadline that has not passed by the wall clock, in unix seconds (decisions R8). The message if it is broken, or null. */
export function checkForTime({ deadline }: TradeRequest, now: EpochSeconds): string | null {
  return deadline === null ? null : passed(deadline, now);
}

/** The rules that need the chain: who may not receive (decisions R11), and a deadline that has not passed by the head's timestamp (R8). The message of the first rule broken, or null. */
export function checkForChain(request: TradeRequest, hosted: HostedChain): string | null {
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
  const view = hosted.view();
  return request.deadline === null || view.phase === 'coming-up' ? null : passed(request.deadline, view.block.timestamp);
}

function passed(deadline: bigint, latest: EpochSeconds): string | null {
  return deadline <= BigInt(Math.floor(latest)) ? `deadline is ${deadline}; expected unix seconds after ${Math.floor(latest)}` : null;
}

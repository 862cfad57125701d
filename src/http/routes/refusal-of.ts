import type { SolveOutcome } from '../../solving/solving.ts';
import type { Answer } from '../answer.ts';
import { refuse, refuseForNow } from '../errors.ts';
import { refusedTokenMessage, unmeasuredBetweenMessage, unmeasuredMessage } from './token-message.ts';

export type Unsolved = Exclude<SolveOutcome['result'], { readonly ok: true }> | { readonly reason: 'dust' };

/** The answer to a trade that was not solved. Who comes too late in the queue is told to come back in so many seconds. */
export function refusalOf(refusal: Unsolved, retryAfterSeconds: number): Answer {
  switch (refusal.reason) {
    case 'no-route':
      return 'unmeasured' in refusal ? refuse('no-route', unmeasuredBetweenMessage(refusal.unmeasured, refusal.block.number)) : refuse('no-route');
    case 'dust':
      return refuse('no-route', 'no route: what it would yield is nothing after fees; try a larger size');
    case 'token-refused':
      return refuse('token-refused', refusedTokenMessage(refusal.token, refusal.refusal));
    case 'unmeasured':
      return refuse('token-unmeasured', unmeasuredMessage(refusal.tokens, refusal.block.number));
    case 'no-snapshot':
      return refuse('coming-up');
    case 'expired':
      return refuseForNow('overloaded', retryAfterSeconds);
    case 'cancelled':
    case 'failed':
      return refuse('internal');
    default:
      throw new TypeError(`unknown reason ${JSON.stringify(refusal satisfies never)}`);
  }
}

import { LIMITS } from '../config/limits.ts';
import type { Clock } from './clock.ts';
import type { ChainHeader } from './header.ts';
import { RpcError, type RpcFailure } from './rpc/rpc-error.ts';

/** Failures that are about one block: who does not answer at all does not answer for another one either. */
const OF_THE_BLOCK: ReadonlySet<RpcFailure> = new Set(['garbage', 'refused', 'block-gone', 'range-too-large']);

/**
 * The block after the tip, while its logs can not be read: a node may have lost them, and some chains number or sum up the logs of a block in a way of their own. No block behind it
 * can be taken in without them, but a chain that is read anew from above it can be followed.
 */
export class UnreadBlock {
  readonly #clock: Clock;
  readonly #say: (millis: number) => void;
  #block: { readonly hash: string; readonly since: number } | null = null;
  #patienceMs: number = LIMITS.indexing.unreadBlockMs.first;

  /** `say` is told for how long there is such a block, and 0 once there is none any more. */
  constructor(clock: Clock, say: (millis: number) => void) {
    this.#clock = clock;
    this.#say = say;
  }

  /** A block was taken in. */
  clear(): void {
    this.#forget();
    this.#patienceMs = LIMITS.indexing.unreadBlockMs.first;
  }

  #forget(): void {
    if (this.#block !== null) this.#say(0);
    this.#block = null;
  }

  /** Whether to read the chain anew rather than ask for the logs of that block again. Longer is waited each time: it may be all blocks. */
  isHopeless(error: unknown, { hash, number }: ChainHeader, base: number): boolean {
    if (!(error instanceof RpcError) || !OF_THE_BLOCK.has(error.reason)) return false;
    if (this.#block?.hash !== hash) this.#block = { hash, since: this.#clock.now() };
    const millis = this.#clock.now() - this.#block.since;
    this.#say(millis);
    if (number > base || millis < this.#patienceMs) return false;
    this.#forget();
    this.#patienceMs = Math.min(LIMITS.indexing.unreadBlockMs.longest, 2 * this.#patienceMs);
    return true;
  }
}

// Sells of exactly so much end the thread of mortal-solver that solves them, each time.
import type { Poison } from './scenario.ts';

/** It exits. */
export const POISON_AMOUNT = 13_131_313_131_313n;
/** Its heap is full: it grows to the limit that it has. */
export const HEAP_AMOUNT = 13_131_313_131_317n;
/** It never comes to an end, deadline or not, and holds the block that it began with. */
export const SPIN_AMOUNT = 13_131_313_131_319n;
/** It takes memory that no limit of its heap bounds: more than the process may have. */
export const GROW_AMOUNT = 13_131_313_131_321n;

/** It lives, but the route that it gives has hops that nobody can encode. A bit more than a whole token of 18 decimals. */
export const UNENCODABLE_AMOUNT = 1_313_131_313_131_313_131n;

/** By what the thread does. */
export const DEADLY_AMOUNTS: Readonly<Record<Poison, bigint>> = { exit: POISON_AMOUNT, 'full-heap': HEAP_AMOUNT };

// Sells of exactly so much end the thread of mortal-solver that solves them, each time.
import type { Poison } from './scenario.ts';

/** It exits. */
export const POISON_AMOUNT = 13_131_313_131_313n;
/** Its heap is full: it grows to the limit that it has. */
export const HEAP_AMOUNT = 13_131_313_131_317n;
/** It never comes to an end, deadline or not. */
export const SPIN_AMOUNT = 13_131_313_131_319n;

/** By what the thread does. */
export const DEADLY_AMOUNTS: Readonly<Record<Poison, bigint>> = { exit: POISON_AMOUNT, 'full-heap': HEAP_AMOUNT };

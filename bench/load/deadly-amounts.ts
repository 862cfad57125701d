// Sells of exactly so much end the thread of mortal-solver that solves them, each time.

/** It exits. */
export const POISON_AMOUNT = 13_131_313_131_313n;
/** Its heap is full. */
export const HEAP_AMOUNT = 13_131_313_131_317n;
/** It never comes to an end, deadline or not. */
export const SPIN_AMOUNT = 13_131_313_131_319n;

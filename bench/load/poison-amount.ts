/** A sell of exactly so much kills the thread of mortal-solver that solves it, each time. */
export const POISON_AMOUNT = 13_131_313_131_313n;

/** A variable of the environment, of which each thread gets a copy as it is when the thread begins. */
export const BREAKS = 'BRAID_TEST_THREADS_BREAK';

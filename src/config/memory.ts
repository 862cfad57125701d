/** Of what the process may have; the rest is for what grows between two looks. */
const SHARE = 0.85;

/**
 * Resident bytes above which the process has to give something up: a share of the machine's memory, or of the cgroup's, which inside a container is often less. `constrained`:
 * process.constrainedMemory(), which is 0 or beyond all measure without a limit.
 */
export function residentLimitBytes(total: number, constrained: number): number {
  return Math.floor(SHARE * (constrained > 0 ? Math.min(total, constrained) : total));
}

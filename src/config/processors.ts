/**
 * Processors that this process may use: what the scheduler shows, cut by the cgroup's quota, which inside a container is often smaller. `readFile` throws
 * where a file does not exist.
 */
export function usableProcessors(availableParallelism: number, readFile: (path: string) => string): number {
  const quota = cgroupQuota(readFile);
  return quota === null ? availableParallelism : Math.max(1, Math.min(availableParallelism, Math.floor(quota)));
}

/** Processors of time per second; null when there is no limit. */
function cgroupQuota(readFile: (path: string) => string): number | null {
  const second = tryRead(readFile, '/sys/fs/cgroup/cpu.max');
  if (second !== null) return ratio(...second.trim().split(' '));
  return ratio(tryRead(readFile, '/sys/fs/cgroup/cpu/cpu.cfs_quota_us') ?? '', tryRead(readFile, '/sys/fs/cgroup/cpu/cpu.cfs_period_us') ?? '');
}

function ratio(quota = '', period = ''): number | null {
  const value = Number(quota) / Number(period);
  return quota !== '' && value > 0 && Number.isFinite(value) ? value : null;
}

function tryRead(readFile: (path: string) => string, path: string): string | null {
  try {
    return readFile(path);
  } catch {
    return null;
  }
}

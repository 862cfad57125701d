import { GCProfiler } from 'node:v8';

/**
 * Counts from now; the function that it gives says how many bytes this thread has allocated since: what the JavaScript heap grew by, with what collections freed in
 * between, and the memory of buffers, of which only those count that are still there.
 */
export function countAllocations(): () => number {
  const profiler = new GCProfiler();
  profiler.start();
  const before = process.memoryUsage();
  return () => {
    const after = process.memoryUsage();
    const { statistics } = profiler.stop();
    const freed = statistics.reduce((sum, { beforeGC, afterGC }) => sum + beforeGC.heapStatistics.usedHeapSize - afterGC.heapStatistics.usedHeapSize, 0);
    return Math.max(0, after.heapUsed - before.heapUsed + freed) + Math.max(0, after.arrayBuffers - before.arrayBuffers);
  };
}

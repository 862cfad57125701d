/**
 * Does something that ends early where a signal says so, or after so many milliseconds: `ending` is aborted then, and when the work is done. Not by AbortSignal.any with AbortSignal.timeout: in Node 20 and later nothing but other weak references
 * holds what these make, so that a collection of garbage in between takes the timeout away, and who waits for it waits for ever.
 */
export async function within<Result>(milliseconds: number, signal: AbortSignal, work: (ending: AbortSignal) => Promise<Result>): Promise<Result> {
  const ending = new AbortController();
  const end = (): void => ending.abort();
  const timer = setTimeout(end, milliseconds);
  signal.addEventListener('abort', end, { once: true });
  if (signal.aborted) end();
  try {
    return await work(ending.signal);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', end);
    // Whatever of the work still goes on is not waited for.
    end();
  }
}

// Whoever opens a pool of an open factory chooses its numbers, and some make Newton's method take many steps. Exchanges ask for few; a curve is hundreds of exchanges.

class StepsSpent extends Error {}

/** Of this thread: what it computes it computes to the end before anything else. */
let left = Number.POSITIVE_INFINITY;

/** Counts one step of Newton's method: each loop of the mathematics does. */
export function countStep(): void {
  left--;
  if (left < 0) throw new StepsSpent();
}

/** What `compute` gives, or null where it would take more than `most` steps, which count for whoever set a bound around this one too. The same pool comes to the same end on any machine, which a limit of time would not. */
export function withinSteps<Value>(most: number, compute: () => Value): Value | null {
  const outside = left;
  left = most;
  try {
    return compute();
  } catch (error) {
    if (error instanceof StepsSpent) return null;
    throw error;
  } finally {
    left = outside - (most - left);
  }
}

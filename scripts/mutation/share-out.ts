/** Does the work on every item, in order, on as many at a time as there are workers; none has two at once. */
export async function shareOut<Item, Worker>(
  items: Iterable<Item>,
  workers: readonly Worker[],
  work: (item: Item, worker: Worker) => Promise<void>,
): Promise<void> {
  const left = items[Symbol.iterator]();
  await Promise.all(
    workers.map(async (worker) => {
      for (let next = left.next(); next.done !== true; next = left.next()) await work(next.value, worker);
    }),
  );
}

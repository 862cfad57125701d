/** Asks again every 20 ms until the answer is true; false when the time is over. */
export async function until(condition: () => boolean | Promise<boolean>, withinMs: number): Promise<boolean> {
  const giveUp = Date.now() + withinMs;
  while (Date.now() < giveUp) {
    if (await condition()) return true;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return false;
}

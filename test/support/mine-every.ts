/** Mines again and again, one block at a time however long a node takes for it. A block that it did not make is made up for by the next. Returns what ends it. */
export function mineEvery(ms: number, mine: () => Promise<unknown>): () => void {
  let underWay = false;
  const mining = setInterval(() => {
    if (underWay) return;
    underWay = true;
    mine()
      .catch(() => undefined)
      .finally(() => {
        underWay = false;
      });
  }, ms);
  return () => clearInterval(mining);
}

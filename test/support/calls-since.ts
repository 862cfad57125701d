/**
 * Watches a server of the devnet that keeps the last of its calls alone, so that how many it has says nothing after a while. Gives what it was asked since then, whenever that is asked for.
 */
export function callsFromNow<Call extends object>(calls: () => readonly Call[]): () => readonly Call[] {
  const last = calls().at(-1);
  return () => {
    const all = calls();
    return last === undefined ? all : all.slice(all.lastIndexOf(last) + 1);
  };
}

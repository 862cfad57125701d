/** What is known of whether a contract was there at a block: 'unknown' where nobody keeps the states of that time. */
export type Presence = 'there' | 'absent' | 'unknown';

/** `exact`: the first block at which it was there. Otherwise no block before `block` is one, as far as anybody knows. */
export type FirstBlock = { readonly block: number; readonly exact: boolean };

/**
 * The first block from which on a contract is there, by halving: once made it stays. It has to be there at `last`. Where the states of a time are unknown, what is above the last block at which it
 * is known to be absent may matter.
 */
export async function bisectFirstBlock(last: number, presenceAt: (block: number) => Promise<Presence>): Promise<FirstBlock> {
  let [absent, there] = [-1, last];
  while (there - absent > 1) {
    const middle = absent + Math.floor((there - absent) / 2);
    const presence = await presenceAt(middle);
    if (presence === 'unknown') return { block: absent + 1, exact: false };
    if (presence === 'there') there = middle;
    else absent = middle;
  }
  return { block: there, exact: true };
}

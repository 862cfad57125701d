import type { Hex } from 'viem';

/** Something of each word of pools' bitmaps that costs time to make and never changes. */
export type KnownWords = {
  /** What is known of a word of a pool, by the pool's id, or what is made of it now. */
  of(pool: string, word: number, make: () => Hex): Hex;
  /** Words that are known. */
  size(): number;
};

/** Knows of `most` words at most: beyond them the pool goes that came first. One that is read again comes back behind the others, and those that are read once do not. */
export function createKnownWords(most: number): KnownWords {
  const pools = new Map<string, Map<number, Hex>>();
  let size = 0;
  return {
    of(pool, word, make) {
      let words = pools.get(pool);
      const known = words?.get(word);
      if (known !== undefined) return known;
      if (words === undefined) {
        words = new Map();
        pools.set(pool, words);
      }
      const made = make();
      words.set(word, made);
      size++;
      for (const [oldest, { size: freed }] of pools) {
        if (size <= most) break;
        pools.delete(oldest);
        size -= freed;
      }
      return made;
    },
    size: () => size,
  };
}

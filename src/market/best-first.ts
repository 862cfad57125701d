/** A binary heap: items come out best first, equals in any order. */
export class BestFirst<Item> {
  readonly #isBefore: (one: Item, other: Item) => boolean;
  readonly #items: Item[] = [];

  constructor(isBefore: (one: Item, other: Item) => boolean) {
    this.#isBefore = isBefore;
  }

  push(item: Item): void {
    const items = this.#items;
    let at = items.length;
    for (; at > 0; at = (at - 1) >> 1) {
      const above = items[(at - 1) >> 1] as Item;
      if (!this.#isBefore(item, above)) break;
      items[at] = above;
    }
    items[at] = item;
  }

  pop(): Item | undefined {
    const items = this.#items;
    const [best] = items;
    const last = items.pop();
    if (last === undefined || items.length === 0) return best;
    let at = 0;
    for (let below = 1; below < items.length; below = 2 * at + 1) {
      if (below + 1 < items.length && this.#isBefore(items[below + 1] as Item, items[below] as Item)) below += 1;
      if (!this.#isBefore(items[below] as Item, last)) break;
      items[at] = items[below] as Item;
      at = below;
    }
    items[at] = last;
    return best;
  }
}

import type { Pace } from './pace.ts';
import { bestPrice, type SearchArea } from './search-area.ts';
import type { Walk } from './walk.ts';

/**
 * For every token and number of hops left, the best product of start prices from there to where the walk ends; 0 where that is out of reach. No route can
 * do better than its start prices, since curves are concave: this is the bound by which routes and edges are left out. Keeps its memory, by token id,
 * between requests and forgets only what the last one touched.
 */
export class Potentials {
  /** By hops, then token id. */
  readonly #rows: Float64Array[] = [];
  #touched: number[] = [];
  /** The round in which a token last improved, of the search under way. */
  #improved = new Uint8Array(0);

  /** The bound for a token with so many hops left, 0 … maxHops − 1. */
  at(hopsLeft: number, token: number): number {
    return this.#rows[hopsLeft]?.[token] ?? 0;
  }

  /** Looks from the end of the walk backwards, never through its start. Where the pace runs out, what was not looked at counts as out of reach. */
  explore(area: SearchArea, walk: Walk, pace: Pace): void {
    this.#renew(area);
    const [start, goal] = [walk.startOf(area), walk.goalOf(area)];
    let frontier = [goal];
    this.#touched.push(goal);
    for (const row of this.#rows) row[goal] = 1;
    for (let hops = 1; hops < area.maxHops && frontier.length > 0; hops++) {
      const before = this.#rows[hops - 1] as Float64Array;
      const row = this.#rows[hops] as Float64Array;
      for (const token of this.#touched) row[token] = before[token] as number;
      const next: number[] = [];
      for (const token of frontier) {
        // A token that this thread meets for the first time takes its while.
        if (pace.halted() !== null) break;
        const potential = before[token] as number;
        for (const pair of walk.pairsInto(area, token)) {
          const other = walk.back(pair);
          if (other === start || other === goal) continue;
          const product = potential * bestPrice(pair, area.admits);
          const known = row[other] as number;
          if (!(product > known)) continue;
          if (known === 0) this.#touched.push(other);
          row[other] = product;
          if (this.#improved[other] === hops) continue;
          this.#improved[other] = hops;
          next.push(other);
        }
      }
      frontier = next;
      if (frontier.length === 0) this.#repeat(hops, area.maxHops);
    }
  }

  /** Nothing improves any more: the rows that follow say the same. */
  #repeat(from: number, maxHops: number): void {
    for (let hops = from + 1; hops < maxHops; hops++) {
      for (const token of this.#touched) (this.#rows[hops] as Float64Array)[token] = (this.#rows[from] as Float64Array)[token] as number;
    }
  }

  #renew({ view, maxHops }: SearchArea): void {
    for (const row of this.#rows) for (const token of this.#touched) row[token] = 0;
    for (const token of this.#touched) this.#improved[token] = 0;
    this.#touched = [];
    if (this.#improved.length < view.tokenCount) {
      const room = Math.max(view.tokenCount, 2 * this.#improved.length);
      this.#improved = new Uint8Array(room);
      this.#rows.length = 0;
    }
    while (this.#rows.length < maxHops) this.#rows.push(new Float64Array(this.#improved.length));
  }
}
